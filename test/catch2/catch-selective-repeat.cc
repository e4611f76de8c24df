/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transport-test.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/roce-packet-bitmap.h"
#include "ns3/roce-selective-repeat.h"
#include "ns3/uinteger.h"

#include <random>
#include <set>

using namespace ns3::roce;
using namespace roce_test;

namespace
{

/** A sender with selective repeat. */
struct Selective : Sender
{
    /** \param threshold packets that must have passed a lost one \param interval of ACKs */
    explicit Selective(uint32_t threshold = 1, uint32_t interval = 1)
        : Sender(Config(1000, interval), Make(threshold)),
          irn(ns3::DynamicCast<SelectiveRepeat>(recovery))
    {
    }

    static ns3::Ptr<LossRecovery> Make(uint32_t threshold)
    {
        auto made = ns3::CreateObject<SelectiveRepeat>();
        made->SetAttribute("ReorderThreshold", ns3::UintegerValue(threshold));
        return made;
    }

    /** The responder waits for a packet and got another. \param expected \param seen their
     *  numbers */
    void Sack(uint32_t expected, uint32_t seen)
    {
        Nak(expected, SYNDROME_NAK_SEQUENCE, seen);
    }

    /** \return whether the next packet is one sent before */
    bool Resends() const
    {
        return requester.GetState() == RequesterState::RESENDING;
    }

    ns3::Ptr<SelectiveRepeat> irn;
};

} // namespace

TEST_CASE("SelectiveRepeat: one packet is lost", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::WRITE, 20000);
    sender.Skip(6); // 0 to 5; 2 is lost
    sender.Ack(1);
    CHECK(!sender.irn->IsRecovering());
    sender.Sack(2, 3);
    CHECK(sender.irn->IsRecovering());
    CHECK(sender.Resends());
    const Frame again = sender.Next();
    CHECK(again.psn == 2);
    CHECK((again.flags & FRAME_RETRANSMIT));
    CHECK((again.flags & FRAME_ACK_REQUEST));
    sender.Sack(2, 4);
    sender.Sack(2, 5);
    CHECK(!sender.Resends());      // once
    CHECK(sender.Next().psn == 6); // goes on with new ones
    sender.Ack(4);
    CHECK(sender.irn->IsRecovering()); // 5 was sent before the recovery began
    sender.Ack(5);
    CHECK(!sender.irn->IsRecovering());
    CHECK(sender.Next().psn == 7);
    CHECK(sender.requester.GetRetransmitted() == 1);
}

TEST_CASE("SelectiveRepeat: two packets are lost", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::WRITE, 20000);
    sender.Skip(8); // 2 and 5 are lost
    sender.Ack(1);
    sender.Sack(2, 3);
    CHECK(sender.Next().psn == 2);
    sender.Sack(2, 4);
    CHECK(!sender.Resends());
    sender.Sack(2, 6);
    CHECK(sender.Next().psn == 5);
    sender.Sack(2, 7);
    CHECK(!sender.Resends());
    sender.Ack(4); // 2 has come, 5 not yet
    CHECK(!sender.Resends());
    CHECK(sender.irn->IsRecovering());
    sender.Ack(7);
    CHECK(!sender.irn->IsRecovering());
    CHECK(sender.requester.GetRetransmitted() == 2);
}

TEST_CASE("SelectiveRepeat: the packet sent again is lost too", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::WRITE, 20000);
    sender.Skip(4); // 1 is lost
    sender.Sack(1, 2);
    CHECK(sender.Next().psn == 1); // lost
    sender.Sack(1, 3);
    sender.Skip(2); // 4, 5
    sender.Sack(1, 4);
    sender.Sack(1, 5);
    CHECK(!sender.Resends()); // only the timer finds out
    sender.completer.Timeout();
    CHECK(sender.Resends());
    CHECK(sender.Next().psn == 1);
    CHECK(!sender.Resends()); // 2 to 5 are there
    CHECK(sender.Next().psn == 6);
    sender.Ack(6);
    CHECK(!sender.irn->IsRecovering());
    CHECK(sender.requester.GetRetransmitted() == 2);
}

TEST_CASE("SelectiveRepeat: the last packet is lost", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::WRITE, 3000);
    sender.Skip(3);
    sender.Ack(1);
    sender.completer.Timeout();
    CHECK(sender.Next().psn == 2);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    CHECK(sender.Ack(2).acked == 1);
    CHECK(sender.Retired().size() == 1);
}

TEST_CASE("SelectiveRepeat: reordering below the threshold is no loss", "[selective-repeat]")
{
    Selective sender(3);
    sender.Post(Operation::WRITE, 20000);
    sender.Skip(8);
    sender.Sack(1, 2);
    sender.Sack(1, 3);
    CHECK(!sender.Resends()); // two have passed it
    sender.Ack(3);            // it was late
    CHECK(!sender.Resends());
    sender.Sack(4, 5);
    sender.Sack(4, 6);
    CHECK(!sender.Resends());
    sender.Sack(4, 7);
    CHECK(sender.Resends()); // three have
    CHECK(sender.Next().psn == 4);
    CHECK(!sender.Resends());
    CHECK(sender.requester.GetRetransmitted() == 1);
}

