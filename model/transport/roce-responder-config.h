/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_CONFIG_H
#define ROCE_RESPONDER_CONFIG_H

#include "roce-loss-recovery.h"
#include "roce-transport-service.h"

#include "ns3/roce-frame-sizes.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

class ProtectionDomain;

/** What a responder needs to know. */
struct ResponderConfig
{
    TransportService service{TransportService::RC}; //!< transport service
    EarlyPolicy early{EarlyPolicy::DISCARD};        //!< what to do with early packets
    uint8_t rnrTimerCode{12};                       //!< of RNR NAKs (IBTA table 45); 12: 0.64 ms
    uint8_t remoteAccess{0xff};        //!< MemoryAccess bits that this queue pair grants
    bool ackDuplicates{false};         //!< acknowledge each duplicate, not just those with AckReq
    bool credits{false};               //!< tell how many receive requests there are
    uint32_t mtu{0};                   //!< payload bytes of a full packet
    uint32_t initialPsn{0};            //!< PSN of the first packet to come
    uint32_t maxReads{16};             //!< READs and atomics it remembers
    uint32_t queueKey{0};              //!< UD: Q_Key
    ProtectionDomain* domain{nullptr}; //!< memory; nullptr: lengths only
    FrameSizes sizes;                  //!< bytes frames occupy
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RESPONDER_CONFIG_H
