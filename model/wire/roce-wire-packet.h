/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WIRE_PACKET_H
#define ROCE_WIRE_PACKET_H

#include "ns3/roce-constants.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace roce
{

/** A MAC address in wire order. */
using MacBytes = std::array<uint8_t, 6>;

/** IEEE 802.1Q tag. */
struct WireVlan
{
    uint8_t priority{0};      //!< PCP, 3 bits
    bool dropEligible{false}; //!< DEI
    uint16_t id{0};           //!< VID, 12 bits
};

/** IPv4 header (RFC 791) without options and never fragmented. */
struct WireIpv4
{
    uint8_t tos{0};          //!< DSCP << 2 | ECN
    uint16_t id{0};          //!< identification
    bool reserved{false};    //!< flag bit 0
    bool dontFragment{true}; //!< DF
    uint8_t ttl{64};         //!< time to live
    uint32_t source{0};      //!< host order
    uint32_t destination{0}; //!< host order
};

/** IPv6 header (RFC 8200) without extension headers. */
struct WireIpv6
{
    uint8_t trafficClass{0};               //!< DSCP << 2 | ECN
    uint32_t flowLabel{0};                 //!< 20 bits
    uint8_t hopLimit{64};                  //!< as TTL
    std::array<uint8_t, 16> source{};      //!< wire order
    std::array<uint8_t, 16> destination{}; //!< wire order
};

/** Base transport header (IBTA 9.2). */
struct WireBth
{
    uint8_t opcode{0};         //!< see OpcodeTable
    bool solicited{false};     //!< SE
    bool migReq{false};        //!< M
    uint8_t version{0};        //!< TVer, 4 bits
    uint16_t pkey{0xffff};     //!< partition key
    bool fecn{false};          //!< forward congestion
    bool becn{false};          //!< backward congestion
    uint8_t resv6{0};          //!< 6 bits beside FECN and BECN
    uint32_t destinationQp{0}; //!< 24 bits
    bool ackReq{false};        //!< A
    uint8_t resv7{0};          //!< 7 bits beside AckReq
    uint32_t psn{0};           //!< 24 bits
};

/** RDMA extended transport header (IBTA 9.3.3). */
struct WireReth
{
    uint64_t address{0}; //!< virtual address
    uint32_t rkey{0};    //!< R_Key
    uint32_t length{0};  //!< DMA length in bytes
};

/** Acknowledge extended transport header (IBTA 9.3.5). */
struct WireAeth
{
    uint8_t syndrome{0}; //!< ACK, RNR NAK or NAK with its code
    uint32_t msn{0};     //!< message sequence number, 24 bits
};

/** Atomic extended transport header (IBTA 9.3.4). */
struct WireAtomic
{
    uint64_t address{0}; //!< virtual address
    uint32_t rkey{0};    //!< R_Key
    uint64_t swapAdd{0}; //!< swap or add data
    uint64_t compare{0}; //!< compare data
};

/** Datagram extended transport header (IBTA 9.3.2). */
struct WireDeth
{
    uint32_t qkey{0};     //!< Q_Key
    uint8_t reserved{0};  //!< byte before the source QP
    uint32_t sourceQp{0}; //!< 24 bits
};

/**
 * One RoCEv2 packet in an Ethernet frame, every field of it.
 *
 * Models: what Codec reads and writes: Ethernet II, at most one 802.1Q tag, IPv4 or IPv6, UDP, BTH,
 * extension headers, payload, pad, ICRC, trailer, FCS.
 *
 * Clause: IBTA 9.2, 9.3 and Annex A17; RFC 791, 8200, 768; IEEE 802.3 and 802.1Q.
 *
 * Invariants: for all bytes that Codec::Decode takes, Codec::Encode gives them back; which of the
 * extension headers count is decided by the opcode alone (OpcodeTable), the others are ignored.
 *
 * Leaves out: lengths, IP checksum and pad count, which follow from the rest.
 */
struct WirePacket
{
    MacBytes destinationMac{};    //!< Ethernet destination
    MacBytes sourceMac{};         //!< Ethernet source
    std::optional<WireVlan> vlan; //!< 802.1Q tag, if any
    bool isIpv6{false};           //!< which of the two IP headers counts
    WireIpv4 ipv4;                //!< if not isIpv6
    WireIpv6 ipv6;                //!< if isIpv6

    uint16_t sourcePort{0};                  //!< UDP, stands for the flow in ECMP
    uint16_t destinationPort{ROCE_UDP_PORT}; //!< UDP
    uint16_t udpChecksum{0};                 //!< as it stands; 0 means not used

    WireBth bth;                                   //!< base transport header
    WireReth reth;                                 //!< RDMA
    WireAeth aeth;                                 //!< acknowledge
    WireAtomic atomic;                             //!< atomic request
    WireDeth deth;                                 //!< datagram
    uint64_t atomicAck{0};                         //!< original remote data
    uint32_t immediate{0};                         //!< ImmDt
    uint32_t invalidateKey{0};                     //!< IETH R_Key
    std::array<uint8_t, CNP_BODY_BYTES> cnpBody{}; //!< reserved bytes of a CNP

    std::vector<uint8_t> payload;     //!< without pad
    std::array<uint8_t, 3> padData{}; //!< pad bytes, the first GetPad() of them are sent

    bool icrcOk{true};            //!< if false, icrc is sent instead of the right one
    uint32_t icrc{0};             //!< as received; Encode reads it only if icrcOk is false
    std::vector<uint8_t> trailer; //!< Ethernet padding behind the IP packet
    bool hasFcs{false};           //!< whether an FCS ends the frame

    /**
     * \return pad bytes behind the payload, up to a multiple of 4 (IBTA 9.2.3)
     */
    unsigned GetPad() const
    {
        return (4 - payload.size() % 4) % 4;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WIRE_PACKET_H
