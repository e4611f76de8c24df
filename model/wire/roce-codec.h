/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CODEC_H
#define ROCE_CODEC_H

#include "roce-codec-error.h"
#include "roce-wire-packet.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/** How strict Codec::Decode is. */
struct CodecOptions
{
    bool hasFcs{false};       //!< the last four bytes are the FCS, and it must be right
    bool refuseBadIcrc{true}; //!< throw on a wrong ICRC; else only set WirePacket::icrcOk
    bool anyUdpPort{false};   //!< take any UDP destination port as RoCE, not 4791 alone
};

/**
 * WirePacket <-> the bytes of an Ethernet frame.
 *
 * Models: the exact wire format of RoCEv2 over IPv4 and IPv6.
 *
 * Clause: IBTA 9.2, 9.3 and Annex A17; RFC 791, 8200, 768; IEEE 802.3 and 802.1Q.
 *
 * Invariants: Encode(Decode(b)) == b for all b that Decode takes; Decode reads no byte outside its
 * input and throws nothing but CodecError, which names field, byte, value and limit; Encode throws
 * std::invalid_argument for a packet that has no wire form.
 *
 * Leaves out: Ethernet padding to 60 bytes (put it into WirePacket::trailer), UDP checksums (sent
 * as they stand; 0 is allowed by RFC 768 and usual in RoCEv2), IPv4 options and fragments, IPv6
 * extension headers, stacked VLAN tags.
 */
class Codec
{
  public:
    /**
     * \param packet a packet
     * \return its Ethernet frame with lengths, IP checksum, ICRC and, if asked for, FCS
     */
    static std::vector<uint8_t> Encode(const WirePacket& packet);

    /**
     * \param packet a packet
     * \param bytes its Ethernet frame; what was in there is gone, its storage is used again
     */
    static void Encode(const WirePacket& packet, std::vector<uint8_t>& bytes);

    /**
     * \param bytes an Ethernet frame
     * \param size its bytes
     * \param hasFcs whether the last four are the FCS
     * \return the packet; throws CodecError
     */
    static WirePacket Decode(const uint8_t* bytes, std::size_t size, bool hasFcs);

    /**
     * \param bytes an Ethernet frame
     * \param size its bytes
     * \param options how strict to be
     * \return the packet; throws CodecError
     */
    static WirePacket Decode(const uint8_t* bytes, std::size_t size, const CodecOptions& options);

    /**
     * \param data a header whose checksum field holds 0, or holds the sum
     * \param size its bytes, even
     * \return the Internet checksum (RFC 1071); 0 over a header that holds the right sum
     */
    static uint16_t InternetChecksum(const uint8_t* data, std::size_t size);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CODEC_H
