/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRANSPORT_TEST_H
#define ROCE_TRANSPORT_TEST_H

#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/roce-completer.h"
#include "ns3/roce-frame-pool.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-requester.h"
#include "ns3/roce-responder.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace roce_test
{

using namespace ns3::roce;

constexpr uint64_t UNLIMITED = ~uint64_t(0);

/** Gives a frame of a test back, with its packet. */
struct FrameDeleter
{
    /** \param frame made with new */
    void operator()(Frame* frame) const
    {
        if (frame->flags & FRAME_PACKET)
        {
            FramePool::ReleasePacket(frame);
        }
        delete frame;
    }
};

using FramePtr = std::unique_ptr<Frame, FrameDeleter>;

/** \return a copy with a reference of its own. \param frame any */
inline FramePtr
Copy(const Frame& frame)
{
    if (frame.flags & FRAME_PACKET)
    {
        frame.packet->Ref();
    }
    return FramePtr(new Frame(frame));
}

/** The sending side of a queue pair: a requester with its recovery and its completer. */
struct Sender
{
    /** \param config of the requester \param loss recovery; nullptr: go-back-N
     *  \param retries RNR retry count \param inOrder whether answers keep their order */
    explicit Sender(RequesterConfig config,
                    ns3::Ptr<LossRecovery> loss = nullptr,
                    uint32_t retries = 7,
                    bool inOrder = true)
        : recovery(loss ? loss : ns3::Ptr<LossRecovery>(ns3::CreateObject<GoBackN>()))
    {
        config.recovery = ns3::PeekPointer(recovery);
        requester.Configure(config);
        completer.Configure(&requester, config.recovery, config.domain, retries, inOrder);
    }

    /** \param size payload of a full packet \param interval of ACKs \param psn of packet 0 */
    explicit Sender(uint32_t size, uint32_t interval = 1, uint32_t psn = 0)
        : Sender(Config(size, interval, psn))
    {
    }

    Sender(const Sender&) = delete;

    /** \return a configuration. \param size payload of a full packet \param interval of ACKs
     *  \param psn of packet 0 */
    static RequesterConfig Config(uint32_t size, uint32_t interval = 1, uint32_t psn = 0)
    {
        RequesterConfig config;
        config.mtu = size;
        config.ackInterval = interval;
        config.initialPsn = psn;
        return config;
    }

    /** Post a request with lengths only. \param operation what to do \param bytes its length
     *  \param id its id */
    void Post(Operation operation, uint64_t bytes, uint64_t id = 0)
    {
        WorkRequest request;
        request.id = id;
        request.operation = operation;
        request.bytes = bytes;
        request.remoteAddress = 0x100000000ULL * id;
        request.remoteKey = static_cast<uint32_t>(77 + id);
        requester.Post(request, static_cast<ns3::roce::Tick>(id));
    }

    /** \return the next packet */
    Frame Next()
    {
        REQUIRE(requester.CanSend(UNLIMITED));
        Frame frame{};
        REQUIRE(requester.Build(frame));
        return frame;
    }

    /** Build packets that nobody looks at. \param count how many */
    void Skip(int count)
    {
        for (int i = 0; i < count; ++i)
        {
            Next();
        }
    }

    /** \return an acknowledgement or a NAK. \param psn of it \param syndrome of it \param msn of
     *  it */
    static Frame Acknowledge(uint32_t psn, uint8_t syndrome = SYNDROME_ACK, uint32_t msn = 0)
    {
        Frame frame{};
        frame.kind = FrameKind::ACK;
        frame.opcode = Opcode::RC_ACKNOWLEDGE;
        frame.psn = psn;
        frame.aeth = uint32_t(syndrome) << 24 | msn;
        return frame;
    }

    /** \return what comes of an ACK. \param psn of it */
    Completer::Outcome Ack(uint32_t psn)
    {
        return completer.Receive(Acknowledge(psn));
    }

    /** \return what comes of a NAK. \param psn of it \param syndrome of it \param msn of it */
    Completer::Outcome Nak(uint32_t psn, uint8_t syndrome = SYNDROME_NAK_SEQUENCE, uint32_t msn = 0)
    {
        return completer.Receive(Acknowledge(psn, syndrome, msn));
    }

    /** \return what comes of a READ response. \param psn of it \param opcode of it \param payload
     *  its bytes */
    Completer::Outcome Respond(uint32_t psn, Opcode opcode, uint32_t payload)
    {
        Frame frame{};
        frame.kind = FrameKind::RESPONSE;
        frame.opcode = opcode;
        frame.psn = psn;
        frame.payload = static_cast<uint16_t>(payload);
        frame.aeth = uint32_t(SYNDROME_ACK) << 24;
        return completer.Receive(frame);
    }

    /** \return what comes of an ATOMIC acknowledge. \param psn of it \param original its value */
    Completer::Outcome AckAtomic(uint32_t psn, uint64_t original)
    {
        Frame frame = Acknowledge(psn);
        frame.opcode = Opcode::RC_ATOMIC_ACKNOWLEDGE;
        frame.flags = FRAME_EXTENDED;
        frame.atomicOriginal = original;
        return completer.Receive(frame);
    }

    /** \return ids of the requests that are done */
    std::vector<uint64_t> Retired()
    {
        std::vector<uint64_t> ids;
        SendQueue::OpenRequest open;
        while (requester.Retire(open))
        {
            ids.push_back(open.request.id);
        }
        return ids;
    }

    ns3::Ptr<LossRecovery> recovery;
    Requester requester;
    Completer completer;
};

/** \return all packets of requests over an address-less connection. \param requests what to send
 *  \param config of the requester */
inline std::vector<Frame>
PacketsOf(const std::vector<WorkRequest>& requests, const RequesterConfig& config)
{
    Sender sender(config);
    for (const WorkRequest& request : requests)
    {
        sender.requester.Post(request, 0);
    }
    std::vector<Frame> frames;
    while (sender.requester.CanSend(UNLIMITED))
    {
        frames.push_back(sender.Next());
    }
    return frames;
}

} // namespace roce_test

#endif // ROCE_TRANSPORT_TEST_H
