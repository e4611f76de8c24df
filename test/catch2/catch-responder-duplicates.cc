/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// packets that come twice or early, and the services that know neither
#include "roce-responder-test.h"

using namespace ns3::roce;
using namespace roce_test;

TEST_CASE("Responder: a duplicate WRITE is not acknowledged past a READ or atomic",
          "[responder-duplicates]")
{
    Receiver receiver;
    const auto frames = receiver.Packets({receiver.Write(1000),
                                          receiver.Write(1000),
                                          receiver.Read(2000),
                                          receiver.Write(1000),
                                          receiver.Atomic(Operation::FETCH_ADD, 1),
                                          receiver.Write(1000)});
    // numbers: 0; 1; 2 and 3; 4; 5; 6
    for (const Frame& frame : frames)
    {
        receiver.Get(frame);
    }
    const std::pair<unsigned, uint32_t> table[] = {{0, 1}, {1, 1}, {3, 4}, {5, 6}};
    for (const auto& [index, psn] : table)
    {
        const auto result = receiver.Get(frames[index]);
        CHECK(result.answer == Answer::ACK);
        CHECK(result.psn == psn); // the last number before the next READ or atomic
        CHECK(result.msn == 6);   // of all messages so far
        CHECK(!result.accepted);
        CHECK(!result.messageEnd);
    }
    Frame silent = frames[0];
    silent.flags &= ~FRAME_ACK_REQUEST;
    CHECK(receiver.Get(silent).answer == Answer::NONE);
    CHECK(receiver.responder.GetDuplicates() == 5);
    receiver.config.ackDuplicates = true;
    receiver.Restart();
    receiver.Get(frames[0]);
    CHECK(receiver.Get(silent).answer == Answer::ACK);
}

TEST_CASE("Responder: duplicate READs", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.Fill();
    const auto frames = receiver.Packets({receiver.Read(2500), receiver.Read(1000)});
    receiver.Get(frames[0]); // 0, 1, 2
    receiver.Response();
    receiver.Response();
    // whole, before it is answered to its end: it goes back instead of being answered twice
    CHECK(receiver.Get(frames[0]).answer == Answer::READ);
    for (uint32_t psn = 0; psn < 3; ++psn)
    {
        CHECK(receiver.Response()->psn == psn);
    }
    CHECK(!receiver.responder.IsAnswering());
    // from the middle, after it
    Frame middle = frames[0];
    middle.psn = 1;
    middle.remoteAddress += 1000;
    middle.dmaLength = 1500;
    CHECK(receiver.Get(middle).answer == Answer::READ);
    auto response = receiver.Response();
    CHECK(response->psn == 1);
    CHECK(response->opcode == Opcode::RC_READ_RESPONSE_FIRST);
    CHECK(Receiver::BytesOf(*response) == receiver.BytesAt(MEMORY_AT + 1000, 1000));
    response = receiver.Response();
    CHECK(response->psn == 2);
    CHECK(response->payload == 500);
    CHECK(response->opcode == Opcode::RC_READ_RESPONSE_LAST);
    CHECK(!receiver.responder.IsAnswering());
    CHECK(receiver.responder.GetMsn() == 1); // one message, however often
}

TEST_CASE("Responder: READs that are no repetition are dropped", "[responder-duplicates]")
{
    Receiver receiver;
    const auto frames = receiver.Packets({receiver.Write(8), receiver.Read(2500)});
    receiver.Get(frames[0]);
    receiver.Get(frames[1]); // 1, 2, 3
    for (int i = 0; i < 3; ++i)
    {
        receiver.Response();
    }
    const auto dropped = [&receiver](const Frame& frame) {
        return receiver.Get(frame).answer == Answer::NONE && !receiver.responder.IsAnswering() &&
               receiver.responder.GetState() == ResponderState::READY;
    };
    Frame other = frames[1];
    other.remoteAddress += 8;
    CHECK(dropped(other));
    other = frames[1];
    other.remoteKey = receiver.readOnly->GetRemoteKey();
    CHECK(dropped(other));
    other = frames[1];
    other.dmaLength = 2501;
    CHECK(dropped(other));
    other = frames[1];
    other.psn = 2; // the address does not move along
    CHECK(dropped(other));
    other = frames[1];
    other.psn = 0; // it was a WRITE
    CHECK(dropped(other));
    other = frames[1];
    other.opcode = Opcode::RC_FETCH_ADD;
    CHECK(dropped(other));
}

