/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-constants.h"
#include "ns3/roce-opcode-table.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

using namespace ns3::roce;

TEST_CASE("opcode table knows the opcodes of RC, UC, UD and CNP", "[wire][opcode]")
{
    // IBTA table 38. RC: 0x00-0x14, 0x16, 0x17 (23); UC: 0x20-0x2b (12); UD: 0x64, 0x65; CNP.
    unsigned rc = 0;
    unsigned uc = 0;
    unsigned ud = 0;
    unsigned cnp = 0;
    for (unsigned i = 0; i < 256; ++i)
    {
        const OpcodeFacts& f = OpcodeTable::Get(static_cast<uint8_t>(i));
        rc += f.service == OpcodeService::RC;
        uc += f.service == OpcodeService::UC;
        ud += f.service == OpcodeService::UD;
        cnp += f.service == OpcodeService::CNP;
        INFO("opcode " << i);
        // the three high bits are the service: 000 RC, 001 UC, 011 UD
        CHECK((f.service != OpcodeService::RC || i >> 5 == 0));
        CHECK((f.service != OpcodeService::UC || i >> 5 == 1));
        CHECK((f.service != OpcodeService::UD || i >> 5 == 3));
        CHECK(f.Has(EXTENSION_DETH) == (f.service == OpcodeService::UD));
        CHECK_FALSE((f.Has(EXTENSION_IMMDT) && f.Has(EXTENSION_IETH)));
        CHECK(OpcodeTable::IsKnown(static_cast<uint8_t>(i)) == (std::string(f.name) != "unknown"));
    }
    CHECK(rc == 23);
    CHECK(uc == 12);
    CHECK(ud == 2);
    CHECK(cnp == 1);
    CHECK(OpcodeTable::Get(0x81).service == OpcodeService::CNP);
    for (const unsigned i : {0x15, 0x18, 0x2c, 0x40, 0x63, 0x66, 0x80, 0x82, 0xa0, 0xc0, 0xff})
    {
        CHECK_FALSE(OpcodeTable::IsKnown(static_cast<uint8_t>(i)));
    }
}

TEST_CASE("opcode table: headers and places", "[wire][opcode]")
{
    // IBTA table 39 and 9.3: DETH 8, RETH 16, AtomicETH 28, AETH 4, AtomicAckETH 8, ImmDt 4, IETH 4
    struct Row
    {
        unsigned opcode;
        unsigned bytes;
        OpcodePlace place;
        bool payload;
        bool request;
    };

    const Row rows[] = {
        {0x00, 0, OpcodePlace::FIRST, true, true},  {0x03, 4, OpcodePlace::LAST, true, true},
        {0x05, 4, OpcodePlace::ONLY, true, true},   {0x06, 16, OpcodePlace::FIRST, true, true},
        {0x07, 0, OpcodePlace::MIDDLE, true, true}, {0x08, 0, OpcodePlace::LAST, true, true},
        {0x09, 4, OpcodePlace::LAST, true, true},   {0x0a, 16, OpcodePlace::ONLY, true, true},
        {0x0b, 20, OpcodePlace::ONLY, true, true},  {0x0c, 16, OpcodePlace::ONLY, false, true},
        {0x0d, 4, OpcodePlace::FIRST, true, false}, {0x0e, 0, OpcodePlace::MIDDLE, true, false},
        {0x0f, 4, OpcodePlace::LAST, true, false},  {0x10, 4, OpcodePlace::ONLY, true, false},
        {0x11, 4, OpcodePlace::ONLY, false, false}, {0x12, 12, OpcodePlace::ONLY, false, false},
        {0x13, 28, OpcodePlace::ONLY, false, true}, {0x14, 28, OpcodePlace::ONLY, false, true},
        {0x16, 4, OpcodePlace::LAST, true, true},   {0x26, 16, OpcodePlace::FIRST, true, true},
        {0x2b, 20, OpcodePlace::ONLY, true, true},  {0x64, 8, OpcodePlace::ONLY, true, true},
        {0x65, 12, OpcodePlace::ONLY, true, true},  {0x81, 16, OpcodePlace::ONLY, false, false},
    };
    for (const Row& r : rows)
    {
        const OpcodeFacts& f = OpcodeTable::Get(static_cast<uint8_t>(r.opcode));
        INFO(f.name);
        CHECK(f.extensionBytes == r.bytes);
        CHECK(f.place == r.place);
        CHECK(f.payload == r.payload);
        CHECK(f.request == r.request);
        CHECK(f.Begins() == (r.place == OpcodePlace::FIRST || r.place == OpcodePlace::ONLY));
        CHECK(f.Ends() == (r.place == OpcodePlace::LAST || r.place == OpcodePlace::ONLY));
    }
    // UC has the SEND and WRITE operations of RC at the same five low bits
    for (unsigned i = 0; i <= 0x0b; ++i)
    {
        const OpcodeFacts& rc = OpcodeTable::Get(static_cast<uint8_t>(i));
        const OpcodeFacts& uc = OpcodeTable::Get(static_cast<uint8_t>(0x20 | i));
        CHECK(rc.extensions == uc.extensions);
        CHECK(rc.place == uc.place);
        CHECK(std::string(rc.name).substr(3) == std::string(uc.name).substr(3));
    }
    CHECK(std::string(OpcodeTable::Get(Opcode::RC_WRITE_ONLY).name) == "RC RDMA WRITE Only");
}

