/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXAMPLE_STAGE_TUNING_H
#define ROCE_EXAMPLE_STAGE_TUNING_H

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/roce-hcc-parameters.h"
#include "ns3/roce-hcc-tuning.h"

#include <string>

/**
 * \file
 * Numbers of one stage of hierarchical congestion control in another.
 */

namespace ns3
{
namespace roce
{

/**
 * \return tuning that uses the numbers of a profile as they are, or those of one stage for both
 * \param profile name of a profile
 * \param stage 0: each stage its own; 2 or 3: those of this stage in both
 */
inline Ptr<HccTuning>
MakeStageTuning(const std::string& profile, uint32_t stage)
{
    const HccParameters numbers = HccParameters::FromName(profile);
    const HccParameters::Stage& two = stage == 3 ? numbers.stage3 : numbers.stage2;
    const HccParameters::Stage& three = stage == 2 ? numbers.stage2 : numbers.stage3;
    Ptr<HccTuning> tuning = CreateObject<HccTuning>();
    tuning->SetAttribute("RecoveryTime2", TimeValue(two.recovery));
    tuning->SetAttribute("RecoveryTime3", TimeValue(three.recovery));
    tuning->SetAttribute("CnpInterval2", TimeValue(two.cnpInterval));
    tuning->SetAttribute("CnpInterval3", TimeValue(three.cnpInterval));
    tuning->SetAttribute("Slope2", DoubleValue(two.slope));
    tuning->SetAttribute("Slope3", DoubleValue(three.slope));
    tuning->SetAttribute("DomainThreshold2", DoubleValue(two.domainThreshold));
    tuning->SetAttribute("DomainThreshold3", DoubleValue(three.domainThreshold));
    return tuning;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_EXAMPLE_STAGE_TUNING_H
