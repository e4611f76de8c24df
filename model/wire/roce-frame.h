/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_H
#define ROCE_FRAME_H

#include "roce-opcode.h"

#include "ns3/roce-tick.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

class Packet;

namespace roce
{

struct IntRecord;

/** What a frame is; the demultiplexing key of ports and NICs. */
enum class FrameKind : uint8_t
{
    REQUEST,  //!< request packet (SEND, WRITE, READ request, atomic; RC, UC and UD)
    RESPONSE, //!< READ response: data on its way to the requester
    ACK,      //!< RC acknowledge, positive or negative, and ATOMIC acknowledge
    CNP,      //!< congestion notification packet
    PFC,      //!< IEEE 802.1Qbb priority pause, MAC control: never forwarded
    PACKET,   //!< an ordinary ns-3 packet (TCP/IP and the like), carried in Frame::packet
};

/** Bits of Frame::flags. */
enum FrameFlag : uint16_t
{
    FRAME_ACK_REQUEST = 1 << 0, //!< BTH AckReq
    FRAME_BECN = 1 << 1,        //!< BTH BECN: on a CNP, and on an ACK that echoes CE
    FRAME_EXTENDED = 1 << 2,    //!< the second cache line (RETH, ImmDt, CNP body...) is valid
    FRAME_PACKET = 1 << 3,      //!< Frame::packet holds a reference
    FRAME_RETRANSMIT = 1 << 4,  //!< sent before; not on the wire
    FRAME_LOSSLESS = 1 << 5,    //!< admitted to a lossless class at this switch; not on the wire
    FRAME_SOLICITED = 1 << 6,   //!< BTH SE
    FRAME_SCHEDULED = 1 << 7,   //!< its arrival has an event of its own; not on the wire
    FRAME_INT = 1 << 8,         //!< Frame::record holds telemetry
    FRAME_CE_BEFORE = 1 << 9,   //!< CE is not this switch's doing; not on the wire
    FRAME_TAGGED = 1 << 10,     //!< Frame::tag is in the reserved bits beside BECN
    FRAME_LINK_PAUSE = 1 << 11, //!< a PAUSE of the whole link (IEEE 802.3 31B) in place of PFC
    FRAME_OVERLAY = 1 << 12,    //!< Frame::overlay is a CONGA header; not on the wire
};

/**
 * One frame on its way, decoded.
 *
 * Models: the header fields of a RoCEv2 packet (IBTA Annex A17, chapter 9) or of an IEEE 802.1Qbb
 * pause frame, plus the bookkeeping of the queue or link that holds it. Exactly one holder owns a
 * frame at a time; it is handed on by pointer and goes back to its FramePool in the end. Bytes are
 * made from it only when someone looks (FrameCodec).
 *
 * Invariants: two cache lines; all that a switch hop reads or writes is in the first; the second
 * is valid only if FRAME_EXTENDED (or FRAME_PACKET for the packet pointer) is set.
 *
 * Leaves out: payload bytes, which are zeros unless a packet is attached.
 */
struct alignas(64) Frame
{
    // ---- first cache line: each hop
    Frame* next;              //!< link of the one list that holds the frame
    Tick arrival;             //!< tick at which its last bit reaches the far end of the link
    uint32_t source;          //!< IPv4 source, host order
    uint32_t destination;     //!< IPv4 destination, host order
    uint32_t hash;            //!< FlowKey::Hash of the 5-tuple
    uint32_t psn;             //!< BTH PSN, 24 bit
    uint32_t destinationQp;   //!< BTH destination QP, 24 bit
    uint32_t aeth;            //!< AETH: syndrome << 24 | MSN (ACK and RESPONSE frames); in others
                              //!< the queue pair that sent it, not on the wire
    uint16_t sourcePort;      //!< UDP source port
    uint16_t size;            //!< bytes from destination address to FCS
    uint16_t payload;         //!< payload bytes without pad
    uint16_t inPort;          //!< port by which it came into the present switch
    FrameKind kind;           //!< what it is
    Opcode opcode;            //!< BTH opcode
    uint8_t priority;         //!< IEEE 802.1Q priority, 0..7
    uint8_t ecn;              //!< RFC 3168 code point
    uint8_t ttl;              //!< IPv4 TTL
    uint8_t hops;             //!< links crossed so far; not on the wire
    uint16_t flags;           //!< FrameFlag bits
    uint16_t fraction;        //!< sub-tick part of arrival, in 2^-16 tick
    uint16_t destinationPort; //!< UDP destination port
    uint32_t stamp;           //!< low 32 bits of the tick its transmission began at the sender

    // ---- second cache line: ends of a message, control bodies
    Packet* packet;         //!< one reference, if FRAME_PACKET
    uint64_t remoteAddress; //!< RETH or AtomicETH virtual address
    uint32_t remoteKey;     //!< RETH or AtomicETH R_Key; IETH: the key to invalidate
    uint32_t dmaLength;     //!< RETH DMA length
    uint32_t immediate;     //!< ImmDt
    uint16_t protocol;      //!< EtherType of an attached packet
    uint8_t pauseEnable;    //!< PFC class-enable vector
    uint8_t spare;          //!< fills the group up to 8 bytes

    /** AtomicETH data (IBTA 9.3.4). */
    struct AtomicOperands
    {
        uint64_t swapAdd; //!< swap or add data
        uint64_t compare; //!< compare data
    };

    /** DETH (IBTA 9.3.2). */
    struct DatagramFields
    {
        uint32_t key;      //!< Q_Key
        uint32_t sourceQp; //!< 24 bits
    };

    union {
        uint8_t cnpBody[16];     //!< the 16 reserved bytes of a CNP
        uint16_t pauseQuanta[8]; //!< PFC times, priority 0 first
        AtomicOperands atomic;   //!< atomic requests
        uint64_t atomicOriginal; //!< ATOMIC acknowledge: what was there before
        DatagramFields datagram; //!< UD
    };

    IntRecord* record;  //!< telemetry, if FRAME_INT
    uint32_t sourceQp;  //!< RESPONSE: the queue pair that sent it; not on the wire
    uint8_t tag;        //!< 6 bits, if FRAME_TAGGED: the congestion point that marked it
    uint8_t overlay[3]; //!< CongaHeader, if FRAME_OVERLAY
};

static_assert(offsetof(Frame, packet) == 64, "the first cache line is what a hop touches");
static_assert(sizeof(Frame) == 128, "a frame is two cache lines");

} // namespace roce
} // namespace ns3

#endif // ROCE_FRAME_H
