/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cnp-processor.h"

#include "ns3/double.h"
#include "ns3/roce-compat.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CnpProcessor);

TypeId
CnpProcessor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CnpProcessor")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<CnpProcessor>()
            .AddAttribute("AlphaMode",
                          "Distance of a congestion point: its tier (Table), or learned from the "
                          "links to both ends (Learned)",
                          CompatEnumValue<AlphaMode>(TABLE),
                          CompatMakeEnumAccessor<AlphaMode>(&CnpProcessor::m_mode),
                          MakeEnumChecker(TABLE, "Table", LEARNED, "Learned"))
            .AddAttribute("AlphaMax",
                          "Alpha at distance 1, at most 1; negative = as profile and law say",
                          DoubleValue(-1),
                          MakeDoubleAccessor(&CnpProcessor::m_alphaMax),
                          MakeDoubleChecker<double>(-1, 1))
            .AddAttribute("AlphaDecay",
                          "Factor of alpha for each further tier; negative = as the profile says",
                          DoubleValue(-1),
                          MakeDoubleAccessor(&CnpProcessor::m_alphaDecay),
                          MakeDoubleChecker<double>(-1, 1))
            .AddAttribute("AlphaGain",
                          "Weight of a new sample in the learned distance, in (0, 1]",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&CnpProcessor::m_gain),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("NoiseThreshold",
                          "Up to this share of marks a CNP is noise; negative = as the profile "
                          "says",
                          DoubleValue(-1),
                          MakeDoubleAccessor(&CnpProcessor::m_noise),
                          MakeDoubleChecker<double>(-1, 1))
            .AddTraceSource("CnpReceived",
                            "A CNP with a body arrived (queue pair, body)",
                            MakeTraceSourceAccessor(&CnpProcessor::m_cnpTrace),
                            "ns3::roce::CnpProcessor::CnpTracedCallback")
            .AddTraceSource("DomainRate",
                            "The rate of a queue pair for a congestion point or domain changed",
                            MakeTraceSourceAccessor(&CnpProcessor::m_rateTrace),
                            "ns3::roce::CnpProcessor::DomainRateTracedCallback")
            .AddTraceSource("AlphaChange",
                            "Alpha of a congestion point changed (point, before, after)",
                            MakeTraceSourceAccessor(&CnpProcessor::m_alphaTrace),
                            "ns3::roce::CnpProcessor::AlphaTracedCallback")
            .AddTraceSource("DomainLimit",
                            "The queue pairs of a domain were cut together",
                            MakeTraceSourceAccessor(&CnpProcessor::m_limitTrace),
                            "ns3::roce::CnpProcessor::LimitTracedCallback");
    return tid;
}

CnpProcessor::CnpProcessor() = default;
CnpProcessor::~CnpProcessor() = default;

void
CnpProcessor::DoDispose()
{
    m_groups.clear();
    Object::DoDispose();
}

bool
CnpProcessor::Receive(const CnpInfo& cnp,
                      const FlowParameters& flow,
                      double alphaMax,
                      double alphaDecay,
                      double noiseThreshold,
                      Notice& notice)
{
    CnpBody& body = notice.body;
    if (!CnpBody::Decode(cnp.body, body))
    {
        ++m_plain;
        return false;
    }
    ++m_received;
    DomainState& domain = m_domains[body.domain];
    ++domain.cnps;
    domain.clears += body.clear;
    domain.leaves += body.leave;
    m_cnpTrace(flow.qpn, body);
    if (body.leave)
    {
        return true; // of a load balancer: it is no queue's word
    }
    domain.share = body.share;
    domain.flows = body.flows;
    domain.lastPoint = body.point;
    notice.isNoise = body.share <= (m_noise < 0 ? noiseThreshold : m_noise);
    notice.alpha = Learn(body,
                         flow.hops,
                         m_alphaMax < 0 ? alphaMax : m_alphaMax,
                         m_alphaDecay < 0 ? alphaDecay : m_alphaDecay);
    return true;
}

double
CnpProcessor::Learn(const CnpBody& body, uint32_t linksOfFlow, double alphaMax, double alphaDecay)
{
    double sample = std::max<uint8_t>(1, body.tier);
    if (m_mode == LEARNED && body.hops > 0 && linksOfFlow > body.hops)
    {
        sample = std::min<uint32_t>(body.hops, linksOfFlow - body.hops);
    }
    auto [place, isNew] = m_points.try_emplace(body.point);
    Point& point = place->second;
    if (isNew || m_mode == TABLE)
    {
        point.distance = sample;
    }
    else
    {
        point.distance += m_gain * (sample - point.distance);
    }
    const double alpha = alphaMax * std::pow(alphaDecay, point.distance - 1);
    if (alpha != point.alpha)
    {
        m_alphaTrace(body.point, point.alpha, alpha);
        point.alpha = alpha;
    }
    return alpha;
}

void
CnpProcessor::Join(uint32_t key, Listener* flow)
{
    m_groups[key].flows.push_back(flow);
}

void
CnpProcessor::Leave(uint32_t key, Listener* flow)
{
    const auto group = m_groups.find(key);
    if (group == m_groups.end())
    {
        return;
    }
    auto& flows = group->second.flows;
    flows.erase(std::remove(flows.begin(), flows.end(), flow), flows.end());
}

Tick
CnpProcessor::Limit(const Notice& notice, Listener* cause, Tick now)
{
    Group& group = m_groups[notice.key];
    if (group.lastLimit >= 0 && now - group.lastLimit < notice.cnpInterval)
    {
        return group.lastLimit;
    }
    group.lastLimit = now;
    uint32_t cuts = 0;
    // by index: a listener may make a queue pair join
    for (size_t i = 0; i < group.flows.size(); ++i)
    {
        if (group.flows[i] != cause)
        {
            cuts += group.flows[i]->OnDomainLimit(notice, now);
        }
    }
    DomainState& domain = m_domains[notice.body.domain];
    ++domain.limits;
    domain.cuts += cuts;
    m_limitTrace(notice.body.domain, notice.body.point, notice.body.share, cuts);
    return now;
}

double
CnpProcessor::GetDistance(uint16_t point) const
{
    const auto place = m_points.find(point);
    return place == m_points.end() ? 0 : place->second.distance;
}

double
CnpProcessor::GetAlpha(uint16_t point) const
{
    const auto place = m_points.find(point);
    return place == m_points.end() ? 0 : place->second.alpha;
}

} // namespace roce
} // namespace ns3