TEST_CASE("Responder: READs answered again do not count as open", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.maxReads = 1;
    receiver.Restart();
    const auto frames = receiver.Packets({receiver.Read(1000), receiver.Read(1000)});
    receiver.Get(frames[0]);
    receiver.Response();
    CHECK(receiver.Get(frames[0]).answer == Answer::READ); // the timer had expired too early
    // the requester has its answer and goes on: that is no READ too many
    const auto result = receiver.Get(frames[1]);
    CHECK(result.accepted);
    CHECK(receiver.Response()->psn == 0);
    CHECK(receiver.Response()->psn == 1);
    CHECK(!receiver.responder.IsAnswering());
}

TEST_CASE("Responder: duplicate atomics", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.maxReads = 2;
    receiver.Restart();
    const auto frames = receiver.Packets({receiver.Atomic(Operation::FETCH_ADD, 5),
                                          receiver.Atomic(Operation::FETCH_ADD, 7),
                                          receiver.Atomic(Operation::FETCH_ADD, 9)});
    receiver.Get(frames[0]);
    receiver.Get(frames[1]);
    auto result = receiver.Get(frames[0]);
    CHECK(result.answer == Answer::ATOMIC);
    CHECK(result.psn == 0);
    CHECK(receiver.responder.GetOriginal() == 0); // as the first time
    CHECK(receiver.BytesAt(MEMORY_AT, 1) == Bytes{12});
    receiver.Get(frames[2]);
    CHECK(receiver.Get(frames[0]).answer == Answer::NONE); // two are remembered
    CHECK(receiver.Get(frames[1]).answer == Answer::ATOMIC);
    CHECK(receiver.responder.GetOriginal() == 5);
    CHECK(receiver.BytesAt(MEMORY_AT, 1) == Bytes{21}); // 5 + 7 + 9, each once
}

TEST_CASE("Responder: answers behind a READ keep their order", "[responder-duplicates]")
{
    Receiver receiver;
    const auto frames =
        receiver.Packets({receiver.Read(2000), receiver.Write(8), receiver.Read(1000)});
    receiver.Get(frames[0]);
    const auto result = receiver.Get(frames[1]);
    CHECK(result.answer == Answer::ACK);
    PendingAnswer answer;
    answer.psn = result.psn;
    receiver.responder.Defer(answer);
    receiver.Get(frames[2]);
    CHECK(receiver.Response()->psn == 0);
    CHECK(!receiver.responder.TakeDeferred(answer));
    CHECK(receiver.Response()->psn == 1);
    answer.psn = 0;
    REQUIRE(receiver.responder.TakeDeferred(answer));
    CHECK(answer.psn == 2);
    CHECK(!receiver.responder.TakeDeferred(answer));
    CHECK(receiver.Response()->psn == 3);
    CHECK(!receiver.responder.IsAnswering());
}

TEST_CASE("Responder: credits in acknowledgements", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.credits = true;
    receiver.Restart();
    const auto frames = receiver.Packets({Receiver::Request(Operation::SEND, 1500)});
    receiver.PostReceive(0, 2000);
    for (uint64_t id = 1; id < 6; ++id)
    {
        receiver.PostReceive(id, 2000);
    }
    // MSN 0, the message under way has one, five wait: messages 0 to 5, code 5 is six
    CHECK(receiver.Get(frames[0]).syndrome == 5);
    const auto result = receiver.Get(frames[1]);
    CHECK(result.msn == 1);
    CHECK(result.syndrome == 4); // code 4 is four: five are rounded down
}

TEST_CASE("Responder: EarlyPolicy REWIND", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.early = EarlyPolicy::REWIND;
    receiver.Restart();
    const auto frames = receiver.Packets({receiver.Write(8), receiver.Write(4000)});
    CHECK(receiver.Get(frames[0]).psn == 0);
    receiver.Get(frames[1]);
    receiver.Get(frames[2]);
    CHECK(receiver.responder.GetBytes() == 2008);
    // a duplicate with AckReq: what may be taken back is not acknowledged
    CHECK(receiver.Get(frames[0]).psn == 0);
    auto result = receiver.Get(frames[4]); // 3 is missing
    CHECK(result.answer == Answer::NAK);
    CHECK(result.syndrome == 0x60);
    CHECK(result.psn == 1); // the first packet of the message
    CHECK(result.rewound);
    CHECK(receiver.responder.GetRevoked() == 2000);
    CHECK(receiver.responder.GetBytes() == 8);
    CHECK(receiver.responder.GetExpected() == 1);
    CHECK(receiver.Get(frames[3]).answer == Answer::NONE); // one NAK a gap
    for (unsigned i = 1; i < 4; ++i)
    {
        CHECK(receiver.Get(frames[i]).accepted);
    }
    result = receiver.Get(frames[4]);
    CHECK(result.messageEnd);
    CHECK(result.psn == 4);
    CHECK(receiver.responder.GetBytes() == 4008);
    CHECK(receiver.BytesAt(MEMORY_AT, 4000) == Receiver::Pattern(4000));
}

