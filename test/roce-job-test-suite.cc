/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-gpus.h"
#include "roce-test-refusal.h"

#include "ns3/roce-helper.h"
#include "ns3/roce-job-helper.h"
#include "ns3/roce-job-placement.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A send or a receive. */
Task
Message(TaskKind kind,
        uint32_t rank,
        uint32_t peer,
        uint64_t bytes,
        uint32_t tag = 0,
        std::vector<uint32_t> after = {})
{
    Task task;
    task.kind = kind;
    task.rank = rank;
    task.peer = peer;
    task.bytes = bytes;
    task.tag = tag;
    task.after = std::move(after);
    return task;
}

/** A collective. */
Task
Collective(uint32_t rank,
           uint32_t group,
           const std::string& operation,
           uint64_t bytes,
           std::vector<uint32_t> after = {})
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.rank = rank;
    task.group = group;
    task.operation = operation;
    task.bytes = bytes;
    task.after = std::move(after);
    return task;
}

/** Common to the cases. */
class JobTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /** Run a job to its end. \param job the job */
    void RunToEnd(Ptr<Job> job)
    {
        job->SetDoneCallback(MakeCallback(&JobTest::NoteDone, this));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(job->IsFinished(), true, job->Describe());
        NS_TEST_EXPECT_MSG_EQ(job->Describe(), "", "finished");
    }

    /** \param mistake what to do \param part what the message must say */
    void Refuse(const std::function<void()>& mistake, const std::string& part)
    {
        const std::string message = Refusal(mistake);
        NS_TEST_EXPECT_MSG_NE(message.find(part),
                              std::string::npos,
                              "\"" << message << "\" does not say \"" << part << "\"");
    }

    uint32_t m_done{0};

  private:
    void NoteDone()
    {
        ++m_done;
    }
};

/** Computation only: streams, dependencies over ranks, times not before. */
class ComputeTest : public JobTest
{
  public:
    ComputeTest()
        : JobTest("streams, dependencies, times")
    {
    }

  private:
    void DoRun() override
    {
        auto graph = Create<TaskGraph>(2);
        const uint32_t a = graph->AddCompute(0, "a", 100, {}, 0);
        const uint32_t b = graph->AddCompute(0, "b", 50, {}, 0);    // after a: one at a time
        const uint32_t c = graph->AddCompute(0, "c", 10, {}, 1);    // another stream
        const uint32_t d = graph->AddCompute(0, "d", 70);           // no stream
        const uint32_t e = graph->AddCompute(0, "e", 5, {c, d}, 0); // free at 70, runs after b
        const uint32_t f = graph->AddCompute(1, "f", 0, {a});       // another rank
        Task late;
        late.rank = 1;
        late.notBeforeNs = 400;
        late.durationNs = 20;
        late.after = {f};
        const uint32_t g = graph->Add(late);
        Ptr<GpuNetwork> network = MakeTestGpus(2, 1);
        Ptr<Job> job = JobHelper().Install(network, {1, 0}, graph, NanoSeconds(1000));
        RunToEnd(job);
        const JobResult& result = job->GetResult();
        const auto check = [&](uint32_t task, Tick begun, Tick ended) {
            NS_TEST_EXPECT_MSG_EQ(result.GetBegun(task), 1000 + begun, graph->Describe(task));
            NS_TEST_EXPECT_MSG_EQ(result.GetEnded(task), 1000 + ended, graph->Describe(task));
        };
        check(a, 0, 100);
        check(b, 100, 150);
        check(c, 0, 10);
        check(d, 0, 70);
        check(e, 150, 155);
        check(f, 100, 100);
        check(g, 400, 420);
        NS_TEST_EXPECT_MSG_EQ(result.GetDuration(), NanoSeconds(420), "last end");
        NS_TEST_EXPECT_MSG_EQ(result.GetCompute(0), NanoSeconds(155), "0..155 without a gap");
        NS_TEST_EXPECT_MSG_EQ(result.GetCompute(1), NanoSeconds(20), "g");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.GetUtilization(), (155 + 20) / 840.0, 1e-9, "mean");
        NS_TEST_EXPECT_MSG_EQ(result.GetMeanExposed(), Time(0), "nothing was sent");
        NS_TEST_EXPECT_MSG_EQ(m_done, 1, "told once");
        Simulator::Destroy();
    }
};

