/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-job-helper.h"
#include "ns3/roce-job-placement.h"
#include "ns3/roce-training-step.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;
constexpr int64_t CABLE_NS = 500;
constexpr uint32_t MTU = 1000;

/** \return 4 layers of times that are given, no optimizer. \param degrees of parallelism
 *  \param hidden size; sequences have 16 tokens */
TrainingPlan
Plan(const ParallelDegrees& degrees, uint32_t hidden)
{
    TrainingPlan plan;
    plan.model.layers = 4;
    plan.model.hidden = hidden;
    plan.model.feedForward = 4 * hidden;
    plan.model.sequence = 16;
    plan.gpu.forwardNs = 100000;
    plan.gpu.backwardNs = 300000;
    plan.gpu.optimizerNs = 0;
    plan.degrees = degrees;
    plan.microBatches = 4;
    return plan;
}

/** Steps on a star of hosts on one switch. */
class TrainingTest : public FabricTest
{
  public:
    /** \param name of the case */
    explicit TrainingTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    /** \param hosts on the switch \param map makes GPUs of them */
    template <typename M>
    void Star(uint32_t hosts, M map)
    {
        Build(StarGraph(hosts, RATE, CABLE_NS));
        network = Create<GpuNetwork>(fabric, map(fabric->GetGraph()));
    }

    /** Hosts of one GPU. \param hosts on the switch */
    void Star(uint32_t hosts)
    {
        Star(hosts, [](const FabricGraph& graph) { return GpuMap::OnePerHost(graph); });
    }

    /** \return a job that starts at once. \param plan its step \param gpus by rank */
    Ptr<Job> Start(const TrainingPlan& plan, const std::vector<uint32_t>& gpus)
    {
        jobs.push_back(JobHelper().Install(network, gpus, TrainingStep(plan).MakeGraph()));
        return jobs.back();
    }

    /** Run all jobs, and check what holds for each. */
    void RunJobs()
    {
        Run();
        for (const Ptr<Job>& job : jobs)
        {
            NS_TEST_ASSERT_MSG_EQ(job->IsFinished(), true, "ends: " + job->Describe());
            const JobResult& result = job->GetResult();
            double compute = 0;
            for (uint32_t rank = 0; rank < job->GetGraph()->GetRanks(); ++rank)
            {
                const Time sum = result.GetCompute(rank) + result.GetExposed(rank);
                NS_TEST_EXPECT_MSG_EQ((sum <= result.GetDuration()), true, "no more than the step");
                compute += result.GetCompute(rank).GetSeconds();
            }
            const double share =
                compute / job->GetGraph()->GetRanks() / result.GetDuration().GetSeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(result.GetUtilization(), share, 1e-9, "compute / step");
        }
    }

    /** \return ns of a step. \param job that has run */
    static double StepNs(Ptr<Job> job)
    {
        return job->GetResult().GetDuration().ToDouble(Time::NS);
    }

    /** \return bytes of the groups of a name. \param job that has run \param name of groups */
    static uint64_t BytesOf(Ptr<Job> job, const std::string& name)
    {
        uint64_t bytes = 0;
        for (uint32_t group = 0; group < job->GetGraph()->GetGroups(); ++group)
        {
            bytes += job->GetGraph()->GetGroup(group).name == name ? job->GetGroupBytes(group) : 0;
        }
        return bytes;
    }

    /** Forget the run. */
    void Clear()
    {
        for (const Ptr<Job>& job : jobs)
        {
            job->Dispose();
        }
        jobs.clear();
        network = nullptr;
        Reset();
    }

    void DoTeardown() override
    {
        Clear();
    }

    Ptr<GpuNetwork> network;    //!< of the fabric
    std::vector<Ptr<Job>> jobs; //!< of the run
};

/** Steps whose time is arithmetic. */
class ScheduleTest : public TrainingTest
{
  public:
    ScheduleTest()
        : TrainingTest("step time of stages against arithmetic")
    {
    }

