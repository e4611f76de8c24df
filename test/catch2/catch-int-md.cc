/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wire-test-data.h"

#include "ns3/roce-int-md.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <stdexcept>

using namespace ns3::roce;
using wiretest::Bytes;
using wiretest::FromHex;

namespace
{

Bytes
Encode(const IntMd& header)
{
    Bytes bytes;
    header.Encode(bytes);
    return bytes;
}

IntMd
Decode(const Bytes& bytes)
{
    return IntMd::Decode(bytes.data(), bytes.size());
}

/** \return where Decode finds the fault, or 9999 if it takes the bytes */
std::size_t
FaultAt(const Bytes& bytes)
{
    try
    {
        Decode(bytes);
    }
    catch (const CodecError& e)
    {
        return e.GetOffset();
    }
    return 9999;
}

/** \return the UDP example of the specification (6.5): two nodes, node ID and queue each */
Bytes
Example()
{
    // type 1, NPT 1: 0001 01 00; length 3 + 2 x 2 words; UDP port 4791 = 12b7
    // version 2, hop length 2, six hops remain; instruction bits 0 and 3: 1001 0000...
    return FromHex("14 07 12b7  20 00 02 06  9000 0000  0000 0000"
                   "00000002 01000200  00000001 05000100");
}

IntMd
RandomHeader(std::mt19937_64& rng)
{
    const auto bits = [&rng](unsigned n) { return rng() >> (64 - n); };
    IntMd h;
    h.next = static_cast<IntMdNext>(rng() % 3);
    h.shimReserved = bits(2);
    h.nextValue = bits(16);
    h.discard = bits(1);
    h.mtuExceeded = bits(1);
    h.reserved = bits(12);
    h.instructions = bits(16);
    h.domainId = bits(1) ? 0 : bits(16) | 1;
    h.domainInstructions = bits(16);
    h.domainFlags = bits(16);
    h.domainWords = h.domainId == 0 ? 0 : bits(2);
    h.remainingHops = bits(7);
    for (unsigned n = h.GetHopWords() == 0 ? 0 : rng() % 8; n > 0; --n)
    {
        IntMdHop hop;
        const auto asked = [&h](uint16_t bit) { return (h.instructions & bit) != 0; };
        hop.nodeId = asked(INT_MD_NODE_ID) ? bits(32) : hop.nodeId;
        hop.ingressPort = asked(INT_MD_PORTS) ? bits(16) : hop.ingressPort;
        hop.egressPort = asked(INT_MD_PORTS) ? bits(16) : hop.egressPort;
        hop.hopLatency = asked(INT_MD_HOP_LATENCY) ? bits(32) : hop.hopLatency;
        hop.queueId = asked(INT_MD_QUEUE) ? bits(8) : hop.queueId;
        hop.queueOccupancy = asked(INT_MD_QUEUE) ? bits(24) : hop.queueOccupancy;
        hop.ingressTime = asked(INT_MD_INGRESS_TIME) ? rng() : hop.ingressTime;
        hop.egressTime = asked(INT_MD_EGRESS_TIME) ? rng() : hop.egressTime;
        hop.ingressInterface = asked(INT_MD_INTERFACES) ? bits(32) : hop.ingressInterface;
        hop.egressInterface = asked(INT_MD_INTERFACES) ? bits(32) : hop.egressInterface;
        hop.txUtilization = asked(INT_MD_TX_UTILIZATION) ? bits(32) : hop.txUtilization;
        hop.bufferId = asked(INT_MD_BUFFER) ? bits(8) : hop.bufferId;
        hop.bufferOccupancy = asked(INT_MD_BUFFER) ? bits(24) : hop.bufferOccupancy;
        for (unsigned i = 0; i < 6; ++i)
        {
            hop.reserved[i] = asked(1 << (6 - i)) ? bits(32) : hop.reserved[i];
        }
        for (unsigned i = 0; i < h.domainWords; ++i)
        {
            hop.domain.push_back(bits(32));
        }
        hop.checksumComplement = asked(INT_MD_CHECKSUM) ? bits(32) : hop.checksumComplement;
        h.hops.push_back(hop);
    }
    return h;
}

void
CheckSame(const IntMdHop& a, const IntMdHop& b)
{
    CHECK(a.nodeId == b.nodeId);
    CHECK(a.ingressPort == b.ingressPort);
    CHECK(a.egressPort == b.egressPort);
    CHECK(a.hopLatency == b.hopLatency);
    CHECK(a.queueId == b.queueId);
    CHECK(a.queueOccupancy == b.queueOccupancy);
    CHECK(a.ingressTime == b.ingressTime);
    CHECK(a.egressTime == b.egressTime);
    CHECK(a.ingressInterface == b.ingressInterface);
    CHECK(a.egressInterface == b.egressInterface);
    CHECK(a.txUtilization == b.txUtilization);
    CHECK(a.bufferId == b.bufferId);
    CHECK(a.bufferOccupancy == b.bufferOccupancy);
    CHECK(a.reserved == b.reserved);
    CHECK(a.domain == b.domain);
    CHECK(a.checksumComplement == b.checksumComplement);
}

} // namespace

