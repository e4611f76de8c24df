/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-rail-failover.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/roce-compat.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(RailFailover);

namespace
{

const char* const ROLE = "rail failover"; //!< at the fabric

} // namespace

TypeId
RailFailover::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::RailFailover")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<RailFailover>()
            .AddAttribute("Policy",
                          "What happens to a queue pair whose ports have no path any more",
                          EnumValue(RailFailover::MOVE),
                          CompatMakeEnumAccessor<RailFailover::Policy>(&RailFailover::m_policy),
                          MakeEnumChecker(RailFailover::WAIT,
                                          "wait",
                                          RailFailover::FAIL,
                                          "fail",
                                          RailFailover::MOVE,
                                          "move"))
            .AddAttribute("DetectionDelay",
                          "From a change of a link to what is done about it; the default is the "
                          "polling interval that the Linux bonding guide starts from (miimon=100)",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&RailFailover::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Return",
                          "With Move: a connection goes back to its first ports when they have a "
                          "path again; what is under way then is sent twice",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RailFailover::m_return),
                          MakeBooleanChecker())
            .AddTraceSource("Moved",
                            "A queue pair sends by another port of its host",
                            MakeTraceSourceAccessor(&RailFailover::m_movedTrace),
                            "ns3::roce::RailFailover::MovedTracedCallback");
    return tid;
}

RailFailover::RailFailover() = default;

RailFailover::~RailFailover()
{
    Stop();
}

void
RailFailover::DoDispose()
{
    Stop();
    Object::DoDispose();
}

void
RailFailover::Stop()
{
    for (EventId& look : m_looks)
    {
        look.Cancel();
    }
    m_looks.clear();
    if (m_fabric)
    {
        m_fabric->RemoveLinkListener(ROLE);
        m_fabric = nullptr;
    }
}

void
RailFailover::Install(Ptr<Fabric> fabric)
{
    if (m_fabric)
    {
        throw std::invalid_argument("this rail failover has a fabric already; make another one");
    }
    fabric->AddLinkListener(ROLE, [this] { OnLinks(); });
    m_fabric = fabric;
}

uint64_t
RailFailover::GetMoved() const
{
    return m_moved;
}

uint64_t
RailFailover::GetFailed() const
{
    return m_failed;
}

uint64_t
RailFailover::GetStranded() const
{
    return m_stranded;
}

void
RailFailover::OnLinks()
{
    while (!m_looks.empty() && m_looks.front().IsExpired())
    {
        m_looks.pop_front();
    }
    m_looks.push_back(Simulator::Schedule(m_delay, &RailFailover::Look, this));
}

void
RailFailover::Look()
{
    m_stranded = 0;
    const NodeContainer& hosts = m_fabric->GetHosts();
    const std::vector<uint32_t> ids = m_fabric->GetGraph().Hosts();
    for (uint32_t i = 0; i < ids.size(); ++i)
    {
        for (const Ptr<QueuePair>& qp : hosts.Get(i)->GetObject<Nic>()->GetQueuePairs())
        {
            Pair pair;
            if (Find(ids[i], qp, pair))
            {
                Treat(pair);
            }
        }
    }
}

bool
RailFailover::Find(uint32_t host, Ptr<QueuePair> qp, Pair& pair) const
{
    const QueuePairConfig& config = qp->GetConfig();
    const auto here = m_fabric->GetAddresses().Find(config.localAddress);
    const auto there = m_fabric->GetAddresses().Find(config.remoteAddress);
    if (qp->GetState() == QueuePairState::RESET || qp->GetState() == QueuePairState::ERROR ||
        config.service == TransportService::UD || !here || !there || here->host != host)
    {
        return false;
    }
    pair.ends.nic = m_fabric->GetNic(host);
    pair.ends.qp = qp;
    pair.ends.peerNic = m_fabric->GetNic(there->host);
    pair.ends.peerQp = pair.ends.peerNic->Find(config.remoteQpn);
    pair.a = *here;
    pair.b = *there;
    // each pair once: by the end whose host has the lower id
    return pair.ends.peerQp && pair.ends.peerQp->GetConfig().remoteQpn == qp->GetQpn() &&
           pair.ends.peerQp->GetConfig().localAddress == config.remoteAddress &&
           here->host < there->host;
}

