/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transport-test.h"

#include <algorithm>
#include <random>

using namespace ns3::roce;
using namespace roce_test;

using Ids = std::vector<uint64_t>;

TEST_CASE("SendQueue: a READ takes a number for each response", "[send-queue]")
{
    Sender sender(1000, 1, 0xfffffe);
    sender.Post(Operation::WRITE, 1500, 0);  // packets 0, 1
    sender.Post(Operation::READ, 2001, 1);   // 2001 bytes are three responses: 2, 3, 4
    sender.Post(Operation::FETCH_ADD, 8, 2); // 5
    sender.Post(Operation::READ, 0, 3);      // one response without payload: 6
    sender.Post(Operation::SEND, 1, 4);      // 7
    const uint32_t psns[] = {0xfffffe, 0xffffff, 0, 3, 4, 5}; // (0xfffffe + number) mod 2^24
    for (uint32_t psn : psns)
    {
        CHECK(sender.Next().psn == psn);
    }
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
    CHECK(sender.requester.GetNext() == 8);
    CHECK(sender.requester.GetInflight() == 8000);
    REQUIRE(sender.requester.GetReads().size() == 3);
    CHECK(sender.requester.GetReads()[0].first == 2);
    CHECK(sender.requester.GetReads()[0].end == 5);
    CHECK(sender.requester.GetReads()[1].end == 6);
    CHECK(sender.requester.GetReads()[2].end == 7);
    CHECK(sender.requester.FindOpen(4)->request.id == 1);
    CHECK(sender.requester.FindOpen(5)->request.id == 2);
    CHECK(sender.requester.FindOpen(8) == nullptr);
}

TEST_CASE("SendQueue: no acknowledgement passes an open READ", "[send-queue]")
{
    Sender sender(1000);
    sender.Post(Operation::WRITE, 1000, 0);  // 0
    sender.Post(Operation::READ, 3000, 1);   // 1, 2, 3
    sender.Post(Operation::WRITE, 2000, 2);  // 4, 5
    sender.Post(Operation::FETCH_ADD, 8, 3); // 6
    sender.Post(Operation::WRITE, 1000, 4);  // 7
    sender.Skip(6);
    Requester& requester = sender.requester;
    CHECK(!requester.IsPlain());
    CHECK(requester.Acknowledge(7) == 1); // just the WRITE before it
    CHECK(requester.GetUnacknowledged() == 1);
    CHECK(sender.Retired() == Ids{0});
    CHECK(requester.Acknowledge(2) == 0); // inside the READ
    CHECK(requester.GetUnacknowledged() == 1);
    requester.AdvanceRead(2);
    requester.AdvanceRead(3);
    CHECK(requester.GetUnacknowledged() == 3);
    CHECK(sender.Retired().empty());
    CHECK(requester.GetReads().size() == 2);
    requester.AdvanceRead(4);
    CHECK(requester.GetUnacknowledged() == 6); // caught up, to the atomic
    CHECK(sender.Retired() == Ids{1, 2});
    requester.AdvanceRead(7);
    CHECK(requester.GetUnacknowledged() == 8);
    CHECK(sender.Retired() == Ids{3, 4});
    CHECK(!requester.HasOpen());
    CHECK(requester.IsPlain());
}

TEST_CASE("SendQueue: as many READs as allowed", "[send-queue]")
{
    auto config = Sender::Config(1000);
    config.maxReads = 2;
    Sender sender(config);
    sender.Post(Operation::READ, 1000, 0);
    sender.Post(Operation::COMPARE_SWAP, 8, 1);
    sender.Post(Operation::WRITE, 1000, 2);
    sender.Post(Operation::READ, 1000, 3);
    sender.Post(Operation::WRITE, 1000, 4);
    sender.Skip(3);
    CHECK(!sender.requester.CanSend(UNLIMITED)); // two are out, the third one waits
    CHECK((sender.requester.GetHolds() & SendQueue::HOLD_READS));
    CHECK(sender.requester.GetState() == RequesterState::WAITING);
    CHECK(sender.requester.GetState() != RequesterState::IDLE);
    // sent again it is not one more
    sender.completer.Timeout();
    CHECK(sender.requester.GetState() == RequesterState::RESENDING);
    sender.Skip(3);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.requester.AdvanceRead(1);
    CHECK(sender.requester.GetState() == RequesterState::SENDING);
    CHECK(sender.Next().opcode == Opcode::RC_READ_REQUEST);
    CHECK(sender.Next().opcode == Opcode::RC_WRITE_ONLY);
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
}

