/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CHAKRA_DECODER_H
#define ROCE_CHAKRA_DECODER_H

#include "roce-chakra-trace.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Takes an execution trace out of its bytes.
 *
 * Models: messages of protocol buffers, each behind its length as a varint: first the metadata of
 * the trace, then nodes.
 *
 * - Metadata: 1 version, 2 attributes.
 * - Node: 1 id, 2 name, 3 kind, 4 control dependencies, 5 data dependencies, 6 start in us, 7
 *   duration in us, 8 inputs, 9 outputs, 10 attributes.
 * - Attribute: 1 name, 2 description, then its value in one of 3 double, 5 float, 7 int32, 9 int64,
 *   11 uint32, 13 uint64, 15 sint32, 17 sint64, 19 fixed32, 21 fixed64, 23 sfixed32, 25 sfixed64,
 * 27 bool, 29 string, 31 bytes; the next even number is a list of such, in a message with field 1.
 *
 * Source: the schema of MLCommons Chakra; the wire format is that of protocol buffers. Wire types
 * are read by libprotobuf (Debian: libprotobuf-dev). Without it another file takes the place of
 * this class's and Decode says so.
 *
 * Invariants: any bytes give a trace or std::invalid_argument "NAME: message 3, byte 57: ..."; no
 * more memory than in proportion to the bytes.
 *
 * Leaves out: inputs, outputs, descriptions and start times, which are checked and dropped. Fields
 * that are not in the list are refused by number.
 */
class ChakraDecoder
{
  public:
    static constexpr std::size_t MAX_NODES = 4000000; //!< of a trace; more are refused

    /** \return whether this build has libprotobuf */
    static bool IsAvailable();

    /**
     * \param name for messages
     * \param bytes of the file
     * \return the trace; std::invalid_argument if the bytes are none, std::runtime_error if this
     *         build cannot
     */
    static ChakraTrace Decode(const std::string& name, const std::string& bytes);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CHAKRA_DECODER_H
