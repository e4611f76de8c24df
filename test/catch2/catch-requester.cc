/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transport-test.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace ns3::roce;
using namespace roce_test;

namespace
{

/** What a plain list of all packets says of a requester. */
struct Model
{
    /** A packet of a request. */
    struct Packet
    {
        uint64_t request;
        uint64_t offset;
        uint32_t payload;
        uint64_t length;
        bool last;
    };

    /** \param bytes of the next request \param mtu payload of a full packet */
    void Post(uint64_t bytes, uint32_t mtu)
    {
        uint64_t offset = 0;
        do
        {
            const uint64_t payload = std::min<uint64_t>(mtu, bytes - offset);
            const bool last = offset + payload == bytes;
            packets.push_back({requests, offset, uint32_t(payload), bytes, last});
            offset += payload;
        } while (offset < bytes);
        ++requests;
        ends.push_back(packets.size());
    }

    /** \return requests whose packets are all acknowledged, from the oldest not yet told */
    std::vector<uint64_t> Retire()
    {
        std::vector<uint64_t> ids;
        while (retired < ends.size() && ends[retired] <= una)
        {
            ids.push_back(retired++);
        }
        return ids;
    }

    std::vector<Packet> packets;
    std::vector<uint64_t> ends; //!< number after the last packet, by request
    uint64_t requests{0};
    uint64_t retired{0};
    uint64_t una{0};
    uint64_t next{0};
    uint64_t high{0};
    uint32_t sinceAck{0};
};

/** Compare a packet with the model, and count it there. \param frame built \param model what it
 *  should be \param initial PSN of packet 0 \param interval of ACKs */
void
CheckPacket(const Frame& frame, Model& model, uint32_t initial, uint32_t interval)
{
    const Model::Packet& packet = model.packets[model.next];
    const bool first = packet.offset == 0;
    REQUIRE(frame.kind == FrameKind::REQUEST);
    REQUIRE(frame.psn == ((initial + model.next) & 0xffffff));
    REQUIRE(frame.payload == packet.payload);
    REQUIRE(frame.size ==
            std::max<uint32_t>(64, (packet.payload + 3) / 4 * 4 + 62 + (first ? 16 : 0)));
    const Opcode expected = first ? (packet.last ? Opcode::RC_WRITE_ONLY : Opcode::RC_WRITE_FIRST)
                                  : (packet.last ? Opcode::RC_WRITE_LAST : Opcode::RC_WRITE_MIDDLE);
    REQUIRE(frame.opcode == expected);
    REQUIRE((!first || (frame.flags & FRAME_EXTENDED)));
    if (first)
    {
        REQUIRE(frame.dmaLength == packet.length);
        REQUIRE(frame.remoteAddress == 0x100000000ULL * packet.request);
        REQUIRE(frame.remoteKey == 77 + packet.request);
    }
    REQUIRE(bool(frame.flags & FRAME_RETRANSMIT) == (model.next < model.high));
    const bool ack = frame.flags & FRAME_ACK_REQUEST;
    const bool due = packet.last || model.sinceAck + 1 >= interval;
    REQUIRE(ack == due);
    model.sinceAck = due ? 0 : model.sinceAck + 1;
    ++model.next;
    model.high = std::max(model.high, model.next);
}

} // namespace

TEST_CASE("Requester: opcodes, sizes and RETH", "[requester]")
{
    Sender sender(1000, 1, 0xfffffe);
    Requester& requester = sender.requester;
    CHECK(!requester.CanSend(UNLIMITED));
    sender.Post(Operation::WRITE, 2501, 3);
    const Frame first = sender.Next();
    CHECK(first.opcode == Opcode::RC_WRITE_FIRST);
    CHECK(first.psn == 0xfffffe);
    CHECK(first.size == 1000 + 62 + 16);
    CHECK(first.dmaLength == 2501);
    CHECK(first.remoteAddress == 0x300000000ULL);
    CHECK(first.remoteKey == 80);
    const Frame middle = sender.Next();
    CHECK(middle.opcode == Opcode::RC_WRITE_MIDDLE);
    CHECK(middle.size == 1062);
    const Frame last = sender.Next();
    CHECK(last.opcode == Opcode::RC_WRITE_LAST);
    CHECK(last.psn == 0);
    CHECK(last.payload == 501);
    CHECK(last.size == 504 + 62); // padded to a multiple of 4
    CHECK(requester.GetState() == RequesterState::IDLE);
    CHECK(requester.IsWaiting());
    CHECK(requester.GetInflight() == 3000); // full packets assumed
    sender.Post(Operation::WRITE, 0, 4);
    const Frame only = sender.Next();
    CHECK(only.opcode == Opcode::RC_WRITE_ONLY);
    CHECK(only.payload == 0);
    CHECK(only.dmaLength == 0);
    CHECK(only.size == 78);
    CHECK(requester.Acknowledge(0xffffff) == 2);
    CHECK(sender.Retired().empty());
    CHECK(requester.Acknowledge(1) == 2); // one ACK ends both
    CHECK(sender.Retired() == std::vector<uint64_t>{3, 4});
    CHECK(!requester.HasOpen());
    CHECK(!requester.IsWaiting());
}

