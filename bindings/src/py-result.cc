/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-result.h"

#include "ns3/roce-link-use.h"
#include "ns3/roce-run-series.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

int64_t
NsOf(Tick tick)
{
    return FromTick(tick).GetNanoSeconds();
}

} // namespace

PyResult::PyResult(ExperimentRun& run)
    : result(run.GetResult()),
      extra(run.GetExtra()),
      graph(run.GetFabric()->GetGraph())
{
    AddMessages(*run.GetMonitor());
    AddQueues();
    AddLinks(*run.GetFabric(), *run.GetMonitor());
    if (run.GetRateMonitor())
    {
        AddRates(*run.GetRateMonitor());
    }
    if (run.GetPauseMonitor())
    {
        AddPauses(run.GetPauseMonitor()->GetTree());
    }
}

void
PyResult::AddMessages(const FabricMonitor& monitor)
{
    const HostDirectory& hosts = monitor.GetHosts();
    messages.reserve(monitor.GetMessages().size());
    for (const MessageRecord& m : monitor.GetMessages())
    {
        MessageRow row;
        row.id = m.id;
        row.bytes = m.bytes;
        row.posted = NsOf(m.posted);
        row.arrived = NsOf(m.arrived);
        row.completed = NsOf(m.completed);
        row.host = hosts.GetId(m.host);
        row.peer = hosts.GetId(m.peer);
        row.qpn = m.qpn;
        row.operation = static_cast<uint16_t>(m.operation);
        row.service = static_cast<uint16_t>(m.service);
        messages.push_back(row);
    }
}

void
PyResult::AddQueues()
{
    if (!extra.contains("queues"))
    {
        return;
    }
    for (const auto& row : extra.at("queues").at("max_bytes_over_s"))
    {
        queues.emplace_back(row.at(0).get<double>(), row.at(1).get<double>());
    }
}

void
PyResult::AddRates(const RateMonitor& monitor)
{
    const HostDirectory& hosts = monitor.GetHosts();
    for (const RateTrack& track : monitor.GetTracks())
    {
        RateRow row;
        row.host = hosts.GetId(track.host);
        row.peer = track.peer == HostDirectory::NOBODY ? -1 : int64_t(hosts.GetId(track.peer));
        row.qpn = track.qpn;
        row.domain = track.IsOwn()                      ? -1
                     : track.domain == RateTrack::PLAIN ? -2
                                                        : int32_t(track.domain);
        row.point = track.point == RateTrack::ANY ? -1 : int32_t(track.point);
        for (std::size_t i = 0; i < track.samples.size(); ++i)
        {
            row.time = NsOf(track.samples[i].at);
            row.rate = track.samples[i].rateBps;
            row.goodput = track.IsOwn() ? RunSeries::GoodputBps(track.samples, i)
                                        : std::numeric_limits<double>::quiet_NaN();
            rates.push_back(row);
        }
    }
}

void
PyResult::AddPauses(const PauseTree& tree)
{
    const Tick now = ToTick(Simulator::Now());
    const auto& episodes = tree.GetEpisodes();
    const std::size_t shown = std::min(episodes.size(), RunSeries::MAX_PAUSES);
    for (std::size_t i = 0; i < shown; ++i)
    {
        const PauseEpisode& e = episodes[i];
        const Tick end = RunSeries::EndOf(e, now);
        PauseRow row;
        row.begin = NsOf(e.begin);
        row.end = end == NEVER ? -1 : NsOf(end);
        row.by = e.pauser;
        row.byHost = e.byHost;
        row.fullPort = e.fullPort == PauseEpisode::NONE ? -1 : int32_t(e.fullPort);
        row.node = e.paused;
        row.isHost = e.stopsHost;
        row.port = e.port;
        row.priority = e.priority;
        row.cause = e.cause == PauseEpisode::NONE ? -1 : int64_t(e.cause);
        pauses.push_back(row);
    }
}

void
PyResult::AddLinks(const Fabric& fabric, const FabricMonitor& monitor)
{
    const std::vector<LinkUse> uses = LinkUse::Read(fabric, monitor);
    for (uint32_t i = 0; i < uses.size(); ++i)
    {
        const FabricLink& link = graph.Link(i);
        links.push_back(LinkRow{link.a,
                                link.b,
                                link.rateBps,
                                uses[i].bytesToA,
                                uses[i].bytesToB,
                                uses[i].shareToA,
                                uses[i].shareToB});
    }
}

} // namespace python
} // namespace roce
} // namespace ns3