TEST_CASE("SendQueue: a fence waits for READs and atomics before it", "[send-queue]")
{
    Sender sender(1000);
    sender.Post(Operation::WRITE, 1000, 0);
    WorkRequest fenced;
    fenced.bytes = 2000;
    fenced.fence = true;
    sender.requester.Post(fenced, 0);
    sender.Skip(2); // no READ before it: nothing to wait for, though the WRITE is out
    sender.Skip(1);
    sender.Post(Operation::READ, 2000, 2); // 3, 4
    sender.requester.Post(fenced, 0);      // 5, 6
    sender.Skip(1);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.requester.AdvanceRead(4);
    CHECK(!sender.requester.CanSend(UNLIMITED)); // half of the answer
    sender.requester.AdvanceRead(5);
    sender.Skip(2);
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
}

TEST_CASE("SendQueue: credits", "[send-queue]")
{
    Sender sender(1000, 100);
    Requester& requester = sender.requester;
    for (uint64_t id = 0; id < 6; ++id)
    {
        sender.Post(id == 3 ? Operation::WRITE : Operation::SEND, 1000, id);
    }
    CHECK((requester.GetHolds() & SendQueue::ON_CREDIT) == 0); // until told
    requester.SetCreditLimit(2);
    CHECK(!requester.IsPlain());
    sender.Skip(2);
    CHECK(!requester.CanSend(UNLIMITED));
    CHECK((requester.GetHolds() & SendQueue::HOLD_CREDIT));
    CHECK(requester.Acknowledge(0) == 1);
    CHECK(!requester.CanSend(UNLIMITED)); // one is still out
    CHECK(requester.Acknowledge(1) == 1);
    // all is acknowledged: one packet may ask for credits
    CHECK((sender.Next().flags & FRAME_ACK_REQUEST));
    // a WRITE takes no receive request and needs no credit, but counts as a message
    CHECK(sender.Next().opcode == Opcode::RC_WRITE_ONLY);
    CHECK(!requester.CanSend(UNLIMITED));
    requester.SetCreditLimit(4); // messages 0 to 3
    CHECK(!requester.CanSend(UNLIMITED));
    requester.SetCreditLimit(5);
    sender.Skip(1);
    CHECK(!requester.CanSend(UNLIMITED));
    requester.SetCreditLimit(~uint64_t(0)); // no credits any more
    CHECK((requester.GetHolds() & SendQueue::ON_CREDIT) == 0);
    sender.Skip(1);
}

TEST_CASE("SendQueue: a message that has its receive request needs no more credit", "[send-queue]")
{
    Sender sender(1000, 100);
    sender.Post(Operation::SEND, 3000);
    sender.requester.SetCreditLimit(0);
    const Frame first = sender.Next(); // may ask
    CHECK((first.flags & FRAME_ACK_REQUEST));
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.requester.Acknowledge(0); // taken; with the request it took the responder has none left
    sender.Skip(2);
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
}

TEST_CASE("SendQueue: draining finishes what has begun", "[send-queue]")
{
    Sender sender(1000);
    Requester& requester = sender.requester;
    sender.Post(Operation::WRITE, 3000, 0);
    sender.Post(Operation::WRITE, 1000, 1);
    sender.Skip(1);
    requester.SetHold(SendQueue::HOLD_DRAIN, true);
    sender.Skip(2);
    CHECK(!requester.CanSend(UNLIMITED));
    sender.completer.Timeout(); // what was sent may be sent again
    sender.Skip(3);
    CHECK(!requester.CanSend(UNLIMITED));
    requester.SetHold(SendQueue::HOLD_DRAIN, false);
    sender.Skip(1);
    CHECK(requester.GetState() == RequesterState::IDLE);
}

TEST_CASE("SendQueue: an RNR hold stops all", "[send-queue]")
{
    Sender sender(1000);
    sender.Post(Operation::WRITE, 3000);
    sender.requester.SetHold(SendQueue::HOLD_RNR, true);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    CHECK(sender.requester.GetState() == RequesterState::WAITING);
    sender.requester.SetHold(SendQueue::HOLD_RNR, false);
    CHECK(sender.requester.CanSend(UNLIMITED));
}

