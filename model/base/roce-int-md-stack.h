/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_MD_STACK_H
#define ROCE_INT_MD_STACK_H

#include "roce-int-md-hop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace roce
{

/** What the 16-bit field of the shim header holds (INT v2.1, 5.7.2). */
enum class IntMdNext : uint8_t
{
    DSCP = 0,     //!< the original DSCP in the high 6 bits of the second byte, or nothing
    UDP_PORT = 1, //!< the original UDP destination port; the UDP payload follows the stack
    PROTOCOL = 2, //!< the original IP protocol in the second byte; its header follows the stack
};

/** Bits of IntMdInstruction whose metadata take 8 bytes. */
inline constexpr uint16_t INT_MD_LONG_BITS =
    INT_MD_INGRESS_TIME | INT_MD_EGRESS_TIME | INT_MD_INTERFACES;

/**
 * What the nodes on its way pushed onto a packet, in mode MD of P4.org's INT.
 *
 * Models: the decoded shim header, metadata header and stack, and what a node does to them; IntMd
 * adds their bytes.
 *
 * Clause: In-band Network Telemetry Dataplane Specification v2.1 (P4.org, 2020-11-11), 5.7.2 (shim
 * header for TCP and UDP) and 5.8 (metadata header, stack, rules of a hop).
 *
 * Invariants: each pushed hop has at least domainWords domain-specific words; the stack never
 * grows above MAX_WORDS, which the shim header can count.
 *
 * Leaves out: what IntMd leaves out.
 */
class IntMdStack
{
  public:
    static constexpr std::size_t SHIM_BYTES = 4;    //!< shim header
    static constexpr std::size_t HEADER_BYTES = 12; //!< metadata header
    static constexpr unsigned MAX_HOP_WORDS = 31;   //!< the field has 5 bits
    static constexpr unsigned MAX_WORDS = 255;      //!< shim length, 8 bits, without the shim

    IntMdNext next{IntMdNext::UDP_PORT}; //!< what nextValue is
    uint8_t shimReserved{0};             //!< 2 bits
    uint16_t nextValue{0};               //!< what the INT sink puts back

    bool discard{false};            //!< D: the sink drops the packet
    bool exceeded{false};           //!< E: a node found a remaining hop count of 0
    bool mtuExceeded{false};        //!< M: a node had no room for its metadata
    uint16_t reserved{0};           //!< 12 bits
    uint8_t remainingHops{0};       //!< nodes that may still push
    uint16_t instructions{0};       //!< IntMdInstruction bits
    uint16_t domainId{0};           //!< 0: no domain-specific metadata
    uint16_t domainInstructions{0}; //!< bitmap of the domain
    uint16_t domainFlags{0};        //!< flags of the domain
    uint8_t domainWords{0};         //!< words of domain-specific metadata a hop
    std::vector<IntMdHop> hops;     //!< the latest first

    /** \param instructions IntMdInstruction bits \return 4-byte words they ask for, a hop */
    static unsigned BaselineWords(uint16_t instructions)
    {
        unsigned words = 0;
        for (unsigned bits = instructions; bits != 0; bits >>= 1)
        {
            words += bits & 1;
        }
        for (unsigned bits = instructions & INT_MD_LONG_BITS; bits != 0; bits >>= 1)
        {
            words += bits & 1;
        }
        return words;
    }

    /** \return Hop ML: 4-byte words that each hop has */
    unsigned GetHopWords() const
    {
        return BaselineWords(instructions) + domainWords;
    }

    /** \return bytes of shim header, metadata header and stack */
    std::size_t GetBytes() const
    {
        return SHIM_BYTES + HEADER_BYTES + hops.size() * GetHopWords() * 4;
    }

    /**
     * What a source, transit or sink node does: push its metadata and count down; or set E when no
     * hop remains; or set M when the metadata does not fit the MTU; or leave the packet alone when
     * nothing is asked for or the length field of the shim header cannot count it. A node that does
     * not know the domain gives no domain-specific words; they become all ones.
     *
     * \param hop its metadata
     * \param room bytes by which the packet may still grow
     * \return whether it was pushed
     */
    bool Push(const IntMdHop& hop, std::size_t room = std::numeric_limits<std::size_t>::max())
    {
        if (remainingHops == 0)
        {
            exceeded = true;
            return false;
        }
        const std::size_t words = GetHopWords();
        if (words * 4 > room)
        {
            mtuExceeded = true;
            return false;
        }
        if (words == 0 || HEADER_BYTES / 4 + (hops.size() + 1) * words > MAX_WORDS)
        {
            return false;
        }
        hops.insert(hops.begin(), hop);
        std::vector<uint32_t>& domain = hops.front().domain;
        domain.resize(std::max<std::size_t>(domain.size(), domainWords), 0xffffffff);
        --remainingHops;
        return true;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_MD_STACK_H
