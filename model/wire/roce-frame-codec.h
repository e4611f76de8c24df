/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_CODEC_H
#define ROCE_FRAME_CODEC_H

#include "roce-codec-error.h"
#include "roce-frame-pool.h"
#include "roce-frame.h"
#include "roce-wire-packet.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace roce
{

struct OpcodeFacts;

/** How FrameCodec writes and reads frames. */
struct FrameCodecOptions
{
    bool hasFcs{false};             //!< whether the last four bytes are the FCS
    bool anyUdpPort{false};         //!< Decode: take any UDP destination port as RoCE
    std::optional<uint16_t> vlanId; //!< Encode: add an 802.1Q tag, PCP = the frame's priority
    MacBytes pauseSource{};         //!< Encode: source MAC of PFC frames
};

/**
 * Frame <-> the bytes of an Ethernet frame, for captures, traces, rank borders and TAPs.
 *
 * Models: what a NIC would send for a decoded Frame. MAC addresses are 02:00 (locally
 * administered) followed by the IPv4 address, from end to end. DSCP is priority << 3, so that the
 * control class 6 has the usual DSCP 48 of CNPs; IP identification is 0 with DF; UDP checksum 0
 * (RFC 768: not used); P_Key 0xffff; payload bytes are those of an attached packet, or zeros.
 * Short frames are padded to 60 bytes. Sizes are always those of real headers, whatever FrameSizes
 * the run uses; the UDP destination port is the frame's, so a run with the ports of a peer's flow
 * file makes captures that dissectors do not take for RoCEv2.
 *
 * Clause: IBTA 9.2, 9.3 and Annex A17 (RoCEv2, CNP), IEEE 802.1Qbb (PFC); see Codec and PauseFrame.
 *
 * Invariants: Decode(Encode(f)) has the fields of f that are on the wire, with the hash of
 * FlowKey and with the size of the wire bytes and FCS, for every opcode that OpcodeTable knows;
 * an ECN mark or a hop changes no ICRC.
 *
 * Leaves out: fields that are not on the wire (arrival, fraction, inPort, hops, stamp,
 * FRAME_RETRANSMIT, FRAME_LOSSLESS), which Decode sets to 0; header fields that a Frame does not
 * have (P_Key, MigReq, FECN, BTH version and reserved bits, the byte before the DETH's source QP,
 * pad bytes, IP identification), which Encode sets to their usual values; IPv6 RoCE frames, which
 * stay ordinary packets. Codec has all of these.
 */
class FrameCodec
{
  public:
    /**
     * A frame without FRAME_EXTENDED gets zeros for all extension headers but the AETH, which is in
     * the first cache line; a CNP gets zeros for its body. A CNP always has PSN 0 and BECN. For
     * PACKET, the ECN bits and TTL of an IPv4 header are those of the frame, since switches change
     * them there.
     *
     * \param frame a frame of any kind
     * \param bytes gets its Ethernet frame; what was in there is gone
     * \param options how to write; throws std::invalid_argument for a frame without wire form
     */
    static void Encode(const Frame& frame,
                       std::vector<uint8_t>& bytes,
                       const FrameCodecOptions& options = {});

    /**
     * Requests of RC, UC and UD become REQUEST, READ responses RESPONSE, acknowledges and ATOMIC
     * acknowledges ACK. FRAME_EXTENDED is set if the opcode has an extension header other than the
     * AETH, and for a CNP if its body is not all zeros. An 802.3x PAUSE becomes a PFC frame that
     * names all eight priorities. IETH R_Key goes to remoteKey. A payload that is not all zeros is
     * attached as a packet.
     *
     * \param bytes an Ethernet frame
     * \param size its bytes
     * \param pool where the frame comes from
     * \param options how to read
     * \return the frame, owned by the caller; throws CodecError, and then takes none from the pool
     */
    static Frame* Decode(const uint8_t* bytes,
                         std::size_t size,
                         FramePool& pool,
                         const FrameCodecOptions& options = {});

    /**
     * \param address an IPv4 address in host order
     * \return 02:00 and the address; ff:ff:ff:ff:ff:ff for 255.255.255.255
     */
    static MacBytes MacOf(uint32_t address);

    /**
     * \param mac six bytes of a MAC address
     * \return the IPv4 address that MacOf turns into it, or 0 if there is none
     */
    static uint32_t AddressOf(const uint8_t* mac);

    /**
     * \param facts of an opcode
     * \return the kind of its frames: REQUEST, RESPONSE (READ responses), ACK (all other answers)
     *         or CNP
     */
    static FrameKind KindOf(const OpcodeFacts& facts);

    /**
     * \param facts of an opcode
     * \return whether a Frame can have this opcode: all that OpcodeTable knows
     */
    static bool Fits(const OpcodeFacts& facts);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FRAME_CODEC_H
