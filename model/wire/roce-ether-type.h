/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ETHER_TYPE_H
#define ROCE_ETHER_TYPE_H

#include <cstdint>

namespace ns3
{
namespace roce
{

// Ethernet types (IEEE registration authority) and IP protocols (IANA) that the codecs meet.
inline constexpr uint16_t ETHER_TYPE_IPV4 = 0x0800;        //!< RFC 894
inline constexpr uint16_t ETHER_TYPE_ARP = 0x0806;         //!< RFC 826
inline constexpr uint16_t ETHER_TYPE_VLAN = 0x8100;        //!< IEEE 802.1Q
inline constexpr uint16_t ETHER_TYPE_IPV6 = 0x86dd;        //!< RFC 2464
inline constexpr uint16_t ETHER_TYPE_MAC_CONTROL = 0x8808; //!< IEEE 802.3 annex 31
inline constexpr uint8_t IP_PROTOCOL_TCP = 6;              //!< RFC 9293
inline constexpr uint8_t IP_PROTOCOL_UDP = 17;             //!< RFC 768

} // namespace roce
} // namespace ns3

#endif // ROCE_ETHER_TYPE_H
