/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transport-test.h"

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

using namespace ns3::roce;
using namespace roce_test;

namespace
{

using Answer = Responder::Answer;

/** \return packets of messages. \param lengths of the messages \param psn of the first packet
 *  \param interval of ACKs */
std::vector<Frame>
Packets(const std::vector<uint64_t>& lengths, uint32_t psn = 0, uint32_t interval = 1)
{
    std::vector<WorkRequest> requests;
    for (uint64_t bytes : lengths)
    {
        requests.emplace_back();
        requests.back().bytes = bytes;
    }
    return PacketsOf(requests, Sender::Config(1000, interval, psn));
}

/** \return a responder. \param psn of the first packet */
Responder
MakeResponder(uint32_t psn = 0)
{
    Responder responder;
    ResponderConfig config;
    config.mtu = 1000;
    config.initialPsn = psn;
    responder.Configure(config, nullptr);
    return responder;
}

} // namespace

TEST_CASE("Responder: packets in order", "[responder]")
{
    Responder responder = MakeResponder(0xffffff);
    auto frames = Packets({2500, 0, 7}, 0xffffff);
    REQUIRE(frames.size() == 5);
    const uint32_t psns[] = {0xffffff, 0, 1, 2, 3};
    const bool ends[] = {false, false, true, true, true};
    const uint32_t msns[] = {0, 0, 1, 2, 3};
    for (int i = 0; i < 5; ++i)
    {
        const auto result = responder.Receive(frames[i], 10 + i);
        CHECK(result.accepted);
        CHECK(result.answer == Answer::ACK);
        CHECK(result.syndrome == 0x1f);
        CHECK(result.psn == psns[i]);
        CHECK(result.messageEnd == ends[i]);
        CHECK(responder.GetMsn() == msns[i]);
    }
    CHECK(responder.GetBytes() == 2507);
    CHECK(responder.GetMessageBytes() == 7);
    CHECK(responder.GetMessageStart() == 14);
    CHECK(responder.GetExpected() == 5);
}

TEST_CASE("Responder: no AckReq, no answer", "[responder]")
{
    Responder responder = MakeResponder();
    unsigned answers = 0;
    for (Frame& frame : Packets({42000}, 0, 4))
    {
        answers += responder.Receive(frame, 0).answer == Answer::ACK;
    }
    CHECK(answers == 11); // 4, 8 ... 40 and 42
}

TEST_CASE("Responder: one NAK a gap", "[responder]")
{
    Responder responder = MakeResponder(50);
    auto frames = Packets({10000}, 50);
    responder.Receive(frames[0], 0);
    auto result = responder.Receive(frames[2], 0);
    CHECK(result.answer == Answer::NAK);
    CHECK(result.syndrome == 0x60);
    CHECK(result.psn == 51); // what is missing
    CHECK(!result.accepted);
    CHECK(responder.Receive(frames[3], 0).answer == Answer::NONE);
    CHECK(responder.Receive(frames[9], 0).answer == Answer::NONE);
    CHECK(responder.Receive(frames[1], 0).accepted); // the gap is filled
    CHECK(responder.Receive(frames[2], 0).accepted);
    result = responder.Receive(frames[5], 0); // another gap
    CHECK(result.answer == Answer::NAK);
    CHECK(result.psn == 53);
    CHECK(responder.GetOutOfOrder() == 4);
    CHECK(responder.GetBytes() == 3000);
}

TEST_CASE("Responder: duplicates are acknowledged again and not taken", "[responder]")
{
    Responder responder = MakeResponder(7);
    auto frames = Packets({2000, 500}, 7);
    for (Frame& frame : frames)
    {
        responder.Receive(frame, 0);
    }
    for (Frame& frame : frames)
    {
        const auto result = responder.Receive(frame, 0);
        CHECK(result.answer == Answer::ACK);
        CHECK(result.syndrome == 0x1f);
        CHECK(result.psn == 9); // expected - 1
        CHECK(!result.accepted);
        CHECK(!result.messageEnd);
        CHECK(responder.GetMsn() == 2); // the same
    }
    CHECK(responder.GetDuplicates() == 3);
    CHECK(responder.GetBytes() == 2500);
    Frame silent = frames[0];
    silent.flags &= ~FRAME_ACK_REQUEST;
    CHECK(responder.Receive(silent, 0).answer == Answer::NONE);
}

