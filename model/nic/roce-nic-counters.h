/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_COUNTERS_H
#define ROCE_NIC_COUNTERS_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** What a NIC counts; all 64 bit. */
struct NicCounters
{
    uint64_t dataSent{0};          //!< request packets sent, resent ones included
    uint64_t dataReceived{0};      //!< request packets that arrived
    uint64_t responsesSent{0};     //!< READ responses sent
    uint64_t responsesReceived{0}; //!< READ responses that arrived
    uint64_t acksSent{0};          //!< ACKs sent, ATOMIC acknowledges included
    uint64_t naksSent{0};          //!< NAKs sent
    uint64_t acksReceived{0};      //!< ACKs that arrived
    uint64_t naksReceived{0};      //!< NAKs that arrived, those below included
    uint64_t rnrNaksReceived{0};   //!< of those, because a receive request was missing
    uint64_t cnpsSent{0};          //!< CNPs sent, echoes in ACKs included
    uint64_t cnpsReceived{0};      //!< CNPs that arrived, echoes in ACKs included
    uint64_t intAcks{0};           //!< ACKs with telemetry that a congestion control heard
    uint64_t rateChanges{0};       //!< by congestion controls of queue pairs destroyed or reset
    uint64_t windowChanges{0};     //!< by the same
    uint64_t marksReceived{0};     //!< request packets and READ responses that arrived with CE
    uint64_t retransmitted{0};     //!< request packets sent again
    uint64_t timeouts{0};          //!< retransmission timers that expired
    uint64_t lateFrames{0};        //!< ACKs and CNPs for queue pairs that are gone or failed
    uint64_t refused{0};           //!< requests for queue pairs that are not there (NO_QP drops)
    uint64_t discarded{0};         //!< frames lost in its queues when a link went down
    uint64_t requestsPosted{0};    //!< work requests posted
    uint64_t requestsCompleted{0}; //!< of those, ended with success
    uint64_t requestsFailed{0};    //!< of those, ended with an error
    uint64_t bytesPosted{0};       //!< bytes of the requests posted
    uint64_t bytesCompleted{0};    //!< bytes of the requests that ended with success
    uint64_t bytesDelivered{0};    //!< payload bytes taken in order from others, answers included
    uint64_t messagesDelivered{0}; //!< whole messages taken from others
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NIC_COUNTERS_H