  private:
    /** One rank sends nothing: 4 micro batches of 4 layers. */
    void Alone()
    {
        Star(2);
        Ptr<Job> job = Start(Plan({1, 1, 1, 1}, 64), {0});
        RunJobs();
        NS_TEST_EXPECT_MSG_EQ(StepNs(job), 4 * 4 * 400000.0, "4 x 4 (0.1 + 0.3 ms)");
        NS_TEST_EXPECT_MSG_EQ(job->GetResult().GetUtilization(), 1, "always busy");
        NS_TEST_EXPECT_MSG_EQ(job->GetResult().GetMeanExposed(), Time(0), "nothing is sent");
        Clear();
    }

    /**
     * When the last pass ends, by recurrence over the order of passes: a pass begins when the one
     * before it on its stage has ended and, latency later than its end, the one before it in the
     * pipeline.
     * \param schedule order \param stages p \param m micro batches \param forward ns of a stage
     * \param backward ns of a stage \param latency ns of a message
     */
    static double Expected(const std::string& schedule,
                           uint32_t stages,
                           uint32_t m,
                           double forward,
                           double backward,
                           double latency)
    {
        const PipelineSchedule order(schedule, stages, m);
        std::vector<std::vector<double>> ends[2];
        ends[0] = ends[1] = std::vector<std::vector<double>>(stages, std::vector<double>(m, -1));
        std::vector<std::size_t> next(stages, 0);
        std::vector<double> free(stages, 0);
        for (std::size_t done = 0; done < 2 * m * stages;)
        {
            for (uint32_t stage = 0; stage < stages; ++stage)
            {
                if (next[stage] == order.GetPasses(stage).size())
                {
                    continue;
                }
                const PipelinePass pass = order.GetPasses(stage)[next[stage]];
                const uint32_t end = pass.forward ? 0 : stages - 1;
                const uint32_t from = pass.forward ? stage - 1 : stage + 1;
                const double input = stage == end ? 0 : ends[pass.forward][from][pass.microBatch];
                if (input >= 0)
                {
                    const double ready = stage == end ? 0 : input + latency;
                    free[stage] =
                        std::max(free[stage], ready) + (pass.forward ? forward : backward);
                    ends[pass.forward][stage][pass.microBatch] = free[stage];
                    ++next[stage];
                    ++done;
                }
            }
        }
        return *std::max_element(free.begin(), free.end());
    }

    /** Two and four stages with messages of 16 x 100 x 2 bytes. \param schedule order */
    void Stages(const std::string& schedule)
    {
        constexpr uint64_t BYTES = 3200;
        const double latency = TestEqualArrivalNs(2, RATE, CABLE_NS, BYTES, MTU);
        for (const uint32_t p : {2U, 4U})
        {
            Star(p);
            TrainingPlan plan = Plan({1, p, 1, 1}, 100);
            plan.schedule = schedule;
            std::vector<uint32_t> gpus;
            for (uint32_t i = 0; i < p; ++i)
            {
                gpus.push_back(i);
            }
            Ptr<Job> job = Start(plan, gpus);
            RunJobs();
            const double tf = 100000.0 * 4 / p;
            const double tb = 300000.0 * 4 / p;
            // the last backward pass ends at stage 0, which sends nothing after it; a message may
            // find an ACK of 66 + 20 bytes in front of it on each of its two links
            const double late = latency + 2 * TestBytesNs(86, RATE);
            const std::string what = schedule + " of " + std::to_string(p);
            NS_TEST_EXPECT_MSG_GT(StepNs(job), Expected(schedule, p, 4, tf, tb, latency) - 1, what);
            NS_TEST_EXPECT_MSG_LT(StepNs(job), Expected(schedule, p, 4, tf, tb, late) + 1, what);
            NS_TEST_EXPECT_MSG_EQ_TOL(job->GetResult().GetUtilization(),
                                      4 * (tf + tb) / StepNs(job),
                                      1e-9,
                                      "m (tf + tb) of the step");
            NS_TEST_EXPECT_MSG_EQ(job->GetMessageBytes(),
                                  2 * (p - 1) * 4 * BYTES,
                                  "each way over each border, for each micro batch");
            Clear();
        }
    }

