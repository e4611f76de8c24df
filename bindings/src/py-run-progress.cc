/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-run-progress.h"

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

RunProgress::RunProgress(Ptr<Fabric> fabric, Sink sink, const std::string& label)
    : m_fabric(fabric),
      m_sink(sink),
      m_label(label)
{
}

void
RunProgress::Poll(Tick now)
{
    const Clock::time_point wall = Clock::now();
    if (wall < m_next)
    {
        return;
    }
    m_next = wall + std::chrono::milliseconds(200);
    Tell(now);
}

void
RunProgress::Tell(Tick now) const
{
    uint64_t posted = 0;
    uint64_t done = 0;
    const NodeContainer& hosts = m_fabric->GetHosts();
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const NicCounters& counters = hosts.Get(i)->GetObject<Nic>()->GetCounters();
        posted += counters.bytesPosted;
        done += counters.bytesDelivered;
    }
    const uint64_t hops = EventCore::Get()->GetFrameHops();
    const int64_t ns = FromTick(now).GetNanoSeconds();
    m_sink->Call([&]() -> py::tuple {
        return m_label.empty() ? py::make_tuple(ns, done, posted, hops)
                               : py::make_tuple(m_label, ns, done, posted, hops);
    });
}

} // namespace python
} // namespace roce
} // namespace ns3
