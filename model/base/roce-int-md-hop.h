/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_MD_HOP_H
#define ROCE_INT_MD_HOP_H

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/** Bits of the instruction bitmap, the standard's bit 0 being the highest (INT v2.1, 5.8). */
enum IntMdInstruction : uint16_t
{
    INT_MD_NODE_ID = 1 << 15,       //!< bit 0: 4 bytes
    INT_MD_PORTS = 1 << 14,         //!< bit 1: level 1 ingress and egress interface, 2 + 2 bytes
    INT_MD_HOP_LATENCY = 1 << 13,   //!< bit 2: 4 bytes
    INT_MD_QUEUE = 1 << 12,         //!< bit 3: queue ID and occupancy, 1 + 3 bytes
    INT_MD_INGRESS_TIME = 1 << 11,  //!< bit 4: 8 bytes
    INT_MD_EGRESS_TIME = 1 << 10,   //!< bit 5: 8 bytes
    INT_MD_INTERFACES = 1 << 9,     //!< bit 6: level 2 ingress and egress interface, 4 + 4 bytes
    INT_MD_TX_UTILIZATION = 1 << 8, //!< bit 7: 4 bytes
    INT_MD_BUFFER = 1 << 7,         //!< bit 8: buffer ID and occupancy, 1 + 3 bytes
    INT_MD_RESERVED = 0x7e,         //!< bits 9 to 14: 4 bytes each, without meaning
    INT_MD_CHECKSUM = 1 << 0,       //!< bit 15: checksum complement, 4 bytes
};

/**
 * What one node pushes onto the metadata stack of INT-MD.
 *
 * Models: the metadata of the instruction bitmap. Units are not the standard's business but the
 * domain's (INT v2.1, section 4).
 *
 * Clause: In-band Network Telemetry Dataplane Specification v2.1 (P4.org, 2020-11-11), 4 and 5.8.
 *
 * Invariants: a field that is never set is all ones on the wire, which means "not available"; a
 * field whose bit is not set in the bitmap takes no bytes.
 *
 * Leaves out: what domain-specific words and reserved metadata mean; they are kept as they are.
 */
struct IntMdHop
{
    /** Metadata of the reserved bits 9 to 14; a node that has none writes all ones. */
    using Reserved = std::array<uint32_t, 6>;

    uint32_t nodeId{0xffffffff};           //!< unique in the INT domain
    uint16_t ingressPort{0xffff};          //!< level 1: usually the physical port
    uint16_t egressPort{0xffff};           //!< level 1
    uint32_t hopLatency{0xffffffff};       //!< time in the device
    uint8_t queueId{0xff};                 //!< of the queue the packet went through
    uint32_t queueOccupancy{0xffffff};     //!< 24 bits: what waited in it
    uint64_t ingressTime{~uint64_t(0)};    //!< local time at the ingress port
    uint64_t egressTime{~uint64_t(0)};     //!< local time at the egress port
    uint32_t ingressInterface{0xffffffff}; //!< level 2: a logical interface
    uint32_t egressInterface{0xffffffff};  //!< level 2
    uint32_t txUtilization{0xffffffff};    //!< load of the egress port
    uint8_t bufferId{0xff};                //!< of a buffer that several queues share
    uint32_t bufferOccupancy{0xffffff};    //!< 24 bits: what it holds
    /** Bit 9 first; a word whose bit is not set stays all ones. */
    Reserved reserved{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
    std::vector<uint32_t> domain;            //!< domain-specific words
    uint32_t checksumComplement{0xffffffff}; //!< the last word, if asked for
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_MD_HOP_H
