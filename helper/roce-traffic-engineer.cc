/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-engineer.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t GRAIN = 16; //!< measured demands are multiples of a link's rate over this
const char* const ROLE = "traffic engineering"; //!< at the fabric

} // namespace

TrafficEngineer::TrafficEngineer(Ptr<Fabric> fabric)
    : m_fabric(fabric),
      m_pins(fabric),
      m_hosts(fabric->GetHosts()),
      m_delay(MilliSeconds(1))
{
}

TrafficEngineer::~TrafficEngineer()
{
    for (EventId& event : m_events)
    {
        event.Cancel();
    }
    if (m_started)
    {
        m_fabric->RemoveLinkListener(ROLE);
    }
}

PathDemand
TrafficEngineer::DescribeEnds(const Connection& connection) const
{
    const QueuePairConfig& config = connection.qp->GetConfig();
    const auto source = m_fabric->GetAddresses().Find(config.localAddress);
    const auto destination = m_fabric->GetAddresses().Find(config.remoteAddress);
    if (!source || !destination || m_fabric->GetNic(source->host) != connection.nic ||
        m_fabric->GetNic(destination->host) != connection.peerNic)
    {
        throw std::invalid_argument("traffic engineering: the connection is not of this fabric");
    }
    return PathDemand{source->host, source->port, destination->host, destination->port, 0};
}

uint32_t
TrafficEngineer::AddEntry(const Connection& connection, uint64_t demandBps, bool measured)
{
    if (m_started)
    {
        throw std::invalid_argument("traffic engineering has started; add connections before");
    }
    if (!connection.nic || !connection.qp || !connection.peerNic || !connection.peerQp)
    {
        throw std::invalid_argument("traffic engineering: the connection is empty; take one from "
                                    "Fabric::Connect");
    }
    if (demandBps == 0 || demandBps > PathAssigner::MAX_DEMAND_BPS)
    {
        throw std::invalid_argument("traffic engineering: a demand of " +
                                    std::to_string(demandBps) + " bit/s, expected 1 to " +
                                    std::to_string(PathAssigner::MAX_DEMAND_BPS));
    }
    Entry entry;
    entry.connection = connection;
    entry.demand = DescribeEnds(connection);
    const uint32_t qpn = connection.peerQp->GetQpn();
    if (!m_known.emplace(connection.qp->GetConfig().remoteAddress, qpn).second)
    {
        throw std::invalid_argument("traffic engineering: queue pair " + std::to_string(qpn) +
                                    " of host " + std::to_string(entry.demand.destination) +
                                    " was added before");
    }
    entry.demand.rateBps = demandBps;
    entry.measured = measured;
    m_entries.push_back(entry);
    return static_cast<uint32_t>(m_entries.size() - 1);
}

uint32_t
TrafficEngineer::Add(const Connection& connection, uint64_t demandBps)
{
    return AddEntry(connection, demandBps, false);
}

uint32_t
TrafficEngineer::AddMeasured(const Connection& connection)
{
    return AddEntry(connection, 1, true);
}

void
TrafficEngineer::SetReactionDelay(Time delay)
{
    if (delay.IsStrictlyNegative())
    {
        throw std::invalid_argument("traffic engineering: a reaction delay of " +
                                    std::to_string(delay.GetNanoSeconds()) +
                                    " ns: it cannot be negative");
    }
    if (!m_coming.empty())
    {
        throw std::invalid_argument("traffic engineering: a reaction is under way; set the "
                                    "reaction delay before Start");
    }
    m_delay = delay;
}

void
TrafficEngineer::SetInterval(Time interval)
{
    if (!interval.IsStrictlyPositive())
    {
        throw std::invalid_argument("traffic engineering: an interval of " +
                                    std::to_string(interval.GetNanoSeconds()) +
                                    " ns, more than 0 is needed");
    }
    if (m_started)
    {
        throw std::invalid_argument("traffic engineering has started; set the interval before");
    }
    m_interval = interval;
}

void
TrafficEngineer::SetKeepPaths(bool keep)
{
    m_keep = keep;
}

std::vector<uint64_t>
TrafficEngineer::GetCapacities() const
{
    const FabricGraph& graph = m_fabric->GetGraph();
    std::vector<uint64_t> capacity(graph.LinkCount());
    for (uint32_t link = 0; link < graph.LinkCount(); ++link)
    {
        const FabricLink& cable = graph.Link(link);
        const uint64_t rate = m_fabric->GetPort(cable.a, cable.portA)->GetRate();
        capacity[link] = cable.up ? std::min(rate, PathAssigner::MAX_DEMAND_BPS) : 0;
    }
    return capacity;
}

void
TrafficEngineer::Start()
{
    if (m_started)
    {
        throw std::invalid_argument("traffic engineering has started already");
    }
    const bool measures = std::any_of(m_entries.begin(), m_entries.end(), [](const Entry& entry) {
        return entry.measured;
    });
    if (measures && m_interval.IsZero())
    {
        throw std::invalid_argument("traffic engineering: demands are to be measured; set an "
                                    "interval");
    }
    m_fabric->AddLinkListener(ROLE, [this] { OnLinks(); });
    m_started = true;
    m_capacity = GetCapacities();
    m_measured = Simulator::Now();
    for (Entry& entry : m_entries)
    {
        entry.bytes = entry.connection.peerQp->GetResponder().GetBytes();
    }
    Compute();
    if (measures)
    {
        m_heartbeat = std::make_unique<Heartbeat>(m_hosts, [this](Tick) { OnInterval(); });
        m_heartbeat->Start(m_interval);
    }
}

