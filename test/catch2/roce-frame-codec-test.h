/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_CODEC_TEST_H
#define ROCE_FRAME_CODEC_TEST_H

#include "roce-wire-test-data.h"

#include "ns3/roce-flow-key.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-opcode-table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <random>

/**
 * \file
 * Frames for the tests of FrameCodec, and what it means that two are the same.
 */

namespace frametest
{

using namespace ns3::roce;
using wiretest::Bytes;

/**
 * \param kind what it is
 * \param opcode its BTH opcode
 * \param payload bytes
 * \return a frame from 10.0.0.1 to 10.0.1.2
 */
inline Frame
MakeFrame(FrameKind kind, Opcode opcode, uint16_t payload = 0)
{
    Frame f{};
    f.kind = kind;
    f.opcode = opcode;
    f.source = 0x0a000001;
    f.destination = 0x0a000102;
    f.sourcePort = 49152;
    f.destinationPort = 4791;
    f.psn = 0x123456;
    f.destinationQp = 0x000abc;
    f.priority = 3;
    f.ecn = ECN_ECT0;
    f.ttl = 64;
    f.payload = payload;
    return f;
}

/** \param f a frame \param options how to write \return its bytes */
inline Bytes
Encode(const Frame& f, const FrameCodecOptions& options = {})
{
    Bytes bytes;
    FrameCodec::Encode(f, bytes, options);
    return bytes;
}

/** Gives the frame back to its pool at the end. */
using Owned = std::unique_ptr<Frame, std::function<void(Frame*)>>;

/** \param pool a pool \param bytes a frame \param options how to read \return the frame */
inline Owned
Decode(FramePool& pool, const Bytes& bytes, const FrameCodecOptions& options = {})
{
    return {FrameCodec::Decode(bytes.data(), bytes.size(), pool, options),
            [&pool](Frame* f) { pool.Free(f); }};
}

/** \param a a frame \param b must have the same in each field that is on the wire */
inline void
CheckSame(const Frame& a, const Frame& b)
{
    CHECK(a.kind == b.kind);
    CHECK(a.opcode == b.opcode);
    CHECK(a.source == b.source);
    CHECK(a.destination == b.destination);
    CHECK(a.hash == b.hash);
    CHECK(a.psn == b.psn);
    CHECK(a.destinationQp == b.destinationQp);
    CHECK(a.aeth == b.aeth);
    CHECK(a.sourcePort == b.sourcePort);
    CHECK(a.destinationPort == b.destinationPort);
    CHECK(a.size == b.size);
    CHECK(a.payload == b.payload);
    CHECK(a.priority == b.priority);
    CHECK(a.ecn == b.ecn);
    CHECK(a.ttl == b.ttl);
    CHECK(a.flags == b.flags);
    if (a.flags & FRAME_EXTENDED)
    {
        CHECK(a.remoteAddress == b.remoteAddress);
        CHECK(a.remoteKey == b.remoteKey);
        CHECK(a.dmaLength == b.dmaLength);
        CHECK(a.immediate == b.immediate);
        CHECK(a.pauseEnable == b.pauseEnable);
        CHECK(std::equal(a.cnpBody, a.cnpBody + 16, b.cnpBody)); // the whole union
    }
}

/**
 * \param rng where numbers come from
 * \param opcode one that the table knows
 * \return a frame with random values in all fields that are on the wire, zeros in the others
 */
inline Frame
RandomFrame(std::mt19937_64& rng, uint8_t opcode)
{
    const OpcodeFacts& facts = OpcodeTable::Get(opcode);
    Frame f{};
    f.kind = FrameCodec::KindOf(facts);
    f.opcode = static_cast<Opcode>(opcode);
    f.source = rng() & 0xfffffffe;
    f.destination = rng() & 0xfffffffe;
    f.sourcePort = rng();
    f.destinationPort = 4791;
    f.hash = FlowKey{f.source, f.destination, f.sourcePort, 4791}.Hash();
    f.psn = f.kind == FrameKind::CNP ? 0 : rng() & MASK_24;
    f.destinationQp = rng() & MASK_24;
    f.priority = rng() % 8;
    f.ecn = rng() % 4;
    f.ttl = rng();
    f.payload = facts.payload ? rng() % 300 : 0;
    f.flags = rng() & (FRAME_ACK_REQUEST | FRAME_BECN | FRAME_SOLICITED);
    f.aeth = facts.Has(EXTENSION_AETH) ? rng() : 0;
    if (f.kind == FrameKind::CNP)
    {
        f.flags |= FRAME_BECN;
        f.flags |= rng() % 2 ? FRAME_EXTENDED : 0;
        f.cnpBody[0] = f.flags & FRAME_EXTENDED ? 1 : 0;
    }
    const bool reth = facts.Has(EXTENSION_RETH);
    const bool atomic = facts.Has(EXTENSION_ATOMIC);
    f.remoteAddress = reth || atomic ? rng() : 0;
    f.dmaLength = reth ? rng() : 0;
    f.remoteKey = reth || atomic || facts.Has(EXTENSION_IETH) ? rng() : 0;
    f.immediate = facts.Has(EXTENSION_IMMDT) ? rng() : 0;
    if (atomic)
    {
        f.atomic = {rng(), rng()};
    }
    if (facts.Has(EXTENSION_ATOMIC_ACK))
    {
        f.atomicOriginal = rng();
    }
    if (facts.Has(EXTENSION_DETH))
    {
        f.datagram = {uint32_t(rng()), uint32_t(rng() & MASK_24)};
    }
    const uint16_t firstLine = EXTENSION_AETH | EXTENSION_CNP;
    f.flags |= facts.extensions & ~firstLine ? FRAME_EXTENDED : 0;
    // 62 bytes around payload with pad and extension headers, at least 64
    f.size = std::max(64, 62 + facts.extensionBytes + (f.payload + 3) / 4 * 4);
    return f;
}

} // namespace frametest

#endif // ROCE_FRAME_CODEC_TEST_H
