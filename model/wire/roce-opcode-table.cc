/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-opcode-table.h"

#include "ns3/roce-constants.h"

#include <array>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint16_t
ExtensionBytes(uint16_t extensions)
{
    constexpr uint16_t bytes[] = {DETH_BYTES,
                                  RETH_BYTES,
                                  ATOMIC_ETH_BYTES,
                                  AETH_BYTES,
                                  ATOMIC_ACK_BYTES,
                                  IMMDT_BYTES,
                                  IETH_BYTES,
                                  CNP_BODY_BYTES};
    uint16_t sum = 0;
    for (unsigned i = 0; i < 8; ++i)
    {
        sum += (extensions >> i & 1) ? bytes[i] : 0;
    }
    return sum;
}

constexpr OpcodeFacts
Request(const char* name,
        OpcodeService service,
        OpcodeOperation operation,
        OpcodePlace place,
        uint16_t extensions = 0)
{
    const bool payload = operation == OpcodeOperation::SEND || operation == OpcodeOperation::WRITE;
    return {name, service, operation, place, extensions, ExtensionBytes(extensions), payload, true};
}

constexpr OpcodeFacts
Response(const char* name, OpcodeOperation operation, OpcodePlace place, uint16_t extensions)
{
    return {name,
            OpcodeService::RC,
            operation,
            place,
            extensions,
            ExtensionBytes(extensions),
            operation == OpcodeOperation::READ_RESPONSE,
            false};
}

constexpr std::array<OpcodeFacts, 256>
MakeTable()
{
    using S = OpcodeService;
    using O = OpcodeOperation;
    using P = OpcodePlace;
    constexpr uint16_t RETH = EXTENSION_RETH;
    constexpr uint16_t AETH = EXTENSION_AETH;
    constexpr uint16_t IMM = EXTENSION_IMMDT;
    constexpr uint16_t IETH = EXTENSION_IETH;
    constexpr uint16_t DETH = EXTENSION_DETH;
    constexpr uint16_t ATOM = EXTENSION_ATOMIC;
    std::array<OpcodeFacts, 256> t{};
    t[0x00] = Request("RC SEND First", S::RC, O::SEND, P::FIRST);
    t[0x01] = Request("RC SEND Middle", S::RC, O::SEND, P::MIDDLE);
    t[0x02] = Request("RC SEND Last", S::RC, O::SEND, P::LAST);
    t[0x03] = Request("RC SEND Last with Immediate", S::RC, O::SEND, P::LAST, IMM);
    t[0x04] = Request("RC SEND Only", S::RC, O::SEND, P::ONLY);
    t[0x05] = Request("RC SEND Only with Immediate", S::RC, O::SEND, P::ONLY, IMM);
    t[0x06] = Request("RC RDMA WRITE First", S::RC, O::WRITE, P::FIRST, RETH);
    t[0x07] = Request("RC RDMA WRITE Middle", S::RC, O::WRITE, P::MIDDLE);
    t[0x08] = Request("RC RDMA WRITE Last", S::RC, O::WRITE, P::LAST);
    t[0x09] = Request("RC RDMA WRITE Last with Immediate", S::RC, O::WRITE, P::LAST, IMM);
    t[0x0a] = Request("RC RDMA WRITE Only", S::RC, O::WRITE, P::ONLY, RETH);
    t[0x0b] = Request("RC RDMA WRITE Only with Immediate", S::RC, O::WRITE, P::ONLY, RETH | IMM);
    t[0x0c] = Request("RC RDMA READ Request", S::RC, O::READ_REQUEST, P::ONLY, RETH);
    t[0x0d] = Response("RC RDMA READ response First", O::READ_RESPONSE, P::FIRST, AETH);
    t[0x0e] = Response("RC RDMA READ response Middle", O::READ_RESPONSE, P::MIDDLE, 0);
    t[0x0f] = Response("RC RDMA READ response Last", O::READ_RESPONSE, P::LAST, AETH);
    t[0x10] = Response("RC RDMA READ response Only", O::READ_RESPONSE, P::ONLY, AETH);
    t[0x11] = Response("RC Acknowledge", O::ACKNOWLEDGE, P::ONLY, AETH);
    t[0x12] = Response("RC ATOMIC Acknowledge",
                       O::ATOMIC_ACKNOWLEDGE,
                       P::ONLY,
                       AETH | EXTENSION_ATOMIC_ACK);
    t[0x13] = Request("RC CmpSwap", S::RC, O::ATOMIC, P::ONLY, ATOM);
    t[0x14] = Request("RC FetchAdd", S::RC, O::ATOMIC, P::ONLY, ATOM);
    t[0x16] = Request("RC SEND Last with Invalidate", S::RC, O::SEND, P::LAST, IETH);
    t[0x17] = Request("RC SEND Only with Invalidate", S::RC, O::SEND, P::ONLY, IETH);
    t[0x20] = Request("UC SEND First", S::UC, O::SEND, P::FIRST);
    t[0x21] = Request("UC SEND Middle", S::UC, O::SEND, P::MIDDLE);
    t[0x22] = Request("UC SEND Last", S::UC, O::SEND, P::LAST);
    t[0x23] = Request("UC SEND Last with Immediate", S::UC, O::SEND, P::LAST, IMM);
    t[0x24] = Request("UC SEND Only", S::UC, O::SEND, P::ONLY);
    t[0x25] = Request("UC SEND Only with Immediate", S::UC, O::SEND, P::ONLY, IMM);
    t[0x26] = Request("UC RDMA WRITE First", S::UC, O::WRITE, P::FIRST, RETH);
    t[0x27] = Request("UC RDMA WRITE Middle", S::UC, O::WRITE, P::MIDDLE);
    t[0x28] = Request("UC RDMA WRITE Last", S::UC, O::WRITE, P::LAST);
    t[0x29] = Request("UC RDMA WRITE Last with Immediate", S::UC, O::WRITE, P::LAST, IMM);
    t[0x2a] = Request("UC RDMA WRITE Only", S::UC, O::WRITE, P::ONLY, RETH);
    t[0x2b] = Request("UC RDMA WRITE Only with Immediate", S::UC, O::WRITE, P::ONLY, RETH | IMM);
    t[0x64] = Request("UD SEND Only", S::UD, O::SEND, P::ONLY, DETH);
    t[0x65] = Request("UD SEND Only with Immediate", S::UD, O::SEND, P::ONLY, DETH | IMM);
    t[0x81] = {"CNP", S::CNP, O::CNP, P::ONLY, EXTENSION_CNP, CNP_BODY_BYTES, false, false};
    return t;
}

constexpr std::array<OpcodeFacts, 256> TABLE = MakeTable();

} // namespace

const OpcodeFacts&
OpcodeTable::Get(uint8_t opcode)
{
    return TABLE[opcode];
}

} // namespace roce
} // namespace ns3
