/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_ADDRESS_H
#define ROCE_FRAME_ADDRESS_H

#include "ns3/roce-constants.h"
#include "ns3/roce-frame.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The fields that all frames of one queue pair have in common.
 *
 * Models: the addresses of a connection (IPv4, UDP, BTH destination QP) and its class.
 *
 * Invariants: hash is FlowKey::Hash of the 5-tuple.
 *
 * Leaves out: what differs from frame to frame.
 */
struct FrameAddress
{
    /** Default TTL: the usual one of hosts (RFC 1700). */
    static constexpr uint8_t TTL = 64;

    uint32_t source{0};          //!< IPv4, host order
    uint32_t destination{0};     //!< IPv4, host order
    uint32_t hash{0};            //!< of the 5-tuple
    uint32_t destinationQp{0};   //!< queue pair at the other side
    uint32_t sourceQp{0};        //!< queue pair of this side; switches learn it at the setup
    uint16_t sourcePort{0};      //!< UDP
    uint16_t destinationPort{0}; //!< UDP
    uint16_t localPort{0};       //!< port of the NIC by which they leave
    uint8_t priority{0};         //!< of data
    uint8_t ecn{0};              //!< code point of data
    uint8_t ttl{TTL};            //!< IPv4 time to live

    /** \param frame filled in; inPort is the NIC port by which it leaves */
    void Apply(Frame& frame) const
    {
        frame.source = source;
        frame.destination = destination;
        frame.hash = hash;
        frame.destinationQp = destinationQp;
        frame.aeth = sourceQp; // of frames that have no AETH
        frame.sourcePort = sourcePort;
        frame.destinationPort = destinationPort;
        frame.inPort = localPort;
        frame.priority = priority;
        frame.ecn = ecn;
        frame.ttl = ttl;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FRAME_ADDRESS_H
