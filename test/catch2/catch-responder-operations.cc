/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-responder-test.h"

using namespace ns3::roce;
using namespace roce_test;

TEST_CASE("Responder: SEND with and without a receive request", "[responder-operations]")
{
    Receiver receiver;
    const auto frames = receiver.Packets({Receiver::Request(Operation::SEND, 1500)});
    auto result = receiver.Get(frames[0]);
    CHECK(result.answer == Answer::NAK);
    CHECK(result.syndrome == (0x20 | 12)); // RNR, the default timer code 12
    CHECK(result.psn == 0);
    CHECK(result.msn == 0);
    CHECK(!result.accepted);
    CHECK(!result.failed);
    CHECK(receiver.responder.GetState() == ResponderState::NOT_READY);
    CHECK(receiver.Get(frames[1]).answer == Answer::NONE); // behind it: without a word
    receiver.PostReceive(5, 1500);
    CHECK(receiver.Get(frames[0]).accepted);
    CHECK(receiver.responder.GetState() == ResponderState::READY);
    result = receiver.Get(frames[1]);
    CHECK(result.messageEnd);
    CHECK(result.received);
    CHECK(result.answer == Answer::ACK);
    CHECK(result.syndrome == 0x1f);
    CHECK(result.psn == 1);
    CHECK(result.msn == 1);
    const Completion& completion = receiver.responder.GetReceived();
    CHECK(completion.id == 5);
    CHECK(completion.bytes == 1500);
    CHECK(completion.kind == CompletionKind::RECEIVE);
    CHECK(!completion.hasImmediate);
    CHECK(completion.invalidatedKey == 0);
    CHECK(receiver.BytesAt(RECEIVE_AT, 1500) == receiver.Pattern(1500));
    CHECK(receiver.BytesAt(RECEIVE_AT + 1500, 8) == Bytes(8, 0));
}

TEST_CASE("Responder: a SEND longer than its room", "[responder-operations]")
{
    Receiver receiver;
    receiver.PostReceive(5, 1499);
    const auto frames = receiver.Packets({Receiver::Request(Operation::SEND, 1500)});
    CHECK(receiver.Get(frames[0]).accepted);
    const auto result = receiver.Get(frames[1]);
    CHECK(result.syndrome == 0x61); // IBTA 9.7.4.1.7: invalid request
    CHECK(result.failed);
    CHECK(receiver.BytesAt(RECEIVE_AT + 1000, 500) == Bytes(500, 0));
    Completion completion;
    REQUIRE(receiver.responder.AbortReceive(completion));
    CHECK(completion.status == CompletionStatus::LOCAL_LENGTH);
    CHECK(completion.id == 5);
    CHECK(!receiver.responder.AbortReceive(completion)); // once
}

TEST_CASE("Responder: a SEND to memory that may not be written", "[responder-operations]")
{
    Receiver receiver;
    ReceiveRequest request{9, 1000, RECEIVE_AT, receiver.readOnly->GetLocalKey()};
    receiver.receives->Post(request);
    const auto result = receiver.Get(receiver.Packets({Receiver::Request(Operation::SEND, 8)})[0]);
    CHECK(result.syndrome == 0x63); // the fault is this side's: remote operational error
    CHECK(result.failed);
    Completion completion;
    REQUIRE(receiver.responder.AbortReceive(completion));
    CHECK(completion.status == CompletionStatus::LOCAL_PROTECTION);
}

TEST_CASE("Responder: WRITE with immediate takes a receive request at its end",
          "[responder-operations]")
{
    Receiver receiver;
    auto request = receiver.Write(1500);
    request.operation = Operation::WRITE_IMMEDIATE;
    request.immediate = 77;
    request.solicited = true;
    const auto frames = receiver.Packets({request});
    CHECK(receiver.Get(frames[0]).accepted); // none is needed yet
    auto result = receiver.Get(frames[1]);
    CHECK(result.syndrome == (0x20 | 12));
    CHECK(result.psn == 1);
    CHECK(receiver.BytesAt(MEMORY_AT + 1000, 500) == Bytes(500, 0)); // nothing without it
    receiver.PostReceive(3, 0);                                      // no room is needed
    result = receiver.Get(frames[1]);
    CHECK(result.received);
    CHECK(receiver.receives->GetDepth() == 0);
    const Completion& completion = receiver.responder.GetReceived();
    CHECK(completion.kind == CompletionKind::WRITE_IMMEDIATE);
    CHECK(completion.id == 3);
    CHECK(completion.bytes == 1500);
    CHECK(completion.hasImmediate);
    CHECK(completion.immediate == 77);
    CHECK(completion.solicited);
    CHECK(receiver.BytesAt(MEMORY_AT, 1500) == receiver.Pattern(1500));
}