TEST_CASE("Requester: where AckReq is set", "[requester]")
{
    Sender sender(1000, 4);
    sender.Post(Operation::WRITE, 10000, 0);
    sender.Post(Operation::WRITE, 5000, 1);
    std::vector<unsigned> asked;
    for (unsigned i = 1; i <= 15; ++i)
    {
        if (sender.Next().flags & FRAME_ACK_REQUEST)
        {
            asked.push_back(i);
        }
    }
    // 4, 8 and the end 10; from there 14 is the fourth, and 15 ends the second message
    CHECK(asked == std::vector<unsigned>{4, 8, 10, 14, 15});
}

TEST_CASE("Requester: windows", "[requester]")
{
    Sender sender(1000);
    Requester& requester = sender.requester;
    sender.Post(Operation::WRITE, 10000, 0);
    CHECK(requester.CanSend(1));
    sender.Next();
    CHECK(!requester.CanSend(1000));
    CHECK(requester.CanSend(1001));
    sender.Next();
    CHECK(!requester.CanSend(2000));
    CHECK(requester.Acknowledge(0) == 1);
    CHECK(requester.CanSend(2000));
}

TEST_CASE("Requester: a request above 2^31 bytes is several messages", "[requester]")
{
    Sender sender(4096, 1000);
    Requester& requester = sender.requester;
    const uint64_t bytes = (5ULL << 30) + 1;
    sender.Post(Operation::WRITE, bytes, 1);
    uint64_t payload = 0;
    // 2^31 / 4096 = 524288 packets a message
    for (uint64_t i = 0; i < 1310721; ++i)
    {
        const Frame frame = sender.Next();
        payload += frame.payload;
        const bool first = i % 524288 == 0;
        const bool last = i % 524288 == 524287 || i == 1310720;
        REQUIRE(frame.opcode == (first ? Opcode::RC_WRITE_FIRST
                                       : (last ? Opcode::RC_WRITE_LAST : Opcode::RC_WRITE_MIDDLE)));
        if (first)
        {
            REQUIRE(frame.remoteAddress == 0x100000000ULL + i * 4096);
            REQUIRE(frame.dmaLength == (i < 1048576 ? 0x80000000u : 0x40000001u));
        }
        REQUIRE((!last || (frame.flags & FRAME_ACK_REQUEST)));
    }
    CHECK(payload == bytes);
    CHECK(requester.GetState() == RequesterState::IDLE);
    // back into the second message, then into the third
    CHECK(sender.Nak(600000).acked == 600000);
    CHECK(sender.Next().opcode == Opcode::RC_WRITE_MIDDLE);
    CHECK(sender.Nak(1048576).acked == 448576);
    CHECK(sender.Next().opcode == Opcode::RC_WRITE_FIRST);
    CHECK(requester.Acknowledge(1310720) == 262145);
    CHECK(sender.Retired() == std::vector<uint64_t>{1});
}

TEST_CASE("Requester: at most half of the PSN space is outstanding", "[requester]")
{
    Sender sender(1, 1 << 22);
    Requester& requester = sender.requester;
    sender.Post(Operation::WRITE, 1 << 24, 1);
    Frame frame{};
    uint64_t sent = 0;
    for (; requester.CanSend(UNLIMITED); ++sent)
    {
        requester.Build(frame);
    }
    CHECK(sent == 8388608); // 2^23
    CHECK(requester.Acknowledge(0) == 1);
    CHECK(requester.CanSend(UNLIMITED));
}