TEST_CASE("opcode table: which opcodes have which header", "[wire][opcode]")
{
    // IBTA table 39, by header
    const std::map<OpcodeExtension, std::set<unsigned>> expected = {
        {EXTENSION_DETH, {0x64, 0x65}},
        {EXTENSION_RETH, {0x06, 0x0a, 0x0b, 0x0c, 0x26, 0x2a, 0x2b}},
        {EXTENSION_ATOMIC, {0x13, 0x14}},
        {EXTENSION_AETH, {0x0d, 0x0f, 0x10, 0x11, 0x12}},
        {EXTENSION_ATOMIC_ACK, {0x12}},
        {EXTENSION_IMMDT, {0x03, 0x05, 0x09, 0x0b, 0x23, 0x25, 0x29, 0x2b, 0x65}},
        {EXTENSION_IETH, {0x16, 0x17}},
        {EXTENSION_CNP, {0x81}},
    };
    for (const auto& [extension, opcodes] : expected)
    {
        for (unsigned i = 0; i < 256; ++i)
        {
            INFO("header " << extension << " opcode " << i);
            CHECK(OpcodeTable::Get(static_cast<uint8_t>(i)).Has(extension) ==
                  (opcodes.count(i) == 1));
        }
    }
}

TEST_CASE("AETH syndromes fall into their classes", "[wire][opcode]")
{
    // IBTA table 44: bits 7 to 5 are 000 ACK, 001 RNR NAK, 011 NAK; bits 4 to 0 are the value
    CHECK((SYNDROME_ACK & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_ACK);
    CHECK((SYNDROME_ACK & SYNDROME_CREDIT_MASK) == 31); // 31: no credit count
    CHECK((SYNDROME_RNR & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_RNR);
    CHECK(SYNDROME_CLASS_RNR >> 5 == 1);
    CHECK(SYNDROME_CLASS_NAK >> 5 == 3);
    unsigned code = 0; // table 45: 0 sequence, 1 invalid, 2 access, 3 operation, 4 invalid RD
    for (const uint8_t nak : {SYNDROME_NAK_SEQUENCE,
                              SYNDROME_NAK_INVALID,
                              SYNDROME_NAK_ACCESS,
                              SYNDROME_NAK_OPERATION,
                              SYNDROME_NAK_RD})
    {
        CHECK((nak & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_NAK);
        CHECK((nak & SYNDROME_CREDIT_MASK) == code++);
    }
    CHECK((SYNDROME_CLASS_MASK | SYNDROME_CREDIT_MASK) == 0xff);
    CHECK((SYNDROME_CLASS_MASK & SYNDROME_CREDIT_MASK) == 0);
}
