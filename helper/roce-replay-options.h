/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REPLAY_OPTIONS_H
#define ROCE_REPLAY_OPTIONS_H

#include "ns3/roce-routing.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * What a replay does as the HPCC artifact does, each for comparison only. All off is the real
 * thing.
 */
struct ReplayOptions
{
    bool hpccHash{false};       //!< the artifact's ECMP hash and UDP ports
    bool ackInDataClass{false}; //!< ACKs share the data queue of switches, not of NICs
    bool peerHeaders{false};    //!< its frame sizes, no preamble and gap
    bool truncateTicks{false};  //!< transmission times cut to whole ns
    bool peerSwitch{false};     //!< its headroom, threshold, pause without end, DCQCN echo in ACKs
    MemberOrder order{MemberOrder::DescendingPeerId}; //!< order of next hops, with hpccHash

    /** \return everything as the artifact does */
    static ReplayOptions Artifact();

    /**
     * Throws std::invalid_argument that names an unknown word and the known ones.
     * \param list all, none or empty, or some of hash,ack,headers,ticks,switch
     * \param order descending or ascending
     * \return these options
     */
    static ReplayOptions Parse(const std::string& list, const std::string& order);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_REPLAY_OPTIONS_H
