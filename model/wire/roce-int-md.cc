/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-md.h"

#include "roce-byte-reader.h"
#include "roce-byte-writer.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Type of the header behind the shim header (INT v2.1, 5.1). */
constexpr unsigned TYPE_MD = 1;
/** Version of the metadata header in INT 2.0 and 2.1 (INT v2.1, 5.8). */
constexpr unsigned VERSION = 2;

/**
 * \param value the value of a field
 * \param limit its largest
 * \param name its name
 */
void
CheckAtMost(uint64_t value, uint64_t limit, const char* name)
{
    if (value > limit)
    {
        throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                    ", must be at most " + std::to_string(limit));
    }
}

/**
 * \param ok what must hold
 * \param field what is judged
 * \param offset its first byte
 * \param value what was found
 * \param limit what is right
 */
void
Require(bool ok, const char* field, std::size_t offset, uint64_t value, const std::string& limit)
{
    if (!ok)
    {
        throw CodecError(field, offset, value, limit);
    }
}

/**
 * Metadata stand in the order of the bits of the standard, domain-specific words behind them, the
 * checksum complement last.
 *
 * \param out where to write
 * \param hop a hop
 * \param bits the instruction bitmap
 */
void
WriteHop(ByteWriter& out, const IntMdHop& hop, uint16_t bits)
{
    const auto word = [&](uint16_t bit, uint64_t value, unsigned bytes = 4) {
        if (bits & bit)
        {
            out.Number(value, bytes);
        }
    };
    word(INT_MD_NODE_ID, hop.nodeId);
    word(INT_MD_PORTS, uint32_t(hop.ingressPort) << 16 | hop.egressPort);
    word(INT_MD_HOP_LATENCY, hop.hopLatency);
    word(INT_MD_QUEUE, uint32_t(hop.queueId) << 24 | hop.queueOccupancy);
    word(INT_MD_INGRESS_TIME, hop.ingressTime, 8);
    word(INT_MD_EGRESS_TIME, hop.egressTime, 8);
    word(INT_MD_INTERFACES, uint64_t(hop.ingressInterface) << 32 | hop.egressInterface, 8);
    word(INT_MD_TX_UTILIZATION, hop.txUtilization);
    word(INT_MD_BUFFER, uint32_t(hop.bufferId) << 24 | hop.bufferOccupancy);
    for (unsigned i = 0; i < hop.reserved.size(); ++i)
    {
        word(1 << (6 - i), hop.reserved[i]);
    }
    for (const uint32_t value : hop.domain)
    {
        out.U32(value);
    }
    word(INT_MD_CHECKSUM, hop.checksumComplement);
}

/**
 * \param in a reader at the first byte of a hop
 * \param header with bitmap and domain words
 * \return the hop
 */
IntMdHop
ReadHop(ByteReader& in, const IntMd& header)
{
    const auto has = [&](uint16_t bit) { return (header.instructions & bit) != 0; };
    IntMdHop hop;
    if (has(INT_MD_NODE_ID))
    {
        hop.nodeId = in.U32("INT node ID");
    }
    if (has(INT_MD_PORTS))
    {
        hop.ingressPort = in.U16("INT ingress port");
        hop.egressPort = in.U16("INT egress port");
    }
    if (has(INT_MD_HOP_LATENCY))
    {
        hop.hopLatency = in.U32("INT hop latency");
    }
    if (has(INT_MD_QUEUE))
    {
        hop.queueId = in.U8("INT queue ID");
        hop.queueOccupancy = in.U24("INT queue occupancy");
    }
    hop.ingressTime = has(INT_MD_INGRESS_TIME) ? in.U64("INT ingress time") : hop.ingressTime;
    hop.egressTime = has(INT_MD_EGRESS_TIME) ? in.U64("INT egress time") : hop.egressTime;
    if (has(INT_MD_INTERFACES))
    {
        hop.ingressInterface = in.U32("INT ingress interface");
        hop.egressInterface = in.U32("INT egress interface");
    }
    if (has(INT_MD_TX_UTILIZATION))
    {
        hop.txUtilization = in.U32("INT tx utilization");
    }
    if (has(INT_MD_BUFFER))
    {
        hop.bufferId = in.U8("INT buffer ID");
        hop.bufferOccupancy = in.U24("INT buffer occupancy");
    }
    for (unsigned i = 0; i < hop.reserved.size(); ++i)
    {
        hop.reserved[i] = has(1 << (6 - i)) ? in.U32("INT reserved metadata") : hop.reserved[i];
    }
    for (unsigned i = 0; i < header.domainWords; ++i)
    {
        hop.domain.push_back(in.U32("INT domain-specific metadata"));
    }
    if (has(INT_MD_CHECKSUM))
    {
        hop.checksumComplement = in.U32("INT checksum complement");
    }
    return hop;
}

/**
 * \param in a reader at the first byte of the metadata header
 * \param header gets its fields
 */