TEST_CASE("SendQueue: a READ is not begun beyond half of the PSN space", "[send-queue]")
{
    Sender sender(1);
    sender.Post(Operation::READ, 8388607, 0); // 2^23 - 1 numbers
    sender.Post(Operation::READ, 1, 1);
    sender.Post(Operation::READ, 1, 2);
    sender.Skip(2);
    CHECK(sender.requester.GetNext() == 8388608);
    CHECK(!sender.requester.CanSend(UNLIMITED)); // 2^23 are out
    sender.requester.AdvanceRead(1);
    CHECK(sender.requester.CanSend(UNLIMITED));
}

namespace
{

/** A plain list of requests, and how far the numbers are. */
struct Model
{
    struct Item
    {
        uint64_t first, end;
        bool read;
    };

    /** \return the first READ that is sent and not answered to its end, or nullptr */
    const Item* OpenRead() const
    {
        for (const Item& item : items)
        {
            if (item.read && item.first < high && answered < item.end)
            {
                return &item;
            }
        }
        return nullptr;
    }

    /** Set una to what was told so far, but not past an open READ. */
    void Settle()
    {
        const Item* open = OpenRead();
        const uint64_t barrier =
            open ? std::max(open->first, std::min(answered, open->end)) : ~0ULL;
        una = std::max(una, std::min(told, barrier));
    }

    std::vector<Item> items;
    uint64_t posted{0}, high{0}, una{0};
    uint64_t told{0};     //!< acknowledged before it, whatever is open
    uint64_t answered{0}; //!< answers of READs are here before it
    uint64_t retired{0};
};

} // namespace

TEST_CASE("SendQueue: against a list under random acknowledgements", "[send-queue]")
{
    std::mt19937 random(5);
    for (int run = 0; run < 100; ++run)
    {
        const uint32_t initial = run % 2 ? 0xfffff0 : random() & MASK_24;
        auto config = Sender::Config(10, 1 + random() % 4, initial);
        config.maxReads = 3;
        Sender sender(config);
        Requester& requester = sender.requester;
        Model model;
        for (int step = 0; step < 2000; ++step)
        {
            const unsigned what = random() % 10;
            const Model::Item* open = model.OpenRead();
            if (what == 0)
            {
                const bool read = random() % 2;
                const uint64_t bytes = random() % 60;
                sender.Post(read ? Operation::READ : Operation::WRITE, bytes, model.items.size());
                const uint64_t packets = bytes ? (bytes + 9) / 10 : 1;
                model.items.push_back({model.posted, model.posted + packets, read});
                model.posted += packets;
            }
            else if (what < 5 && requester.CanSend(UNLIMITED))
            {
                const uint64_t number = requester.GetNext();
                REQUIRE(sender.Next().psn == ((initial + number) & MASK_24));
                model.high = std::max(model.high, requester.GetNext());
            }
            else if (what < 8)
            {
                const int64_t number = int64_t(model.una) - 3 + int64_t(random() % 20);
                requester.Acknowledge(static_cast<uint32_t>(initial + number) & MASK_24);
                const bool valid = number >= int64_t(model.una) && number < int64_t(model.high);
                model.told = valid ? std::max(model.told, uint64_t(number) + 1) : model.told;
            }
            else if (what == 8 && open && model.una >= open->first)
            {
                requester.AdvanceRead(model.una + 1);
                model.answered = model.una + 1;
                model.told = std::max(model.told, model.answered);
            }
            else if (what == 9 && random() % 4 == 0)
            {
                sender.completer.Timeout();
                REQUIRE(requester.GetNext() == model.una);
            }
            model.Settle();
            while (model.retired < model.items.size() &&
                   model.items[model.retired].end <= model.una)
            {
                SendQueue::OpenRequest done;
                REQUIRE(requester.Retire(done));
                REQUIRE(done.request.id == model.retired++);
            }
            SendQueue::OpenRequest none;
            REQUIRE(!requester.Retire(none));
            REQUIRE(requester.GetUnacknowledged() == model.una);
            REQUIRE(requester.GetHigh() == model.high);
            REQUIRE(requester.GetNext() >= model.una);
            REQUIRE(requester.GetReads().size() <= 3);
            REQUIRE(requester.GetReads().empty() == (model.OpenRead() == nullptr));
            REQUIRE(requester.IsPlain() == requester.GetReads().empty());
            REQUIRE((requester.GetState() != RequesterState::IDLE) ==
                    (requester.GetNext() < model.posted));
        }
        REQUIRE(model.retired > 20);
    }
}
