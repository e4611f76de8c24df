/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Chakra execution traces: bytes made here by the rules of protocol buffers, what they must become,
 * what is refused, and the traces of others if they are there.
 */

#include "roce-shared-file.h"

#include "ns3/roce-chakra-decoder.h"
#include "ns3/roce-chakra-reader.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return a number as a varint: 7 bits a byte, lowest first, the top bit says that more follow. */
std::string
Varint(uint64_t value)
{
    std::string bytes;
    for (; value >= 128; value >>= 7)
    {
        bytes += static_cast<char>(value | 128);
    }
    return bytes + static_cast<char>(value);
}

/** \return a field of a number. */
std::string
Number(uint32_t field, uint64_t value)
{
    return Varint(field << 3) + Varint(value);
}

/** \return a field of bytes. */
std::string
Bytes(uint32_t field, const std::string& bytes)
{
    return Varint(field << 3 | 2) + Varint(bytes.size()) + bytes;
}

/** \return a message behind its length. */
std::string
Framed(const std::string& message)
{
    return Varint(message.size()) + message;
}

/** \return an attribute of a node. */
std::string
Attribute(const std::string& name, const std::string& value)
{
    return Bytes(10, Bytes(1, name) + value);
}

/** \return a file: metadata, then these nodes. */
std::string
File(const std::vector<std::string>& nodes)
{
    std::string bytes = Framed(Bytes(1, "0.0.4"));
    for (const std::string& node : nodes)
    {
        bytes += Framed(node);
    }
    return bytes;
}

/** \return true, with a warning, if this build cannot decode. */
bool
Skipped()
{
    if (!ChakraDecoder::IsAvailable())
    {
        WARN("skipped, built without libprotobuf");
        CHECK_THROWS_AS(ChakraDecoder::Decode("t", ""), std::runtime_error);
        return true;
    }
    return false;
}

/** \return a node with an id, name and kind. */
ChakraNode
Node(uint64_t id, ChakraKind kind, const std::vector<uint64_t>& after = {})
{
    ChakraNode node;
    node.id = id;
    node.name = "n" + std::to_string(id);
    node.kind = kind;
    node.after = after;
    return node;
}

/** \return a collective. */
ChakraNode
Collective(uint64_t id, int64_t type, int64_t size, const std::vector<uint64_t>& after = {})
{
    ChakraNode node = Node(id, ChakraKind::COLLECTIVE, after);
    node.attributes["comm_type"] = type;
    node.attributes["comm_size"] = size;
    return node;
}

/** \return a message. */
ChakraNode
Message(uint64_t id, ChakraKind kind, int64_t peer, const std::vector<uint64_t>& after = {})
{
    ChakraNode node = Node(id, kind, after);
    node.attributes[kind == ChakraKind::SEND ? "comm_dst" : "comm_src"] = peer;
    node.attributes["comm_size"] = int64_t{1000};
    return node;
}

/** \return a workload of ranks with these nodes. */
Ptr<TaskGraph>
Read(const std::vector<std::vector<ChakraNode>>& ranks)
{
    std::vector<ChakraTrace> traces;
    for (const auto& nodes : ranks)
    {
        traces.push_back(ChakraTrace{"t" + std::to_string(traces.size()), "0.0.4", nodes});
    }
    return ChakraReader::Read(traces);
}

} // namespace

