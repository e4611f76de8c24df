/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle.h"

#include "ns3/double.h"
#include "ns3/roce-constants.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-int-record.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t NO_WORD = 0xffffffff;     //!< what is not known, is all ones (INT v2.1, 5.8)
constexpr uint32_t NO_QUEUE = 0xffffff;      //!< "
constexpr uint64_t NO_TIME = ~uint64_t(0);   //!< "
constexpr double COUNTER_BYTES = 4294967296; //!< 2^32: the counter begins again
constexpr double FAR = std::numeric_limits<double>::max();

/** \return bytes that a rate sends. \param rateMbps the rate \param ns time */
double
BytesOf(uint32_t rateMbps, double ns)
{
    return static_cast<double>(rateMbps) / 8000 * ns;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(IntOracle);

TypeId
IntOracle::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::IntOracle")
            .SetParent<PathChooser>()
            .SetGroupName("Roce")
            .AddConstructor<IntOracle>()
            .AddAttribute("Candidates",
                          "Source ports tried for each destination",
                          UintegerValue(16),
                          MakeUintegerAccessor(&IntOracle::m_candidates),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("MaxAge",
                          "Telemetry older than this is not used",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&IntOracle::m_maxAge),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SampleTime",
                          "Least time over which the load of a switch port is measured",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&IntOracle::m_sampleTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("QueueTime",
                          "A queue that lasts this long costs as much as a full link",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&IntOracle::m_queueTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Margin",
                          "A path is left for one that is cheaper by more than this",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&IntOracle::m_margin),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("FullLoad",
                          "A switch port is full from this share of its rate on",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&IntOracle::m_fullLoad),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MoveProbability",
                          "Probability that a message moves if it has a reason",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&IntOracle::m_moveProbability),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

IntOracle::IntOracle()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

IntOracle::~IntOracle() = default;

void
IntOracle::DoDispose()
{
    m_random = nullptr;
    PathChooser::DoDispose();
}

int64_t
IntOracle::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint16_t
IntOracle::GetCandidate(uint32_t destination, uint32_t index)
{
    const uint64_t mixed = FlowKey::Mix(uint64_t(destination) << 32 | index);
    return static_cast<uint16_t>(ROCE_UDP_SOURCE_PORT_MIN | (mixed & 0x3fff));
}

bool
IntOracle::IsOld(Tick at, Tick now) const
{
    return FromTick(now - at) > m_maxAge;
}

bool
IntOracle::IsUsable(const IntRecord* record)
{
    if (!record || record->layout != IntRecord::INT_MD || record->md.hops.empty() ||
        record->md.domainId != IntRecord::MD_DOMAIN_ID)
    {
        return false;
    }
    return std::all_of(record->md.hops.begin(), record->md.hops.end(), [](const IntMdHop& hop) {
        return hop.domain.size() >= IntRecord::MD_DOMAIN_WORDS &&
               hop.domain[IntRecord::MD_RATE_WORD] != 0 &&
               hop.domain[IntRecord::MD_RATE_WORD] != NO_WORD && hop.nodeId != NO_WORD &&
               hop.egressTime != NO_TIME && hop.queueOccupancy != NO_QUEUE;
    });
}

void
IntOracle::Measure(Hop& hop, const IntMdHop& told, uint64_t bytes, Tick now) const
{
    const uint32_t counter = told.domain[IntRecord::MD_BYTES_WORD];
    const uint32_t rateMbps = told.domain[IntRecord::MD_RATE_WORD];
    const bool older = told.egressTime < hop.latest;
    const double elapsed = older ? 0 : static_cast<double>(told.egressTime - hop.begin);
    const double room = BytesOf(rateMbps, elapsed);
    if (hop.rateMbps != rateMbps || IsOld(hop.at, now) || room >= COUNTER_BYTES)
    {
        hop = Hop();
        hop.rateMbps = rateMbps;
        hop.begin = told.egressTime;
        hop.latest = told.egressTime;
        hop.counter = counter;
        hop.queue = told.queueOccupancy;
        hop.at = now;
        return;
    }
    if (told.egressTime >= hop.begin)
    {
        hop.own += static_cast<double>(bytes);
    }
    if (older)
    {
        return; // it was overtaken
    }
    hop.latest = told.egressTime;
    hop.queue = told.queueOccupancy;
    hop.at = now;
    if (elapsed < static_cast<double>(m_sampleTime.GetNanoSeconds()))
    {
        return;
    }
    const double sent = static_cast<double>(counter - hop.counter); // modulo 2^32
    hop.load = sent / room;
    hop.others = std::max(0.0, sent - hop.own) / room;
    hop.measured = true;
    hop.begin = told.egressTime;
    hop.counter = counter;
    hop.own = 0;
}

void
IntOracle::DoObserve(const PathKey& path, uint64_t bytes, const IntRecord* record, Tick now)
{
    if (!IsUsable(record))
    {
        ++m_blind;
        return;
    }
    const IntMdStack& md = record->md;
    Path& known = m_paths[KeyOf(path.destination, path.sourcePort)];
    known.whole = !md.exceeded && !md.mtuExceeded;
    known.hops.clear();
    for (const IntMdHop& told : md.hops) // the last switch comes first
    {
        const uint64_t key = uint64_t(told.nodeId) << 16 | told.egressPort;
        Measure(m_hops[key], told, bytes, now);
        if (known.whole && &told == &md.hops.front())
        {
            known.last = key;
        }
        else
        {
            known.hops.push_back(key);
        }
    }
}

const IntOracle::Path*
IntOracle::FindPath(uint32_t destination, uint16_t port) const
{
    const auto found = m_paths.find(KeyOf(destination, port));
    return found == m_paths.end() ? nullptr : &found->second;
}

const IntOracle::Hop*
IntOracle::FindHop(uint64_t key, Tick now) const
{
    const auto found = m_hops.find(key);
    const bool fresh =
        found != m_hops.end() && found->second.measured && !IsOld(found->second.at, now);
    return fresh ? &found->second : nullptr;
}

double
IntOracle::CostOf(const Hop& hop) const
{
    if (hop.load >= m_fullLoad && hop.others > m_margin)
    {
        return 1; // they would take what is left
    }
    return std::min(1.0, hop.others + GetQueueCost(hop));
}

double
IntOracle::GetQueueCost(const Hop& hop) const
{
    return hop.queue / BytesOf(hop.rateMbps, static_cast<double>(m_queueTime.GetNanoSeconds()));
}

double
IntOracle::CostOf(const Path& path, Tick now) const
{
    double cost = 0;
    for (const uint64_t key : path.hops)
    {
        const Hop* hop = FindHop(key, now);
        if (!hop)
        {
            return UNKNOWN;
        }
        cost = std::max(cost, CostOf(*hop));
    }
    return cost;
}

double
IntOracle::GetCost(uint32_t destination, uint16_t port, Tick now) const
{
    const Path* path = FindPath(destination, port);
    return path ? CostOf(*path, now) : UNKNOWN;
}

bool
IntOracle::HasReason(const Path& path, Tick now) const
{
    const Hop* last = path.whole ? FindHop(path.last, now) : nullptr;
    if (last && last->load >= m_fullLoad)
    {
        return false; // whatever the path
    }
    return std::any_of(path.hops.begin(), path.hops.end(), [this, now](uint64_t key) {
        const Hop* hop = FindHop(key, now);
        return hop && (hop->load >= m_fullLoad || GetQueueCost(*hop) > m_margin);
    });
}

uint16_t
IntOracle::Pick(const PathKey& path, double most)
{
    // most < 0: those that are not known
    const auto fits = [most](double cost) {
        return most < 0 ? cost < 0 : cost >= 0 && cost <= most;
    };
    const auto count = std::count_if(m_costs.begin(), m_costs.end(), fits);
    if (count == 0)
    {
        return path.sourcePort;
    }
    uint32_t left = m_random->GetInteger(0, static_cast<uint32_t>(count - 1));
    uint32_t index = 0;
    while (!fits(m_costs[index]) || left-- > 0)
    {
        ++index;
    }
    return GetCandidate(path.destination, index);
}

uint16_t
IntOracle::DoChoose(const PathKey& path, Tick now)
{
    const Path* known = FindPath(path.destination, path.sourcePort);
    const double present = known ? CostOf(*known, now) : UNKNOWN;
    if (present < 0)
    {
        return path.sourcePort; // as ECMP
    }
    bool& guest = m_guests[path.qpn];
    const bool reason = present > m_margin && HasReason(*known, now);
    const bool moves = reason && (guest || m_random->GetValue() < m_moveProbability);
    guest = false;
    if (!moves)
    {
        return path.sourcePort;
    }
    double least = FAR;
    m_costs.resize(m_candidates);
    for (uint32_t i = 0; i < m_candidates; ++i)
    {
        m_costs[i] = GetCost(path.destination, GetCandidate(path.destination, i), now);
        if (m_costs[i] >= 0)
        {
            least = std::min(least, m_costs[i]);
        }
    }
    const double most = least + m_margin < present ? least + m_margin / 2 : UNKNOWN;
    const uint16_t port = Pick(path, most);
    guest = port != path.sourcePort;
    return port;
}

} // namespace roce
} // namespace ns3
