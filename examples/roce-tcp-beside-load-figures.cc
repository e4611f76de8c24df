/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-load.h"

#include <algorithm>

// what BesideLoad makes of a run

namespace ns3
{
namespace roce
{

bool
BesideLoad::HasFailed() const
{
    return std::any_of(m_tcp.begin(), m_tcp.end(), [](const Loop& loop) {
        return loop.stream->HasFailed();
    });
}

uint64_t
BesideLoad::GetLossyPool() const
{
    const FabricGraph& graph = m_fabric->GetGraph();
    const FabricLink& link =
        graph.Link(m_fabric->GetPath(BesideSetup::RECEIVER, BesideSetup::FIRST).at(0));
    const uint32_t leaf = link.a == BesideSetup::RECEIVER ? link.b : link.a;
    return m_fabric->GetSwitch(leaf)->GetMmu().GetPool(false).size;
}

BesideFigures
BesideLoad::Fill(bool tcp) const
{
    BesideFigures figures;
    const bool both = !m_roce.empty() && !m_tcp.empty();
    figures.row = m_label + (both ? tcp ? ": tcp" : ": roce" : "");
    const double seconds = (m_end - m_begin).GetSeconds();
    figures.goodputBps =
        seconds > 0 ? 8.0 * double(m_after.bytes[tcp] - m_before.bytes[tcp]) / seconds : 0;
    figures.lossyDrops = m_after.lossy - m_before.lossy;
    figures.losslessDrops = m_after.lossless - m_before.lossless;
    figures.xoff = m_after.xoff - m_before.xoff;
    figures.resent = m_after.resent[tcp] - m_before.resent[tcp];
    figures.timeouts = m_after.timeouts[tcp] - m_before.timeouts[tcp];
    figures.marks = m_after.marks[tcp] - m_before.marks[tcp];
    figures.queueMean = m_queues[tcp].IsEmpty() ? 0 : m_queues[tcp].GetMean();
    figures.queueMax = m_queues[tcp].IsEmpty() ? 0 : m_queues[tcp].GetMax();
    figures.failed = tcp && HasFailed();
    return figures;
}

void
BesideLoad::FillRoce(BesideFigures& figures, const ExperimentRun& run) const
{
    const double nsPerTick = 1e9 / double(TicksPerSecond());
    for (const MessageRecord& record : run.GetMonitor()->GetMessages())
    {
        if (FromTick(record.arrived) > m_begin && FromTick(record.posted) < m_end)
        {
            figures.ttdNs.Add(double(record.arrived - record.posted) * nsPerTick);
        }
    }
}

void
BesideLoad::FillTcp(BesideFigures& figures) const
{
    for (const Loop& loop : m_tcp)
    {
        for (const auto& [sent, arrived] : loop.stream->GetMessages())
        {
            if (arrived > m_begin && sent < m_end)
            {
                figures.ttdNs.Add((arrived - sent).ToDouble(Time::NS));
            }
        }
    }
}

std::vector<BesideFigures>
BesideLoad::Measure(const ExperimentRun& run) const
{
    std::vector<BesideFigures> all;
    if (!m_roce.empty())
    {
        all.push_back(Fill(false));
        FillRoce(all.back(), run);
    }
    if (!m_tcp.empty())
    {
        all.push_back(Fill(true));
        FillTcp(all.back());
    }
    return all;
}

} // namespace roce
} // namespace ns3