TEST_CASE("Chakra: each field of a node", "[workload]")
{
    if (Skipped())
    {
        return;
    }
    // IEEE 754, lowest byte first: 2.5 is 0x4004000000000000, 0.5 in 32 bits 0x3f000000
    const std::string fixed64("\0\0\0\0\0\0\x04\x40", 8);
    const std::string fixed32("\0\0\0\x3f", 4);
    const std::string node =
        Number(1, 300) + Bytes(2, "name") + Number(3, 4) + Bytes(4, Varint(7) + Varint(200)) +
        Number(5, 9) + Number(6, 1234567) + Number(7, 42) + Bytes(8, "in") + Bytes(9, "out") +
        Attribute("double", Varint(3 << 3 | 1) + fixed64) +
        Attribute("float", Varint(5 << 3 | 5) + fixed32) +
        Attribute("int32", Number(7, uint64_t(-3))) + Attribute("int64", Number(9, uint64_t(-4))) +
        Attribute("uint32", Number(11, 5)) + Attribute("uint64", Number(13, UINT64_MAX)) +
        Attribute("sint32", Number(15, 5)) + Attribute("sint64", Number(17, 6)) + // zigzag: -3, 3
        Attribute("fixed32", Varint(19 << 3 | 5) + std::string("\x04\x03\x02\x01", 4)) +
        Attribute("fixed64", Varint(21 << 3 | 1) + std::string("\1\0\0\0\0\0\0\1", 8)) +
        Attribute("sfixed32", Varint(23 << 3 | 5) + std::string("\xff\xff\xff\xff", 4)) +
        Attribute("sfixed64",
                  Varint(25 << 3 | 1) + std::string("\xfe\xff\xff\xff\xff\xff\xff\xff", 8)) +
        Attribute("bool", Number(27, 1)) + Attribute("string", Bytes(29, "text")) +
        Attribute("bytes", Bytes(31, std::string("\0x", 2))) +
        Attribute("bools", Bytes(28, Bytes(1, std::string("\1\0\1", 3)))) +
        Attribute("one by one", Bytes(28, Number(1, 0) + Number(1, 1))) +
        Attribute("ints", Bytes(10, Bytes(1, "\1\2"))) +
        Bytes(10, Bytes(1, "described") + Bytes(2, "what it is") + Number(27, 0));
    const ChakraTrace trace = ChakraDecoder::Decode("t", File({node, Number(3, 1)}));
    CHECK(trace.name == "t");
    CHECK(trace.version == "0.0.4");
    REQUIRE(trace.nodes.size() == 2);
    const ChakraNode& n = trace.nodes[0];
    CHECK(n.id == 300);
    CHECK(n.name == "name");
    CHECK(n.kind == ChakraKind::COMPUTE);
    CHECK(n.after == std::vector<uint64_t>{7, 200, 9});
    CHECK(n.durationUs == 42);
    const auto& a = n.attributes;
    CHECK(a.size() == 19);
    CHECK(std::get<double>(a.at("double")) == 2.5);
    CHECK(std::get<double>(a.at("float")) == 0.5);
    CHECK(std::get<int64_t>(a.at("int32")) == -3);
    CHECK(std::get<int64_t>(a.at("int64")) == -4);
    CHECK(std::get<uint64_t>(a.at("uint32")) == 5);
    CHECK(std::get<uint64_t>(a.at("uint64")) == UINT64_MAX);
    CHECK(std::get<int64_t>(a.at("sint32")) == -3);
    CHECK(std::get<int64_t>(a.at("sint64")) == 3);
    CHECK(std::get<uint64_t>(a.at("fixed32")) == 0x01020304);
    CHECK(std::get<uint64_t>(a.at("fixed64")) == 0x0100000000000001);
    CHECK(std::get<int64_t>(a.at("sfixed32")) == -1);
    CHECK(std::get<int64_t>(a.at("sfixed64")) == -2);
    CHECK(std::get<bool>(a.at("bool")));
    CHECK(std::get<std::string>(a.at("string")) == "text");
    CHECK(std::get<std::string>(a.at("bytes")) == std::string("\0x", 2));
    CHECK(std::get<std::vector<bool>>(a.at("bools")) == std::vector<bool>{true, false, true});
    CHECK(std::get<std::vector<bool>>(a.at("one by one")) == std::vector<bool>{false, true});
    CHECK(std::holds_alternative<ChakraList>(a.at("ints")));
    CHECK_FALSE(std::get<bool>(a.at("described")));
    // proto3 leaves zeros out
    CHECK(trace.nodes[1].id == 0);
    CHECK(trace.nodes[1].kind == ChakraKind::METADATA);
}