TEST_CASE("Requester: answers that are old, early or from elsewhere", "[requester]")
{
    Sender sender(1000, 1, 100);
    Requester& requester = sender.requester;
    CHECK(requester.Acknowledge(100) == 0); // nothing sent
    CHECK(sender.Nak(100).acked == 0);
    sender.Post(Operation::WRITE, 5000, 1);
    sender.Next();
    sender.Next();
    CHECK(requester.Acknowledge(99) == 0);
    CHECK(requester.Acknowledge(102) == 0); // not sent yet
    CHECK(requester.Acknowledge(100) == 1);
    CHECK(requester.Acknowledge(100) == 0); // a duplicate
    CHECK(sender.Nak(100).acked == 0);      // an old NAK moves nothing
    CHECK(requester.GetNext() == 2);
    CHECK(sender.Nak(101).acked == 0); // acknowledges nothing, goes back
    CHECK(requester.GetNext() == 1);
    CHECK((sender.Next().flags & FRAME_RETRANSMIT));
    CHECK(!(sender.Next().flags & FRAME_RETRANSMIT));
    CHECK(requester.GetRetransmitted() == 1);
    sender.completer.Timeout();
    CHECK(requester.GetNext() == 1);
    CHECK(requester.Acknowledge(102) == 2); // an answer to the first sending overtakes
    CHECK(requester.GetNext() == 3);
    CHECK(sender.Next().psn == 103);
}

TEST_CASE("Requester: flush in the middle", "[requester]")
{
    Sender sender(1000);
    Requester& requester = sender.requester;
    for (uint64_t id = 0; id < 9; ++id)
    {
        sender.Post(Operation::WRITE, 2000, id);
    }
    for (int i = 0; i < 5; ++i)
    {
        sender.Next();
    }
    CHECK(requester.GetOpen().size() == 9);
    SendQueue::OpenRequest open;
    for (uint64_t id = 0; id < 9; ++id)
    {
        REQUIRE(requester.Flush(open));
        CHECK(open.request.id == id);
        CHECK(open.posted == static_cast<Tick>(id));
    }
    CHECK(!requester.Flush(open));
    CHECK(requester.GetOpen().size() == 0);
}

TEST_CASE("Requester: against a plain list under random answers", "[requester]")
{
    std::mt19937 random(7);
    for (int run = 0; run < 60; ++run)
    {
        const uint32_t mtu = 1 + random() % 50;
        const uint32_t interval = 1 + random() % 6;
        const uint32_t initial = run % 2 ? 0xffff80 : random() & 0xffffff;
        Sender sender(mtu, interval, initial);
        Requester& requester = sender.requester;
        Model model;
        for (int step = 0; step < 3000; ++step)
        {
            const unsigned what = random() % 100;
            if (what < 10)
            {
                const uint64_t bytes = random() % (mtu * (1 + random() % 12));
                sender.Post(Operation::WRITE, bytes, model.requests);
                model.Post(bytes, mtu);
            }
            else if (what < 70)
            {
                REQUIRE(requester.CanSend(UNLIMITED) == (model.next < model.packets.size()));
                if (requester.CanSend(UNLIMITED))
                {
                    CheckPacket(sender.Next(), model, initial, interval);
                }
            }
            else if (what < 98)
            {
                // anywhere from well below the oldest to above the newest
                const int64_t number = int64_t(model.una) - 5 + int64_t(random() % 30);
                const auto psn = static_cast<uint32_t>(initial + number) & 0xffffff;
                const bool nak = what >= 92;
                const bool valid = number >= int64_t(model.una) && number < int64_t(model.high);
                const uint64_t una = valid ? uint64_t(number) + (nak ? 0 : 1) : model.una;
                const uint64_t acked = nak ? sender.Nak(psn).acked : requester.Acknowledge(psn);
                REQUIRE(acked == una - model.una);
                model.una = una;
                const bool moved = (nak && valid && model.next > una) || model.next < una;
                model.next = moved ? una : model.next;
                model.sinceAck = moved ? 0 : model.sinceAck;
                REQUIRE(sender.Retired() == model.Retire());
            }
            else
            {
                sender.completer.Timeout();
                model.next = model.una;
                model.sinceAck = 0;
            }
            REQUIRE(requester.GetNext() == model.next);
            REQUIRE(requester.GetUnacknowledged() == model.una);
            REQUIRE(requester.GetInflight() == (model.next - model.una) * mtu);
            REQUIRE(requester.IsWaiting() == (model.high > model.una));
            REQUIRE(requester.GetOpen().size() == model.requests - model.retired);
            REQUIRE(requester.HasOpen() == (model.requests > model.retired));
        }
        REQUIRE(model.retired > 20);
    }
}
