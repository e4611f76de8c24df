/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transport-test.h"

using namespace ns3::roce;
using namespace roce_test;

using Ids = std::vector<uint64_t>;

TEST_CASE("Completer: acknowledgements", "[completer]")
{
    Sender sender(1000, 1, 0xffffff);
    CHECK(sender.completer.GetState() == CompleterState::IDLE);
    sender.Post(Operation::WRITE, 3000, 0); // 0, 1, 2
    sender.Post(Operation::SEND, 1000, 1);  // 3
    sender.Skip(4);
    CHECK(sender.completer.GetState() == CompleterState::WAIT_ACK);
    auto outcome = sender.Ack(0xffffff);
    CHECK(outcome.acked == 1);
    CHECK(outcome.progress);
    CHECK(!outcome.loss);
    CHECK(!outcome.failed);
    CHECK(sender.Retired().empty());
    outcome = sender.Ack(2); // of three packets at once: 0xffffff + 3
    CHECK(outcome.acked == 3);
    CHECK(sender.Retired() == Ids{0, 1});
    CHECK(sender.completer.GetState() == CompleterState::IDLE);
}

TEST_CASE("Completer: answers that are old or too new", "[completer]")
{
    Sender sender(1000, 1, 100);
    sender.Post(Operation::WRITE, 5000);
    sender.Post(Operation::READ, 2000, 1);
    sender.Skip(3);
    sender.Ack(101);
    const auto nothing = [&sender](const Completer::Outcome& outcome) {
        return outcome.acked == 0 && !outcome.progress && !outcome.loss && !outcome.failed &&
               outcome.waitNs == 0 && sender.requester.GetUnacknowledged() == 2 &&
               sender.requester.GetNext() == 3;
    };
    for (uint32_t psn : {0u, 99u, 100u, 101u, 103u, 104u, 8000000u}) // 102 is out
    {
        CAPTURE(psn);
        CHECK(nothing(sender.Ack(psn)));
        CHECK(nothing(sender.Nak(psn)));
        CHECK(nothing(sender.Nak(psn, SYNDROME_NAK_ACCESS)));
        CHECK(nothing(sender.Nak(psn, SYNDROME_RNR | 1)));
        CHECK(nothing(sender.Respond(psn, Opcode::RC_READ_RESPONSE_FIRST, 1000)));
        CHECK(nothing(sender.AckAtomic(psn, 1)));
    }
    CHECK(!(sender.requester.GetHolds() & SendQueue::HOLD_RNR));
    CHECK(sender.Ack(102).acked == 1);
}

TEST_CASE("Completer: a sequence NAK", "[completer]")
{
    Sender sender(1000);
    sender.Post(Operation::WRITE, 2000, 0);
    sender.Post(Operation::WRITE, 4000, 1);
    sender.Skip(5);
    const auto outcome = sender.Nak(3); // 0 to 2 are there
    CHECK(outcome.acked == 3);
    CHECK(outcome.progress);
    CHECK(outcome.loss);
    CHECK(!outcome.failed);
    CHECK(sender.Retired() == Ids{0});
    CHECK(sender.requester.GetNext() == 3);
    CHECK(sender.Next().psn == 3);
}

TEST_CASE("Completer: NAKs that end the queue pair", "[completer]")
{
    const std::pair<uint8_t, CompletionStatus> table[] = {
        {0x61, CompletionStatus::INVALID_REQUEST},
        {0x62, CompletionStatus::REMOTE_ACCESS},
        {0x63, CompletionStatus::REMOTE_OPERATION},
        {0x64, CompletionStatus::INVALID_REQUEST}, // of RD, and those that are reserved
        {0x7f, CompletionStatus::INVALID_REQUEST}};
    for (const auto& [syndrome, status] : table)
    {
        CAPTURE(unsigned(syndrome));
        Sender sender(1000);
        sender.Post(Operation::WRITE, 1000, 0);
        sender.Post(Operation::WRITE, 1000, 1);
        sender.Skip(2);
        const auto outcome = sender.Nak(1, syndrome);
        CHECK(outcome.failed);
        CHECK(outcome.status == status);
        CHECK(outcome.acked == 1); // what was before it succeeded
        CHECK(sender.Retired() == Ids{0});
        CHECK(outcome.progress);
    }
}

TEST_CASE("Completer: RNR NAKs", "[completer]")
{
    Sender sender(Sender::Config(1000), nullptr, 2);
    for (uint64_t id = 0; id < 3; ++id)
    {
        sender.Post(Operation::SEND, 1000, id);
    }
    sender.Skip(3);
    auto outcome = sender.Nak(0, SYNDROME_RNR | 14);
    CHECK(outcome.waitNs == 1280000); // table 45: code 14 is 1.28 ms
    CHECK(!outcome.failed);
    CHECK(sender.completer.GetState() == CompleterState::WAIT_RNR);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.completer.Resume();
    CHECK(sender.Next().psn == 0);
    sender.Skip(2);
    CHECK(sender.Nak(0, SYNDROME_RNR | 1).waitNs == 10000); // the second of this packet
    sender.completer.Resume();
    sender.Skip(3);
    outcome = sender.Nak(1, SYNDROME_RNR | 0); // packet 0 was taken: the count starts anew
    CHECK(outcome.acked == 1);
    CHECK(outcome.progress);
    CHECK(outcome.waitNs == 655360000);
    CHECK(sender.Retired() == Ids{0});
    sender.completer.Resume();
    sender.Skip(2);
    CHECK(!sender.Nak(1, SYNDROME_RNR | 1).failed);
    sender.completer.Resume();
    sender.Skip(2);
    outcome = sender.Nak(1, SYNDROME_RNR | 1); // the third, two are allowed
    CHECK(outcome.failed);
    CHECK(outcome.status == CompletionStatus::RNR_RETRY_EXCEEDED);
}