TEST_CASE("Chakra: bytes that are refused", "[workload]")
{
    if (Skipped())
    {
        return;
    }
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "t: message 1, byte 0: expected metadata"},
        {"\x05", "t: message 1, byte 1: expected 5 bytes, there are 0"},
        {std::string(11, '\xff'), "expected a number"},
        {Framed(Number(3, 1)), "field 3 of metadata is not known"},
        {Framed(Number(1, 1)), "field 1 of metadata has wire type 0, expected 2"},
        {File({Number(11, 1)}), "message 2"},
        {File({Number(11, 1)}), "field 11 of node is not known"},
        {File({Number(3, 8)}), "kind of node 8, expected 0..7"},
        {File({Number(1, 5)}), "a node without a kind"},
        {File({""}), "a node without a kind"},
        {File({Varint(1 << 3 | 3)}), "wire type 3 in node"},
        {File({Varint(0)}), "a field of number 0"},
        {File({Bytes(1, "x")}), "field 1 of node has wire type 2, expected 0"},
        {File({Number(2, 1)}), "field 2 of node has wire type 0"},
        {File({Bytes(4, "\x80")}), "expected a number"},
        {File({Attribute("a", Number(33, 1))}), "field 33 of attribute is not known"},
        {File({Attribute("a", Bytes(7, "x"))}), "field 7 of attribute has wire type 2"},
        {File({Attribute("a", Bytes(28, Number(2, 1)))}), "field 2 of list is not known"},
        {File({Attribute("a", "") + Attribute("a", "")}), "attribute 'a' comes twice"},
        {File({Number(3, 4)}).substr(0, 10), "expected 2 bytes, there are 1"},
        {File({Varint(3 << 3)}), "expected a number"},
        {File({Varint(1 << 3 | 5) + "abc"}), "expected 4 bytes"},
        {File({Varint(1 << 3 | 1) + "abc"}), "expected 8 bytes"},
        {File({Bytes(2, "abc").substr(0, 4)}), "expected 3 bytes, there are 2"},
    };
    for (const auto& [bytes, why] : cases)
    {
        INFO(why);
        CHECK_THROWS_AS(ChakraDecoder::Decode("t", bytes), std::invalid_argument);
        CHECK_THROWS_WITH(ChakraDecoder::Decode("t", bytes), Contains(why));
    }
    // cut anywhere, a file is refused or shorter, never read beyond its end
    const std::string whole = File({Number(1, 1) + Bytes(2, "name") + Number(3, 4),
                                    Number(1, 2) + Number(3, 5) + Attribute("x", Number(7, 1))});
    std::size_t taken = 0;
    for (std::size_t cut = 0; cut <= whole.size(); ++cut)
    {
        try
        {
            ChakraDecoder::Decode("t", whole.substr(0, cut));
            ++taken;
        }
        catch (const std::invalid_argument&)
        {
        }
    }
    CHECK(taken == 3); // metadata alone, with one node, with both
}

TEST_CASE("Chakra: nodes become tasks", "[workload]")
{
    ChakraNode work = Node(7, ChakraKind::COMPUTE, {9});
    work.durationUs = 12;
    ChakraNode load = Node(9, ChakraKind::MEMORY_LOAD);
    load.durationUs = 3;
    const ChakraNode joint = Node(8, ChakraKind::METADATA, {7, 9});
    const Ptr<TaskGraph> graph = Read({{work, joint, load}}); // not in order
    REQUIRE(graph->GetTasks() == 3);
    CHECK(graph->GetTask(0).name == "n9");
    CHECK(graph->GetTask(0).durationNs == 3000);
    CHECK(graph->GetTask(0).stream == Task::NO_STREAM);
    CHECK(graph->GetTask(1).name == "n7");
    CHECK(graph->GetTask(1).durationNs == 12000);
    CHECK(graph->GetTask(1).stream == 0);
    CHECK(graph->GetTask(1).after == std::vector<uint32_t>{0});
    CHECK(graph->GetTask(2).after == std::vector<uint32_t>{1, 0});
    CHECK(graph->GetTask(2).durationNs == 0);
}

