/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Schema roce-workload/1: what is read, that writing and reading keep everything, what is refused.
 */

#include "ns3/roce-workload-json-reader.h"
#include "ns3/roce-workload-json-writer.h"
#include "ns3/roce-workload-text.h"

#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

const char* const EXAMPLE = R"({
  "schema": "roce-workload/1",
  "ranks": 4,
  "groups": [
    {"name": "data", "ranks": [2, 0]},
    {"ranks": [1]}
  ],
  "tasks": [
    {"kind": "compute", "rank": 2, "name": "forward", "duration": "12us", "stream": 0},
    {"kind": "compute", "rank": 0},
    {"kind": "collective", "rank": 0, "group": 0, "operation": "broadcast", "root": 1, "bytes": "1.5MB"},
    {"kind": "collective", "rank": 2, "after": [0], "group": 0, "operation": "broadcast", "root": 1, "bytes": 1500000},
    {"kind": "send", "rank": 1, "name": "hello", "not_before": "0.005ms", "peer": 3, "tag": 7, "bytes": "64KiB"},
    {"kind": "receive", "rank": 3, "after": [1, 2], "peer": 1, "tag": 7, "bytes": 65536}
  ]
})";

/** \return a workload. */
Ptr<TaskGraph>
Read(const std::string& text)
{
    return WorkloadJsonReader::Read("w", text);
}

/** \return a document with these ranks, groups and tasks. */
std::string
Document(const std::string& tasks, const std::string& groups = R"([{"ranks": [0, 1]}])")
{
    return R"({"schema": "roce-workload/1", "ranks": 2, "groups": )" + groups + R"(, "tasks": [)" +
           tasks + "]}";
}

/** Check that two graphs are the same. */
void
CheckSame(const TaskGraph& a, const TaskGraph& b)
{
    REQUIRE(a.GetRanks() == b.GetRanks());
    REQUIRE(a.GetGroups() == b.GetGroups());
    REQUIRE(a.GetTasks() == b.GetTasks());
    for (uint32_t i = 0; i < a.GetGroups(); ++i)
    {
        CHECK(a.GetGroup(i).name == b.GetGroup(i).name);
        CHECK(a.GetGroup(i).ranks == b.GetGroup(i).ranks);
    }
    for (uint32_t i = 0; i < a.GetTasks(); ++i)
    {
        const Task& x = a.GetTask(i);
        const Task& y = b.GetTask(i);
        CHECK(x.kind == y.kind);
        CHECK(x.rank == y.rank);
        CHECK(x.name == y.name);
        CHECK(x.after == y.after);
        CHECK(x.notBeforeNs == y.notBeforeNs);
        CHECK(x.durationNs == y.durationNs);
        CHECK(x.stream == y.stream);
        CHECK(x.group == y.group);
        CHECK(x.operation == y.operation);
        CHECK(x.algorithm == y.algorithm);
        CHECK(x.root == y.root);
        CHECK(x.peer == y.peer);
        CHECK(x.tag == y.tag);
        CHECK(x.bytes == y.bytes);
    }
}

} // namespace

TEST_CASE("roce-workload/1: the example says what it says", "[workload]")
{
    const Ptr<TaskGraph> graph = Read(EXAMPLE);
    CHECK(graph->GetRanks() == 4);
    REQUIRE(graph->GetGroups() == 2);
    CHECK(graph->GetGroup(0).name == "data");
    CHECK(graph->GetGroup(0).ranks == std::vector<uint32_t>{2, 0});
    CHECK(graph->GetGroup(1).name.empty());
    REQUIRE(graph->GetTasks() == 6);
    CHECK(graph->GetTask(0).durationNs == 12000);
    CHECK(graph->GetTask(0).stream == 0);
    CHECK(graph->GetTask(0).name == "forward");
    CHECK(graph->GetTask(1).durationNs == 0);
    CHECK(graph->GetTask(1).stream == Task::NO_STREAM);
    CHECK(graph->GetTask(2).kind == TaskKind::COLLECTIVE);
    CHECK(graph->GetTask(2).operation == "broadcast");
    CHECK(graph->GetTask(2).root == 1);
    CHECK(graph->GetTask(2).bytes == 1500000);
    CHECK(graph->GetTask(4).kind == TaskKind::SEND);
    CHECK(graph->GetTask(4).notBeforeNs == 5000);
    CHECK(graph->GetTask(4).bytes == 65536);
    CHECK(graph->GetTask(5).kind == TaskKind::RECEIVE);
    CHECK(graph->GetTask(5).after == std::vector<uint32_t>{1, 2});
    CHECK(graph->GetTask(5).peer == 1);
    CHECK(graph->GetTask(5).tag == 7);
}

