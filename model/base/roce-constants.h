/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONSTANTS_H
#define ROCE_CONSTANTS_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** UDP destination port of RoCEv2 (IANA; IBTA Annex A17). */
inline constexpr uint16_t ROCE_UDP_PORT = 4791;
/** Lowest UDP source port a queue pair takes (dynamic range, RFC 6335; IBTA Annex A17). */
inline constexpr uint16_t ROCE_UDP_SOURCE_PORT_MIN = 49152;

/** Number of priorities (IEEE 802.1Q). */
inline constexpr unsigned NUM_PRIORITIES = 8;

/** PSN and QPN are 24 bits (IBTA 9.2). */
inline constexpr uint32_t MASK_24 = 0xffffff;
/** At most half of the PSN space may be outstanding (IBTA 9.7.1). */
inline constexpr uint32_t MAX_OUTSTANDING_PSNS = 1u << 23;
/** Largest RC message: 2^31 bytes (IBTA 9.3.3.1). Longer work requests travel as several. */
inline constexpr uint64_t MAX_MESSAGE_BYTES = 1ull << 31;

// Header sizes in bytes.
inline constexpr uint32_t ETHERNET_HEADER_BYTES = 14;  //!< IEEE 802.3: two addresses and a type
inline constexpr uint32_t ETHERNET_FCS_BYTES = 4;      //!< IEEE 802.3
inline constexpr uint32_t ETHERNET_MIN_BYTES = 64;     //!< IEEE 802.3: smallest frame with FCS
inline constexpr uint32_t ETHERNET_PREAMBLE_BYTES = 8; //!< preamble and start delimiter
inline constexpr uint32_t ETHERNET_GAP_BYTES = 12;     //!< inter-packet gap, 96 bit times
inline constexpr uint32_t IPV4_HEADER_BYTES = 20;      //!< RFC 791 without options
inline constexpr uint32_t UDP_HEADER_BYTES = 8;        //!< RFC 768
inline constexpr uint32_t BTH_BYTES = 12;              //!< IBTA 9.2
inline constexpr uint32_t RETH_BYTES = 16;             //!< IBTA 9.3.3
inline constexpr uint32_t AETH_BYTES = 4;              //!< IBTA 9.3.5
inline constexpr uint32_t IMMDT_BYTES = 4;             //!< IBTA 9.3.6
inline constexpr uint32_t ATOMIC_ETH_BYTES = 28;       //!< IBTA 9.3.4
inline constexpr uint32_t DETH_BYTES = 8;              //!< IBTA 9.3.2
inline constexpr uint32_t ATOMIC_ACK_BYTES = 8;        //!< AtomicAckETH, IBTA 9.5.3
inline constexpr uint32_t IETH_BYTES = 4;              //!< IBTA 9.3.7
inline constexpr uint32_t ICRC_BYTES = 4;              //!< IBTA 7.8.1
inline constexpr uint32_t CNP_BODY_BYTES = 16;         //!< reserved bytes, IBTA A17.9.3

/** Ethernet, IPv4, UDP, BTH, ICRC and FCS: 62 bytes around the payload of a data frame. */
inline constexpr uint32_t ROCE_OVERHEAD_BYTES = ETHERNET_HEADER_BYTES + IPV4_HEADER_BYTES +
                                                UDP_HEADER_BYTES + BTH_BYTES + ICRC_BYTES +
                                                ETHERNET_FCS_BYTES;
static_assert(ROCE_OVERHEAD_BYTES == 62);

/** IEEE 802.1Q 36.2: a pause quantum is 512 bit times of the receiving port. */
inline constexpr uint32_t PAUSE_QUANTUM_BITS = 512;

// AETH syndromes (IBTA 9.7.5.2.8, table 44 and 45).
inline constexpr uint8_t SYNDROME_ACK = 0x1f;           //!< ACK, credits not used
inline constexpr uint8_t SYNDROME_NAK_SEQUENCE = 0x60;  //!< PSN sequence error
inline constexpr uint8_t SYNDROME_NAK_INVALID = 0x61;   //!< invalid request
inline constexpr uint8_t SYNDROME_NAK_ACCESS = 0x62;    //!< remote access error
inline constexpr uint8_t SYNDROME_NAK_OPERATION = 0x63; //!< remote operational error
inline constexpr uint8_t SYNDROME_NAK_RD = 0x64;        //!< invalid RD request; not for RC
inline constexpr uint8_t SYNDROME_RNR = 0x20; //!< RNR NAK, with a timer code in the low bits

// A syndrome is a class in its three high bits and a value in the low ones (table 44).
inline constexpr uint8_t SYNDROME_CLASS_MASK = 0xe0;  //!< the class
inline constexpr uint8_t SYNDROME_CLASS_ACK = 0x00;   //!< ACK; value: credit count
inline constexpr uint8_t SYNDROME_CLASS_RNR = 0x20;   //!< RNR NAK; value: timer code
inline constexpr uint8_t SYNDROME_CLASS_NAK = 0x60;   //!< NAK; value: error code
inline constexpr uint8_t SYNDROME_CREDIT_MASK = 0x1f; //!< the value: credits of an ACK, and so on

// ECN code points (RFC 3168 section 5).
inline constexpr uint8_t ECN_NOT_ECT = 0; //!< not ECN-capable: dropped instead of marked
inline constexpr uint8_t ECN_ECT1 = 1;    //!< ECN-capable, ECT(1)
inline constexpr uint8_t ECN_ECT0 = 2;    //!< ECN-capable, ECT(0); what RoCE data is sent with
inline constexpr uint8_t ECN_CE = 3;      //!< congestion experienced: marked on the way

} // namespace roce
} // namespace ns3

#endif // ROCE_CONSTANTS_H