/** Messages are matched by tag, whatever order they are sent in. */
class TagTest : public JobTest
{
  public:
    TagTest()
        : JobTest("messages are matched by tag; exposed communication")
    {
    }

  private:
    void DoRun() override
    {
        // rank 0 sends tag 7, then tag 8; rank 1 wants 8 first, then 7, then the second of 7 late
        auto graph = Create<TaskGraph>(2);
        graph->Add(Message(TaskKind::SEND, 0, 1, 1000000, 7));
        graph->Add(Message(TaskKind::SEND, 0, 1, 500000, 8));
        graph->Add(Message(TaskKind::SEND, 0, 1, 0, 7));
        const uint32_t eight = graph->Add(Message(TaskKind::RECEIVE, 1, 0, 500000, 8));
        const uint32_t seven = graph->Add(Message(TaskKind::RECEIVE, 1, 0, 1000000, 7, {eight}));
        const uint32_t work = graph->AddCompute(1, "work", 40000, {}, 0);
        const uint32_t wait = graph->AddCompute(1, "wait", 1000000, {seven}, 0);
        const uint32_t last = graph->Add(Message(TaskKind::RECEIVE, 1, 0, 0, 7, {wait}));
        Ptr<GpuNetwork> network = MakeTestGpus(2, 1);
        Ptr<Job> job = JobHelper().Install(network, {0, 1}, graph);
        RunToEnd(job);
        const JobResult& result = job->GetResult();
        // a queue pair sends the 1 MB first: 245 packets of 4096 + 82 bytes (the last one 576)
        // and 16 of RETH, then 123 more; over the switch once more, and 2 us
        const double wire = (1500000.0 + 82 * (245 + 123) + 32) / 12.5;
        const auto at = static_cast<double>(result.GetEnded(eight));
        NS_TEST_EXPECT_MSG_GT(at, wire + 2000, "tag 8 is behind tag 7");
        NS_TEST_EXPECT_MSG_LT(at, wire + 2000 + 335 + 10, "and in at once");
        NS_TEST_EXPECT_MSG_EQ(result.GetBegun(seven), result.GetEnded(eight), "asked for then");
        NS_TEST_EXPECT_MSG_EQ(result.GetEnded(seven), result.GetBegun(seven), "was there");
        NS_TEST_EXPECT_MSG_EQ(result.GetEnded(last), result.GetEnded(wait), "0 bytes, was there");
        NS_TEST_EXPECT_MSG_EQ(job->GetMessageBytes(), 1500000, "bytes");
        // rank 1 works 40 us while it waits for tag 8
        NS_TEST_EXPECT_MSG_EQ(result.GetEnded(work), 40000, "work");
        NS_TEST_EXPECT_MSG_EQ(result.GetCommunication(1), FromTick(result.GetEnded(eight)), "wait");
        NS_TEST_EXPECT_MSG_EQ(result.GetExposed(1),
                              FromTick(result.GetEnded(eight) - 40000),
                              "what it waited without work");
        Simulator::Destroy();
    }
};

/** Messages of one tag belong together by id, not by the order in which tasks start. */
class SameTagTest : public JobTest
{
  public:
    SameTagTest()
        : JobTest("messages of one tag are paired by id")
    {
    }

  private:
    void DoRun() override
    {
        // the first send by id leaves last, the first receive by id is asked for last
        auto graph = Create<TaskGraph>(2);
        const uint32_t late = graph->AddCompute(0, "late", 1000000);
        const uint32_t later = graph->AddCompute(1, "later", 2000000);
        graph->Add(Message(TaskKind::SEND, 0, 1, 1000, 5, {late}));
        graph->Add(Message(TaskKind::SEND, 0, 1, 2000, 5));
        const uint32_t first = graph->Add(Message(TaskKind::RECEIVE, 1, 0, 1000, 5, {later}));
        const uint32_t second = graph->Add(Message(TaskKind::RECEIVE, 1, 0, 2000, 5));
        Ptr<Job> job = JobHelper().Install(MakeTestGpus(2, 1), {0, 1}, graph);
        RunToEnd(job);
        // 2000 + 98 bytes over two links: 2 (2118 * 0.08 ns + 1 us) with preamble and gap
        NS_TEST_EXPECT_MSG_LT(job->GetResult().GetEnded(second), 2400, "sent at 0");
        NS_TEST_EXPECT_MSG_EQ(job->GetResult().GetEnded(first), 2000000, "was there when asked");
        Simulator::Destroy();
    }
};