TEST_CASE("roce-workload/1: round trip", "[workload]")
{
    const Ptr<TaskGraph> graph = Read(EXAMPLE);
    const std::string text = WorkloadJsonWriter::Format(*graph);
    CheckSame(*graph, *Read(text));
    CHECK(WorkloadJsonWriter::Format(*Read(text)) == text);

    const TaskGraph empty(1);
    CheckSame(empty, *Read(WorkloadJsonWriter::Format(empty)));

    std::mt19937 random(1);
    const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (int trial = 0; trial < 50; ++trial)
    {
        TaskGraph made(3);
        made.AddGroup("all \"of\" them \\", {2, 0, 1});
        for (uint32_t i = 0; i < 20; ++i)
        {
            Task task;
            task.rank = below(3);
            task.durationNs = int64_t{1} << below(53);
            task.notBeforeNs = below(2) * WorkloadText::MAX_NS;
            task.stream = below(2) == 0 ? Task::NO_STREAM : below(4);
            task.name = std::string(below(4), 'x');
            for (uint32_t k = below(3); k > 0 && i > 0; --k)
            {
                task.after.push_back(below(made.GetTasks()));
            }
            made.Add(task);
            Task send;
            send.kind = TaskKind::SEND;
            send.bytes = uint64_t{1} << below(63);
            send.tag = below(3);
            send.rank = below(2);
            send.peer = 2;
            made.Add(send);
            Task receive = send;
            receive.kind = TaskKind::RECEIVE;
            std::swap(receive.rank, receive.peer);
            receive.name = "r";
            made.Add(receive);
            Task call;
            call.kind = TaskKind::COLLECTIVE;
            call.operation = "all-gather";
            call.algorithm = below(2) == 0 ? "" : "ring";
            call.bytes = below(1000);
            call.root = below(3);
            for (call.rank = 0; call.rank < 3; ++call.rank)
            {
                made.Add(call);
            }
        }
        CheckSame(made, *Read(WorkloadJsonWriter::Format(made)));
    }
}

