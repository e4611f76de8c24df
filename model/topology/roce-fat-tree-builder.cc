/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fat-tree-builder.h"

#include "roce-clos-builder.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

FabricGraph
FatTreeBuilder::Build(const FatTreePlan& plan)
{
    if (plan.k < 2 || plan.k % 2 != 0 || plan.k > 1024)
    {
        throw std::invalid_argument("fat tree: k is " + std::to_string(plan.k) +
                                    "; expected an even number from 2 to 1024");
    }
    if (plan.oversubscription == 0 || plan.oversubscription > 1024)
    {
        throw std::invalid_argument("fat tree: oversubscription is " +
                                    std::to_string(plan.oversubscription) + "; expected 1 to 1024");
    }
    // a fat tree is the three-tier Clos in which every count is k/2, k or (k/2)^2
    const uint32_t half = plan.k / 2;
    ThreeTierPlan clos;
    clos.pods = plan.k;
    clos.leavesPerPod = half;
    clos.podSpines = half;
    clos.superSpines = half * half;
    clos.hostsPerLeaf = half * plan.oversubscription;
    clos.hostRateBps = plan.hostRateBps;
    clos.fabricRateBps = plan.fabricRateBps;
    clos.coreRateBps = plan.fabricRateBps;
    clos.hostDelayPs = plan.hostDelayPs;
    clos.fabricDelayPs = plan.fabricDelayPs;
    clos.coreDelayPs = plan.fabricDelayPs;
    return ClosBuilder::Build(clos);
}

} // namespace roce
} // namespace ns3
