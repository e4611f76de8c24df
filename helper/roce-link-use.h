/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LINK_USE_H
#define ROCE_LINK_USE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

class Fabric;
class FabricMonitor;

/**
 * What crossed a link of a fabric.
 *
 * Models: the counters of the ports at its ends, read when a run is over: bytes of the frames that
 * arrived, without preamble and gap, and utilization as FabricMonitor defines it.
 *
 * Invariants: the largest share of all links is RunResult::utilizationBottleneck.
 *
 * Leaves out: when in the run it was; counters start with the fabric.
 */
struct LinkUse
{
    uint64_t bytesToB{0}; //!< from end a of the graph's link to end b
    uint64_t bytesToA{0}; //!< the other way
    double shareToB{0};   //!< 0 to 1
    double shareToA{0};   //!< 0 to 1

    /** \return the links in the order of the graph. \param fabric a fabric \param monitor watched
     * it during the run that is over */
    static std::vector<LinkUse> Read(const Fabric& fabric, const FabricMonitor& monitor);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LINK_USE_H