TEST_CASE("roce-workload/1: what is refused", "[workload]")
{
    const std::string compute = R"({"kind": "compute", "rank": 0})";
    const std::string send = R"({"kind": "send", "rank": 0, "peer": 1, "bytes": 4})";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "w: no JSON"},
        {"[]", "w: expected an object, found 'array'"},
        {"{}", "w: /schema: expected this key"},
        {R"({"schema": "roce-workload/2"})", "expected \"roce-workload/1\""},
        {R"({"schema": "roce-workload/1", "ranks": 0, "tasks": []})",
         "/ranks: task graph: 0 ranks"},
        {R"({"schema": "roce-workload/1", "ranks": -1, "tasks": []})", "/ranks: expected a whole"},
        {R"({"schema": "roce-workload/1", "ranks": 1048577, "tasks": []})",
         "/ranks: expected at most 1048576"},
        {R"({"schema": "roce-workload/1", "ranks": 1.5, "tasks": []})", "/ranks: expected a whole"},
        {R"({"schema": "roce-workload/1", "ranks": 1})", "/tasks: expected this key"},
        {R"({"schema": "roce-workload/1", "ranks": 1, "tasks": {}})", "/tasks: expected a list"},
        {R"({"schema": "roce-workload/1", "ranks": 1, "rank": 1, "tasks": []})", "/rank: this key"},
        {R"({"schema": "roce-workload/1", "ranks": 1, "ranks": 1, "tasks": []})", "comes twice"},
        {Document("", R"([{"ranks": [0, 2]}])"), "/groups/0: task graph: group \"\" has rank 2"},
        {Document("", R"([{"ranks": []}])"), "/groups/0: task graph"},
        {Document("", R"([{"ranks": [0], "size": 1}])"), "/groups/0/size: this key is not known"},
        {Document("", R"([{"ranks": ["0"]}])"), "/groups/0/ranks/0: expected a whole number"},
        {Document("", "[0]"), "/groups/0: expected an object"},
        {Document("1"), "/tasks/0: expected an object"},
        {Document(R"({"rank": 0})"), "/tasks/0/kind: expected this key"},
        {Document(R"({"kind": "dance", "rank": 0})"), "expected compute, collective, send or"},
        {Document(R"({"kind": "compute"})"), "/tasks/0/rank: expected this key"},
        {Document(R"({"kind": "compute", "rank": 2})"), "/tasks/0: task graph"},
        {Document(R"({"kind": "compute", "rank": 0, "bytes": 1})"), "/tasks/0/bytes: this key"},
        {Document(R"({"kind": "send", "rank": 0, "stream": 1})"), "/tasks/0/stream: this key"},
        {Document(R"({"kind": "compute", "rank": 0, "duration": 12})"), "expected a text"},
        {Document(R"({"kind": "compute", "rank": 0, "duration": "12"})"), "/tasks/0/duration: "},
        {Document(R"({"kind": "compute", "rank": 0, "duration": "0.5ns"})"), "whole nanoseconds"},
        {Document(R"({"kind": "compute", "rank": 0, "duration": "-1ns"})"), "whole nanoseconds"},
        {Document(R"({"kind": "compute", "rank": 0, "name": "a\nb"})"), "printable ASCII"},
        {Document(R"({"kind": "compute", "rank": 0, "name": 5})"),
         "/tasks/0/name: expected a text"},
        {Document(compute + R"(,{"kind": "compute", "rank": 0, "after": [1]})"),
         "waits for task 1"},
        {Document(R"({"kind": "send", "rank": 0, "peer": 1})"), "/tasks/0/bytes: expected this"},
        {Document(R"({"kind": "send", "rank": 0, "bytes": 1})"), "/tasks/0/peer: expected this"},
        {Document(R"({"kind": "send", "rank": 0, "peer": 1, "bytes": -4})"), "/tasks/0/bytes"},
        {Document(R"({"kind": "send", "rank": 0, "peer": 1, "bytes": "4 apples"})"), "unit is not"},
        {Document(R"({"kind": "send", "rank": 0, "peer": 1, "bytes": 9000000000000000000})"),
         "2^62"},
        {Document(R"({"kind": "collective", "rank": 0, "group": 0, "bytes": 1})"),
         "operation: exp"},
        {Document(R"({"kind": "collective", "rank": 0, "operation": "x", "bytes": 1})"), "/group"},
        {Document(R"({"kind": "collective", "rank": 0, "group": 0, "operation": "", "bytes": 1})"),
         "no operation"},
        {Document("{\"kind\": \"send\", \"rank\": 0, \"peer\": 1, \"bytes\": \"1\xc2\xb2\"}"),
         "/tasks/0/bytes: \"1??\" is no size"}, // the fuzzer found these bytes in the message
        {Document(send), "w: task graph: task 0 \"\" (send of rank 0) has no counterpart"},
    };
    for (const auto& [text, why] : cases)
    {
        INFO(text);
        CHECK_THROWS_AS(Read(text), std::invalid_argument);
        CHECK_THROWS_WITH(Read(text), Contains(why));
    }
    CHECK_NOTHROW(Read(Document(compute)));
}

TEST_CASE("roce-workload/1: what cannot be written", "[workload]")
{
    TaskGraph graph(2);
    Task task;
    SECTION("a name that would not be read")
    {
        task.name = "a\tb";
        graph.Add(task);
        CHECK_THROWS_WITH(WorkloadJsonWriter::Format(graph), Contains("task 0: expected a name"));
    }
    SECTION("a time that would not be read")
    {
        task.durationNs = WorkloadText::MAX_NS + 1;
        graph.Add(task);
        CHECK_THROWS_WITH(WorkloadJsonWriter::Format(graph), Contains("task 0: a time"));
    }
    SECTION("a graph that is none")
    {
        task.kind = TaskKind::SEND;
        task.peer = 1;
        graph.Add(task);
        CHECK_THROWS_WITH(WorkloadJsonWriter::Format(graph), Contains("no counterpart"));
    }
}

TEST_CASE("Workload names of foreign files", "[workload]")
{
    CHECK(WorkloadText::Tidy("a\x01z\xff") == "a?z?");
    CHECK(WorkloadText::Tidy(std::string(200, 'n')).size() == WorkloadText::MAX_NAME);
    CHECK_NOTHROW(WorkloadText::Check(WorkloadText::Tidy(std::string(200, '\n'))));
    CHECK(WorkloadText::DurationText(0) == "0ns");
    CHECK(WorkloadText::Nanoseconds("0ns") == 0);
    CHECK(WorkloadText::Nanoseconds(WorkloadText::DurationText(WorkloadText::MAX_NS)) ==
          WorkloadText::MAX_NS);
}
