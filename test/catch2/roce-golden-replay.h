/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_GOLDEN_REPLAY_H
#define ROCE_GOLDEN_REPLAY_H

#include "roce-wire-test-data.h"

#include "ns3/packet.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-opcode-table.h"
#include "ns3/roce-psn.h"
#include "ns3/roce-work-request.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * \file
 * The captures of the Linux kernel's soft-RoCE as connections to replay.
 *
 * In the lossy runs both directions lose packets before the point of capture: the PSNs that the
 * kernel's NAKs name are those missing in the file, and READs are asked for again from the first
 * response missing in the file on. So what is in the file arrived, and nothing else did.
 */

namespace goldentest
{

using namespace ns3::roce;
using wiretest::Bytes;

/** The frames of a capture. */
class Capture
{
  public:
    /** \param name file in test/data/golden */
    explicit Capture(const std::string& name)
    {
        for (const Bytes& bytes : wiretest::ReadCapture(name))
        {
            if (wiretest::IsRoceV4(bytes))
            {
                m_frames.push_back(FrameCodec::Decode(bytes.data(), bytes.size(), m_pool));
            }
        }
    }

    ~Capture()
    {
        for (Frame* frame : m_frames)
        {
            m_pool.Free(frame);
        }
    }

    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::vector<Frame*> m_frames; //!< RoCEv2 frames in the order of the file

  private:
    FramePool m_pool;
};

/**
 * One direction of one connection. Numbers are tshark's, with FILE, QP and NODE put in:
 *
 *   tshark --disable-protocol rpcordma -r FILE -Y 'infiniband.bth.destqp==QP && ip.src==10.0.0.NODE
 *     && (infiniband.bth.opcode<13 || infiniband.bth.opcode==20)' -T fields -e infiniband.bth.psn
 *     | awk '{n++; d+=!s[$1]++} END{print n, d}'
 *
 * prints requests and psns; with the other node and the opposite of the bracket the first number
 * is answers. Both ends of each connection have the same QP number.
 */
struct Connection
{
    const char* file;    //!< in test/data/golden
    uint32_t requester;  //!< IPv4
    uint32_t qpn;        //!< queue pair, at both ends
    Operation operation; //!< of all its requests
    uint32_t mtu;        //!< payload bytes of a full packet
    unsigned requests;   //!< request packets in the file
    unsigned psns;       //!< different PSNs among them
    unsigned answers;    //!< answer packets in the file
    unsigned messages;   //!< messages that have a packet in the file
};

/** All connections of the four files; 480 request packets, 285 answers. */
inline const Connection CONNECTIONS[] = {
    {"linux-rxe-clean.pcap", 0x0a000002, 0x11, Operation::SEND, 1024, 24, 18, 9, 3},
    {"linux-rxe-clean.pcap", 0x0a000001, 0x11, Operation::SEND, 1024, 24, 18, 9, 3},
    {"linux-rxe-clean.pcap", 0x0a000002, 0x12, Operation::WRITE, 1024, 25, 25, 5, 5},
    {"linux-rxe-clean.pcap", 0x0a000002, 0x13, Operation::READ, 1024, 5, 5, 25, 5},
    {"linux-rxe-clean.pcap", 0x0a000002, 0x14, Operation::FETCH_ADD, 1024, 5, 5, 5, 5},
    {"linux-rxe-lossy-write.pcap", 0x0a000002, 0x11, Operation::WRITE, 4096, 25, 25, 5, 5},
    {"linux-rxe-lossy-write.pcap", 0x0a000002, 0x12, Operation::WRITE, 1024, 127, 113, 3, 4},
    {"linux-rxe-lossy-read.pcap", 0x0a000002, 0x13, Operation::READ, 1024, 14, 8, 221, 6},
    {"linux-rxe-lossy-send.pcap", 0x0a000002, 0x14, Operation::SEND, 1024, 231, 174, 3, 6},
};

/** A message as the requester's application asked for it. */
struct Message
{
    uint64_t first;   //!< number of its first packet, from 0 on
    uint64_t packets; //!< numbers it takes
    uint64_t bytes;   //!< its length; atomics: 8
    const Frame* top; //!< its first packet, with RETH or AtomicETH
};

/** What of a file belongs to one direction of a connection. */
struct Trace
{
    std::vector<const Frame*> frames; //!< what one side asked and the other answered, as filed
    std::vector<Message> messages;    //!< in order
    uint32_t initialPsn{0};           //!< PSN of the first request