TEST_CASE("Responder: REWIND and a missing receive request", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.early = EarlyPolicy::REWIND;
    receiver.Restart();
    auto request = receiver.Write(1500);
    request.operation = Operation::WRITE_IMMEDIATE;
    const auto frames = receiver.Packets({request});
    receiver.Get(frames[0]);
    const auto result = receiver.Get(frames[1]);
    CHECK(result.syndrome == (0x20 | 12));
    CHECK(result.psn == 0); // nothing of the message is acknowledged
    receiver.PostReceive(0, 0);
    CHECK(receiver.Get(frames[0]).accepted);
    CHECK(receiver.Get(frames[1]).received);
}

TEST_CASE("Responder: EarlyPolicy KEEP", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.early = EarlyPolicy::KEEP;
    receiver.Restart();
    const auto frames =
        receiver.Packets({receiver.Write(1000), receiver.Read(3000), receiver.Write(2000)});
    // numbers 0; 1, 2, 3; 4, 5
    auto result = receiver.Get(frames[2]);
    CHECK(result.kept);
    CHECK(result.syndrome == 0x60);
    CHECK(result.psn == 0); // waits for it
    CHECK(result.msn == 4); // this one came
    result = receiver.Get(frames[1]);
    CHECK(result.kept);
    CHECK(result.psn == 0);
    CHECK(result.msn == 1);
    result = receiver.Get(frames[1]);
    CHECK(!result.kept);            // once
    CHECK(result.syndrome == 0x60); // but told of again: the first NAK may be lost
    CHECK(result.msn == 1);
    CHECK(receiver.responder.TakeKept() == nullptr);
    result = receiver.Get(frames[0]);
    CHECK(result.accepted);
    CHECK(result.answer == Answer::ACK);
    CHECK(receiver.GetKept().answer == Answer::READ);
    CHECK(receiver.responder.GetExpected() == 4);
    CHECK(receiver.GetKept().accepted); // 4, behind the numbers of the READ
    CHECK(!receiver.responder.HasKept());
    CHECK(receiver.Get(frames[3]).messageEnd);
    CHECK(receiver.BytesAt(MEMORY_AT, 2000) == Receiver::Pattern(2000));
}

TEST_CASE("Responder: KEEP and a packet that has a number of a READ", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.early = EarlyPolicy::KEEP;
    receiver.Restart();
    const auto frames = receiver.Packets({receiver.Read(3000)}); // 0, 1, 2
    Frame bad = receiver.Packets({receiver.Write(8)})[0];
    bad.psn = 2;
    CHECK(receiver.Get(bad).kept);
    const auto result = receiver.Get(frames[0]);
    CHECK(result.syndrome == 0x61); // they cannot both be right
    CHECK(result.failed);
    FramePtr left(receiver.responder.DropKept());
    CHECK(left);
    CHECK(!receiver.responder.HasKept());
}

TEST_CASE("Responder: after a failure nothing is taken", "[responder-duplicates]")
{
    Receiver receiver;
    auto wrong = receiver.Write(8);
    wrong.remoteKey = 1;
    const auto frames = receiver.Packets({receiver.Write(8), wrong, receiver.Read(8)});
    receiver.Get(frames[0]);
    CHECK(receiver.Get(frames[1]).failed);
    for (const Frame& frame : frames)
    {
        const auto result = receiver.Get(frame);
        CHECK(result.answer == Answer::NONE);
        CHECK(!result.accepted);
    }
    CHECK(receiver.responder.GetExpected() == 1);
    CHECK(receiver.responder.GetMsn() == 1);
}

TEST_CASE("Responder: UC loses the whole message", "[responder-duplicates]")
{
    for (unsigned lost = 0; lost < 3; ++lost)
    {
        CAPTURE(lost);
        Receiver receiver;
        receiver.config.service = TransportService::UC;
        receiver.Restart();
        const auto frames = receiver.Packets({receiver.Write(2500), receiver.Write(2500)});
        unsigned ends = 0;
        for (unsigned i = 0; i < 6; ++i)
        {
            if (i != lost)
            {
                const auto result = receiver.Get(frames[i]);
                CHECK(result.answer == Answer::NONE);
                ends += result.messageEnd;
                // up to the loss, and then the second message
                CHECK(result.accepted == (i < lost || i >= 3));
            }
        }
        CHECK(ends == 1);
        CHECK(receiver.responder.GetMessages() == 1);
        CHECK(receiver.BytesAt(MEMORY_AT, 2500) == Receiver::Pattern(2500));
    }
}

