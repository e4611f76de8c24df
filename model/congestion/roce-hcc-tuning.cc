/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hcc-tuning.h"

#include "ns3/double.h"
#include "ns3/integer.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(HccTuning);

TypeId
HccTuning::GetTypeId()
{
    static TypeId tid =
        AddSteps(TypeId("ns3::roce::HccTuning")
                     .SetParent<Object>()
                     .SetGroupName("Roce")
                     .AddConstructor<HccTuning>()
                     .AddAttribute("RecoveryTime2",
                                   "T in a pod; negative = as the profile says",
                                   TimeValue(Seconds(-1)),
                                   MakeTimeAccessor(&HccTuning::m_recovery2),
                                   MakeTimeChecker())
                     .AddAttribute("RecoveryTime3",
                                   "T between pods; negative = as the profile says",
                                   TimeValue(Seconds(-1)),
                                   MakeTimeAccessor(&HccTuning::m_recovery3),
                                   MakeTimeChecker())
                     .AddAttribute("CnpInterval2",
                                   "Interval of CNPs in a pod, as the congestion points have it; "
                                   "negative = as the profile says",
                                   TimeValue(Seconds(-1)),
                                   MakeTimeAccessor(&HccTuning::m_interval2),
                                   MakeTimeChecker())
                     .AddAttribute("CnpInterval3",
                                   "The same between pods; negative = as the profile says",
                                   TimeValue(Seconds(-1)),
                                   MakeTimeAccessor(&HccTuning::m_interval3),
                                   MakeTimeChecker()));
    return tid;
}

TypeId
HccTuning::AddSteps(TypeId tid)
{
    return tid
        .AddAttribute("Slope2",
                      "Kappa in a pod, > 0; negative = as the profile says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_slope2),
                      MakeDoubleChecker<double>())
        .AddAttribute("Slope3",
                      "Kappa between pods, > 0; negative = as the profile says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_slope3),
                      MakeDoubleChecker<double>())
        .AddAttribute("DomainThreshold2",
                      "T_d in a pod, share of marks; negative = as the profile says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_threshold2),
                      MakeDoubleChecker<double>(-1, 1))
        .AddAttribute("DomainThreshold3",
                      "T_d between pods; negative = as the profile says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_threshold3),
                      MakeDoubleChecker<double>(-1, 1))
        .AddAttribute("Acceleration",
                      "Acc, most steps an expiry, at least 1; -1 = as the profile says",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&HccTuning::m_acceleration),
                      MakeIntegerChecker<int64_t>(-1, 1000000))
        .AddAttribute("Phi",
                      "Part of the fair share below which no cut goes; negative = as the profile "
                      "says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_phi),
                      MakeDoubleChecker<double>())
        .AddAttribute("SeverePhi",
                      "The same from SevereShare on; negative = as the profile says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_severePhi),
                      MakeDoubleChecker<double>())
        .AddAttribute("SevereShare",
                      "Share of marks from which on SeverePhi counts; negative = as the profile "
                      "says",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&HccTuning::m_severeShare),
                      MakeDoubleChecker<double>(-1, 1));
}

HccTuning::HccTuning() = default;
HccTuning::~HccTuning() = default;

void
HccTuning::Apply(HccParameters& parameters) const
{
    const auto number = [](double& to, double set) {
        if (set >= 0)
        {
            to = set;
        }
    };
    const auto time = [](Time& to, const Time& set) {
        if (!set.IsStrictlyNegative())
        {
            to = set;
        }
    };
    time(parameters.stage2.recovery, m_recovery2);
    time(parameters.stage3.recovery, m_recovery3);
    time(parameters.stage2.cnpInterval, m_interval2);
    time(parameters.stage3.cnpInterval, m_interval3);
    number(parameters.stage2.slope, m_slope2);
    number(parameters.stage3.slope, m_slope3);
    number(parameters.stage2.domainThreshold, m_threshold2);
    number(parameters.stage3.domainThreshold, m_threshold3);
    number(parameters.phi, m_phi);
    number(parameters.severePhi, m_severePhi);
    number(parameters.severeShare, m_severeShare);
    if (m_acceleration >= 0)
    {
        parameters.acceleration = static_cast<uint32_t>(m_acceleration);
    }
}

} // namespace roce
} // namespace ns3