TEST_CASE("SelectiveRepeat: the packet of an RNR NAK", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::SEND, 4000);
    sender.Skip(4);
    sender.Nak(0, SYNDROME_RNR | 1);
    sender.Sack(0, 1); // the others are kept
    sender.Sack(0, 2);
    sender.Sack(0, 3);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.completer.Resume();
    CHECK(sender.Next().psn == 0);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.Nak(0, SYNDROME_RNR | 1); // still none: it is asked for again, though sent again once
    sender.completer.Resume();
    CHECK(sender.Next().psn == 0);
    CHECK(sender.Ack(3).acked == 4);
}

TEST_CASE("SelectiveRepeat: the numbers of a READ are one packet", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::WRITE, 1000, 0); // 0, lost
    sender.Post(Operation::READ, 3000, 1);  // 1, 2, 3
    sender.Post(Operation::WRITE, 1000, 2); // 4
    sender.Post(Operation::READ, 2000, 3);  // 5, 6, lost
    sender.Post(Operation::WRITE, 1000, 4); // 7
    sender.Skip(5);
    sender.Sack(0, 1);
    CHECK(sender.Next().psn == 0);
    sender.Sack(0, 4);
    CHECK(!sender.Resends()); // 2 and 3 are no packets
    sender.Sack(0, 7);
    CHECK(sender.Resends());
    const Frame read = sender.Next();
    CHECK(read.psn == 5);
    CHECK(read.opcode == Opcode::RC_READ_REQUEST);
    CHECK(!sender.Resends());
    CHECK(sender.requester.GetNext() == 8);
}

TEST_CASE("SelectiveRepeat: a resent packet does not put off the next AckReq", "[selective-repeat]")
{
    Selective sender(1, 4);
    sender.Post(Operation::WRITE, 20000);
    sender.Skip(2);
    sender.Sack(0, 1);
    sender.Skip(1);                                    // 0 again
    CHECK(!(sender.Next().flags & FRAME_ACK_REQUEST)); // 2 is the third
    CHECK((sender.Next().flags & FRAME_ACK_REQUEST));  // 3 is the fourth
}

TEST_CASE("SelectiveRepeat: timers", "[selective-repeat]")
{
    Selective sender;
    sender.Post(Operation::WRITE, 20000);
    CHECK(sender.irn->HasTimeout());
    sender.Skip(3);
    CHECK(sender.irn->GetTimeout(sender.requester) == 100000); // IRN: 100 us up to three packets
    sender.Skip(1);
    CHECK(sender.irn->GetTimeout(sender.requester) == 320000); // else 320 us
    sender.Ack(0);
    CHECK(sender.irn->GetTimeout(sender.requester) == 100000);
    sender.irn->SetAttribute("RtoLow", ns3::TimeValue(ns3::MicroSeconds(7)));
    sender.irn->SetAttribute("RtoHigh", ns3::TimeValue(ns3::MicroSeconds(70)));
    sender.irn->SetAttribute("RtoLowPackets", ns3::UintegerValue(2));
    CHECK(sender.irn->GetTimeout(sender.requester) == 70000);
    sender.Ack(1);
    CHECK(sender.irn->GetTimeout(sender.requester) == 7000);
}

TEST_CASE("SelectiveRepeat: the window of a bandwidth-delay product", "[selective-repeat]")
{
    auto irn = ns3::CreateObject<SelectiveRepeat>();
    RecoveryParameters parameters;
    parameters.lineRate = 100000000000; // 100 Gbit/s
    parameters.mtu = 1000;
    parameters.baseRtt = 8000;
    irn->Start(parameters);
    CHECK(irn->GetWindow() == 100000); // 12.5 bytes a ns times 8000 ns
    parameters.baseRtt = 10;
    irn->Start(parameters);
    CHECK(irn->GetWindow() == 1000); // a packet at least
    parameters.baseRtt = 0;
    irn->Start(parameters);
    CHECK(irn->GetWindow() == UNLIMITED); // nobody knows it
    irn->SetAttribute("Window", ns3::UintegerValue(5000));
    CHECK(irn->GetWindow() == 5000);
    irn->SetAttribute("BdpCap", ns3::BooleanValue(false));
    CHECK(irn->GetWindow() == UNLIMITED);
}

TEST_CASE("PacketBitmap: against a set", "[selective-repeat]")
{
    std::mt19937 random(3);
    for (int run = 0; run < 50; ++run)
    {
        PacketBitmap bitmap;
        std::set<uint64_t> marks;
        uint64_t bound = 0;
        for (int step = 0; step < 2000; ++step)
        {
            const uint64_t number = bound + random() % 300;
            if (random() % 8)
            {
                const uint64_t low = number < 20 ? 0 : number - 20; // some below the bound
                bitmap.Set(low);
                if (low >= bound)
                {
                    marks.insert(low);
                }
            }
            else
            {
                const uint64_t to = random() % 4 ? bound + random() % 70 : bound / 2;
                bitmap.Raise(to);
                bound = std::max(bound, to);
                marks.erase(marks.begin(), marks.lower_bound(bound));
            }
            REQUIRE(bitmap.Test(number) == (marks.count(number) == 1));
            REQUIRE(bitmap.GetEnd() == (marks.empty() ? 0 : *marks.rbegin() + 1));
            const uint32_t count = 1 + random() % 5;
            auto nth = marks.rbegin();
            for (uint32_t i = 1; i < count && nth != marks.rend(); ++i)
            {
                ++nth;
            }
            REQUIRE(bitmap.FromTop(count) == (nth == marks.rend() ? 0 : *nth));
        }
    }
}
