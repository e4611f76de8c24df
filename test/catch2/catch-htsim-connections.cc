/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Connection matrices of htsim as workloads: own small ones, with what they must become by hand,
 * and those of others if they are there.
 */

#include "roce-shared-file.h"

#include "ns3/roce-htsim-connection-reader.h"

#include <catch2/catch.hpp>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return a workload. */
Ptr<TaskGraph>
Read(const std::string& text)
{
    return HtsimConnectionReader::Read(TextSource::FromString("m", text));
}

/** \return a header. */
std::string
Head(int connections, int triggers = 0)
{
    return "Nodes 4\nConnections " + std::to_string(connections) + "\nTriggers " +
           std::to_string(triggers) + "\n";
}

} // namespace

TEST_CASE("htsim connections: each is a send and a receive", "[workload]")
{
    const Ptr<TaskGraph> graph = Read("# two\nNodes 16\nConnections 2\n"
                                      "0->13 start 1499 size 2000000\n"
                                      "13->0 id 7 start 1500 size 5000000000\n");
    CHECK(graph->GetRanks() == 16);
    REQUIRE(graph->GetTasks() == 4);
    const Task& send = graph->GetTask(0);
    CHECK(send.kind == TaskKind::SEND);
    CHECK(send.rank == 0);
    CHECK(send.peer == 13);
    CHECK(send.bytes == 2000000);
    CHECK(send.notBeforeNs == 1); // 1.499 ns, to the nearest
    CHECK(send.name == "row 4");
    CHECK(send.after.empty());
    const Task& receive = graph->GetTask(1);
    CHECK(receive.kind == TaskKind::RECEIVE);
    CHECK(receive.rank == 13);
    CHECK(receive.peer == 0);
    CHECK(receive.bytes == 2000000);
    CHECK(receive.notBeforeNs == 0); // posted from the start
    CHECK(receive.tag == send.tag);
    CHECK(graph->GetTask(2).notBeforeNs == 2); // half up
    CHECK(graph->GetTask(2).bytes == 5000000000);
    CHECK(graph->GetTask(2).name == "id 7");
    CHECK(graph->GetTask(2).tag != send.tag);
}

TEST_CASE("htsim connections: triggers are dependencies", "[workload]")
{
    // row 5 waits for the arrival of row 6, which waits for the end of row 7 at its sender
    const Ptr<TaskGraph> graph =
        Read(Head(3, 2) + "0->1 id 1 trigger 9 size 10\n"
                          "1->2 id 2 trigger 8 size 20 recv_done_trigger 9\n"
                          "2->3 id 3 start 0 size 30 send_done_trigger 8\n"
                          "trigger id 9 oneshot\ntrigger id 8 multishot\n");
    REQUIRE(graph->GetTasks() == 6);
    // tasks 0 and 1 are id 3, 2 and 3 id 2, 4 and 5 id 1
    CHECK(graph->GetTask(0).name == "id 3");
    CHECK(graph->GetTask(2).name == "id 2");
    CHECK(graph->GetTask(2).after == std::vector<uint32_t>{0});
    CHECK(graph->GetTask(4).name == "id 1");
    CHECK(graph->GetTask(4).after == std::vector<uint32_t>{3});
    CHECK(graph->GetTask(5).after.empty());
}

TEST_CASE("htsim connections: barriers", "[workload]")
{
    const std::string fire = "0->1 start 0 size 10 send_done_trigger 1\n"
                             "1->0 start 0 size 10 recv_done_trigger 1 send_done_trigger 1\n";
    const Ptr<TaskGraph> one =
        Read(Head(3, 1) + fire + "2->3 trigger 1 size 5\ntrigger id 1 barrier count 3\n");
    REQUIRE(one->GetTasks() == 6);
    CHECK(one->GetTask(4).after == std::vector<uint32_t>{0, 2, 3}); // both sends, one arrival
    const Ptr<TaskGraph> two = Read(Head(4, 1) + fire +
                                    "2->3 trigger 1 size 5\n3->2 trigger 1 size 6\n"
                                    "trigger id 1 count 3 barrier\n");
    REQUIRE(two->GetTasks() == 9);
    CHECK(two->GetTask(4).kind == TaskKind::COMPUTE);
    CHECK(two->GetTask(4).durationNs == 0);
    CHECK(two->GetTask(4).stream == Task::NO_STREAM);
    CHECK(two->GetTask(4).after == std::vector<uint32_t>{0, 2, 3});
    CHECK(two->GetTask(5).after == std::vector<uint32_t>{4});
    CHECK(two->GetTask(7).after == std::vector<uint32_t>{4});
}