TEST_CASE("Chakra: collectives", "[workload]")
{
    const std::vector<std::pair<int64_t, std::string>> types = {{0, "all-reduce"},
                                                                {1, "reduce"},
                                                                {2, "all-gather"},
                                                                {5, "broadcast"},
                                                                {6, "all-to-all"},
                                                                {7, "reduce-scatter"},
                                                                {8, "reduce-scatter"},
                                                                {9, "barrier"}};
    for (const auto& [type, operation] : types)
    {
        ChakraNode node = Collective(1, type, 1000);
        node.attributes["involved_dim"] = std::vector<bool>{true, true};
        node.attributes["is_cpu_op"] = false;
        const Ptr<TaskGraph> graph = Read({{node}, {node}, {node}});
        REQUIRE(graph->GetTasks() == 3);
        CHECK(graph->GetGroup(0).ranks == std::vector<uint32_t>{0, 1, 2});
        CHECK(graph->GetTask(1).kind == TaskKind::COLLECTIVE);
        CHECK(graph->GetTask(1).rank == 1);
        CHECK(graph->GetTask(1).operation == operation);
        // of an all-gather comm_size is the part of a rank, of 3
        CHECK(graph->GetTask(1).bytes == (type == 2 ? 3000 : type == 9 ? 0 : 1000));
    }
}

TEST_CASE("Chakra: messages in the order of ids", "[workload]")
{
    // both sends have the same ends and tag; the receives stand in the other order
    ChakraNode first = Message(1, ChakraKind::SEND, 1);
    ChakraNode second = Message(2, ChakraKind::SEND, 1);
    second.attributes["comm_size"] = uint64_t{2000};
    ChakraNode one = Message(1, ChakraKind::RECEIVE, 0);
    ChakraNode two = Message(2, ChakraKind::RECEIVE, 0);
    two.attributes["comm_size"] = uint64_t{2000};
    const Ptr<TaskGraph> graph = Read({{first, second}, {two, one}});
    REQUIRE(graph->GetTasks() == 4);
    CHECK(graph->GetTask(0).kind == TaskKind::SEND);
    CHECK(graph->GetTask(0).peer == 1);
    CHECK(graph->GetTask(2).kind == TaskKind::RECEIVE);
    CHECK(graph->GetTask(2).rank == 1);
    CHECK(graph->GetTask(2).peer == 0);
    CHECK(graph->GetTask(2).bytes == 1000);
    CHECK(graph->GetTask(3).bytes == 2000);
}

