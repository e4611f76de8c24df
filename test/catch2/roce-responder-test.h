/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_TEST_H
#define ROCE_RESPONDER_TEST_H

#include "roce-transport-channel.h"

#include "ns3/roce-protection-domain.h"

namespace roce_test
{

using Answer = Responder::Answer;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t MEMORY_AT = 0x10000;   //!< address of the region that allows all
constexpr uint64_t RECEIVE_AT = 0x20000;  //!< address of the region for SENDs
constexpr uint64_t MEMORY_BYTES = 0x2000; //!< bytes of each region
constexpr uint32_t TEST_MTU = 1000;

/** A responder with memory, receive requests, and a requester that makes packets for it. */
struct Receiver
{
    Receiver()
        : there(ns3::CreateObject<ProtectionDomain>()),
          here(ns3::CreateObject<ProtectionDomain>()),
          receives(ns3::CreateObject<ReceiveQueue>())
    {
        const uint8_t all =
            ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;
        memory = there->Register(MEMORY_AT, MEMORY_BYTES, all);
        readOnly = there->Register(MEMORY_AT, MEMORY_BYTES, ACCESS_REMOTE_READ);
        room = there->Register(RECEIVE_AT, MEMORY_BYTES, ACCESS_LOCAL_WRITE);
        source = here->Register(0, MEMORY_BYTES, ACCESS_LOCAL_WRITE);
        const Bytes pattern = Pattern(MEMORY_BYTES);
        std::copy(pattern.begin(), pattern.end(), source->GetData());
        config.mtu = TEST_MTU;
        config.domain = ns3::PeekPointer(there);
        Restart();
    }

    ~Receiver()
    {
        while (Frame* frame = responder.DropKept())
        {
            FramePtr(frame).reset();
        }
        for (Frame& frame : m_made)
        {
            if (frame.flags & FRAME_PACKET)
            {
                FramePool::ReleasePacket(&frame);
            }
        }
    }

    /** Begin anew with config. */
    void Restart()
    {
        responder = Responder();
        responder.Configure(config, ns3::PeekPointer(receives));
    }

    /** \return bytes that are sent. \param count how many */
    static Bytes Pattern(uint64_t count)
    {
        Bytes bytes(count);
        for (uint64_t i = 0; i < count; ++i)
        {
            bytes[i] = static_cast<uint8_t>(i * 7 + 1 + i / 256);
        }
        return bytes;
    }

    /** Put the pattern into memory. */
    void Fill()
    {
        const Bytes pattern = Pattern(MEMORY_BYTES);
        std::copy(pattern.begin(), pattern.end(), memory->GetData());
    }

    /** \return a request. \param operation what to do \param bytes its length */
    static WorkRequest Request(Operation operation, uint64_t bytes)
    {
        WorkRequest request;
        request.operation = operation;
        request.bytes = bytes;
        return request;
    }

    /** \return a WRITE to memory. \param bytes its length */
    WorkRequest Write(uint64_t bytes) const
    {
        WorkRequest request = Request(Operation::WRITE, bytes);
        request.remoteAddress = MEMORY_AT;
        request.remoteKey = memory->GetRemoteKey();
        return request;
    }

    /** \return a READ of memory. \param bytes its length */
    WorkRequest Read(uint64_t bytes) const
    {
        WorkRequest request = Write(bytes);
        request.operation = Operation::READ;
        return request;
    }

    /** \return an atomic at the beginning of memory. \param operation which one \param swapAdd and
     *  \param compare its operands */
    WorkRequest Atomic(Operation operation, uint64_t swapAdd, uint64_t compare = 0) const
    {
        WorkRequest request = Write(8);
        request.operation = operation;
        request.swapAdd = swapAdd;
        request.compare = compare;
        return request;
    }

    /** \return packets; they stay valid. \param requests sent one after the other */
    std::vector<Frame> Packets(std::vector<WorkRequest> requests)
    {
        auto requester = Sender::Config(TEST_MTU, 1, config.initialPsn);
        requester.service = config.service;
        requester.domain = ns3::PeekPointer(here);
        for (WorkRequest& request : requests)
        {
            request.localKey = source->GetLocalKey();
        }
        const auto frames = PacketsOf(requests, requester);
        m_made.insert(m_made.end(), frames.begin(), frames.end());
        return frames;
    }

    /** \return what comes of a packet. \param frame it is copied */
    Responder::Result Get(const Frame& frame)
    {
        FramePtr copy = Copy(frame);
        const auto result = responder.Receive(*copy, 0);
        if (result.kept)
        {
            (void)copy.release();
        }
        return result;
    }

    /** \return what comes of the kept packet whose turn it is; there must be one */
    Responder::Result GetKept()
    {
        FramePtr frame(responder.TakeKept());
        REQUIRE(frame);
        return responder.Receive(*frame, 0);
    }

    /** \return the next READ response */
    FramePtr Response()
    {
        REQUIRE(responder.IsAnswering());
        FramePtr frame(new Frame{});
        REQUIRE(responder.BuildResponse(*frame));
        return frame;
    }

    /** Make room for a message at the beginning of the room. \param id of it \param bytes of it */
    void PostReceive(uint64_t id, uint64_t bytes)
    {
        receives->Post(ReceiveRequest{id, bytes, RECEIVE_AT, room->GetLocalKey()});
    }

    /** \return bytes of this side. \param address of the first \param count how many */
    Bytes BytesAt(uint64_t address, uint64_t count) const
    {
        Bytes bytes(count);
        const bool inRoom = address >= RECEIVE_AT;
        const uint8_t* data = (inRoom ? room : memory)->GetData();
        const uint64_t offset = address - (inRoom ? RECEIVE_AT : MEMORY_AT);
        std::copy(data + offset, data + offset + count, bytes.begin());
        return bytes;
    }

    /** \return payload bytes. \param frame with a packet, or without bytes */
    static Bytes BytesOf(const Frame& frame)
    {
        Bytes bytes(frame.payload);
        if (frame.payload > 0)
        {
            REQUIRE((frame.flags & FRAME_PACKET));
            frame.packet->CopyData(bytes.data(), frame.payload);
        }
        return bytes;
    }

    ns3::Ptr<ProtectionDomain> there;
    ns3::Ptr<ProtectionDomain> here;
    ns3::Ptr<ReceiveQueue> receives;
    ns3::Ptr<MemoryRegion> memory, readOnly, room, source;
    ResponderConfig config;
    Responder responder;

  private:
    std::vector<Frame> m_made;
};

} // namespace roce_test

#endif // ROCE_RESPONDER_TEST_H
