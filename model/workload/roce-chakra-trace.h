/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CHAKRA_TRACE_H
#define ROCE_CHAKRA_TRACE_H

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a node of an execution trace is; the numbers are those of the format. */
enum class ChakraKind : uint8_t
{
    INVALID = 0,
    METADATA = 1,
    MEMORY_LOAD = 2,
    MEMORY_STORE = 3,
    COMPUTE = 4,
    SEND = 5,
    RECEIVE = 6,
    COLLECTIVE = 7
};

/** A list other than one of truth values, which nothing here looks into. */
struct ChakraList
{
};

/** Value of an attribute. */
using ChakraValue =
    std::variant<ChakraList, bool, int64_t, uint64_t, double, std::string, std::vector<bool>>;

/** A node. */
struct ChakraNode
{
    uint64_t id{0};                                //!< unique in a trace
    std::string name;                              //!< any bytes
    ChakraKind kind{ChakraKind::INVALID};          //!< what it is
    std::vector<uint64_t> after;                   //!< ids, control and data dependencies
    uint64_t durationUs{0};                        //!< as recorded
    std::map<std::string, ChakraValue> attributes; //!< by name
};

/** The trace of a rank. */
struct ChakraTrace
{
    std::string name;              //!< for messages
    std::string version;           //!< of the format
    std::vector<ChakraNode> nodes; //!< in the order of the file
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CHAKRA_TRACE_H
