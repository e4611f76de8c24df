/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The part of Hcc that the user sets.
#include "roce-hcc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/roce-compat.h"
#include "ns3/string.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Hcc);

TypeId
Hcc::GetTypeId()
{
    static TypeId tid = AddNumbers(
        TypeId("ns3::roce::Hcc")
            .SetParent<CongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<Hcc>()
            .AddAttribute("Profile",
                          "Parameter set: default, fast or steady",
                          StringValue("default"),
                          MakeStringAccessor(&Hcc::SetProfile, &Hcc::GetProfile),
                          MakeStringChecker())
            .AddAttribute("Law",
                          "Domain: ours. Article: the article to the letter, which has only rates "
                          "of whole domains",
                          CompatEnumValue<HccParameters::Law>(HccParameters::DOMAIN_LAW),
                          CompatMakeEnumAccessor<HccParameters::Law>(&Hcc::m_law),
                          MakeEnumChecker(HccParameters::DOMAIN_LAW,
                                          "Domain",
                                          HccParameters::ARTICLE_LAW,
                                          "Article"))
            .AddAttribute(
                "Enforce",
                "What keeps a flow to its rate; with law Article always Pacing",
                CompatEnumValue<HccParameters::Enforce>(HccParameters::WINDOW_WITH_GUARANTEE),
                CompatMakeEnumAccessor<HccParameters::Enforce>(&Hcc::m_enforce),
                MakeEnumChecker(HccParameters::PACING,
                                "Pacing",
                                HccParameters::WINDOW,
                                "Window",
                                HccParameters::WINDOW_WITH_GUARANTEE,
                                "WindowWithGuarantee"))
            .AddAttribute("RateKey",
                          "What a flow has a rate for: each congestion point or each domain; with "
                          "law Article always Domain",
                          CompatEnumValue<HccParameters::RateKey>(HccParameters::POINT),
                          CompatMakeEnumAccessor<HccParameters::RateKey>(&Hcc::m_rateKey),
                          MakeEnumChecker(HccParameters::POINT,
                                          "Point",
                                          HccParameters::WHOLE_DOMAIN,
                                          "Domain"))
            .AddAttribute("DomainScope",
                          "Above T_d a CNP cuts: only its flow (Off), also flows of this NIC that "
                          "have such a rate (Siblings), or that ever had one on their path (All); "
                          "with law Article always All",
                          CompatEnumValue<HccParameters::Scope>(HccParameters::OFF),
                          CompatMakeEnumAccessor<HccParameters::Scope>(&Hcc::m_scope),
                          MakeEnumChecker(HccParameters::OFF,
                                          "Off",
                                          HccParameters::SIBLINGS,
                                          "Siblings",
                                          HccParameters::ALL,
                                          "All"))
            .AddAttribute("AllClear",
                          "CNPs with flag clear raise the rate; with law Article never",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Hcc::m_allClear),
                          MakeBooleanChecker())
            .AddAttribute("PathBinding",
                          "CNPs with flag leave end the rates of their domain, telemetry in ACKs "
                          "those of points that a flow has left; with law Article never",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Hcc::m_pathBinding),
                          MakeBooleanChecker()));
    return tid;
}

TypeId
Hcc::AddNumbers(TypeId tid)
{
    return tid
        .AddAttribute("CapBdp",
                      "Most bytes in flight, in line rate x base RTT; 0 = no cap; negative = 1, "
                      "with law Article 0",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&Hcc::m_setCapBdp),
                      MakeDoubleChecker<double>())
        .AddAttribute("SlackBytes",
                      "Wk, queue that the window allows at each congestion point; -1 = as the "
                      "profile says",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Hcc::m_setSlackBytes),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("MinRateBps",
                      "Floor of all rates, bit/s, at least 1; -1 = as the profile says",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Hcc::m_setMinRate),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("CableFactor",
                      "T is at least this times the base RTT; 0 = no such rule; negative = 1.5, "
                      "with law Article 0",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&Hcc::m_setCableFactor),
                      MakeDoubleChecker<double>())
        .AddAttribute("Tuning",
                      "Numbers that replace some of the profile; none = the defaults of HccTuning",
                      PointerValue(),
                      MakePointerAccessor(&Hcc::m_tuning),
                      MakePointerChecker<HccTuning>());
}

void
Hcc::SetProfile(std::string name)
{
    m_base = HccParameters::FromName(name);
}

std::string
Hcc::GetProfile() const
{
    return m_base.name;
}

void
Hcc::SetParameters(const HccParameters& parameters)
{
    m_base = parameters;
}

HccParameters
Hcc::GetParameters() const
{
    HccParameters p = m_base;
    p.enforce = m_enforce;
    p.scope = m_scope;
    p.rateKey = m_rateKey;
    p.allClear = m_allClear;
    p.pathBinding = m_pathBinding;
    const Ptr<HccTuning> tuning = m_tuning ? m_tuning : CreateObject<HccTuning>();
    tuning->Apply(p);
    p.SetLaw(m_law);
    if (m_setCapBdp >= 0)
    {
        p.capBdp = m_setCapBdp;
    }
    if (m_setCableFactor >= 0)
    {
        p.cableFactor = m_setCableFactor;
    }
    if (m_setSlackBytes >= 0)
    {
        p.slackBytes = static_cast<double>(m_setSlackBytes);
    }
    if (m_setMinRate >= 0)
    {
        p.minRateBps = static_cast<uint64_t>(m_setMinRate);
    }
    return p;
}

} // namespace roce
} // namespace ns3