void
RailFailover::Treat(const Pair& pair)
{
    const bool works = CountLinks(pair.a, pair.b) != UINT32_MAX;
    const auto home = m_home.find({pair.a.host, pair.ends.qp->GetQpn()});
    if (m_policy == MOVE && m_return && home != m_home.end())
    {
        const HostRoute first = home->second;
        const uint32_t hops =
            CountLinks({pair.a.host, first.srcPort}, {pair.b.host, first.dstPort});
        if (hops != UINT32_MAX)
        {
            m_home.erase(home);
            Move(pair, {first.srcPort, first.dstPort, hops});
            return;
        }
    }
    if (works)
    {
        return;
    }
    if (m_policy == FAIL)
    {
        ++m_failed;
        pair.ends.nic->Modify(pair.ends.qp, QueuePairState::ERROR);
        pair.ends.peerNic->Modify(pair.ends.peerQp, QueuePairState::ERROR);
        return;
    }
    const std::vector<HostRoute> ways =
        m_policy == MOVE ? FindWays(pair.a.host, pair.b.host) : std::vector<HostRoute>();
    if (ways.empty())
    {
        ++m_stranded;
        return;
    }
    m_home.emplace(std::pair(pair.a.host, pair.ends.qp->GetQpn()),
                   HostRoute{pair.a.port, pair.b.port, 0});
    Move(pair, ways[m_moved % ways.size()]); // equally good ones take turns
}

void
RailFailover::Move(const Pair& pair, const HostRoute& way)
{
    ++m_moved;
    const HostPort a{pair.a.host, way.srcPort};
    const HostPort b{pair.b.host, way.dstPort};
    MoveEnd(pair.ends.nic, pair.ends.qp, a, b, way.hops);
    MoveEnd(pair.ends.peerNic, pair.ends.peerQp, b, a, way.hops);
    m_movedTrace(a.host, pair.ends.qp->GetQpn(), pair.a.port, a.port);
    m_movedTrace(b.host, pair.ends.peerQp->GetQpn(), pair.b.port, b.port);
}

void
RailFailover::MoveEnd(Ptr<Nic> nic, Ptr<QueuePair> qp, HostPort here, HostPort there, uint32_t hops)
{
    QueuePairPath path;
    path.localPort = here.port;
    path.localAddress = m_fabric->GetAddresses().Address(here.host, here.port);
    path.remoteAddress = m_fabric->GetAddresses().Address(there.host, there.port);
    path.baseRtt = ToTick(m_fabric->GetBaseRtt(here.host, there.host));
    path.hops = hops;
    nic->Migrate(qp, path);
}

uint32_t
RailFailover::CountLinks(HostPort a, HostPort b) const
{
    const FabricGraph& graph = m_fabric->GetGraph();
    const FabricNeighbour first = graph.Neighbours(a.host)[a.port];
    const FabricNeighbour last = graph.Neighbours(b.host)[b.port];
    if (!graph.Link(first.link).up || !graph.Link(last.link).up)
    {
        return UINT32_MAX;
    }
    if (first.link == last.link)
    {
        return 1; // the two ends of one cable
    }
    if (graph.IsHost(first.peer) || graph.IsHost(last.peer))
    {
        return UINT32_MAX;
    }
    const Routing& routing = m_fabric->GetRouting();
    const uint32_t between = routing.Distance(first.peer, routing.At(last.peer).leaf);
    return between == UINT32_MAX ? between : between + 2;
}

std::vector<HostRoute>
RailFailover::FindWays(uint32_t a, uint32_t b) const
{
    std::vector<HostRoute> ways;
    if (!m_fabric->GetRouting().IsReachable(a, b))
    {
        return ways; // the routes do not know of a link that is up again
    }
    uint32_t least = UINT32_MAX;
    for (uint32_t from = 0; from < m_fabric->GetGraph().PortCount(a); ++from)
    {
        for (uint32_t to = 0; to < m_fabric->GetGraph().PortCount(b); ++to)
        {
            const uint32_t hops = CountLinks({a, from}, {b, to});
            if (hops < least)
            {
                ways.clear();
                least = hops;
            }
            if (hops == least && hops != UINT32_MAX)
            {
                ways.push_back({from, to, hops});
            }
        }
    }
    return Fabric::PreferRails(ways);
}

} // namespace roce
} // namespace ns3
