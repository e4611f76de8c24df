/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * TaskGraph and TaskOrder: what is refused, one graph a rule that is right but for one thing, and
 * the order in which tasks may start. Expected orders follow from the rules in the class comments.
 */

#include "ns3/roce-task-graph.h"
#include "ns3/roce-task-order.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return a computation of no time. */
Task
Compute(uint32_t rank, const std::vector<uint32_t>& after = {})
{
    Task task;
    task.rank = rank;
    task.name = "c";
    task.after = after;
    return task;
}

/** \return an all-reduce of 1000 bytes. */
Task
Call(uint32_t rank, uint32_t group, const std::vector<uint32_t>& after = {})
{
    Task task = Compute(rank, after);
    task.kind = TaskKind::COLLECTIVE;
    task.group = group;
    task.operation = "all-reduce";
    task.bytes = 1000;
    return task;
}

/** \return a message of 100 bytes. */
Task
Message(TaskKind kind,
        uint32_t rank,
        uint32_t peer,
        uint32_t tag = 0,
        const std::vector<uint32_t>& after = {})
{
    Task task = Compute(rank, after);
    task.kind = kind;
    task.peer = peer;
    task.tag = tag;
    task.bytes = 100;
    return task;
}

constexpr TaskKind SEND = TaskKind::SEND;
constexpr TaskKind RECEIVE = TaskKind::RECEIVE;

/** \return ids in the order in which they are taken, each done at once. */
std::vector<uint32_t>
RunAll(TaskOrder& order)
{
    std::vector<uint32_t> taken;
    for (uint32_t id; (id = order.TakeReady()) != TaskOrder::NONE;)
    {
        taken.push_back(id);
        order.SetDone(id);
    }
    return taken;
}

} // namespace

TEST_CASE("TaskGraph: groups that are refused", "[task-graph]")
{
    CHECK_THROWS_WITH(TaskGraph(0), Contains("0 ranks"));
    TaskGraph graph(4);
    CHECK_THROWS_WITH(graph.AddGroup("g", {0, 4}), Contains("rank 4, expected 0..3"));
    CHECK_THROWS_WITH(graph.AddGroup("g", {1, 2, 1}), Contains("rank 1 twice"));
    CHECK_THROWS_WITH(graph.AddGroup("g", {}), Contains("no rank"));
    CHECK(graph.GetGroups() == 0); // a refused one leaves nothing behind
    CHECK(graph.AddGroup("g", {3, 1}) == 0);
    CHECK(graph.AddGroup("g", {0}) == 1);
    CHECK(graph.PlaceOf(0, 3) == 0);
    CHECK(graph.PlaceOf(0, 1) == 1);
    CHECK(graph.PlaceOf(0, 0) == 2); // not in it: the number of ranks in it
    CHECK_THROWS_AS(graph.PlaceOf(2, 0), std::out_of_range);
    CHECK_THROWS_AS(graph.GetGroup(2), std::out_of_range);
    CHECK_THROWS_AS(graph.GetTask(0), std::out_of_range);
}

TEST_CASE("TaskGraph: tasks that are refused", "[task-graph]")
{
    TaskGraph graph(4);
    const uint32_t group = graph.AddGroup("pair", {2, 3});
    CHECK_THROWS_WITH(graph.Add(Compute(4)), Contains("of rank 4, expected 0..3"));
    CHECK_THROWS_WITH(graph.Add(Compute(0, {0})), Contains("waits for task 0"));
    Task task = Compute(0);
    task.durationNs = -1;
    CHECK_THROWS_WITH(graph.Add(task), Contains("negative time, -1 ns"));
    task = Compute(0);
    task.notBeforeNs = -5;
    CHECK_THROWS_WITH(graph.Add(task), Contains("negative time, -5 ns"));
    CHECK_THROWS_WITH(graph.Add(Call(2, 1)), Contains("group 1, there are 1"));
    CHECK_THROWS_WITH(graph.Add(Call(0, group)), Contains("rank 0 is not in group 0 \"pair\""));
    task = Call(2, group);
    task.root = 2;
    CHECK_THROWS_WITH(graph.Add(task), Contains("root 2, the group has 2 ranks"));
    task = Call(2, group);
    task.operation.clear();
    CHECK_THROWS_WITH(graph.Add(task), Contains("no operation"));
    CHECK_THROWS_WITH(graph.Add(Message(SEND, 1, 1)), Contains("rank 1 as its peer"));
    CHECK_THROWS_WITH(graph.Add(Message(RECEIVE, 1, 4)), Contains("rank 4 as its peer"));
    CHECK(graph.GetTasks() == 0);
    CHECK(graph.Add(Compute(0)) == 0);
    CHECK(graph.AddCompute(1, "x", 7, {0}, 3) == 1);
    CHECK(graph.GetTask(1).durationNs == 7);
    CHECK(graph.GetTask(1).stream == 3);
    CHECK(graph.Describe(1) == "task 1 \"x\" (computation of rank 1)");
    CHECK_NOTHROW(graph.Validate());
}