    void DoRun() override
    {
        // no latency: (m + p - 1) (tf + tb), here (4 + 3) x 3
        NS_TEST_EXPECT_MSG_EQ(Expected("1f1b", 4, 4, 1, 2, 0), 21, "the recurrence");
        Alone();
        Stages("1f1b");
        Stages("gpipe");
    }
};

/** Gradients of two replicas. */
class OverlapTest : public TrainingTest
{
  public:
    OverlapTest()
        : TrainingTest("gradients with overlap and without")
    {
    }

  private:
    // 12 x 224^2 parameters of 2 bytes a layer; at 100 Gb/s 96.3 us, 0.3 ms of backward pass
    static constexpr uint32_t HIDDEN = 224;
    static constexpr uint64_t LAYER_BYTES = 12ULL * HIDDEN * HIDDEN * 2;
    static constexpr double COMPUTE_NS = 16 * 400000.0;

    void DoRun() override
    {
        const double layerNs = TestBytesNs(LAYER_BYTES, RATE);
        double exposed[2];
        for (const bool overlap : {false, true})
        {
            Star(2);
            TrainingPlan plan = Plan({1, 1, 2, 1}, HIDDEN);
            plan.overlap = overlap;
            plan.bucketBytes = LAYER_BYTES;
            Ptr<Job> job = Start(plan, {0, 1});
            RunJobs();
            exposed[overlap] = job->GetResult().GetMeanExposed().ToDouble(Time::NS);
            NS_TEST_EXPECT_MSG_EQ_TOL(StepNs(job),
                                      COMPUTE_NS + exposed[overlap],
                                      1,
                                      "what is exposed is what is longer");
            // a ring of 2 ranks sends 2 (2 - 1) / 2 of the bytes from each
            NS_TEST_EXPECT_MSG_EQ(BytesOf(job, "data"), 2 * 4 * LAYER_BYTES, "of all ranks");
            Clear();
        }
        NS_TEST_EXPECT_MSG_GT(exposed[false], 4 * layerNs, "all gradients at line rate");
        // 1082 and 1098 bytes of wire for 1000: a tenth more, and some latency
        NS_TEST_EXPECT_MSG_LT(exposed[false], 4 * layerNs * 1.2, "not much more");
        NS_TEST_EXPECT_MSG_GT(exposed[true], layerNs, "the last layer has nothing to hide behind");
        NS_TEST_EXPECT_MSG_LT(exposed[true], layerNs * 1.2, "the others have");
    }
};

/** Several jobs. */
class JobsTest : public TrainingTest
{
  public:
    JobsTest()
        : TrainingTest("jobs that share nothing, and jobs that share NICs")
    {
    }

  private:
    /** \return a plan with gradients of 4 layers of 12 x 224^2 x 2 bytes after all passes */
    static TrainingPlan Plain()
    {
        TrainingPlan plan = Plan({1, 1, 2, 1}, 224);
        plan.overlap = false;
        return plan;
    }

    void Apart()
    {
        TrainingPlan other = Plan({1, 2, 1, 1}, 100);
        double alone[2];
        Star(4);
        alone[0] = StepNs((Start(Plain(), {0, 1}), RunJobs(), jobs[0]));
        Clear();
        Star(4);
        alone[1] = StepNs((Start(other, {2, 3}), RunJobs(), jobs[0]));
        Clear();
        Star(4);
        Start(Plain(), {0, 1});
        Start(other, {2, 3});
        RunJobs();
        NS_TEST_EXPECT_MSG_EQ(StepNs(jobs[0]), alone[0], "as alone");
        NS_TEST_EXPECT_MSG_EQ(StepNs(jobs[1]), alone[1], "as alone");
        Clear();
    }