    /** \return number of a packet, from 0 on. \param frame the packet */
    uint64_t NumberOf(const Frame& frame) const
    {
        return (frame.psn - initialPsn) & MASK_24;
    }

    /** \return the message a number belongs to, or nullptr. \param number of a packet */
    const Message* Find(uint64_t number) const
    {
        for (const Message& message : messages)
        {
            if (number >= message.first && number < message.first + message.packets)
            {
                return &message;
            }
        }
        return nullptr;
    }
};

/** \return whether a packet asks for something. \param frame it */
inline bool
IsRequest(const Frame& frame)
{
    return OpcodeTable::Get(frame.opcode).request;
}

/**
 * Lengths are in the RETH, or in the place of a SEND's last packet. The last SEND of a file may be
 * cut; it is taken to be as long as the one before, since perftest sends one size.
 *
 * \param psns first sending of each number in the file
 * \param mtu payload bytes of a full packet
 * \return the messages in it
 */
inline std::vector<Message>
MessagesOf(const std::map<uint64_t, const Frame*>& psns, uint32_t mtu)
{
    std::vector<Message> messages;
    for (uint64_t next = 0; psns.count(next);)
    {
        const Frame* top = psns.at(next);
        const OpcodeFacts& facts = OpcodeTable::Get(top->opcode);
        uint64_t bytes = facts.operation == OpcodeOperation::ATOMIC ? 8 : top->dmaLength;
        if (facts.operation == OpcodeOperation::SEND)
        {
            bytes = messages.empty() ? 0 : messages.back().bytes;
            for (auto at = psns.find(next); at != psns.end(); ++at)
            {
                if (OpcodeTable::Get(at->second->opcode).Ends())
                {
                    bytes = (at->first - next) * mtu + at->second->payload;
                    break;
                }
            }
        }
        const uint64_t packets = bytes ? (bytes - 1) / mtu + 1 : 1;
        messages.push_back(Message{next, packets, bytes, top});
        next += packets;
    }
    return messages;
}

/** \return packets of a connection. \param capture its file \param connection it */
inline Trace
TraceOf(const Capture& capture, const Connection& connection)
{
    Trace trace;
    std::map<uint64_t, const Frame*> psns;
    for (const Frame* frame : capture.m_frames)
    {
        const uint32_t asker = IsRequest(*frame) ? frame->source : frame->destination;
        if (frame->destinationQp != connection.qpn || asker != connection.requester)
        {
            continue;
        }
        if (trace.frames.empty())
        {
            trace.initialPsn = frame->psn;
        }
        trace.frames.push_back(frame);
        if (IsRequest(*frame))
        {
            psns.emplace(trace.NumberOf(*frame), frame);
        }
    }
    trace.messages = MessagesOf(psns, connection.mtu);
    return trace;
}

/** \return payload bytes of a frame. \param frame it */
inline Bytes
PayloadOf(const Frame& frame)
{
    Bytes bytes(frame.payload);
    if (frame.flags & FRAME_PACKET)
    {
        frame.packet->CopyData(bytes.data(), frame.payload);
    }
    return bytes;
}

/** \return all that is compared of a packet but its payload bytes. \param frame it */
inline std::string
TextOf(const Frame& frame)
{
    const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
    std::ostringstream text;
    text << facts.name << " psn " << frame.psn << " payload " << frame.payload << " frame "
         << frame.size << (frame.flags & FRAME_ACK_REQUEST ? " AckReq" : "");
    if (facts.Has(EXTENSION_AETH))
    {
        text << " syndrome " << (frame.aeth >> 24) << " msn " << (frame.aeth & MASK_24);
    }
    const bool atomic = facts.Has(EXTENSION_ATOMIC);
    if (facts.Has(EXTENSION_RETH) || atomic)
    {
        text << " address " << frame.remoteAddress << " key " << frame.remoteKey
             << (atomic ? " add " : " length ")
             << (atomic ? frame.atomic.swapAdd : frame.dmaLength);
    }
    if (facts.Has(EXTENSION_ATOMIC_ACK))
    {
        text << " original " << frame.atomicOriginal;
    }
    return text.str();
}

} // namespace goldentest

#endif // ROCE_GOLDEN_REPLAY_H