TEST_CASE("Chakra: nodes that are refused", "[workload]")
{
    const auto refuses = [](const std::vector<ChakraNode>& nodes, const std::string& why) {
        INFO(why);
        CHECK_THROWS_AS(Read({nodes, nodes}), std::invalid_argument);
        CHECK_THROWS_WITH(Read({nodes, nodes}), Contains(why));
    };
    CHECK_THROWS_WITH(ChakraReader::Read({}), Contains("no traces"));
    refuses({Node(1, ChakraKind::INVALID)}, "t0: node 1 'n1': has no kind");
    refuses({Node(1, ChakraKind::METADATA), Node(1, ChakraKind::METADATA)}, "has the same id");
    refuses({Node(1, ChakraKind::METADATA, {4})}, "depends on node 4, which is not there");
    refuses({Node(1, ChakraKind::METADATA, {1})}, "a cycle of 1 nodes: 1 after 1");
    // 5 waits for the cycle 2 after 4 after 3 after 2, but is not in it
    refuses({Node(5, ChakraKind::METADATA, {2}),
             Node(2, ChakraKind::METADATA, {4}),
             Node(3, ChakraKind::METADATA, {2}),
             Node(4, ChakraKind::METADATA, {3})},
            "node 2 'n2': waits for itself in a cycle of 3 nodes: 2 after 4 after 3 after 2");
    ChakraNode node = Node(1, ChakraKind::COMPUTE);
    node.attributes["num_ops"] = int64_t{5};
    refuses({node}, "num_ops and no duration");
    node.durationUs = UINT64_MAX;
    refuses({node}, "lasts 18446744073709551615 us");
    refuses({Collective(1, 3, 8)}, "gather is not supported");
    refuses({Collective(1, 4, 8)}, "scatter is not supported");
    refuses({Collective(1, 10, 8)}, "comm_type is 10, expected at most 9");
    refuses({Collective(1, -1, 8)}, "comm_type is -1");
    refuses({Collective(1, 0, -8)}, "comm_size is -8");
    refuses({Collective(1, 2, INT64_MAX)}, "comm_size is 9223372036854775807, expected at most");
    refuses({Node(1, ChakraKind::COLLECTIVE)}, "expected attribute comm_type");
    node = Collective(1, 0, 8);
    node.attributes["involved_dim"] = std::vector<bool>{true, false};
    refuses({node}, "involved_dim has to be true");
    node.attributes["involved_dim"] = true;
    refuses({node}, "involved_dim has to be true");
    node.attributes.erase("involved_dim");
    node.attributes["pg_name"] = std::string("1");
    refuses({node}, "attribute 'pg_name' is not supported");
    node = Collective(1, 0, 8);
    node.attributes["comm_size"] = std::string("8");
    refuses({node}, "comm_size is no whole number");
    refuses({Message(1, ChakraKind::SEND, 2)}, "comm_dst is 2, expected at most 1");
    refuses({Message(1, ChakraKind::SEND, 0)}, "t0: node 1 'n1': comm_dst is its own rank");
    refuses({Message(1, ChakraKind::RECEIVE, 0)}, "comm_src is its own rank");
    node = Message(1, ChakraKind::SEND, 1);
    node.attributes["comm_src"] = int64_t{1};
    refuses({node}, "comm_src is not its own rank");
    // one rank calls, the other does not
    CHECK_THROWS_WITH(Read({{Collective(1, 0, 8)}, {}}),
                      Contains("t0 and its 1 others: task graph: group 0"));
}

TEST_CASE("Chakra: the files of others", "[workload]")
{
    if (Skipped())
    {
        return;
    }
    for (const char* name : {"all_reduce", "all_to_all", "reduce_scatter"})
    {
        const std::string folder = "inputs/chakra/" + std::string(name) + "/8npus_1MB/" + name;
        const std::string path = Shared(folder + ".0.et");
        if (path.empty())
        {
            continue;
        }
        const Ptr<TaskGraph> graph = ChakraReader::ReadFiles(path.substr(0, path.size() - 5));
        CHECK(graph->GetRanks() == 8);
        REQUIRE(graph->GetTasks() == 8);
        for (uint32_t id = 0; id < 8; ++id)
        {
            std::string operation = graph->GetTask(id).operation;
            std::replace(operation.begin(), operation.end(), '-', '_');
            CHECK(operation == name);
            CHECK(graph->GetTask(id).bytes == 1 << 20);
        }
    }
    const std::string ring =
        Shared("inputs/chakra/custom_ring_allreduce_8npus_1MB/custom_allreduce.0.et");
    if (ring.empty())
    {
        return;
    }
    // 2 (8 - 1) steps of 1 MiB / 8 to the next rank, 7 reductions
    const Ptr<TaskGraph> graph = ChakraReader::ReadFiles(ring.substr(0, ring.size() - 5));
    CHECK(graph->GetRanks() == 8);
    CHECK(graph->GetTasks() == 8 * (14 + 14 + 7));
    std::vector<uint64_t> sent(8, 0);
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        const Task& task = graph->GetTask(id);
        if (task.kind == TaskKind::SEND)
        {
            CHECK(task.peer == (task.rank + 1) % 8);
            sent[task.rank] += task.bytes;
        }
        CHECK(task.kind != TaskKind::COLLECTIVE);
    }
    CHECK(sent == std::vector<uint64_t>(8, 14 * (1 << 20) / 8));
}

TEST_CASE("Chakra: files that are not there", "[workload]")
{
    CHECK_THROWS_WITH(ChakraReader::ReadFiles("no-such-trace"),
                      Contains("no-such-trace.0.et cannot be opened"));
}
