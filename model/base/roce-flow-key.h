/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FLOW_KEY_H
#define ROCE_FLOW_KEY_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The 5-tuple by which switches tell flows apart (RFC 2992).
 *
 * Models: the hash input of equal-cost multipath routing. The ingress port is not part of it.
 *
 * Invariants: equal keys have equal hashes; each field changes the hash.
 *
 * Leaves out: selectable hash fields (they come with the load balancers).
 */
struct FlowKey
{
    uint32_t source{0};          //!< IPv4 source, host order
    uint32_t destination{0};     //!< IPv4 destination, host order
    uint16_t sourcePort{0};      //!< UDP or TCP source port
    uint16_t destinationPort{0}; //!< UDP or TCP destination port
    uint8_t protocol{17};        //!< IP protocol

    /**
     * \param x any 64-bit number
     * \return a bijective mix in which each input bit changes half the output bits (the fmix64
     *         finaliser of MurmurHash3, public domain)
     */
    static uint64_t Mix(uint64_t x)
    {
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdULL;
        x ^= x >> 33;
        x *= 0xc4ceb9fe1a85ec53ULL;
        x ^= x >> 33;
        return x;
    }

    /**
     * \return a 32-bit hash of the five fields
     */
    uint32_t Hash() const
    {
        const uint64_t addresses = (uint64_t(source) << 32) | destination;
        const uint64_t ports =
            (uint64_t(sourcePort) << 24) | (uint64_t(destinationPort) << 8) | protocol;
        return static_cast<uint32_t>(Mix(Mix(addresses) + ports) >> 32);
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOW_KEY_H
