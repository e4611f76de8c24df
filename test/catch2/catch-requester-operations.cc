/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Opcodes are those of IBTA table 38. A frame without extension headers is payload, padded to a
// multiple of 4, and 62 bytes: Ethernet 14 + 4, IPv4 20, UDP 8, BTH 12, ICRC 4. Extension headers:
// RETH 16, ImmDt 4, IETH 4, AtomicETH 28, DETH 8 (IBTA 9.3).
#include "roce-transport-test.h"

using namespace ns3::roce;
using namespace roce_test;

namespace
{

constexpr uint32_t MTU = 1024;

/** What one packet of a message should be. */
struct Expected
{
    unsigned opcode;
    uint32_t payload;
    uint32_t extension;
};

/** \return a request with all fields set. \param operation what to do \param bytes its length */
WorkRequest
Request(Operation operation, uint64_t bytes)
{
    WorkRequest request;
    request.operation = operation;
    request.bytes = bytes;
    request.remoteAddress = 0x123456789000;
    request.remoteKey = 0xabcd;
    request.immediate = 0x11223344;
    request.solicited = true;
    request.swapAdd = 5;
    request.compare = 6;
    request.datagramAddress = 0x0a000105;
    request.datagramQpn = 99;
    request.datagramKey = 0x77777777;
    return request;
}

/** Opcodes of a message of one operation. */
struct Codes
{
    Operation operation;
    unsigned first, middle, last, only;
    uint32_t firstBytes, endBytes; //!< extension headers of FIRST or ONLY, and more at the end
};

/** Check lengths 0, 1, MTU, MTU + 1 and 2 * MTU + 5. \param codes of the operation \param service
 *  that carries it */
void
CheckLengths(const Codes& codes, TransportService service)
{
    const bool write =
        codes.operation == Operation::WRITE || codes.operation == Operation::WRITE_IMMEDIATE;
    const bool event = codes.operation != Operation::WRITE; // SE is for receive requests
    const uint32_t whole = codes.firstBytes + codes.endBytes;
    const std::vector<std::pair<uint64_t, std::vector<Expected>>> table = {
        {0, {{codes.only, 0, whole}}},
        {1, {{codes.only, 1, whole}}},
        {MTU, {{codes.only, MTU, whole}}},
        {MTU + 1, {{codes.first, MTU, codes.firstBytes}, {codes.last, 1, codes.endBytes}}},
        {2 * MTU + 5,
         {{codes.first, MTU, codes.firstBytes},
          {codes.middle, MTU, 0},
          {codes.last, 5, codes.endBytes}}}};
    for (const auto& [bytes, packets] : table)
    {
        auto config = Sender::Config(MTU, 1000, 7);
        config.service = service;
        const auto frames = PacketsOf({Request(codes.operation, bytes)}, config);
        REQUIRE(frames.size() == packets.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
        {
            const Frame& frame = frames[i];
            const bool last = i + 1 == frames.size();
            CAPTURE(bytes, i);
            CHECK(unsigned(frame.opcode) == packets[i].opcode);
            CHECK(frame.kind == FrameKind::REQUEST);
            CHECK(frame.psn == 7 + i);
            CHECK(frame.payload == packets[i].payload);
            const uint32_t padded = (packets[i].payload + 3) / 4 * 4;
            CHECK(frame.size == std::max(64u, padded + 62 + packets[i].extension));
            CHECK(bool(frame.flags & FRAME_ACK_REQUEST) ==
                  (last && service == TransportService::RC));
            CHECK(bool(frame.flags & FRAME_SOLICITED) == (last && event));
            CHECK((packets[i].extension == 0 || (frame.flags & FRAME_EXTENDED)));
            if (write && i == 0)
            {
                CHECK(frame.remoteAddress == 0x123456789000);
                CHECK(frame.remoteKey == 0xabcd);
                CHECK(frame.dmaLength == bytes);
            }
            if (last && codes.operation == Operation::SEND_INVALIDATE)
            {
                CHECK(frame.remoteKey == 0xabcd);
            }
            const bool immediate = codes.operation == Operation::WRITE_IMMEDIATE ||
                                   codes.operation == Operation::SEND_IMMEDIATE;
            CHECK((!last || !immediate || frame.immediate == 0x11223344));
        }
    }
}

} // namespace

TEST_CASE("Requester: SEND and WRITE over RC", "[requester-operations]")
{
    CheckLengths({Operation::SEND, 0, 1, 2, 4, 0, 0}, TransportService::RC);
    CheckLengths({Operation::SEND_IMMEDIATE, 0, 1, 3, 5, 0, 4}, TransportService::RC);
    CheckLengths({Operation::SEND_INVALIDATE, 0, 1, 0x16, 0x17, 0, 4}, TransportService::RC);
    CheckLengths({Operation::WRITE, 6, 7, 8, 10, 16, 0}, TransportService::RC);
    CheckLengths({Operation::WRITE_IMMEDIATE, 6, 7, 9, 11, 16, 4}, TransportService::RC);
}

TEST_CASE("Requester: SEND and WRITE over UC", "[requester-operations]")
{
    CheckLengths({Operation::SEND, 0x20, 0x21, 0x22, 0x24, 0, 0}, TransportService::UC);
    CheckLengths({Operation::SEND_IMMEDIATE, 0x20, 0x21, 0x23, 0x25, 0, 4}, TransportService::UC);
    CheckLengths({Operation::WRITE, 0x26, 0x27, 0x28, 0x2a, 16, 0}, TransportService::UC);
    CheckLengths({Operation::WRITE_IMMEDIATE, 0x26, 0x27, 0x29, 0x2b, 16, 4}, TransportService::UC);
}

TEST_CASE("Requester: datagrams", "[requester-operations]")
{
    auto config = Sender::Config(MTU, 1000, 7);
    config.service = TransportService::UD;
    config.qpn = 42;
    const auto frames = PacketsOf({Request(Operation::SEND, 0),
                                   Request(Operation::SEND, 1),
                                   Request(Operation::SEND_IMMEDIATE, MTU)},
                                  config);
    REQUIRE(frames.size() == 3);
    const unsigned opcodes[] = {0x64, 0x64, 0x65};
    // DETH 8, ImmDt 4 more
    const unsigned sizes[] = {62 + 8, 4 + 62 + 8, MTU + 62 + 8 + 4};
    for (unsigned i = 0; i < 3; ++i)
    {
        CHECK(unsigned(frames[i].opcode) == opcodes[i]);
        CHECK(frames[i].size == sizes[i]);
        CHECK(frames[i].destination == 0x0a000105);
        CHECK(frames[i].destinationQp == 99);
        CHECK((frames[i].flags & FRAME_EXTENDED));
        CHECK((frames[i].flags & FRAME_SOLICITED));
        CHECK(frames[i].datagram.key == 0x77777777);
        CHECK(frames[i].datagram.sourceQp == 42);
    }
    CHECK(frames[2].immediate == 0x11223344);
}

TEST_CASE("Requester: READ and atomics", "[requester-operations]")
{
    const auto frames = PacketsOf({Request(Operation::READ, 0),
                                   Request(Operation::READ, 2 * MTU + 5),
                                   Request(Operation::FETCH_ADD, 8),
                                   Request(Operation::COMPARE_SWAP, 8)},
                                  Sender::Config(MTU, 1000, 7));
    REQUIRE(frames.size() == 4);
    const unsigned opcodes[] = {0x0c, 0x0c, 0x14, 0x13};
    const uint32_t psns[] = {7, 8, 11, 12}; // the second READ has three responses
    const uint32_t sizes[] = {62 + 16, 62 + 16, 62 + 28, 62 + 28};
    for (unsigned i = 0; i < 4; ++i)
    {
        CHECK(unsigned(frames[i].opcode) == opcodes[i]);
        CHECK(frames[i].psn == psns[i]);
        CHECK(frames[i].size == sizes[i]);
        CHECK(frames[i].payload == 0);
        CHECK((frames[i].flags & FRAME_ACK_REQUEST));
        CHECK((frames[i].flags & FRAME_EXTENDED));
        CHECK(!(frames[i].flags & FRAME_SOLICITED));
        CHECK(frames[i].remoteAddress == 0x123456789000);
        CHECK(frames[i].remoteKey == 0xabcd);
    }
    CHECK(frames[0].dmaLength == 0);
    CHECK(frames[1].dmaLength == 2 * MTU + 5);
    CHECK(frames[2].atomic.swapAdd == 5);
    CHECK(frames[3].atomic.swapAdd == 5);
    CHECK(frames[3].atomic.compare == 6);
}

TEST_CASE("Requester: a READ is asked for again from the middle", "[requester-operations]")
{
    Sender sender(MTU, 1, 0xffffff);
    sender.requester.Post(Request(Operation::READ, 5 * MTU + 3), 0); // 0 to 5
    sender.requester.Post(Request(Operation::WRITE, 1), 0);          // 6
    sender.Skip(2);
    sender.requester.AdvanceRead(1);
    sender.requester.AdvanceRead(2);
    sender.completer.Timeout();
    const Frame again = sender.Next();
    CHECK(again.opcode == Opcode::RC_READ_REQUEST);
    CHECK(again.psn == 1); // 0xffffff + 2
    CHECK(again.remoteAddress == 0x123456789000 + 2 * MTU);
    CHECK(again.dmaLength == 3 * MTU + 3);
    CHECK((again.flags & FRAME_RETRANSMIT));
    CHECK(sender.requester.GetNext() == 6);
    CHECK(sender.requester.GetReads().size() == 1);
    CHECK(sender.Next().opcode == Opcode::RC_WRITE_ONLY);
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
}

TEST_CASE("Requester: a READ above 2^31 bytes is several messages", "[requester-operations]")
{
    Sender sender(4096, 1);
    sender.requester.Post(Request(Operation::READ, (5ULL << 30) + 1), 0);
    // 2^31 / 4096 = 524288 responses a message; 5 GiB + 1 byte: two of them and 262145 responses
    const uint64_t firsts[] = {0, 524288, 1048576};
    const uint32_t lengths[] = {0x80000000, 0x80000000, 0x40000001};
    for (unsigned i = 0; i < 3; ++i)
    {
        const Frame frame = sender.Next();
        CHECK(frame.psn == firsts[i]);
        CHECK(frame.dmaLength == lengths[i]);
        CHECK(frame.remoteAddress == 0x123456789000 + (uint64_t(i) << 31));
        CHECK(sender.requester.GetReads()[i].first == firsts[i]);
    }
    CHECK(sender.requester.GetState() == RequesterState::IDLE);
    CHECK(sender.requester.GetSerial() == 3);
    CHECK(sender.requester.GetReads()[2].end == 1310721);
    // again from the middle of the second one: to its end, no further
    for (uint64_t number = 1; number <= 600000; ++number)
    {
        sender.requester.AdvanceRead(number);
    }
    sender.completer.Timeout();
    Frame again = sender.Next();
    CHECK(again.psn == 600000);
    CHECK(again.dmaLength == (1048576 - 600000) * 4096u);
    again = sender.Next();
    CHECK(again.psn == 1048576);
    CHECK(again.dmaLength == 0x40000001);
}