TEST_CASE("Completer: RNR retry limits 0 and 7", "[completer]")
{
    Sender none(Sender::Config(1000), nullptr, 0);
    none.Post(Operation::SEND, 1000);
    none.Skip(1);
    CHECK(none.Nak(0, SYNDROME_RNR | 1).failed);
    Sender ever(Sender::Config(1000), nullptr, 7);
    ever.Post(Operation::SEND, 1000);
    for (int i = 0; i < 100; ++i)
    {
        ever.Skip(1);
        REQUIRE(!ever.Nak(0, SYNDROME_RNR | 1).failed);
        ever.completer.Resume();
    }
}

TEST_CASE("Completer: READ responses in order", "[completer]")
{
    Sender sender(1000);
    sender.Post(Operation::WRITE, 1000, 0); // 0
    sender.Post(Operation::READ, 2500, 1);  // 1, 2, 3
    sender.Post(Operation::READ, 0, 2);     // 4
    sender.Skip(3);
    auto outcome = sender.Respond(1, Opcode::RC_READ_RESPONSE_FIRST, 1000);
    CHECK(outcome.acked == 2); // the WRITE too
    CHECK(sender.Retired() == Ids{0});
    CHECK(sender.completer.GetState() == CompleterState::WAIT_ANSWER);
    CHECK(sender.Respond(2, Opcode::RC_READ_RESPONSE_MIDDLE, 1000).acked == 1);
    outcome = sender.Respond(1, Opcode::RC_READ_RESPONSE_FIRST, 1000); // once more
    CHECK(outcome.acked == 0);
    CHECK(!outcome.loss);
    CHECK(sender.Retired().empty());
    CHECK(sender.Respond(3, Opcode::RC_READ_RESPONSE_LAST, 500).acked == 1);
    CHECK(sender.Retired() == Ids{1});
    CHECK(sender.Respond(4, Opcode::RC_READ_RESPONSE_ONLY, 0).acked == 1);
    CHECK(sender.Retired() == Ids{2});
    CHECK(sender.completer.GetResponses() == 4);
}

TEST_CASE("Completer: a response is missing", "[completer]")
{
    Sender sender(1000);
    sender.Post(Operation::READ, 5000, 0); // 0 to 4
    sender.Post(Operation::WRITE, 1000, 1);
    sender.Skip(2);
    sender.Respond(0, Opcode::RC_READ_RESPONSE_FIRST, 1000);
    auto outcome = sender.Respond(2, Opcode::RC_READ_RESPONSE_MIDDLE, 1000);
    CHECK(outcome.loss);
    CHECK(outcome.acked == 0);
    CHECK(sender.completer.GetState() == CompleterState::WAIT_RETRY);
    CHECK(sender.requester.GetNext() == 1);
    const Frame again = sender.Next();
    CHECK(again.psn == 1);
    CHECK(again.dmaLength == 4000);
    outcome = sender.Respond(3, Opcode::RC_READ_RESPONSE_MIDDLE, 1000); // of the first time
    CHECK(!outcome.loss);                                               // asked once
    CHECK(sender.requester.GetNext() == 5);
    // from the middle the answer begins with FIRST again; its place does not matter, its end does
    CHECK(sender.Respond(1, Opcode::RC_READ_RESPONSE_FIRST, 1000).acked == 1);
    CHECK(sender.Respond(3, Opcode::RC_READ_RESPONSE_MIDDLE, 1000).loss); // another gap
    CHECK(sender.Next().psn == 2);
    sender.Respond(2, Opcode::RC_READ_RESPONSE_FIRST, 1000);
    sender.Respond(3, Opcode::RC_READ_RESPONSE_MIDDLE, 1000);
    CHECK(sender.Respond(4, Opcode::RC_READ_RESPONSE_LAST, 1000).progress);
    CHECK(sender.Retired() == Ids{0});
}