TEST_CASE("Responder: SEND that invalidates a key", "[responder-operations]")
{
    Receiver receiver;
    receiver.PostReceive(1, 100);
    auto request = Receiver::Request(Operation::SEND_INVALIDATE, 10);
    request.remoteKey = receiver.memory->GetRemoteKey();
    const auto frames = receiver.Packets({request, receiver.Write(8)});
    CHECK(receiver.Get(frames[0]).received);
    CHECK(receiver.responder.GetReceived().invalidatedKey == receiver.memory->GetRemoteKey());
    CHECK(!receiver.memory->IsValid());
    const auto result = receiver.Get(frames[1]);
    CHECK(result.syndrome == 0x62); // the key is gone
    CHECK(result.failed);
}

TEST_CASE("Responder: a SEND that invalidates an unknown key", "[responder-operations]")
{
    Receiver receiver;
    receiver.PostReceive(1, 100);
    auto request = Receiver::Request(Operation::SEND_INVALIDATE, 10);
    request.remoteKey = 0xdead;
    CHECK(receiver.Get(receiver.Packets({request})[0]).syndrome == 0x62);
    CHECK(receiver.BytesAt(RECEIVE_AT, 10) == Bytes(10, 0));
}

TEST_CASE("Responder: accesses that are not allowed", "[responder-operations]")
{
    Receiver receiver;
    const auto refused = [&receiver](WorkRequest request, uint8_t remoteAccess = 0xff) {
        receiver.config.remoteAccess = remoteAccess;
        receiver.Restart();
        const Bytes before = receiver.BytesAt(MEMORY_AT, MEMORY_BYTES);
        const auto frames = receiver.Packets({request});
        const auto result = receiver.Get(frames[0]);
        CHECK(receiver.BytesAt(MEMORY_AT, MEMORY_BYTES) == before);
        CHECK(result.failed == (result.syndrome == 0x62));
        CHECK((result.failed ? receiver.responder.GetState() == ResponderState::FAILED
                             : result.accepted));
        return result.syndrome == 0x62 && result.answer == Answer::NAK && !result.accepted;
    };
    auto request = receiver.Write(1500);
    request.remoteKey ^= 0x8000; // no such key
    CHECK(refused(request));
    request = receiver.Write(1500);
    request.remoteAddress = MEMORY_AT - 1; // a byte before it
    CHECK(refused(request));
    request.remoteAddress = MEMORY_AT + MEMORY_BYTES - 1499; // the second packet leaves it: refused
    CHECK(refused(request));                                 // at once, by the length of the RETH
    request = receiver.Write(1500);
    request.remoteKey = receiver.readOnly->GetRemoteKey();
    CHECK(refused(request));
    CHECK(refused(receiver.Write(1500), ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC));
    request = receiver.Write(0);
    request.remoteKey = 1; // C9-88: no byte, no check
    CHECK(!refused(request));
    CHECK(refused(receiver.Read(8), ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC));
    request = receiver.Read(8);
    request.remoteAddress = MEMORY_AT + MEMORY_BYTES - 7;
    CHECK(refused(request));
    request = receiver.Read(8);
    request.remoteKey = receiver.readOnly->GetRemoteKey();
    CHECK(!refused(request));
    request = receiver.Atomic(Operation::FETCH_ADD, 1);
    request.remoteKey = receiver.readOnly->GetRemoteKey();
    CHECK(refused(request));
    CHECK(refused(receiver.Atomic(Operation::FETCH_ADD, 1), ACCESS_REMOTE_WRITE));
}