TEST_CASE("INT-MD: the specification's example", "[wire][int]")
{
    // the source allows eight hops; nodes 1 and 2 push
    IntMd h;
    h.nextValue = 4791;
    h.remainingHops = 8;
    h.instructions = INT_MD_NODE_ID | INT_MD_QUEUE;
    CHECK(h.GetHopWords() == 2);
    IntMdHop hop;
    hop.nodeId = 1;
    hop.queueId = 5;
    hop.queueOccupancy = 256;
    CHECK(h.Push(hop));
    hop.nodeId = 2;
    hop.queueId = 1;
    hop.queueOccupancy = 512;
    CHECK(h.Push(hop));
    CHECK(Encode(h) == Example());
    CHECK(h.GetBytes() == 32);

    const IntMd g = Decode(Example());
    CHECK(g.next == IntMdNext::UDP_PORT);
    CHECK(g.nextValue == 4791);
    CHECK(g.remainingHops == 6);
    CHECK_FALSE(g.exceeded);
    REQUIRE(g.hops.size() == 2);
    CHECK(g.hops[0].nodeId == 2); // the latest first
    CHECK(g.hops[1].nodeId == 1);
    CHECK(g.hops[1].queueId == 5);
    CHECK(g.hops[1].queueOccupancy == 256);
    CHECK(g.hops[1].egressTime == ~uint64_t(0)); // not asked for
    // what follows the stack is not ours
    Bytes more = Example();
    more.resize(100, 0x55);
    CHECK(Decode(more).GetBytes() == 32);
}

TEST_CASE("INT-MD: every metadata and flag in its place", "[wire][int]")
{
    IntMd h;
    h.next = IntMdNext::DSCP;
    h.shimReserved = 2;
    h.nextValue = 0x00c0; // DSCP 48 in the six high bits of the second byte
    h.discard = h.exceeded = h.mtuExceeded = true;
    h.reserved = 0xabc;
    h.instructions = 0xff81; // bits 0 to 8 and 15: 10 words and 3 more for bits 4 to 6
    h.domainId = 0x1234;
    h.domainInstructions = 0x8000;
    h.domainFlags = 0x0042;
    h.domainWords = 1;
    IntMdHop hop;
    hop.nodeId = 1;
    hop.ingressPort = 2;
    hop.egressPort = 3;
    hop.hopLatency = 4;
    hop.queueId = 5;
    hop.queueOccupancy = 6;
    hop.ingressTime = 7;
    hop.egressTime = 8;
    hop.ingressInterface = 9;
    hop.egressInterface = 10;
    hop.txUtilization = 11;
    hop.bufferId = 12;
    hop.bufferOccupancy = 13;
    hop.domain = {14};
    hop.checksumComplement = 15;
    h.hops.push_back(hop);
    CHECK(IntMd::BaselineWords(0xff81) == 13);
    CHECK(h.GetHopWords() == 14);
    // type 1, NPT 0, reserved 2: 12; length 3 + 14 = 17 = 11
    // version 2, D E M: 2e000000; reserved abc x 2^13 = 01578000; hop length 14 = 0e00; 0 remain
    const Bytes expected = FromHex("12 11 00c0  2f578e00  ff81 1234  8000 0042"
                                   "00000001 0002 0003 00000004 05 000006"
                                   "0000000000000007 0000000000000008 00000009 0000000a"
                                   "0000000b 0c 00000d 0000000e 0000000f");
    CHECK(Encode(h) == expected);
    const IntMd g = Decode(expected);
    CHECK(g.shimReserved == 2);
    CHECK(g.reserved == 0xabc);
    CHECK((g.discard && g.exceeded && g.mtuExceeded));
    CHECK(g.domainId == 0x1234);
    CHECK(g.domainInstructions == 0x8000);
    CHECK(g.domainFlags == 0x42);
    CHECK(g.domainWords == 1);
    REQUIRE(g.hops.size() == 1);
    CheckSame(g.hops[0], hop);
}