TEST_CASE("Responder: UC drops what is not allowed and lives on", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.service = TransportService::UC;
    receiver.Restart();
    auto wrong = receiver.Write(8);
    wrong.remoteKey = 1;
    const auto frames =
        receiver.Packets({wrong, Receiver::Request(Operation::SEND, 8), receiver.Write(8)});
    for (unsigned i = 0; i < 2; ++i)
    {
        const auto result = receiver.Get(frames[i]); // no key; no receive request
        CHECK(!result.accepted);
        CHECK(!result.failed);
        CHECK(result.answer == Answer::NONE);
    }
    CHECK(receiver.Get(frames[2]).messageEnd);
    Frame reliable = frames[2];
    reliable.opcode = Opcode::RC_WRITE_ONLY;
    reliable.psn = 3;
    CHECK(!receiver.Get(reliable).accepted); // another service
}

TEST_CASE("Responder: UC keeps the receive request of a lost SEND for the next one",
          "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.service = TransportService::UC;
    receiver.Restart();
    receiver.PostReceive(8, 2000);
    const auto frames = receiver.Packets({Receiver::Request(Operation::SEND, 1500),
                                          receiver.Write(8),
                                          Receiver::Request(Operation::SEND, 700)});
    CHECK(receiver.Get(frames[0]).accepted); // its LAST is lost
    const auto result = receiver.Get(frames[2]);
    CHECK(result.messageEnd);
    CHECK(!result.received); // a WRITE fills no receive request
    CHECK(receiver.Get(frames[3]).received);
    CHECK(receiver.responder.GetReceived().id == 8);
    CHECK(receiver.responder.GetReceived().bytes == 700);
}

TEST_CASE("Responder: datagrams", "[responder-duplicates]")
{
    Receiver receiver;
    receiver.config.service = TransportService::UD;
    receiver.config.queueKey = 0x1234;
    receiver.Restart();
    auto request = Receiver::Request(Operation::SEND_IMMEDIATE, 100);
    request.datagramKey = 0x1234;
    request.immediate = 9;
    Frame frame = receiver.Packets({request})[0];
    frame.datagram.sourceQp = 55;
    frame.source = 0x0a000001;
    frame.destination = 0x0a000002;
    frame.ttl = 64;
    CHECK(!receiver.Get(frame).accepted); // no receive request: dropped without a word
    receiver.PostReceive(4, 140);
    frame.datagram.key = 0x1235;
    CHECK(!receiver.Get(frame).accepted); // another Q_Key
    CHECK(receiver.receives->GetDepth() == 1);
    frame.datagram.key = 0x1234;
    frame.psn = 1234; // IBTA 9.8.3: no order
    const auto result = receiver.Get(frame);
    CHECK(result.received);
    CHECK(result.answer == Answer::NONE);
    const Completion& completion = receiver.responder.GetReceived();
    CHECK(completion.bytes == 140); // with the 40 bytes of IBTA 11.4.1.2
    CHECK(completion.sourceQpn == 55);
    CHECK(completion.sourceAddress == 0x0a000001);
    CHECK(completion.immediate == 9);
    CHECK(receiver.BytesAt(RECEIVE_AT + 40, 100) == Receiver::Pattern(100));
    CHECK(receiver.BytesAt(RECEIVE_AT, 20) == Bytes(20, 0)); // IPv4 is in the last 20 of the 40
    const Bytes header = receiver.BytesAt(RECEIVE_AT + 20, 20);
    CHECK(header[0] == 0x45);
    // 100 bytes and 62 + DETH 8 + ImmDt 4, without Ethernet's 14 + 4
    CHECK(header[2] * 256 + header[3] == 100 + 74 - 18);
    CHECK(Bytes(header.begin() + 12, header.end()) == Bytes{10, 0, 0, 1, 10, 0, 0, 2});
    uint32_t sum = 0; // RFC 791: ones' complement sum of the header is all ones
    for (unsigned i = 0; i < 20; i += 2)
    {
        sum += header[i] * 256 + header[i + 1];
    }
    CHECK((sum & 0xffff) + (sum >> 16) == 0xffff);
    receiver.PostReceive(5, 139); // a byte too small
    CHECK(receiver.Get(frame).failed);
    Completion aborted;
    REQUIRE(receiver.responder.AbortReceive(aborted));
    CHECK(aborted.status == CompletionStatus::LOCAL_LENGTH);
}