TEST_CASE("Responder: atomics are executed", "[responder-operations]")
{
    Receiver receiver;
    const auto frames = receiver.Packets({receiver.Atomic(Operation::FETCH_ADD, 5),
                                          receiver.Atomic(Operation::COMPARE_SWAP, 9, 5),
                                          receiver.Atomic(Operation::COMPARE_SWAP, 1, 5)});
    const uint64_t found[] = {0, 5, 9}; // 0 + 5; 5 is 5, so 9; 9 is not 5
    for (unsigned i = 0; i < 3; ++i)
    {
        const auto result = receiver.Get(frames[i]);
        CHECK(result.answer == Answer::ATOMIC);
        CHECK(result.psn == i);
        CHECK(result.msn == i + 1);
        CHECK(result.syndrome == 0x1f);
        CHECK(receiver.responder.GetOriginal() == found[i]);
    }
    CHECK(receiver.BytesAt(MEMORY_AT, 8) == Bytes{9, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("Responder: an atomic at an odd address", "[responder-operations]")
{
    Receiver receiver;
    auto request = receiver.Atomic(Operation::FETCH_ADD, 5);
    request.remoteAddress += 4; // IBTA 9.4.5: a multiple of 8
    CHECK(receiver.Get(receiver.Packets({request})[0]).syndrome == 0x61);
}

TEST_CASE("Responder: READ responses", "[responder-operations]")
{
    Receiver receiver;
    receiver.Fill();
    const auto frames = receiver.Packets({receiver.Read(2500), receiver.Read(0)});
    CHECK(receiver.Get(frames[0]).answer == Answer::READ);
    CHECK(receiver.responder.GetExpected() == 3);
    CHECK(receiver.Get(frames[1]).answer == Answer::READ);
    const unsigned opcodes[] = {0x0d, 0x0e, 0x0f, 0x10}; // FIRST, MIDDLE, LAST; ONLY
    const uint32_t payloads[] = {1000, 1000, 500, 0};
    const uint32_t sizes[] = {1000 + 62 + 4, 1000 + 62, 500 + 62 + 4, 62 + 4}; // AETH: 4
    const uint32_t msns[] = {1, 1, 1, 2};
    Bytes all;
    for (unsigned i = 0; i < 4; ++i)
    {
        const FramePtr frame = receiver.Response();
        CHECK(unsigned(frame->opcode) == opcodes[i]);
        CHECK(frame->kind == FrameKind::RESPONSE);
        CHECK(frame->psn == i);
        CHECK(frame->payload == payloads[i]);
        CHECK(frame->size == sizes[i]);
        CHECK(frame->aeth == (0x1fu << 24 | msns[i]));
        const Bytes bytes = Receiver::BytesOf(*frame);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    CHECK(!receiver.responder.IsAnswering());
    CHECK(all == receiver.BytesAt(MEMORY_AT, 2500));
}

TEST_CASE("Responder: memory goes away under a READ", "[responder-operations]")
{
    Receiver receiver;
    receiver.Get(receiver.Packets({receiver.Read(3000)})[0]);
    receiver.Response();
    receiver.there->Deregister(receiver.memory);
    Frame frame{};
    CHECK(!receiver.responder.BuildResponse(frame));
    CHECK(receiver.responder.GetFailure().syndrome == 0x62);
    CHECK(receiver.responder.GetFailure().psn == 1); // the response that cannot be made
    CHECK(!receiver.responder.IsAnswering());
    CHECK(receiver.responder.GetState() == ResponderState::FAILED);
}

TEST_CASE("Responder: too many READs", "[responder-operations]")
{
    Receiver receiver;
    receiver.config.maxReads = 2;
    receiver.Restart();
    const auto frames =
        receiver.Packets({receiver.Read(1000), receiver.Read(1000), receiver.Read(1000)});
    CHECK(receiver.Get(frames[0]).accepted);
    CHECK(receiver.Get(frames[1]).accepted);
    const auto result = receiver.Get(frames[2]); // IBTA 9.7.4.1.5 and 9.7.7
    CHECK(result.syndrome == 0x61);
    CHECK(result.failed);
    receiver.Restart();
    receiver.Get(frames[0]);
    receiver.Get(frames[1]);
    receiver.Response(); // one is answered
    CHECK(receiver.Get(frames[2]).accepted);
}

TEST_CASE("Responder: opcodes out of sequence", "[responder-operations]")
{
    const unsigned none = 256;
    // what is under way: nothing, a SEND, a WRITE; IBTA 9.7.4.1.2, table 49
    const std::pair<unsigned, std::vector<unsigned>> table[] = {
        {none, {0x01, 0x02, 0x03, 0x16, 0x07, 0x08, 0x09}},
        {0x00, {0x00, 0x04, 0x05, 0x17, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x13, 0x14}},
        {0x06, {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x16, 0x06, 0x0a, 0x0b, 0x0c, 0x13, 0x14}}};
    for (const auto& [before, wrong] : table)
    {
        for (unsigned opcode : wrong)
        {
            CAPTURE(before, opcode);
            Receiver receiver;
            receiver.PostReceive(1, 4000);
            receiver.PostReceive(2, 4000);
            uint32_t psn = 0;
            Frame frame = receiver.Packets({receiver.Write(3000)})[0];
            if (before != none)
            {
                frame.opcode = Opcode(before);
                REQUIRE(receiver.Get(frame).accepted);
                psn = 1;
            }
            frame.opcode = Opcode(opcode);
            frame.psn = psn;
            const auto result = receiver.Get(frame);
            CHECK(result.syndrome == 0x61);
            CHECK(result.psn == psn);
            CHECK(result.failed);
        }
    }
}

TEST_CASE("Responder: lengths that do not match the RETH", "[responder-operations]")
{
    for (int delta : {-1, 1})
    {
        Receiver receiver;
        const auto frames = receiver.Packets({receiver.Write(1500)});
        receiver.Get(frames[0]);
        Frame last = frames[1];
        last.payload = static_cast<uint16_t>(500 + delta);
        CHECK(receiver.Get(last).syndrome == 0x61);
        CHECK(receiver.BytesAt(MEMORY_AT + 1000, 500) == Bytes(500, 0));
    }
    Receiver receiver;
    Frame first = receiver.Packets({receiver.Write(1500)})[0];
    first.payload = 999; // a FIRST has a full MTU
    CHECK(receiver.Get(first).syndrome == 0x61);
}
