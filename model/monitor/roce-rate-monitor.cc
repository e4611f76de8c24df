/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-rate-monitor.h"

#include "ns3/roce-hcc.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(RateMonitor);

namespace
{

/** Key of a queue pair of a host. */
uint64_t
KeyOf(uint32_t host, uint32_t qpn)
{
    return uint64_t(host) << 32 | qpn;
}

/** Keep the samples at every so many beats. */
void
KeepEvery(RateTrack& track, uint64_t stride)
{
    auto& samples = track.samples;
    samples.erase(std::remove_if(samples.begin(),
                                 samples.end(),
                                 [stride](const RateSample& s) { return s.beat % stride != 0; }),
                  samples.end());
}

} // namespace

TypeId
RateMonitor::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::RateMonitor")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddConstructor<RateMonitor>()
                            .AddAttribute("Interval",
                                          "Time between samples",
                                          TimeValue(MicroSeconds(10)),
                                          MakeTimeAccessor(&RateMonitor::m_interval),
                                          MakeTimeChecker(NanoSeconds(1)))
                            .AddAttribute("QueuePairs",
                                          "So many queue pairs are followed, the first ones with "
                                          "open requests",
                                          UintegerValue(64),
                                          MakeUintegerAccessor(&RateMonitor::m_limit),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

RateMonitor::RateMonitor() = default;

RateMonitor::~RateMonitor()
{
    Disconnect();
}

void
RateMonitor::DoDispose()
{
    m_heartbeat.reset();
    Disconnect();
    Object::DoDispose();
}

void
RateMonitor::Disconnect()
{
    for (uint32_t i = 0; i < m_onPosted.size(); ++i)
    {
        m_hosts.GetNic(i).TraceDisconnectWithoutContext("Posted", m_onPosted[i]);
        m_hosts.GetNic(i).TraceDisconnectWithoutContext("Completed", m_onCompleted[i]);
    }
    m_onPosted.clear();
    m_onCompleted.clear();
}

void
RateMonitor::Install(const NodeContainer& hosts, const std::vector<uint32_t>& ids)
{
    m_hosts = HostDirectory(hosts, ids);
    const Tick now = EventCore::Get()->Now();
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        Nic& nic = m_hosts.GetNic(i);
        for (const Ptr<QueuePair>& qp : nic.GetQueuePairs())
        {
            if (qp->GetRequester().HasOpen())
            {
                Follow(i, qp, now);
            }
        }
        m_onPosted.push_back(MakeBoundCallback(&RateMonitor::OnPosted, this, i));
        m_onCompleted.push_back(MakeBoundCallback(&RateMonitor::OnCompleted, this, i));
        nic.TraceConnectWithoutContext("Posted", m_onPosted.back());
        nic.TraceConnectWithoutContext("Completed", m_onCompleted.back());
    }
    m_heartbeat = std::make_unique<Heartbeat>(m_hosts, [this](Tick at) { Beat(at); });
    m_heartbeat->Start(m_interval);
}

void
RateMonitor::Follow(uint32_t host, Ptr<QueuePair> qp, Tick now)
{
    Followed*& place = m_byKey[KeyOf(host, qp->GetQpn())];
    if (m_followed.size() == m_limit)
    {
        place = nullptr;
        ++m_ignored;
        return;
    }
    m_followed.push_back(std::make_unique<Followed>());
    place = m_followed.back().get();
    place->qp = qp;
    place->own.host = host;
    place->own.qpn = qp->GetQpn();
    // what is acknowledged already does not count
    const uint64_t before = BytesOf(*place);
    place->ended = 0 - before; // modulo 2^64
    Read(*place, now, true);
}

void
RateMonitor::OnPosted(RateMonitor* self, uint32_t host, uint32_t qpn, const WorkRequest&)
{
    const auto found = self->m_byKey.find(KeyOf(host, qpn));
    const Tick now = EventCore::Get()->Now();
    if (found == self->m_byKey.end())
    {
        if (Ptr<QueuePair> qp = self->m_hosts.GetNic(host).Find(qpn))
        {
            self->Follow(host, qp, now);
        }
        return;
    }
    Followed* one = found->second;
    if (one && one->idle && self->m_beats % self->m_stride == 0)
    {
        self->Read(*one, now, true); // it is told before the request is in the queue
    }
}

