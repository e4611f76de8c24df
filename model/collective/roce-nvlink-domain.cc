/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nvlink-domain.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(NvlinkDomain);

namespace
{

/** Less than this many bytes are none: what rounding of doubles leaves. */
constexpr double NOTHING = 1e-3;

/** An end so many ticks after a whole tick is that tick. */
constexpr double ROUNDING = 1e-6;

/** One direction of the link of a GPU while rates are shared out. */
struct Direction
{
    double left{0};    //!< byte a tick
    uint32_t lanes{0}; //!< without a rate
};

} // namespace

TypeId
NvlinkDomain::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::NvlinkDomain")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<NvlinkDomain>()
            .AddAttribute("Bandwidth",
                          "Of a GPU in each direction; H100: 18 links of 25 GB/s",
                          DataRateValue(DataRate("3600Gbps")),
                          MakeDataRateAccessor(&NvlinkDomain::m_bandwidth),
                          MakeDataRateChecker())
            .AddAttribute("Latency",
                          "From the last byte out of a GPU until it is in the other",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&NvlinkDomain::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Switched",
                          "Whether a switch joins the GPUs; else a link of Bandwidth / (GPUs - 1) "
                          "joins each pair",
                          BooleanValue(true),
                          MakeBooleanAccessor(&NvlinkDomain::m_switched),
                          MakeBooleanChecker());
    return tid;
}

NvlinkDomain::NvlinkDomain() = default;

NvlinkDomain::~NvlinkDomain() = default;

void
NvlinkDomain::DoDispose()
{
    m_event.Cancel();
    m_lanes.clear();
    Object::DoDispose();
}

uint32_t
NvlinkDomain::AddGpu(uint32_t context)
{
    m_contexts.push_back(context);
    m_bytesSent.push_back(0);
    return GetGpus() - 1;
}

double
NvlinkDomain::GetRate(uint32_t from, uint32_t to) const
{
    const auto found = m_lanes.find(Pair(from, to));
    return found == m_lanes.end() ? 0 : found->second.rate * static_cast<double>(TicksPerSecond());
}

void
NvlinkDomain::Transfer(uint32_t from, uint32_t to, uint64_t bytes, Handler sent, Handler received)
{
    if (from >= GetGpus() || to >= GetGpus() || from == to)
    {
        throw std::invalid_argument("NVLink: transfer from GPU " + std::to_string(from) + " to " +
                                    std::to_string(to) + ", expected two of 0.." +
                                    std::to_string(GetGpus()) + " - 1");
    }
    if (m_bandwidth.GetBitRate() == 0)
    {
        throw std::invalid_argument("NVLink: Bandwidth is 0; give it a rate such as 3600Gbps");
    }
    Lane& lane = m_lanes[Pair(from, to)];
    lane.queue.push_back(Move{bytes,
                              static_cast<double>(bytes),
                              ToTick(Simulator::Now()),
                              std::move(sent),
                              std::move(received)});
    if (lane.queue.size() == 1)
    {
        m_event.Cancel();
        m_event = Simulator::ScheduleNow(&NvlinkDomain::OnEvent, this);
    }
}

void
NvlinkDomain::Advance()
{
    const Tick now = ToTick(Simulator::Now());
    for (auto& [pair, lane] : m_lanes)
    {
        lane.queue.front().left -= lane.rate * static_cast<double>(now - m_now);
    }
    m_now = now;
}

void
NvlinkDomain::OnEvent()
{
    Advance();
    for (auto it = m_lanes.begin(); it != m_lanes.end();)
    {
        Lane& lane = it->second;
        while (!lane.queue.empty() && lane.queue.front().left < NOTHING + 2 * ROUNDING * lane.rate)
        {
            End(it->first, lane.queue.front());
            lane.queue.pop_front();
            if (!lane.queue.empty())
            {
                lane.queue.front().begun = m_now;
            }
        }
        it = lane.queue.empty() ? m_lanes.erase(it) : std::next(it);
    }
    Share();
    Arm();
}

void
NvlinkDomain::End(const Pair& pair, const Move& move)
{
    m_bytesSent[pair.first] += move.bytes;
    const Tick ended = m_now;
    const Tick came = move.begun + ToTick(m_latency);
    Simulator::ScheduleWithContext(m_contexts[pair.first], Time(0), [sent = move.sent, ended]() {
        sent(ended);
    });
    Simulator::ScheduleWithContext(m_contexts[pair.second],
                                   m_latency,
                                   [received = move.received, came]() { received(came); });
}

void
NvlinkDomain::Share()
{
    const double all =
        static_cast<double>(m_bandwidth.GetBitRate()) / 8 / static_cast<double>(TicksPerSecond());
    if (!m_switched)
    {
        for (auto& [pair, lane] : m_lanes)
        {
            lane.rate = all / (GetGpus() - 1);
        }
        return;
    }
    // progressive filling: give all lanes of the fullest direction its equal share, and go on
    std::vector<Direction> out(GetGpus(), Direction{all, 0});
    std::vector<Direction> in(GetGpus(), Direction{all, 0});
    for (auto& [pair, lane] : m_lanes)
    {
        lane.rate = 0;
        ++out[pair.first].lanes;
        ++in[pair.second].lanes;
    }
    for (std::size_t open = m_lanes.size(); open > 0;)
    {
        double least = std::numeric_limits<double>::infinity();
        for (const auto* side : {&out, &in})
        {
            for (const Direction& d : *side)
            {
                least = d.lanes ? std::min(least, d.left / d.lanes) : least;
            }
        }
        const double enough = least * (1 + 1e-9);
        for (auto& [pair, lane] : m_lanes)
        {
            Direction& from = out[pair.first];
            Direction& to = in[pair.second];
            if (lane.rate == 0 &&
                (from.left / from.lanes <= enough || to.left / to.lanes <= enough))
            {
                lane.rate = least;
                for (Direction* d : {&from, &to})
                {
                    d->left -= least;
                    --d->lanes;
                }
                --open;
            }
        }
    }
}

void
NvlinkDomain::Arm()
{
    double next = std::numeric_limits<double>::infinity();
    for (const auto& [pair, lane] : m_lanes)
    {
        next = std::min(next, lane.queue.front().left / lane.rate);
    }
    if (!m_lanes.empty())
    {
        const double ticks = std::ceil(std::max(0.0, next - ROUNDING));
        m_event =
            Simulator::Schedule(FromTick(static_cast<Tick>(ticks)), &NvlinkDomain::OnEvent, this);
    }
}

} // namespace roce
} // namespace ns3
