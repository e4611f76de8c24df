/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_MD_H
#define ROCE_INT_MD_H

#include "roce-codec-error.h"
#include "roce-int-md-hop.h"

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

/**
 * INT of P4.org in mode MD: shim header, metadata header and the stack of metadata.
 *
 * Models: the 4 bytes of the shim header behind UDP, the 12 of the metadata header, and what each
 * node on the way pushed, the latest first. RoCEv2 takes form UDP_PORT: the INT port replaces 4791,
 * which the shim header keeps.
 *
 * Clause: In-band Network Telemetry Dataplane Specification v2.1 (P4.org, 2020-11-11), 5.7.2 (shim
 * header for TCP and UDP) and 5.8 (metadata header, stack, rules of a hop).
 *
 * Invariants: Encode(Decode(b)) == b for the bytes that Decode takes as its own; each hop has
 * GetHopWords() words; the exceeded bit implies a remaining hop count of 0; hops made and hops
 * remaining are at most 255 together.
 *
 * Leaves out: INT-MX and INT-XD, other encapsulations (VXLAN GPE, Geneve, GRE), source-only
 * metadata (a stack that is no multiple of the hop length is refused), computing the checksum
 * complement, and the UDP port of INT, which IANA has not assigned.
 */
class IntMd
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
    static unsigned BaselineWords(uint16_t instructions);

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
    bool Push(const IntMdHop& hop, std::size_t room = std::numeric_limits<std::size_t>::max());

    /**
     * \param bytes the headers are appended here; throws std::invalid_argument for what has no
     *        wire form
     */
    void Encode(std::vector<uint8_t>& bytes) const;

    /**
     * \param bytes first byte of the shim header
     * \param size bytes that may be read; what follows the stack is not looked at
     * \return the headers, of GetBytes() bytes; throws CodecError
     */
    static IntMd Decode(const uint8_t* bytes, std::size_t size);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_MD_H