void
RateMonitor::OnCompleted(RateMonitor* self, uint32_t host, const Completion& completion)
{
    const auto found = self->m_byKey.find(KeyOf(host, completion.qpn));
    if (found != self->m_byKey.end() && found->second &&
        completion.status == CompletionStatus::SUCCESS)
    {
        found->second->ended += completion.bytes;
    }
}

uint64_t
RateMonitor::BytesOf(const Followed& one)
{
    uint64_t bytes = one.ended;
    const Requester& requester = one.qp->GetRequester();
    const uint64_t una = requester.GetUnacknowledged();
    for (const SendQueue::OpenRequest& open : requester.GetOpen())
    {
        if (open.first >= una)
        {
            break;
        }
        bytes += std::min(open.request.bytes, (una - open.first) * requester.GetMtu());
    }
    return bytes;
}

void
RateMonitor::Read(Followed& one, Tick now, bool open)
{
    const uint64_t bytes = BytesOf(one);
    auto& samples = one.own.samples;
    if (!open && one.idle && !samples.empty() && samples.back().bytes == bytes)
    {
        return;
    }
    if (!samples.empty() && samples.back().at == now)
    {
        samples.pop_back(); // a later word on the same tick
    }
    one.idle = !open;
    const double rate = static_cast<double>(one.qp->GetCongestionControl()->GetRate());
    samples.push_back(RateSample{now, m_beats, rate, bytes});
    ReadPoints(one, now);
}

void
RateMonitor::ReadPoints(Followed& one, Tick now)
{
    const Ptr<Hcc> law = DynamicCast<Hcc>(one.qp->GetCongestionControl());
    if (!law)
    {
        return;
    }
    const double line = static_cast<double>(law->GetFlow().lineRate);
    for (HccEntry entry : law->GetEntries()) // a copy: its timer may run, that of the law may not
    {
        entry.Run(now, line);
        auto found = std::find_if(one.points.begin(), one.points.end(), [&](const auto& known) {
            return known.first == entry.key;
        });
        if (found == one.points.end())
        {
            RateTrack track = one.own;
            track.samples.clear();
            const bool plain = entry.key == Hcc::PLAIN_KEY;
            track.domain = plain ? RateTrack::PLAIN : entry.domain;
            track.point = !plain && entry.key < 0x10000 ? entry.point : RateTrack::ANY;
            one.points.emplace_back(entry.key, track);
            found = one.points.end() - 1;
        }
        auto& samples = found->second.samples;
        if (!samples.empty() && samples.back().at == now)
        {
            samples.pop_back();
        }
        const double rate = entry.limits ? std::min(entry.rate, line) : line;
        samples.push_back(RateSample{now, m_beats, rate, 0});
    }
}

void
RateMonitor::Beat(Tick now)
{
    ++m_beats;
    if (m_beats / m_stride >= MAX_SAMPLES)
    {
        m_stride *= 2;
        Thin();
    }
    const bool due = m_beats % m_stride == 0;
    for (const auto& one : m_followed)
    {
        const bool open = one->qp->GetRequester().HasOpen();
        if (due || (!open && !one->idle)) // the end is read at once: there may be no other beat
        {
            Read(*one, now, open);
        }
    }
}

void
RateMonitor::Thin()
{
    for (const auto& one : m_followed)
    {
        KeepEvery(one->own, m_stride);
        for (auto& [key, track] : one->points)
        {
            KeepEvery(track, m_stride);
        }
    }
}

const HostDirectory&
RateMonitor::GetHosts() const
{
    return m_hosts;
}

Time
RateMonitor::GetInterval() const
{
    return m_interval;
}

std::vector<RateTrack>
RateMonitor::GetTracks() const
{
    std::vector<RateTrack> tracks;
    for (const auto& one : m_followed)
    {
        const uint32_t peer = m_hosts.Find(one->qp->GetConfig().remoteAddress);
        tracks.push_back(one->own);
        tracks.back().peer = peer;
        for (const auto& [key, track] : one->points)
        {
            tracks.push_back(track);
            tracks.back().peer = peer;
        }
    }
    return tracks;
}

uint64_t
RateMonitor::GetIgnored() const
{
    return m_ignored;
}

} // namespace roce
} // namespace ns3
