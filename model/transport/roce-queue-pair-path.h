/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_PATH_H
#define ROCE_QUEUE_PAIR_PATH_H

#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The part of a connection that another path changes.
 *
 * Models: the primary address vector of Modify Queue Pair (IBTA 11.2.5.2): the port it leaves by
 * and the addresses of both ends. Queue pair numbers, PSNs and UDP ports stay.
 *
 * Invariants: none; Nic::Migrate checks it.
 *
 * Leaves out: path MTU and service level, which stay too.
 */
struct QueuePairPath
{
    uint32_t localPort{0};     //!< port of the NIC it sends by
    uint32_t localAddress{0};  //!< of that port, IPv4, host order
    uint32_t remoteAddress{0}; //!< of the port at the other side, IPv4, host order
    Tick baseRtt{0};           //!< unloaded round trip, told to congestion control
    uint32_t hops{0};          //!< links to the other side; 0: unknown
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_PATH_H