TEST_CASE("INT-MD: words that each instruction bit asks for", "[wire][int]")
{
    // INT v2.1, 5.8: 4 bytes a bit, 8 for bits 4, 5 and 6
    for (unsigned bit = 0; bit < 16; ++bit)
    {
        INFO("bit " << bit);
        CHECK(IntMd::BaselineWords(1 << (15 - bit)) == (bit >= 4 && bit <= 6 ? 2u : 1u));
    }
    CHECK(IntMd::BaselineWords(0) == 0);
    CHECK(IntMd::BaselineWords(0xffff) == 19);
    // what a node does not know is all ones: node ID known, a reserved bit and a time not
    IntMd h;
    h.instructions = INT_MD_NODE_ID | INT_MD_INGRESS_TIME | 1 << 6;
    h.domainId = 9;
    h.domainWords = 1;
    h.remainingHops = 1;
    IntMdHop hop;
    hop.nodeId = 3;
    CHECK(h.Push(hop));
    const Bytes bytes = Encode(h);
    CHECK(Bytes(bytes.begin() + 16, bytes.end()) ==
          FromHex("00000003 ffffffffffffffff ffffffff ffffffff"));
}

TEST_CASE("INT-MD: what a hop does at the limits", "[wire][int]")
{
    IntMd h;
    h.instructions = INT_MD_NODE_ID | INT_MD_HOP_LATENCY; // 8 bytes
    h.remainingHops = 2;
    const IntMdHop hop;
    CHECK_FALSE(h.Push(hop, 7)); // one byte too few
    CHECK(h.mtuExceeded);
    CHECK(h.remainingHops == 2); // not counted down
    CHECK(h.Push(hop, 8));
    CHECK(h.Push(hop));
    CHECK(h.remainingHops == 0);
    CHECK_FALSE(h.exceeded);
    CHECK_FALSE(h.Push(hop, 0)); // E, not M: the count is asked first
    CHECK(h.exceeded);
    CHECK(h.hops.size() == 2);
    CHECK(Decode(Encode(h)).exceeded);

    // the length field: (255 - 3) / 13 = 19 hops of 13 words
    IntMd full;
    full.instructions = 0xff81;
    full.remainingHops = 255;
    for (unsigned i = 0; i < 19; ++i)
    {
        CHECK(full.Push(hop));
    }
    CHECK_FALSE(full.Push(hop));
    CHECK_FALSE((full.exceeded || full.mtuExceeded));
    CHECK(full.remainingHops == 236);
    CHECK(Encode(full).size() == 4 + (3 + 19 * 13) * 4);

    IntMd nothing; // asked for nothing
    nothing.remainingHops = 3;
    CHECK_FALSE(nothing.Push(hop));
    CHECK(nothing.remainingHops == 3);
    CHECK(Encode(nothing) == FromHex("14 03 0000 20000003 00000000 00000000"));
}

TEST_CASE("INT-MD: faults and their places", "[wire][int]")
{
    const Bytes good = Example();
    const auto changed = [&good](std::size_t at, uint8_t value) {
        Bytes bytes = good;
        bytes[at] = value;
        return FaultAt(bytes);
    };
    CHECK(FaultAt(good) == 9999);
    CHECK(changed(0, 0x24) == 0);     // destination type
    CHECK(changed(0, 0x34) == 0);     // INT-MX
    CHECK(changed(0, 0x1c) == 0);     // NPT 3
    CHECK(changed(1, 2) == 1);        // no room for the header
    CHECK(changed(1, 8) == 4);        // longer than the bytes
    CHECK(changed(1, 6) == 16);       // three words are no two hops
    CHECK(changed(1, 3) == 9999);     // no hop
    CHECK(changed(4, 0x10) == 4);     // version 1
    CHECK(changed(4, 0x24) == 7);     // exceeded, but six hops remain
    CHECK(changed(6, 0x01) == 6);     // hop length 1
    CHECK(changed(6, 0x03) == 6);     // 3, and there is no domain
    CHECK(changed(6, 0x04) == 6);     // 4
    CHECK(changed(7, 0xfd) == 9999);  // 253 remain after 2
    CHECK(changed(7, 0xfe) == 7);     // 254
    CHECK(changed(8, 0x80) == 6);     // node ID only
    CHECK(changed(8, 0x98) == 6);     // a time more
    CHECK(changed(11, 0x01) == 9999); // a domain without words
    // one word of metadata where none is asked for
    CHECK(FaultAt(FromHex("14 04 0000 20000003 00000000 00000000 00000000")) == 16);
    // with a domain two hops of 2 words are one of 4
    Bytes domain = good;
    domain[6] = 4;
    domain[11] = 1;
    CHECK(FaultAt(domain) == 9999);
    CHECK(Decode(domain).hops.size() == 1);
    CHECK(Decode(domain).domainWords == 2);
    for (std::size_t size = 0; size < good.size(); ++size)
    {
        const Bytes cut(good.begin(), good.begin() + size);
        INFO("cut to " << size);
        CHECK(FaultAt(cut) == (size < 4 ? 0 : 4));
    }
}