void
TrafficEngineer::OnLinks()
{
    const Time due = Simulator::Now() + m_delay;
    if (m_coming.empty() || m_coming.back().due != due)
    {
        m_coming.push_back(View{due, {}});
        m_events.push_back(Simulator::Schedule(m_delay, &TrafficEngineer::React, this));
    }
    m_coming.back().capacity = GetCapacities();
}

void
TrafficEngineer::React()
{
    m_capacity = std::move(m_coming.front().capacity);
    m_coming.pop_front();
    m_events.pop_front();
    Compute();
}

uint64_t
TrafficEngineer::Measure(Entry& entry, Time elapsed) const
{
    const uint64_t now = entry.connection.peerQp->GetResponder().GetBytes();
    const uint64_t bytes = now >= entry.bytes ? now - entry.bytes : now; // a reset begins at 0
    entry.bytes = now;
    Ptr<Port> port = m_fabric->GetPort(entry.demand.source, entry.demand.sourcePort);
    const double mtu = entry.connection.qp->GetConfig().mtu;
    const double onWire =
        FrameSizes().DataBytes(entry.connection.qp->GetConfig().mtu, false) + port->GetGap();
    const double rate = static_cast<double>(bytes) * 8 / elapsed.GetSeconds() * onWire / mtu;
    const double grain = static_cast<double>(port->GetRate()) / GRAIN;
    const double rounded = std::floor(rate / grain + 0.5) * grain;
    return static_cast<uint64_t>(
        std::clamp(rounded, 1.0, static_cast<double>(PathAssigner::MAX_DEMAND_BPS)));
}

void
TrafficEngineer::OnInterval()
{
    const Time elapsed = Simulator::Now() - m_measured;
    m_measured = Simulator::Now();
    for (Entry& entry : m_entries)
    {
        if (entry.measured)
        {
            entry.demand.rateBps = Measure(entry, elapsed);
        }
    }
    Compute();
}

void
TrafficEngineer::Compute()
{
    PathAssigner assigner(m_fabric->GetGraph(), m_fabric->GetRouting());
    for (uint32_t link = 0; link < m_capacity.size(); ++link)
    {
        assigner.SetCapacity(link, m_capacity[link]);
    }
    std::vector<PathDemand> demands;
    std::vector<AssignedPath> present;
    for (const Entry& entry : m_entries)
    {
        demands.push_back(entry.demand);
        if (m_keep)
        {
            present.push_back(entry.path);
        }
    }
    const std::vector<AssignedPath> paths = assigner.Assign(demands, present);
    m_unfit = 0;
    m_unplaced = 0;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        Repin(m_entries[i], paths[i]);
        m_unplaced += !paths[i].found;
        m_unfit += paths[i].found && !paths[i].fits;
    }
    ++m_computations;
    m_computed = Simulator::Now();
}

void
TrafficEngineer::Repin(Entry& entry, const AssignedPath& path)
{
    const uint32_t destination = entry.connection.qp->GetConfig().remoteAddress;
    const uint32_t qpn = entry.connection.peerQp->GetQpn();
    m_moves += m_computations > 0 && path.steps != entry.path.steps;
    // the last switch has one port only, so it has no pin
    for (std::size_t i = 0; i + 1 < entry.path.steps.size(); ++i)
    {
        m_pins.UnpinQueuePair(entry.path.steps[i].id, destination, qpn);
    }
    entry.path = path;
    for (std::size_t i = 0; i + 1 < path.steps.size(); ++i)
    {
        m_pins.PinQueuePair(path.steps[i].id, destination, qpn, path.steps[i].port);
    }
}

const TrafficEngineer::Entry&
TrafficEngineer::At(uint32_t index) const
{
    if (index >= m_entries.size())
    {
        throw std::invalid_argument("traffic engineering: no connection " + std::to_string(index) +
                                    "; there are " + std::to_string(m_entries.size()));
    }
    return m_entries[index];
}

uint64_t
TrafficEngineer::GetDemand(uint32_t index) const
{
    return At(index).demand.rateBps;
}

const AssignedPath&
TrafficEngineer::GetPath(uint32_t index) const
{
    return At(index).path;
}

uint32_t
TrafficEngineer::GetComputations() const
{
    return m_computations;
}

Time
TrafficEngineer::GetLastComputed() const
{
    return m_computed;
}

uint64_t
TrafficEngineer::GetMoves() const
{
    return m_moves;
}

uint32_t
TrafficEngineer::GetUnfit() const
{
    return m_unfit;
}

uint32_t
TrafficEngineer::GetUnplaced() const
{
    return m_unplaced;
}

} // namespace roce
} // namespace ns3