TEST_CASE("htsim connections: what is refused", "[workload]")
{
    const std::string a = "0->1 start 0 size 1";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "m:1: expected Nodes in the header"},
        {"Nodes 4\n", "m:1: expected Connections in the header"},
        {"Nodes 0\nConnections 0\n", "m:1: Nodes 0"},
        {"Nodes\n", "m:1: expected 'Nodes NUMBER'"},
        {"Nodes 4\nNodes 4\n", "m:2: Nodes is given twice"},
        {"Nodes 99999999\n", "m:1: Nodes: expected"},
        {"Nodes 4\nHosts 3\n", "m:2: expected Nodes, Connections"},
        {"Connections 1\n" + a, "m:2: expected Nodes before"},
        {Head(2) + a, "m:2: Connections 2, but the file has 1"},
        {Head(0) + a, "m:2: Connections 0, but the file has 1"},
        {Head(1, 1) + a, "m:3: Triggers 1, but the file has 0"},
        {Head(1) + a + "\ntrigger id 1 oneshot", "m:3: Triggers 0, but the file has 1"},
        {Head(1) + a + "\nNodes 5", "m:5: Nodes after the first row"},
        {"Nodes 4\nConnections 1\nFailures 1\n" + a, "m:3: Failures 1, but the file has 0"},
        {Head(1) + a + "\nfailure switch_type TOR switch_id 0 link_id 1",
         "m:5: failures are not supported"},
        {Head(1) + "0->4 start 0 size 1", "m:4: connection '0->4': expected"},
        {Head(1) + "x->1 start 0 size 1", "m:4: connection 'x->1'"},
        {Head(1) + "2->2 start 0 size 1", "m:4: node 2 sends to itself"},
        {Head(1) + "0->1 start 0", "m:4: expected a size"},
        {Head(1) + "0->1 size 1", "m:4: expected either start or trigger, found neither"},
        {Head(1, 1) + "0->1 start 0 trigger 1 size 1\ntrigger id 1 oneshot",
         "m:4: expected either"},
        {Head(1) + "0->1 start 0 size 0", "m:4: size 0"},
        {Head(1) + "0->1 start -1 size 1", "m:4: start: expected"},
        {Head(1) + "0->1 start 0 size", "m:4: expected a value after 'size'"},
        {Head(1) + a + " size 2", "m:4: size is given twice"},
        {Head(1) + a + " prio 3", "m:4: prio is not supported"},
        {Head(1) + a + " msg 3", "m:4: msg is not supported"},
        {Head(1) + a + " addon", "m:4: addon is not supported"},
        {Head(1) + a + " colour 3", "m:4: 'colour' is not known"},
        {Head(1) + a + " id 0", "m:4: id 0"},
        {Head(2) + a + " id 5\n" + a + " id 5", "m:5: id 5 is given twice"},
        {Head(1) + a + " send_done_trigger 3", "m:4: trigger 3 has no row"},
        {Head(1, 1) + "0->1 trigger 1 size 1\ntrigger id 1 oneshot",
         "m:4: trigger 1 is never fired"},
        {Head(1, 1) + a + "\ntrigger oneshot", "m:5: expected 'trigger id T oneshot'"},
        {Head(1, 1) + a + "\ntrigger id 1", "m:5: expected 'trigger id T oneshot'"},
        {Head(1, 1) + a + "\ntrigger id 1 oneshot barrier", "m:5: barrier after oneshot"},
        {Head(1, 1) + a + "\ntrigger id 1 oneshot count 2", "m:5: oneshot with a count"},
        {Head(1, 1) + a + "\ntrigger id 1 barrier", "m:5: barrier without a count"},
        {Head(1, 1) + a + "\ntrigger id 1 later", "m:5: 'later' is not known"},
        {Head(1, 2) + a + "\ntrigger id 1 oneshot\ntrigger id 1 oneshot",
         "m:6: trigger 1 is given"},
        {Head(2, 1) + a +
             " send_done_trigger 1\n0->1 trigger 1 size 1\ntrigger id 1 barrier count 2",
         "m:6: trigger 1 counts to 2, but 1 ends fire it"},
        {Head(2, 1) + a + " send_done_trigger 1 recv_done_trigger 1\n0->1 trigger 1 size 1\n" +
             "trigger id 1 oneshot",
         "m:6: trigger 1 is fired by 2 ends; a oneshot fires at the first"},
        {Head(2, 1) + a + " send_done_trigger 1 recv_done_trigger 1\n0->1 trigger 1 size 1\n" +
             "trigger id 1 multishot",
         "a multishot starts its connections each time"},
        {Head(1, 1) + "0->1 trigger 1 size 1 send_done_trigger 1\ntrigger id 1 oneshot",
         "m:4: this connection waits for itself"},
        {Head(2, 2) + "0->1 trigger 1 size 1 send_done_trigger 2\n" +
             "1->2 trigger 2 size 1 recv_done_trigger 1\ntrigger id 1 oneshot\ntrigger id 2 "
             "oneshot",
         "m:4: this connection waits for itself"},
    };
    for (const auto& [text, why] : cases)
    {
        INFO(text);
        CHECK_THROWS_AS(Read(text), std::invalid_argument);
        CHECK_THROWS_WITH(Read(text), Contains(why));
    }
    CHECK_NOTHROW(Read(Head(1) + a));
}