TEST_CASE("TaskGraph: collectives that do not match", "[task-graph]")
{
    TaskGraph graph(3);
    graph.AddGroup("g", {0, 2});
    graph.Add(Call(0, 0));
    SECTION("one rank calls, one does not")
    {
        CHECK_THROWS_WITH(graph.Validate(), Contains("rank 0 calls 1 collectives, rank 2 0"));
    }
    Task task = Call(2, 0);
    SECTION("alike")
    {
        graph.Add(task);
        CHECK_NOTHROW(graph.Validate());
    }
    SECTION("another operation")
    {
        task.operation = "broadcast";
        graph.Add(task);
        CHECK_THROWS_WITH(graph.Validate(),
                          Contains("\"all-reduce\" of 1000 bytes") && Contains("\"broadcast\""));
    }
    SECTION("another size")
    {
        task.bytes = 1001;
        graph.Add(task);
        CHECK_THROWS_WITH(graph.Validate(), Contains("1000 bytes") && Contains("1001 bytes"));
    }
    SECTION("another root")
    {
        task.root = 1;
        graph.Add(task);
        CHECK_THROWS_WITH(graph.Validate(), Contains("root 0") && Contains("root 1"));
    }
    SECTION("another algorithm")
    {
        task.algorithm = "tree";
        graph.Add(task);
        CHECK_THROWS_WITH(graph.Validate(), Contains("algorithm \"tree\""));
    }
    SECTION("another order")
    {
        Task second = task;
        second.bytes = 5;
        graph.Add(second);
        graph.Add(task);
        Task mine = Call(0, 0);
        mine.bytes = 5;
        graph.Add(mine);
        CHECK_THROWS_WITH(graph.Validate(), Contains("the same collective of group 0"));
    }
}

TEST_CASE("TaskGraph: messages that do not match", "[task-graph]")
{
    TaskGraph graph(2);
    graph.Add(Message(SEND, 0, 1));
    SECTION("nobody receives")
    {
        CHECK_THROWS_WITH(graph.Validate(),
                          Contains("task 0") && Contains("no counterpart") &&
                              Contains("sends 1 messages with tag 0"));
    }
    SECTION("another tag")
    {
        graph.Add(Message(RECEIVE, 1, 0, 1));
        CHECK_THROWS_WITH(graph.Validate(), Contains("no counterpart"));
    }
    SECTION("the other way")
    {
        graph.Add(Message(RECEIVE, 0, 1));
        CHECK_THROWS_WITH(graph.Validate(), Contains("no counterpart"));
    }
    SECTION("another size")
    {
        Task task = Message(RECEIVE, 1, 0);
        task.bytes = 99;
        graph.Add(task);
        CHECK_THROWS_WITH(graph.Validate(), Contains("sends 100 bytes") && Contains("expects 99"));
    }
    SECTION("alike")
    {
        graph.Add(Message(RECEIVE, 1, 0));
        CHECK_NOTHROW(graph.Validate());
    }
    SECTION("one receive too many")
    {
        graph.Add(Message(RECEIVE, 1, 0));
        graph.Add(Message(RECEIVE, 1, 0));
        CHECK_THROWS_WITH(graph.Validate(), Contains("task 2") && Contains("receives 2"));
    }
}

TEST_CASE("TaskGraph: tasks that wait for each other", "[task-graph]")
{
    SECTION("sends do not wait for receives")
    {
        TaskGraph graph(2);
        graph.Add(Message(SEND, 0, 1));
        graph.Add(Message(SEND, 1, 0));
        graph.Add(Message(RECEIVE, 0, 1, 0, {0}));
        graph.Add(Message(RECEIVE, 1, 0, 0, {1}));
        CHECK_NOTHROW(graph.Validate());
    }
    SECTION("each receives before it sends")
    {
        TaskGraph graph(2);
        graph.Add(Message(RECEIVE, 0, 1));
        graph.Add(Message(SEND, 0, 1, 0, {0}));
        graph.Add(Message(RECEIVE, 1, 0));
        graph.Add(Message(SEND, 1, 0, 0, {2}));
        CHECK_THROWS_WITH(graph.Validate(),
                          Contains("for ever") && Contains("task 0 \"c\" (receive of rank 0) has "
                                                           "not ended"));
    }
    SECTION("a collective that another one of its rank waits for")
    {
        // rank 0 calls g after h, rank 1 calls h after g
        TaskGraph graph(2);
        graph.AddGroup("g", {0, 1});
        graph.AddGroup("h", {0, 1});
        const uint32_t h = graph.Add(Call(0, 1));
        graph.Add(Call(0, 0, {h}));
        const uint32_t g = graph.Add(Call(1, 0));
        graph.Add(Call(1, 1, {g}));
        CHECK_THROWS_WITH(graph.Validate(), Contains("for ever"));
    }
    SECTION("messages are counted by id, not in the order in which they are ready")
    {
        // receive 0 is ready last, yet gets the first message; send 3 needs it, receive 1 needs 3
        TaskGraph graph(2);
        const uint32_t gate = graph.Add(Message(RECEIVE, 1, 0, 9)); // 0: from send 4
        graph.Add(Message(RECEIVE, 1, 0, 0, {gate}));               // 1: from send 3
        graph.Add(Message(RECEIVE, 1, 0));                          // 2: from send 5
        graph.Add(Message(SEND, 0, 1));                             // 3
        SECTION("the gate opens by itself")
        {
            graph.Add(Message(SEND, 0, 1, 9)); // 4
            graph.Add(Message(SEND, 0, 1));    // 5
            CHECK_NOTHROW(graph.Validate());
        }
        SECTION("the gate waits for what the second message brings")
        {
            graph.Add(Message(SEND, 0, 1));         // 4, to receive 2
            graph.Add(Message(SEND, 1, 0, 7, {2})); // 5
            graph.Add(Message(RECEIVE, 0, 1, 7));   // 6
            graph.Add(Message(SEND, 0, 1, 9, {6})); // 7, to receive 0
            CHECK_NOTHROW(graph.Validate());
        }
        SECTION("the gate waits for what the first message brings")
        {
            graph.Add(Message(SEND, 0, 1));         // 4, to receive 2
            graph.Add(Message(SEND, 1, 0, 7, {1})); // 5
            graph.Add(Message(RECEIVE, 0, 1, 7));   // 6
            graph.Add(Message(SEND, 0, 1, 9, {6})); // 7, to receive 0
            CHECK_THROWS_WITH(graph.Validate(), Contains("for ever"));
        }
    }
}