    void Together()
    {
        // GPUs 0 and 1 share a NIC, 2 and 3 the other: gradients of both jobs at once
        const auto map = [](const FabricGraph& graph) { return GpuMap::SharedNic(graph, 2); };
        const double allNs = 4 * TestBytesNs(12ULL * 224 * 224 * 2, RATE);
        Star(2, map);
        Start(Plain(), {0, 2});
        Start(Plain(), {1, 3});
        RunJobs();
        for (const Ptr<Job>& job : jobs)
        {
            const double exposed = job->GetResult().GetMeanExposed().ToDouble(Time::NS);
            NS_TEST_EXPECT_MSG_GT(exposed, 1.5 * allNs, "half of the rate for nearly all of it");
            NS_TEST_EXPECT_MSG_LT(exposed, 2 * allNs * 1.2, "not less");
        }
        Clear();
    }

    void DoRun() override
    {
        Apart();
        Together();
    }
};

/** All kinds of parallelism at once. */
class MixedTest : public TrainingTest
{
  public:
    MixedTest()
        : TrainingTest("bytes of tensor, pipeline, data and expert parallelism")
    {
    }

  private:
    /** 2 x 2 x 2 ranks on servers of 4 GPUs. \param placement of the job \param experts degree */
    void RunOne(const std::string& placement, uint32_t experts)
    {
        Star(8, [](const FabricGraph& graph) { return GpuMap::NicPerGpu(graph, 4); });
        TrainingPlan plan = Plan({2, 2, 2, experts}, 64);
        plan.model.experts = experts > 1 ? 2 : 0;
        JobPlacement places(network->GetGpus());
        places.AssignStreams(100);
        Ptr<Job> job = Start(plan, places.Place(8, placement));
        RunJobs();
        const std::string what = placement + ", " + std::to_string(experts);
        constexpr uint64_t S = 16 * 64 * 2; // activations
        // 4 groups of 2 ranks: an all-reduce of S takes 2 (n - 1) S = 2 S of all ranks; two a layer
        // and direction, 2 layers a stage, 4 micro batches
        NS_TEST_EXPECT_MSG_EQ(BytesOf(job, "tensor"), 4 * 4 * 2 * 4 * 2 * S, what);
        // 4 pairs of neighbors, each way
        NS_TEST_EXPECT_MSG_EQ(job->GetMessageBytes(), 4 * 2 * 4 * S, what);
        // 2 layers of 12 h^2 / 2 parameters. With experts: 4 h^2 / 2 in groups of 2; the one expert
        // of a rank has no replica
        const uint64_t layer = (experts > 1 ? 4 : 12) * 64 * 64 / 2 * 2;
        NS_TEST_EXPECT_MSG_EQ(BytesOf(job, "data"), 4 * 2 * 2 * layer, what);
        // 4 groups of 2 ranks that have S / 2 each and keep half; two a layer and direction
        const uint64_t dispatched = experts > 1 ? 4 * 2 * (S / 2) / 2 * 2 * 4 * 4 : 0;
        NS_TEST_EXPECT_MSG_EQ(BytesOf(job, "expert"), dispatched, what);
        const double ideal = (4 + 2 - 1) * 2 * 400000.0;
        NS_TEST_EXPECT_MSG_GT(StepNs(job), ideal, "longer than without communication");
        NS_TEST_EXPECT_MSG_LT(StepNs(job), 1.3 * ideal, "but messages are short");
        Clear();
    }

    void DoRun() override
    {
        for (const std::string placement : {"packed", "fragmented", "random"})
        {
            RunOne(placement, 1);
            RunOne(placement, 2);
        }
    }
};

/** The suite. */
class TrainingTestSuite : public TestSuite
{
  public:
    TrainingTestSuite()
        : TestSuite("roce-training", TestSuite::Type::UNIT)
    {
        AddTestCase(new ScheduleTest, D::QUICK);
        AddTestCase(new OverlapTest, D::QUICK);
        AddTestCase(new JobsTest, D::QUICK);
        AddTestCase(new MixedTest, D::QUICK);
    }
};

const TrainingTestSuite g_trainingTestSuite;

} // namespace
