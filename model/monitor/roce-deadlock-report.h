/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DEADLOCK_REPORT_H
#define ROCE_DEADLOCK_REPORT_H

#include "ns3/roce-tick.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** An egress queue of a switch that a pause of the next switch stops. */
struct WaitingQueue
{
    uint32_t node{0};     //!< id of its switch
    uint32_t port{0};     //!< port by which it would leave
    uint32_t priority{0}; //!< priority
    uint64_t bytes{0};    //!< what waits
    Tick since{0};        //!< when the pause began that still lasts
    uint32_t peer{0};     //!< id of the node that paused it
    uint32_t peerPort{0}; //!< port there whose ingress buffer is full
};

/** A ring of queues each of which waits for the next. */
struct DeadlockReport
{
    Tick at{0};                      //!< when it was found
    Tick frozen{0};                  //!< when the last of the queues stopped
    std::vector<WaitingQueue> cycle; //!< each waits for the next, the last for the first

    /** \return "switch 3 port 1 -> switch 4 port 2 -> switch 3" */
    std::string GetCycleText() const;

    /** \return a sentence for people */
    std::string GetText() const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DEADLOCK_REPORT_H