TEST_CASE("Completer: an acknowledgement behind a READ", "[completer]")
{
    for (bool inOrder : {true, false})
    {
        CAPTURE(inOrder);
        Sender sender(Sender::Config(1000), nullptr, 7, inOrder);
        sender.Post(Operation::READ, 2000, 0);  // 0, 1
        sender.Post(Operation::WRITE, 1000, 1); // 2
        sender.Skip(2);
        sender.Respond(0, Opcode::RC_READ_RESPONSE_FIRST, 1000);
        const auto outcome = sender.Ack(2);
        CHECK(outcome.acked == 0); // it waits for the READ
        // where nothing overtakes, response 1 is lost
        CHECK(outcome.loss == inOrder);
        CHECK(sender.requester.GetNext() == (inOrder ? 1 : 3));
        CHECK(sender.Retired().empty());
        CHECK(sender.Respond(1, Opcode::RC_READ_RESPONSE_LAST, 1000).acked == 1);
        CHECK(sender.Retired() == Ids{0, 1}); // the acknowledgement was not forgotten
        CHECK(sender.requester.GetNext() == 3);
    }
}

TEST_CASE("Completer: an acknowledgement up to a READ is no gap", "[completer]")
{
    Sender sender(1000);
    sender.Post(Operation::WRITE, 1000, 0); // 0
    sender.Post(Operation::READ, 1000, 1);  // 1
    sender.Skip(2);
    const auto outcome = sender.Ack(0);
    CHECK(outcome.acked == 1);
    CHECK(!outcome.loss);
    CHECK(sender.requester.GetNext() == 2);
}

TEST_CASE("Completer: atomics", "[completer]")
{
    Sender sender(1000);
    sender.Post(Operation::FETCH_ADD, 8, 0);
    sender.Post(Operation::COMPARE_SWAP, 8, 1);
    sender.Skip(2);
    CHECK(sender.AckAtomic(0, 0x1122334455667788).acked == 1);
    CHECK(sender.Retired() == Ids{0});
    CHECK(sender.completer.GetOriginal() == 0x1122334455667788);
    sender.AckAtomic(0, 5); // once more: it is not looked at
    CHECK(sender.completer.GetOriginal() == 0x1122334455667788);
    CHECK(sender.AckAtomic(1, 9).progress);
    CHECK(sender.completer.GetOriginal() == 9);
    CHECK(sender.Retired() == Ids{1});
}

TEST_CASE("Completer: answers that do not fit", "[completer]")
{
    struct Case
    {
        Opcode opcode;
        uint32_t payload;
    };

    const auto refused = [](Operation operation, const Case& item) {
        Sender sender(1000);
        sender.Post(operation, operation == Operation::READ ? 1500 : 8);
        sender.Skip(1);
        const bool atomic = item.opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE;
        const auto outcome =
            atomic ? sender.AckAtomic(0, 1) : sender.Respond(0, item.opcode, item.payload);
        CHECK(sender.Retired().empty());
        return outcome.failed && outcome.status == CompletionStatus::BAD_RESPONSE;
    };
    // 1500 bytes: FIRST with 1000, LAST with 500
    CHECK(refused(Operation::READ, {Opcode::RC_READ_RESPONSE_FIRST, 999}));
    CHECK(refused(Operation::READ, {Opcode::RC_READ_RESPONSE_FIRST, 1001}));
    CHECK(refused(Operation::READ, {Opcode::RC_READ_RESPONSE_ONLY, 1000}));
    CHECK(refused(Operation::READ, {Opcode::RC_READ_RESPONSE_LAST, 1000}));
    CHECK(refused(Operation::READ, {Opcode::RC_ATOMIC_ACKNOWLEDGE, 0}));
    CHECK(refused(Operation::FETCH_ADD, {Opcode::RC_READ_RESPONSE_ONLY, 8}));
    CHECK(!refused(Operation::READ, {Opcode::RC_READ_RESPONSE_FIRST, 1000}));
}

TEST_CASE("Completer: credits", "[completer]")
{
    Sender sender(1000, 100);
    for (uint64_t id = 0; id < 12; ++id)
    {
        sender.Post(Operation::SEND, 1000, id);
    }
    sender.Skip(1);
    sender.Nak(0, 0x02, 1); // one message done, two credits: messages 1 and 2 may go
    CHECK(sender.Retired() == Ids{0});
    sender.Skip(2);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.Nak(2, 0x05, 3); // code 5 is six credits: messages 3 to 8
    sender.Skip(6);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.Nak(8, 0x00, 9); // none: but one packet may ask
    sender.Skip(1);
    CHECK(!sender.requester.CanSend(UNLIMITED));
    sender.Ack(9); // 0x1f: no flow control
    sender.Skip(2);
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
}

TEST_CASE("Completer: credits when the MSN wraps", "[completer]")
{
    Sender sender(1000, 100);
    SendQueue::OpenRequest done;
    for (uint32_t id = 0; id < 0x1000000; ++id) // 2^24 messages
    {
        sender.Post(Operation::SEND, 0, id);
        Frame frame{};
        sender.requester.Build(frame);
        sender.requester.Acknowledge(id & MASK_24);
        sender.requester.Retire(done);
    }
    sender.Post(Operation::SEND, 0);
    sender.Post(Operation::SEND, 0);
    sender.Nak(0xffffff, 0x01, 0); // 2^24 messages done, one credit
    sender.Skip(1);
    CHECK(!sender.requester.CanSend(UNLIMITED));
}
