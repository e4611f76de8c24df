/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_MD_H
#define ROCE_INT_MD_H

#include "roce-codec-error.h"

#include "ns3/roce-int-md-stack.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

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
class IntMd : public IntMdStack
{
  public:
    IntMd() = default;

    /** \param stack what was pushed */
    explicit IntMd(const IntMdStack& stack)
        : IntMdStack(stack)
    {
    }

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