void
ReadHeader(ByteReader& in, IntMd& header)
{
    const std::size_t at = in.GetOffset();
    const uint32_t first = in.U32("INT-MD header");
    Require(first >> 28 == VERSION, "INT-MD version", at, first >> 28, "2");
    header.discard = (first >> 27 & 1) != 0;
    header.exceeded = (first >> 26 & 1) != 0;
    header.mtuExceeded = (first >> 25 & 1) != 0;
    header.reserved = first >> 13 & 0xfff;
    const unsigned hopWords = first >> 8 & 31;
    header.remainingHops = first & 0xff;
    Require(!header.exceeded || header.remainingHops == 0,
            "INT-MD remaining hop count",
            at + 3,
            header.remainingHops,
            "0 where the exceeded bit is set");
    header.instructions = in.U16("INT-MD instructions");
    header.domainId = in.U16("INT-MD domain ID");
    header.domainInstructions = in.U16("INT-MD domain instructions");
    header.domainFlags = in.U16("INT-MD domain flags");
    const unsigned baseline = IntMd::BaselineWords(header.instructions);
    Require(hopWords == baseline || (hopWords > baseline && header.domainId != 0),
            "INT-MD hop length in words",
            at + 2,
            hopWords,
            std::to_string(baseline) + ", which the instructions ask for" +
                (header.domainId != 0 ? ", or more" : ""));
    header.domainWords = hopWords - baseline;
}

} // namespace

void
IntMd::Encode(std::vector<uint8_t>& bytes) const
{
    const unsigned hopWords = GetHopWords();
    const std::size_t words = HEADER_BYTES / 4 + hops.size() * hopWords;
    CheckAtMost(shimReserved, 3, "INT shim reserved bits");
    CheckAtMost(static_cast<unsigned>(next), 2, "INT next protocol type");
    CheckAtMost(reserved, 0xfff, "INT-MD reserved bits");
    CheckAtMost(hopWords, MAX_HOP_WORDS, "INT-MD hop length in words");
    CheckAtMost(words, MAX_WORDS, "INT length in words");
    CheckAtMost(hops.size() + remainingHops, 0xff, "INT-MD hops made and remaining");
    CheckAtMost(exceeded ? remainingHops : 0, 0, "INT-MD remaining hops with the exceeded bit");
    CheckAtMost(domainId == 0 ? domainWords : 0, 0, "INT-MD domain words without a domain ID");
    CheckAtMost(hopWords == 0 ? hops.size() : 0, 0, "INT-MD hops without metadata");
    for (const IntMdHop& hop : hops)
    {
        CheckAtMost(hop.queueOccupancy, 0xffffff, "INT queue occupancy");
        CheckAtMost(hop.bufferOccupancy, 0xffffff, "INT buffer occupancy");
        if (hop.domain.size() != domainWords)
        {
            throw std::invalid_argument("an INT-MD hop has " + std::to_string(hop.domain.size()) +
                                        " domain-specific words, must have " +
                                        std::to_string(domainWords) + " as the header says");
        }
    }
    ByteWriter out(bytes);
    out.U8(TYPE_MD << 4 | static_cast<unsigned>(next) << 2 | shimReserved);
    out.U8(words);
    out.U16(nextValue);
    out.U32(VERSION << 28 | uint32_t(discard) << 27 | uint32_t(exceeded) << 26 |
            uint32_t(mtuExceeded) << 25 | uint32_t(reserved) << 13 | hopWords << 8 | remainingHops);
    out.U16(instructions);
    out.U16(domainId);
    out.U16(domainInstructions);
    out.U16(domainFlags);
    for (const IntMdHop& hop : hops)
    {
        WriteHop(out, hop, instructions);
    }
}

IntMd
IntMd::Decode(const uint8_t* bytes, std::size_t size)
{
    IntMd header;
    ByteReader shim(bytes, size);
    shim.Need(SHIM_BYTES, "the INT shim header");
    const uint8_t first = shim.U8("INT type");
    const unsigned type = first >> 4;
    const unsigned next = first >> 2 & 3;
    Require(type == TYPE_MD, "INT type", 0, type, "1 (INT-MD)");
    Require(next <= 2, "INT next protocol type", 0, next, "at most 2");
    header.next = static_cast<IntMdNext>(next);
    header.shimReserved = first & 3;
    const std::size_t words = shim.U8("INT length");
    Require(words >= HEADER_BYTES / 4, "INT length in words", 1, words, "at least 3");
    header.nextValue = shim.U16("INT shim value");
    shim.Need(words * 4, "the INT-MD header and stack");

    ByteReader in(bytes, SHIM_BYTES + words * 4);
    in.Take(SHIM_BYTES, "the INT shim header");
    ReadHeader(in, header);
    const unsigned hopWords = header.GetHopWords();
    const std::size_t stack = in.GetLeft() / 4;
    Require(hopWords == 0 ? stack == 0 : stack % hopWords == 0,
            "INT-MD stack in words",
            in.GetOffset(),
            stack,
            "a multiple of the hop length " + std::to_string(hopWords));
    const std::size_t count = hopWords == 0 ? 0 : stack / hopWords;
    Require(count + header.remainingHops <= 0xff,
            "INT-MD remaining hop count",
            SHIM_BYTES + 3,
            header.remainingHops,
            "at most " + std::to_string(0xff - count) + " after " + std::to_string(count) +
                " hops");
    for (std::size_t i = 0; i < count; ++i)
    {
        header.hops.push_back(ReadHop(in, header));
    }
    return header;
}

} // namespace roce
} // namespace ns3
