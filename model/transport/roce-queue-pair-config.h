/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_CONFIG_H
#define ROCE_QUEUE_PAIR_CONFIG_H

#include "roce-pacing.h"
#include "roce-protection-domain.h"
#include "roce-receive-queue.h"
#include "roce-transport-service.h"

#include "ns3/ptr.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/roce-constants.h"
#include "ns3/roce-path-chooser.h"
#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** What a queue pair needs to know of itself and its peer. */
struct QueuePairConfig
{
    TransportService service{TransportService::RC}; //!< transport service
    uint32_t localAddress{0};                       //!< IPv4, host order
    uint32_t remoteAddress{0};                      //!< IPv4, host order
    uint16_t sourcePort{0}; //!< UDP source port of what this side sends; 0: by the NIC
    uint16_t destinationPort{ROCE_UDP_PORT}; //!< UDP destination port of what this side sends
    uint32_t localPort{0};                   //!< port of the NIC it sends by
    uint32_t remoteQpn{0};                   //!< queue pair at the other side
    uint32_t sendPsn{0};                     //!< PSN of the first packet sent
    uint32_t receivePsn{0};                  //!< PSN of the first packet received
    uint8_t priority{3};                     //!< priority of its data, 0..7
    uint32_t mtu{4096};                      //!< payload bytes of a full packet
    uint32_t ackInterval{1};                 //!< packets between AckReq bits
    Tick ackTimeout{0};                      //!< retransmission timer in ticks; 0: none
    uint32_t retryLimit{7};                  //!< timeouts in a row before it gives up
    bool ecnCapable{true};                   //!< data is sent as ECT(0)
    uint64_t windowBytes{CongestionControl::UNLIMITED}; //!< cap on unacknowledged payload bytes
    bool windowFollowsRate{false};      //!< the cap shrinks as the rate does below the line rate
    Tick baseRtt{0};                    //!< unloaded round trip, told to congestion control
    uint32_t hops{0};                   //!< links to the other side; 0: unknown
    Pacing::Mode pacing{Pacing::PLAIN}; //!< where the slots of its packets lie
    Ptr<PathChooser> paths; //!< picks the source port of each message that finds nothing open

    // verbs; see TransportOptions for what the defaults rest on
    uint32_t rnrRetryLimit{7};      //!< RNR NAKs in a row before it gives up; 7: never
    uint8_t rnrTimerCode{12};       //!< of the RNR NAKs it sends (RnrTimer)
    uint8_t timeToLive{64};         //!< IPv4 TTL of what it sends
    uint32_t maxReads{16};          //!< READs and atomics it may have outstanding
    uint32_t responderReads{16};    //!< READs and atomics of the other side it remembers
    bool ackDuplicates{false};      //!< acknowledges each duplicate, not just those with AckReq
    bool credits{false};            //!< tells how many receive requests it has
    bool answersInOrder{true};      //!< acknowledgements and READ responses share a class
    uint32_t maxInlineBytes{220};   //!< longest inline data
    uint8_t remoteAccess{0xff};     //!< MemoryAccess bits the other side has at all
    uint32_t queueKey{0};           //!< UD: Q_Key that datagrams to it must have
    Ptr<ProtectionDomain> domain;   //!< its memory; nullptr: lengths only, nothing is checked
    Ptr<ReceiveQueue> receiveQueue; //!< shared receive queue; nullptr: it has its own
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_CONFIG_H