TEST_CASE("htsim connections: a barrier of many does not multiply", "[workload]")
{
    // 1000 fire it and 1000 wait: a thousand dependencies each way, not a million
    std::ostringstream text;
    text << Head(2000, 1);
    for (int i = 0; i < 1000; ++i)
    {
        text << "0->1 start 0 size 1 send_done_trigger 1\n";
    }
    for (int i = 0; i < 1000; ++i)
    {
        text << "2->3 trigger 1 size 1\n";
    }
    text << "trigger id 1 barrier count 1000\n";
    const Ptr<TaskGraph> graph = Read(text.str());
    std::size_t edges = 0;
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        edges += graph->GetTask(id).after.size();
    }
    CHECK(edges == 2000);
}

TEST_CASE("htsim connections: the files of others", "[workload]")
{
    const std::map<std::string, std::pair<uint32_t, uint32_t>> files = {
        {"one", {16, 1}},
        {"bidir", {16, 2}},
        {"incast", {16, 15}},
        {"incast_128", {128, 127}},
        {"outcast_incast", {128, 21}},
        {"perm_16n_16c_2MB", {16, 16}},
        {"perm_32n_32c_2MB", {32, 32}},
        {"alltoall_serial_16n", {16, 240}}};
    for (const auto& [name, size] : files)
    {
        const std::string path = Shared("inputs/htsim/" + name + ".cm");
        if (path.empty())
        {
            continue;
        }
        INFO(name);
        const Ptr<TaskGraph> graph = HtsimConnectionReader::Read(TextSource::FromFile(path));
        CHECK(graph->GetRanks() == size.first);
        CHECK(graph->GetTasks() == 2 * size.second);
        CHECK_NOTHROW(graph->Validate());
        if (name != "alltoall_serial_16n")
        {
            continue;
        }
        // each of 16 hosts sends its 15 messages one after the other: 14 triggers each
        std::map<uint32_t, int> sent;
        int triggered = 0;
        for (uint32_t id = 0; id < graph->GetTasks(); ++id)
        {
            const Task& task = graph->GetTask(id);
            if (task.kind == TaskKind::SEND)
            {
                ++sent[task.rank];
                CHECK(task.bytes == 2000000);
                triggered += task.after.empty() ? 0 : 1;
                for (const uint32_t before : task.after)
                {
                    CHECK(graph->GetTask(before).rank == task.rank);
                }
            }
        }
        CHECK(triggered == 16 * 14);
        CHECK(sent.size() == 16);
        for (const auto& [rank, count] : sent)
        {
            CHECK(count == 15);
        }
    }
}
