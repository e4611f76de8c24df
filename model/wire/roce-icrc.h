/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ICRC_H
#define ROCE_ICRC_H

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The invariant CRC of RoCEv2 and the Ethernet frame check sequence.
 *
 * Models: CRC-32 of IEEE 802.3 over eight bytes of ones (in place of the InfiniBand local route
 * header) and the packet from its IP header to the end of payload and pad, in which the fields
 * that change on the way count as ones: IPv4 TOS, TTL and header checksum; IPv6 traffic class,
 * flow label and hop limit; UDP checksum; the BTH byte of FECN, BECN and reserved bits.
 *
 * Clause: IBTA 7.8.1 and Annex A17.3.3; IEEE 802.3 3.2.9 for the polynomial.
 *
 * Invariants: the input is not modified; a masked field never changes the result; each other bit
 * does. Both CRCs travel least significant byte first.
 *
 * Leaves out: IPv4 options and IPv6 extension headers (refused), the variant CRC.
 */
class Icrc
{
  public:
    /**
     * \param ip first byte of the IPv4 or IPv6 header
     * \param size bytes from there to the end of payload and pad, ICRC not included
     * \return the ICRC as a number; throws CodecError when IP, UDP and BTH do not fit, when the
     *         version is neither 4 nor 6, or when the IPv4 header has options
     */
    static uint32_t Compute(const uint8_t* ip, std::size_t size);

    /**
     * \param data any bytes
     * \param size how many
     * \return their CRC-32 of IEEE 802.3, as in the Ethernet FCS
     */
    static uint32_t Crc32(const uint8_t* data, std::size_t size);

    /**
     * \param data four bytes as on the wire
     * \return the CRC they hold
     */
    static uint32_t Read(const uint8_t* data);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ICRC_H