TEST_CASE("Responder: what does not fit is an invalid request", "[responder]")
{
    auto frames = Packets({3000, 3000});
    const auto refused = [](Responder& responder, Frame& frame) {
        const uint64_t bytes = responder.GetBytes();
        const auto result = responder.Receive(frame, 0);
        return result.answer == Answer::NAK && result.syndrome == 0x61 && !result.accepted &&
               responder.GetBytes() == bytes;
    };
    const auto after = [&frames](int count) {
        Responder responder = MakeResponder();
        for (int i = 0; i < count; ++i)
        {
            REQUIRE(responder.Receive(frames[i], 0).accepted);
        }
        return responder;
    };
    Responder responder = after(0);
    Frame frame = frames[1]; // MIDDLE without FIRST
    frame.psn = 0;
    CHECK(refused(responder, frame));
    CHECK(!responder.Receive(frames[0], 0).accepted); // it has failed for good
    responder = after(1);
    frame = frames[3]; // FIRST within a message
    frame.psn = 1;
    CHECK(refused(responder, frame));
    responder = after(1);
    frame = frames[2]; // LAST too early: 2000 of 3000 bytes
    frame.psn = 1;
    CHECK(refused(responder, frame));
    responder = after(2);
    frame = frames[2]; // one byte more than the MTU and the RETH say
    frame.payload = 1001;
    CHECK(refused(responder, frame));
    responder = after(2);
    CHECK(responder.Receive(frames[2], 0).messageEnd);
}

TEST_CASE("Responder: MSN has 24 bits", "[responder]")
{
    Responder responder = MakeResponder();
    Frame frame = Packets({0}).front();
    for (uint32_t i = 0; i < (1u << 24) + 2; ++i)
    {
        frame.psn = i & 0xffffff;
        responder.Receive(frame, 0);
    }
    CHECK(responder.GetMsn() == 2);
    CHECK(responder.GetMessages() == (1u << 24) + 2);
}

TEST_CASE("Requester and responder: a lossy line delivers all bytes once", "[responder]")
{
    std::mt19937 random(8);
    for (int run = 0; run < 100; ++run)
    {
        const uint32_t initial = run % 2 ? 0xffffc0 : 1000;
        Sender sender(1000, 1 + random() % 5, initial);
        Requester& requester = sender.requester;
        Responder responder = MakeResponder(initial);
        std::deque<Frame> line;
        std::deque<Responder::Result> back;
        std::vector<uint64_t> done;
        uint64_t bytes = 0;
        for (uint64_t id = 0; id < 20; ++id)
        {
            WorkRequest request;
            request.id = id;
            request.bytes = random() % 9000;
            bytes += request.bytes;
            requester.Post(request, 0);
        }
        for (int step = 0; requester.HasOpen(); ++step)
        {
            REQUIRE(step < 100000);
            if (requester.CanSend(20000))
            {
                Frame frame{};
                requester.Build(frame);
                line.push_back(frame);
            }
            else if (line.empty() && back.empty())
            {
                sender.completer.Timeout(); // timeout
            }
            if (!line.empty() && random() % 2)
            {
                const auto result = responder.Receive(line.front(), step);
                line.pop_front();
                if (result.answer != Answer::NONE && random() % 10)
                {
                    back.push_back(result);
                }
            }
            if (!line.empty() && random() % 20 == 0)
            {
                line.pop_front(); // lost
            }
            if (!back.empty() && random() % 2)
            {
                const bool nak = back.front().answer == Answer::NAK;
                nak ? sender.Nak(back.front().psn) : sender.Ack(back.front().psn);
                back.pop_front();
                SendQueue::OpenRequest open;
                while (requester.Retire(open))
                {
                    done.push_back(open.request.id);
                }
            }
            REQUIRE(requester.GetUnacknowledged() <= responder.GetExpected());
        }
        REQUIRE(responder.GetBytes() == bytes);
        REQUIRE(responder.GetMessages() == 20);
        REQUIRE(done.size() == 20);
        REQUIRE(std::is_sorted(done.begin(), done.end()));
    }
}