/** Collectives of two groups that share ranks, called in different orders by time. */
class GroupTest : public JobTest
{
  public:
    GroupTest()
        : JobTest("collectives of groups, in the order of the graph")
    {
    }

  private:
    void DoRun() override
    {
        auto graph = Create<TaskGraph>(4);
        const uint32_t all = graph->AddGroup("all", {0, 1, 2, 3});
        const uint32_t odd = graph->AddGroup("odd", {3, 1});
        std::vector<uint32_t> first;
        for (uint32_t r = 0; r < 4; ++r)
        {
            // rank 0 is busy for 1 ms before its first call
            const uint32_t busy = graph->AddCompute(r, "busy", r == 0 ? 1000000 : 1, {}, 0);
            first.push_back(graph->Add(Collective(r, all, "all-reduce", 400000, {busy})));
        }
        std::vector<uint32_t> second;
        for (uint32_t r = 0; r < 4; ++r)
        {
            // ready at once, yet behind the first of the group
            second.push_back(graph->Add(Collective(r, all, "all-gather", 400000)));
        }
        std::vector<uint32_t> pair;
        for (const uint32_t r : {1, 3})
        {
            pair.push_back(graph->Add(Collective(r, odd, "all-reduce", 1000)));
        }
        Ptr<GpuNetwork> network = MakeTestGpus(4, 1);
        Ptr<Job> job = JobHelper().Install(network, {2, 3, 0, 1}, graph);
        RunToEnd(job);
        const JobResult& result = job->GetResult();
        for (uint32_t r = 0; r < 4; ++r)
        {
            NS_TEST_EXPECT_MSG_GT(result.GetEnded(first[r]), 1000000, "without rank 0");
            NS_TEST_EXPECT_MSG_GT(result.GetEnded(second[r]),
                                  result.GetEnded(first[r]),
                                  "out of order at rank " << r);
        }
        NS_TEST_EXPECT_MSG_LT(result.GetEnded(pair[0]), 100000, "another group does not wait");
        // ring: 2 * 3/4 S a rank, and 3/4 S to gather
        NS_TEST_EXPECT_MSG_EQ(job->GetGroupBytes(all), 4 * (600000 + 300000), "bytes of all");
        NS_TEST_EXPECT_MSG_EQ(job->GetGroupBytes(odd), 2 * 1000, "2 * 1/2 S a rank");
        NS_TEST_EXPECT_MSG_EQ(network->GetFabric()->GetNic(2)->GetQueuePairs().size(),
                              2,
                              "rank 0: both rings use one connection each way");
        Simulator::Destroy();
    }
};

/** Which plan a collective gets. */
class PlanTest : public JobTest
{
  public:
    PlanTest()
        : JobTest("plans, placement, mistakes")
    {
    }

