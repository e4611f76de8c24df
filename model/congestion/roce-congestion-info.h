/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_INFO_H
#define ROCE_CONGESTION_INFO_H

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

struct IntRecord;

/** What a congestion control is told about its queue pair when it starts. */
struct FlowParameters
{
    uint64_t lineRate{0};   //!< rate of the NIC port, bit/s
    Tick baseRtt{0};        //!< unloaded round trip of a full packet and its ACK; 0 if unknown
    uint32_t mtu{0};        //!< payload bytes of a full packet
    uint32_t frameBytes{0}; //!< bytes a full packet occupies on the link
    uint32_t qpn{0};        //!< queue pair number, for traces
    uint32_t hops{0};       //!< links between the two ends; 0 if unknown
    uint64_t hash{0};       //!< of the flow's addresses and ports
    Ptr<Object> shared;     //!< what MakeShared of the first law at this NIC gave, if anything
};

/** What an acknowledgement tells. */
struct AckInfo
{
    uint64_t ackedBytes{0}; //!< payload bytes newly acknowledged
    uint64_t inflight{0};   //!< payload bytes still unacknowledged
    Tick rtt{0};            //!< round trip of the packet that was acknowledged; 0 if unknown
    bool congestion{false}; //!< CE echoed in the ACK
    const IntRecord* record{nullptr}; //!< telemetry that came back with it, if any
};

/** What a congestion notification packet tells. */
struct CnpInfo
{
    const uint8_t* body{nullptr}; //!< the 16 reserved bytes, or nullptr if all are zero
    uint8_t hops{0};              //!< links the CNP crossed
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_INFO_H
