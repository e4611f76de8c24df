/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hcc.h"

#include "ns3/roce-int-record.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace roce
{

namespace
{

/** \return node and egress port of the switch at a hop, 1 being the first; 0 if it is not named */
uint64_t
PlaceOf(const IntRecord& record, uint8_t hop)
{
    const IntMdStack& md = record.md;
    const unsigned names = md.instructions & (INT_MD_NODE_ID | INT_MD_PORTS);
    if (record.layout != IntRecord::INT_MD || names != (INT_MD_NODE_ID | INT_MD_PORTS) ||
        hop == 0 || hop > md.hops.size())
    {
        return 0;
    }
    const IntMdHop& latestFirst = md.hops[md.hops.size() - hop];
    return uint64_t(latestFirst.nodeId) << 17 | uint64_t(latestFirst.egressPort) << 1 | 1;
}

} // namespace

Hcc::Hcc() = default;

Hcc::~Hcc()
{
    Quit();
}

void
Hcc::DoDispose()
{
    Quit();
    m_processor = nullptr;
    m_tuning = nullptr;
    CongestionControl::DoDispose();
}

Ptr<Object>
Hcc::MakeShared() const
{
    return CreateObject<CnpProcessor>();
}

void
Hcc::Quit()
{
    for (const HccEntry& entry : m_entries)
    {
        if (entry.key != PLAIN_KEY)
        {
            m_processor->Leave(entry.key, this);
        }
    }
    m_entries.clear();
}

void
Hcc::DoStart(Tick)
{
    const FlowParameters& flow = GetFlow();
    const HccParameters p = GetParameters();
    p.Validate(flow.lineRate);
    Quit();
    m_p = p;
    m_processor = flow.shared ? DynamicCast<CnpProcessor>(flow.shared) : nullptr;
    if (!m_processor)
    {
        m_processor = CreateObject<CnpProcessor>();
    }
    m_line = static_cast<double>(flow.lineRate);
    m_min = static_cast<double>(p.minRateBps);
    m_rtt = flow.baseRtt > 0 ? flow.baseRtt : ToTick(p.unknownRtt);
    m_rttSeconds = static_cast<double>(m_rtt) / static_cast<double>(TicksPerSecond());
    m_packet = std::max<double>(1, flow.mtu);
    m_capBytes = std::numeric_limits<double>::infinity();
    if (flow.baseRtt <= 0)
    {
        m_p.enforce = HccParameters::PACING; // a window needs the round trip
    }
    else if (p.capBdp > 0)
    {
        m_capBytes = std::max(m_packet, p.capBdp * m_line / 8 * m_rttSeconds);
    }
    m_lastBody = -1;
    m_entries.reserve(4);
    Publish();
}

void
Hcc::DoAdvance(Tick now)
{
    RunTimers(now);
    Publish();
}

void
Hcc::RunTimers(Tick now)
{
    if (now < m_deadline)
    {
        return;
    }
    for (HccEntry& entry : m_entries)
    {
        const double before = entry.rate;
        entry.Run(now, m_line);
        if (entry.rate != before)
        {
            m_processor->NoteRate(GetFlow().qpn,
                                  entry.domain,
                                  entry.point,
                                  before,
                                  std::min(entry.rate, m_line));
        }
    }
}

void
Hcc::DoCnp(const CnpInfo& cnp, Tick now)
{
    RunTimers(now);
    CnpProcessor::Notice notice;
    if (m_processor
            ->Receive(cnp, GetFlow(), m_p.alphaMax, m_p.alphaDecay, m_p.noiseThreshold, notice))
    {
        m_lastBody = now;
        Heed(notice, now);
    }
    else if (m_lastBody < 0 || now - m_lastBody > ToTick(m_p.plainSilence))
    {
        HeedPlain(now);
    }
    Publish();
}

void
Hcc::Heed(CnpProcessor::Notice& notice, Tick now)
{
    const CnpBody& body = notice.body;
    notice.key = KeyOf(body.domain, body.point);
    if (!body.leave && !body.clear)
    {
        React(notice, now);
        if (HccEntry* entry = FindEntry(notice.key))
        {
            entry->hops = body.hops;
            entry->lastCnp = now;
            entry->place = 0; // not yet known
        }
        return;
    }
    if (body.leave && m_p.pathBinding)
    {
        Forget(body.domain);
    }
    if (body.clear && m_p.allClear)
    {
        Clear(notice);
    }
}

void
Hcc::React(CnpProcessor::Notice& notice, Tick now)
{
    const CnpBody& body = notice.body;
    if (notice.isNoise && m_p.heedsNoise)
    {
        if (HccEntry* entry = FindEntry(notice.key); entry && entry->limits)
        {
            Update(*entry, body);
            entry->Restart(now);
        }
        return;
    }
    const HccParameters::Stage& stage = m_p.GetStage(body.stage);
    if (m_p.scope == HccParameters::OFF || body.share <= stage.domainThreshold)
    {
        Cut(notice, now);
        return;
    }
    notice.cnpInterval = ToTick(stage.cnpInterval);
    notice.onlyLimited = m_p.scope == HccParameters::SIBLINGS;
    const Tick last = m_processor->Limit(notice, this, now);
    const HccEntry* entry = Find(notice.key);
    if (!entry || entry->lastCut < last || m_p.law == HccParameters::ARTICLE_LAW)
    {
        Cut(notice, now);
    }
}

void
Hcc::HeedPlain(Tick now)
{
    HccEntry& entry = Open(PLAIN_KEY);
    entry.portBps = GetFlow().lineRate;
    entry.period = std::max(GetPeriod(m_p.stage2), 2 * ToTick(m_p.plainInterval) + 1);
    entry.maxSteps = m_p.acceleration;
    entry.count = 0;
    SetRate(entry, std::max(m_min, entry.rate * (1 - m_p.plainCut)));
    entry.step = m_p.stage2.slope * m_line * double(m_rtt) / double(entry.period);
    entry.lastCut = now;
    entry.Restart(now);
}

bool
Hcc::OnDomainLimit(const CnpProcessor::Notice& notice, Tick now)
{
    const HccEntry* entry = Find(notice.key);
    if (!entry || !entry->crosses)
    {
        return false;
    }
    const uint64_t old = m_rate;
    RunTimers(now);
    const bool cuts = entry->limits || !notice.onlyLimited;
    if (cuts)
    {
        Cut(notice, now);
    }
    Publish();
    Changed(old);
    return cuts;
}

void
Hcc::Cut(const CnpProcessor::Notice& notice, Tick now)
{
    const CnpBody& body = notice.body;
    HccEntry& entry = Open(notice.key);
    entry.domain = body.domain;
    entry.point = body.point;
    entry.count = 0;
    const double phi = body.share >= m_p.severeShare ? m_p.severePhi : m_p.phi;
    const double port = body.rateBps > 0 ? static_cast<double>(body.rateBps) : m_line;
    // N not known: no fair share to stop at
    const double floor = body.flows > 0 ? std::max(m_min, phi * port / body.flows) : m_min;
    const double cut = entry.rate * (1 - notice.alpha * body.share);
    SetRate(entry, std::min(entry.rate, std::max(floor, cut)));
    Update(entry, body);
    entry.lastCut = now;
    entry.Restart(now);
}

void
Hcc::Clear(const CnpProcessor::Notice& notice)
{
    HccEntry* entry = FindEntry(notice.key);
    if (entry && entry->limits)
    {
        SetRate(*entry, std::min(m_line, entry->rate * m_p.clearFactor));
        Update(*entry, notice.body);
        if (entry->rate >= m_line)
        {
            entry->Free();
        }
    }
}

void
Hcc::Forget(uint16_t domain)
{
    for (HccEntry& entry : m_entries)
    {
        if (entry.domain == domain && entry.key != PLAIN_KEY)
        {
            End(entry);
        }
    }
}

void
Hcc::End(HccEntry& entry)
{
    if (entry.limits)
    {
        SetRate(entry, m_line);
    }
    entry.Free();
    entry.crosses = false;
}

void
Hcc::DoAck(const AckInfo& ack, Tick now)
{
    if (!ack.record || ack.rtt <= 0)
    {
        return;
    }
    RunTimers(now);
    const Tick sent = now - ack.rtt;
    for (HccEntry& entry : m_entries)
    {
        const uint64_t place = entry.limits ? PlaceOf(*ack.record, entry.hops) : 0;
        if (place == 0)
        {
            continue;
        }
        if (sent <= entry.lastCnp)
        {
            entry.place = entry.place == 0 ? place : entry.place;
        }
        else if (entry.place != 0 && entry.place != place)
        {
            End(entry);
        }
    }
    Publish();
}

const HccEntry*
Hcc::Find(uint32_t key) const
{
    for (const HccEntry& entry : m_entries)
    {
        if (entry.key == key)
        {
            return &entry;
        }
    }
    return nullptr;
}

HccEntry&
Hcc::Open(uint32_t key)
{
    HccEntry* entry = FindEntry(key);
    if (!entry)
    {
        if (m_entries.size() < MAX_ENTRIES)
        {
            entry = &m_entries.emplace_back();
        }
        else
        {
            const auto weight = [](const HccEntry& e) {
                return e.limits ? e.rate : std::numeric_limits<double>::infinity();
            };
            entry = &*std::max_element(
                m_entries.begin(),
                m_entries.end(),
                [&](const HccEntry& a, const HccEntry& b) { return weight(a) < weight(b); });
            if (entry->key != PLAIN_KEY)
            {
                m_processor->Leave(entry->key, this);
            }
            *entry = HccEntry();
        }
        entry->key = key;
        if (key != PLAIN_KEY)
        {
            m_processor->Join(key, this);
        }
    }
    entry->crosses = key != PLAIN_KEY;
    if (!entry->limits)
    {
        entry->limits = true;
        entry->SetRate(m_line);
    }
    return *entry;
}

void
Hcc::Update(HccEntry& entry, const CnpBody& body)
{
    const HccParameters::Stage& stage = m_p.GetStage(body.stage);
    entry.portBps = body.rateBps > 0 ? body.rateBps : GetFlow().lineRate;
    entry.flows = 1;
    if (m_p.countFlows && body.flows > 0)
    {
        entry.flows = body.flows;
    }
    else if (m_p.countFlows)
    {
        // not told: as many as fill the port if all have this rate
        entry.flows = static_cast<uint32_t>(
            std::max(1.0, std::round(static_cast<double>(entry.portBps) / entry.rate)));
    }
    entry.period = GetPeriod(stage);
    entry.maxSteps = m_p.acceleration;
    entry.SetStep(stage.slope * m_line * double(m_rtt) / double(entry.period) / entry.flows);
}

Tick
Hcc::GetPeriod(const HccParameters::Stage& stage) const
{
    Tick period = std::max<Tick>(1, ToTick(stage.recovery));
    if (m_p.law == HccParameters::DOMAIN_LAW)
    {
        period = std::max(period, 2 * ToTick(stage.cnpInterval) + 1);
    }
    const double longest = 1e15; // 11 days of ns
    const double cable = std::min(longest, std::ceil(m_p.cableFactor * static_cast<double>(m_rtt)));
    return std::max(period, static_cast<Tick>(cable));
}

void
Hcc::SetRate(HccEntry& entry, double bps)
{
    const double before = entry.rate;
    entry.SetRate(bps);
    if (bps != before)
    {
        m_processor->NoteRate(GetFlow().qpn, entry.domain, entry.point, before, bps);
    }
}

void
Hcc::Publish()
{
    double rate = m_line;
    double slack = 0; // seconds
    bool limited = false;
    m_deadline = NEVER;
    for (const HccEntry& entry : m_entries)
    {
        if (entry.limits)
        {
            limited = true;
            rate = std::min(rate, entry.rate);
            slack += m_p.slackBytes * 8 / static_cast<double>(entry.portBps);
            m_deadline = std::min(m_deadline, entry.timer);
        }
    }
    m_hearsAck = limited && m_p.pathBinding;
    m_fairRate = std::clamp(rate, m_min, m_line);
    double window = m_capBytes;
    double pace = m_fairRate;
    const bool hasWindow = m_p.enforce != HccParameters::PACING;
    if (hasWindow && limited)
    {
        window = std::min(window, m_fairRate / 8 * (m_rttSeconds + slack));
        pace = std::min(m_line, m_fairRate * std::clamp(window / m_packet, 1.0, m_p.burst));
    }
    const auto whole = [](double value, double least) {
        const double large = 9e18; // nearly what an integer can hold
        return value > large ? UNLIMITED
                             : static_cast<uint64_t>(std::round(std::max(least, value)));
    };
    const bool guarantees = m_p.enforce == HccParameters::WINDOW_WITH_GUARANTEE;
    m_rate = whole(pace, 1);
    m_window = whole(window, guarantees ? 1 : m_packet);
    m_guarantee = guarantees ? whole(m_fairRate, 1) : 0;
    m_guaranteeWindow = guarantees ? whole(m_capBytes, m_packet) : UNLIMITED;
}

} // namespace roce
} // namespace ns3