TEST_CASE("TaskOrder: lower ids first among those that one call frees", "[task-graph]")
{
    TaskGraph graph(1);
    graph.Add(Compute(0));         // 0
    graph.Add(Compute(0, {0}));    // 1
    graph.Add(Compute(0));         // 2
    graph.Add(Compute(0, {0}));    // 3
    graph.Add(Compute(0, {1, 2})); // 4
    graph.Add(Compute(0, {2, 2})); // 5: twice the same is once
    TaskOrder order(graph);
    // 0 and 2 are ready at first; 0 frees 1 and 3, 2 frees 5, then 1 frees 4
    CHECK(RunAll(order) == std::vector<uint32_t>{0, 2, 1, 3, 5, 4});
    CHECK(order.GetDone() == 6);
    CHECK(order.DescribeFirst().empty());
    CHECK(order.IsDone(4));
}

TEST_CASE("TaskOrder: a collective waits for the one before it in its group", "[task-graph]")
{
    TaskGraph graph(2);
    graph.AddGroup("g", {0, 1});
    graph.AddGroup("h", {0, 1});
    graph.Add(Compute(0));      // 0
    graph.Add(Call(0, 0, {0})); // 1: first of g
    graph.Add(Call(0, 0));      // 2: second of g, nothing else to wait for
    graph.Add(Call(0, 1));      // 3: of h
    graph.Add(Call(1, 0));      // 4: another rank
    TaskOrder order(graph);
    CHECK(order.DescribeFirst() == "task 0 \"c\" (computation of rank 0) is ready");
    CHECK(order.TakeReady() == 0);
    CHECK(order.DescribeFirst() == "task 0 \"c\" (computation of rank 0) has not ended");
    CHECK(order.TakeReady() == 3);
    CHECK(order.TakeReady() == 4);
    CHECK(order.TakeReady() == TaskOrder::NONE);
    order.SetDone(0);
    CHECK(order.TakeReady() == 1);
    // 2 may start when 1 has been taken, done or not
    CHECK(order.TakeReady() == 2);
    CHECK(order.TakeReady() == TaskOrder::NONE);
    CHECK(order.GetDone() == 1);
    CHECK_FALSE(order.IsDone(1));
}

TEST_CASE("TaskOrder: says what a task waits for", "[task-graph]")
{
    TaskGraph graph(1);
    graph.AddGroup("g", {0});
    graph.Add(Compute(0));      // 0
    graph.Add(Call(0, 0, {0})); // 1
    graph.Add(Call(0, 0));      // 2
    TaskOrder order(graph);
    CHECK(order.TakeReady() == 0);
    CHECK_THROWS_AS(order.SetDone(1), std::logic_error); // has not started
    order.SetDone(0);
    CHECK_THROWS_AS(order.SetDone(0), std::logic_error); // twice
    CHECK_THROWS_AS(order.SetDone(3), std::out_of_range);
    CHECK(order.DescribeFirst() == "task 1 \"c\" (collective of rank 0) is ready");

    TaskGraph chain(1);
    chain.Add(Compute(0));
    chain.Add(Compute(0, {0}));
    TaskOrder other(chain);
    other.TakeReady();
    CHECK(other.TakeReady() == TaskOrder::NONE);
    other.SetDone(0);
    CHECK(other.TakeReady() == 1);
    other.SetDone(1);
    CHECK(other.DescribeFirst().empty());
}