TEST_CASE("INT-MD: what has no wire form is refused", "[wire][int]")
{
    const auto refuses = [](const std::function<void(IntMd&)>& change) {
        IntMd h = Decode(Example());
        change(h);
        Bytes bytes = {7};
        CHECK_THROWS_AS(h.Encode(bytes), std::invalid_argument);
        CHECK(bytes == Bytes{7});
    };
    refuses([](IntMd& h) { h.shimReserved = 4; });
    refuses([](IntMd& h) { h.next = static_cast<IntMdNext>(3); });
    refuses([](IntMd& h) { h.reserved = 1 << 12; });
    refuses([](IntMd& h) { h.exceeded = true; });      // six hops remain
    refuses([](IntMd& h) { h.remainingHops = 254; });  // after two
    refuses([](IntMd& h) { h.instructions = 0; });     // hops of no words
    refuses([](IntMd& h) { h.domainWords = 1; });      // no domain
    refuses([](IntMd& h) { h.hops[0].domain = {1}; }); // more than the header says
    refuses([](IntMd& h) { h.hops[0].queueOccupancy = 1 << 24; });
    refuses([](IntMd& h) { h.hops[1].bufferOccupancy = 1 << 24; });
    refuses([](IntMd& h) { h.hops.resize(127); }); // 3 + 127 x 2 = 257 words
    refuses([](IntMd& h) {
        h.domainId = 1;
        h.domainWords = 30; // 32 words a hop
        h.hops.clear();
    });
}

TEST_CASE("INT-MD: random headers there and back", "[wire][int]")
{
    std::mt19937_64 rng(21);
    unsigned hops = 0;
    for (unsigned i = 0; i < 5'000; ++i)
    {
        const IntMd h = RandomHeader(rng);
        const Bytes bytes = Encode(h);
        REQUIRE(bytes.size() == h.GetBytes());
        const IntMd g = Decode(bytes);
        REQUIRE(Encode(g) == bytes);
        REQUIRE(g.hops.size() == h.hops.size());
        for (std::size_t k = 0; k < h.hops.size(); ++k)
        {
            CheckSame(g.hops[k], h.hops[k]);
        }
        CHECK(g.remainingHops == h.remainingHops);
        CHECK(g.nextValue == h.nextValue);
        hops += h.hops.size();
    }
    CHECK(hops > 10'000);
}

TEST_CASE("INT-MD: damaged headers are refused or come back as they are", "[wire][int]")
{
    std::mt19937_64 rng(22);
    unsigned taken = 0;
    unsigned refused = 0;
    for (unsigned i = 0; i < 30'000; ++i)
    {
        Bytes bytes = Encode(RandomHeader(rng));
        bytes[rng() % std::min<std::size_t>(bytes.size(), 20)] = rng();
        bytes.resize(rng() % 4 ? bytes.size() : rng() % (bytes.size() + 40));
        try
        {
            const IntMd h = Decode(bytes);
            REQUIRE(h.GetBytes() <= bytes.size());
            bytes.resize(h.GetBytes());
            REQUIRE(Encode(h) == bytes);
            ++taken;
        }
        catch (const CodecError&)
        {
            ++refused;
        }
    }
    CHECK(taken > 5'000);
    CHECK(refused > 5'000);
}