  private:
    void DoRun() override
    {
        JobHelper helper;
        helper.SetChunks(1000, 8);
        Task task = Collective(0, 0, "all-reduce", 15999);
        NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, {0, 0, 1, 1}).algorithm, "hierarchical", "2x2");
        NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, {0, 0, 1, 1}).levels[0], 2, "2x2");
        // 15999 / (4 * 1000): slices of 1000 bytes at most take 4 chunks
        NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, {0, 0, 1, 1}).chunks, 4, "chunks");
        task.bytes = 1000000;
        NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, {0, 0, 1, 1}).chunks, 8, "no more than 8");
        for (const std::vector<uint32_t>& flat :
             std::vector<std::vector<uint32_t>>{{0, 0}, {0, 1}, {0, 1, 0, 1}, {0, 0, 1}, {0, 0, 0}})
        {
            NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, flat).algorithm, "ring", flat.size());
        }
        NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, {0, 0, 1, 1, 0, 0}).algorithm, "ring", "twice");
        helper.SetAllReduce("tree");
        NS_TEST_EXPECT_MSG_EQ(helper.MakePlan(task, {0, 0, 1, 1}).algorithm, "tree", "as told");
        Refuse([&]() { helper.SetAllReduce("bush"); }, "auto");
        Refuse([&]() { helper.SetChannels(0); }, "0 channels");
        Refuse([&]() { helper.SetChannels(1025); }, "1025 channels");
        Refuse([&]() { helper.SetChunks(0, 1); }, "chunks of 0 bytes");
        Refuse([&]() { helper.SetMapping("x"); }, "rail");

        JobPlacement placement(GpuMap::NicPerGpu(MakeTestStar(12), 4));
        const std::vector<uint32_t> packed = placement.Place(3, "packed");
        NS_TEST_EXPECT_MSG_EQ((packed == std::vector<uint32_t>{0, 1, 2}), true, "packed");
        const std::vector<uint32_t> spread = placement.Place(4, "fragmented");
        NS_TEST_EXPECT_MSG_EQ((spread == std::vector<uint32_t>{4, 8, 5, 9}), true, "fragmented");
        placement.AssignStreams(5);
        const std::vector<uint32_t> random = placement.Place(5, "random");
        std::set<uint32_t> seen(random.begin(), random.end());
        seen.insert(packed.begin(), packed.end());
        seen.insert(spread.begin(), spread.end());
        NS_TEST_EXPECT_MSG_EQ(seen.size(), 12, "no GPU is given twice");
        Refuse([&]() { placement.Place(1, "packed"); }, "0 of 12 are free");
        placement.Free(spread);
        Refuse([&]() { placement.Place(5, "packed"); }, "4 of 12 are free");
        Refuse([&]() { placement.Place(1, "square"); }, "fragmented");

        auto graph = Create<TaskGraph>(2);
        graph->AddCompute(0, "x", 1);
        Ptr<GpuNetwork> network = MakeTestGpus(4, 1);
        Refuse([&]() { helper.Install(network, {0}, graph); }, "1 GPUs for 2 ranks");
        Refuse([&]() { helper.Install(network, {1, 1}, graph); }, "rank 0 and rank 1");
        Simulator::Destroy();
    }
};

/** A job that cannot finish says so, and the run ends. */
class StuckTest : public JobTest
{
  public:
    StuckTest()
        : JobTest("a link breaks for good")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        roce.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        roce.SetNicAttribute("RetryLimit", UintegerValue(1));
        const FabricGraph graph = MakeTestStar(2);
        auto network = Create<GpuNetwork>(roce.Install(graph), GpuMap::OnePerHost(graph));
        auto tasks = Create<TaskGraph>(2);
        const uint32_t send = tasks->Add(Message(TaskKind::SEND, 0, 1, 4000000));
        const uint32_t receive = tasks->Add(Message(TaskKind::RECEIVE, 1, 0, 4000000));
        tasks->AddCompute(1, "never", 1, {receive});
        Ptr<Job> job = JobHelper().Install(network, {0, 1}, tasks);
        Simulator::Schedule(MicroSeconds(20), [&]() { network->GetFabric()->SetLinkUp(1, false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(job->IsFinished(), false, "finished over a broken link");
        NS_TEST_EXPECT_MSG_EQ(job->HasFailed(), true, "the send has failed");
        NS_TEST_EXPECT_MSG_EQ(job->GetResult().GetEnded(send), NEVER, "the send has not ended");
        NS_TEST_EXPECT_MSG_NE(job->Describe().find("0 of 3 tasks are done"),
                              std::string::npos,
                              job->Describe());
        Simulator::Destroy();
    }
};

/** Suite roce-job. */
class JobTestSuite : public TestSuite
{
  public:
    JobTestSuite()
        : TestSuite("roce-job", TestSuite::Type::UNIT)
    {
        AddTestCase(new ComputeTest(), D::QUICK);
        AddTestCase(new TagTest(), D::QUICK);
        AddTestCase(new SameTagTest(), D::QUICK);
        AddTestCase(new GroupTest(), D::QUICK);
        AddTestCase(new PlanTest(), D::QUICK);
        AddTestCase(new StuckTest(), D::QUICK);
    }
};

JobTestSuite g_jobTestSuite; //!< registers the suite

} // namespace
