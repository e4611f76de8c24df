/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-progress-meter.h"

#include <cstdio>
#include <unistd.h>

namespace ns3
{
namespace roce
{

ProgressMeter::ProgressMeter(const std::string& label, Ptr<Fabric> fabric)
    : m_label(label),
      m_fabric(fabric),
      m_core(EventCore::Get()),
      m_terminal(isatty(STDERR_FILENO)),
      m_start(Clock::now()),
      m_next(m_start + std::chrono::seconds(1))
{
}

void
ProgressMeter::SetExpectedBytes(uint64_t bytes)
{
    m_expected = bytes;
}

void
ProgressMeter::Poll(Tick now)
{
    const Clock::time_point wall = Clock::now();
    if (wall < m_next)
    {
        return;
    }
    m_next = wall + std::chrono::seconds(m_terminal ? 1 : 10);
    Print(now, std::chrono::duration<double>(wall - m_start).count());
}

void
ProgressMeter::Print(Tick now, double wall)
{
    uint64_t posted = 0;
    uint64_t delivered = 0;
    const NodeContainer& hosts = m_fabric->GetHosts();
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const NicCounters& counters = hosts.Get(i)->GetObject<Nic>()->GetCounters();
        posted += counters.bytesPosted;
        delivered += counters.bytesDelivered;
    }
    const double all = double(std::max(m_expected, posted));
    const double share = all > 0 ? std::min(1.0, double(delivered) / all) : 0;
    const uint64_t hops = m_core->GetFrameHops();
    const double rate = double(hops - m_lastHops) / std::max(1e-9, wall - m_lastWall);
    m_lastHops = hops;
    m_lastWall = wall;

    char eta[32] = "?";
    if (share > 0)
    {
        std::snprintf(eta, sizeof(eta), "%.0f s", wall * (1 - share) / share);
    }
    std::fprintf(stderr,
                 "%s%s: %.3f ms simulated, %.1f %% done, %.2f M frames/s, ETA %s%s",
                 m_terminal ? "\r" : "",
                 m_label.c_str(),
                 double(now) * 1e3 / double(TicksPerSecond()),
                 100 * share,
                 rate / 1e6,
                 eta,
                 m_terminal ? "   " : "\n");
    std::fflush(stderr);
    m_open = m_terminal;
}

void
ProgressMeter::Finish()
{
    if (m_open)
    {
        std::fputc('\n', stderr);
        m_open = false;
    }
}

} // namespace roce
} // namespace ns3
