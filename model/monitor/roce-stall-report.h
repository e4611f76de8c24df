/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_STALL_REPORT_H
#define ROCE_STALL_REPORT_H

#include "roce-deadlock-report.h"

#include "ns3/roce-queue-pair-state.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a queue pair with open requests waits for. */
enum class StallCause : uint8_t
{
    LINK_DOWN,     //!< the port it sends by has no link
    PAUSED,        //!< its priority is paused at the port it sends by
    WINDOW,        //!< packets wait, but the window is full of unacknowledged ones
    ACK,           //!< all is sent; the retransmission timer will ask again
    ACK_NO_TIMER,  //!< packets are unacknowledged and there is no retransmission timer: lost tail
    SLOT,          //!< it may send; its slot has not come
    NOT_CONNECTED, //!< it is not in a state in which it sends
    PEER_STATE,    //!< the other side is not in a state in which it receives
    RNR,           //!< the other side has no receive request; the RNR timer runs
    CREDIT,        //!< the other side has told that it has no receive request
    READ_LIMIT,    //!< as many READs and atomics are outstanding as allowed
    FENCE,         //!< a fenced request waits for the READs and atomics before it
    READ_ANSWER,   //!< READ responses or an atomic's answer are missing; the timer runs
    RESPONSES_PAUSED, //!< READ responses wait at the other side, whose port may not send them
    DRAIN,            //!< it is in state SQD: nothing new is sent
};

/**
 * \param cause a cause
 * \return its name in results
 */
const char* StallCauseName(StallCause cause);

/** One queue pair that has not finished. */
struct StalledQueuePair
{
    uint32_t host{0};                   //!< id of its host
    uint32_t qpn{0};                    //!< its number
    uint32_t peer{0};                   //!< id of the host at the other side
    uint32_t peerQpn{0};                //!< queue pair at the other side
    uint64_t openRequests{0};           //!< requests that are not done
    uint64_t bytesLeft{0};              //!< bytes of its oldest request that are not acknowledged
    uint64_t packet{0};                 //!< number of its oldest unacknowledged packet
    uint32_t port{0};                   //!< port of the NIC it sends by
    uint32_t priority{0};               //!< its priority
    uint32_t peerPort{0};               //!< port of the other side's NIC
    uint32_t limit{0};                  //!< READ_LIMIT: how many; RNR: retries, 7: for ever
    bool answer{false};                 //!< the oldest packet is of a READ or atomic
    StallCause cause{StallCause::SLOT}; //!< what it waits for
    QueuePairState state{QueuePairState::RTS}; //!< its state; PEER_STATE: that of the other side

    /** \return a sentence for people */
    std::string GetText() const;

  private:
    std::string GetPathText() const;
    std::string GetVerbsText() const;
};

/** An egress queue of a switch that may not send what it holds. */
struct BlockedQueue
{
    uint32_t node{0};     //!< id of the switch
    uint32_t port{0};     //!< its port
    uint32_t priority{0}; //!< priority
    uint64_t bytes{0};    //!< what waits
    bool linkDown{false}; //!< no link; else paused by the neighbor

    /** \return a sentence for people */
    std::string GetText() const;
};

/** Why a run cannot finish. */
struct StallReport
{
    Tick at{0};                          //!< when it was made
    std::vector<StalledQueuePair> pairs; //!< by host and number
    std::vector<BlockedQueue> queues;    //!< by switch, port and priority
    std::vector<DeadlockReport> rings;   //!< queues that wait for each other
    uint64_t noRouteDrops{0};            //!< frames dropped for want of a route so far

    /** \return whether all is done */
    bool IsEmpty() const
    {
        return pairs.empty();
    }

    /**
     * \param limit most sentences of a kind
     * \return sentences for people: rings first, one a queue pair, then the blocked queues
     */
    std::vector<std::string> GetLines(std::size_t limit = 20) const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_STALL_REPORT_H
