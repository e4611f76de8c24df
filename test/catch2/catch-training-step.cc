/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-zero-latency.h"

#include "ns3/roce-training-step.h"

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr int64_t TF = 300;       //!< ns of a layer forward
constexpr int64_t TB = 500;       //!< ns of a layer backward
constexpr uint32_t LAYERS = 8;    //!< of the model
constexpr uint64_t HIDDEN = 64;   //!< h
constexpr uint64_t SEQUENCE = 32; //!< s
constexpr uint64_t BATCH = 2;     //!< B

/** \return a small plan with times that are given. \param degrees of parallelism */
TrainingPlan
Small(const ParallelDegrees& degrees)
{
    TrainingPlan plan;
    plan.model.layers = LAYERS;
    plan.model.hidden = HIDDEN;
    plan.model.feedForward = 4 * HIDDEN;
    plan.model.sequence = SEQUENCE;
    plan.model.microBatch = BATCH;
    plan.gpu.forwardNs = TF;
    plan.gpu.backwardNs = TB;
    plan.gpu.optimizerNs = 0;
    plan.degrees = degrees;
    plan.bucketBytes = 10000;
    if (degrees.expert > 1)
    {
        plan.model.experts = 4;
    }
    return plan;
}

/** \return all degrees of the tests */
std::vector<ParallelDegrees>
AllDegrees()
{
    std::vector<ParallelDegrees> all;
    for (const uint32_t t : {1, 2, 4})
    {
        for (const uint32_t p : {1, 2, 4})
        {
            for (const uint32_t d : {1, 2, 4})
            {
                all.push_back({t, p, d, 1});
                if (d > 1)
                {
                    all.push_back({t, p, d, 2});
                }
            }
        }
    }
    return all;
}

/** Bytes of one rank: by name of the group, and of what it sends. */
std::vector<std::map<std::string, uint64_t>>
BytesOf(const TaskGraph& graph)
{
    std::vector<std::map<std::string, uint64_t>> bytes(graph.GetRanks());
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const Task& task = graph.GetTask(id);
        if (task.kind == TaskKind::COLLECTIVE)
        {
            bytes[task.rank][graph.GetGroup(task.group).name + " " + task.operation] += task.bytes;
        }
        else if (task.kind == TaskKind::SEND)
        {
            bytes[task.rank]["send"] += task.bytes;
        }
    }
    return bytes;
}

/** The time without communication, and that computations of a rank are all of it.
 *  \param plan what to run \param expected ns */
void
CheckTime(const TrainingPlan& plan, int64_t expected)
{
    const TrainingStep step(plan);
    const Ptr<TaskGraph> graph = step.MakeGraph();
    REQUIRE_NOTHROW(graph->Validate());
    const ZeroLatency run(*graph);
    INFO(plan.schedule << " t " << plan.degrees.tensor << " p " << plan.degrees.pipeline << " d "
                       << plan.degrees.data << " e " << plan.degrees.expert << " m "
                       << plan.microBatches << " v " << plan.chunks);
    CHECK(run.now == expected);
    CHECK(step.GetIdealNs() == expected);
    std::vector<int64_t> busy(graph->GetRanks(), 0);
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        REQUIRE(run.ended[id] >= 0);
        busy[graph->GetTask(id).rank] += graph->GetTask(id).durationNs;
    }
    const int64_t work = plan.microBatches * int64_t(LAYERS) / plan.degrees.pipeline * (TF + TB);
    for (const int64_t ns : busy)
    {
        CHECK(ns == work);
    }
}

} // namespace

TEST_CASE("1F1B and GPipe take (m + p - 1) (tf + tb)", "[training-step]")
{
    for (const ParallelDegrees& degrees : AllDegrees())
    {
        for (const std::string schedule : {"1f1b", "gpipe"})
        {
            for (const uint32_t m : {1, 3, 8})
            {
                TrainingPlan plan = Small(degrees);
                plan.schedule = schedule;
                plan.microBatches = m;
                const int64_t stage = int64_t(LAYERS) / degrees.pipeline * (TF + TB);
                CheckTime(plan, (m + degrees.pipeline - 1) * stage);
            }
        }
    }
}

TEST_CASE("Interleaved takes m (tf + tb) + (p - 1) (tf + tb) / v", "[training-step]")
{
    for (const ParallelDegrees& degrees : AllDegrees())
    {
        for (const uint32_t v : {2, 4})
        {
            for (const uint32_t groups : {1, 2, 3})
            {
                if (degrees.pipeline == 1 || LAYERS % (degrees.pipeline * v))
                {
                    continue;
                }
                TrainingPlan plan = Small(degrees);
                plan.schedule = "interleaved";
                plan.chunks = v;
                plan.microBatches = groups * degrees.pipeline;
                const int64_t stage = int64_t(LAYERS) / degrees.pipeline * (TF + TB);
                CheckTime(plan, plan.microBatches * stage + (degrees.pipeline - 1) * stage / v);
            }
        }
    }
}

TEST_CASE("Bytes of each rank are those of the formulas", "[training-step]")
{
    constexpr uint32_t M = 4;
    const uint64_t activations = BATCH * SEQUENCE * HIDDEN * 2;
    for (const ParallelDegrees& d : AllDegrees())
    {
        TrainingPlan plan = Small(d);
        plan.microBatches = M;
        plan.model.vocabulary = 100;
        const TrainingStep step(plan);
        const auto bytes = BytesOf(*step.MakeGraph());
        const uint64_t layers = LAYERS / d.pipeline;
        // 4 h^2 of attention; 8 h^2 of the feed-forward block, or of each of 4 / e experts
        const uint64_t attention = 4 * HIDDEN * HIDDEN / d.tensor;
        const uint64_t block = 8 * HIDDEN * HIDDEN / d.tensor;
        const uint64_t vocabulary = 100 * HIDDEN / d.tensor;
        for (uint32_t rank = 0; rank < bytes.size(); ++rank)
        {
            INFO("rank " << rank << " t " << d.tensor << " p " << d.pipeline << " d " << d.data
                         << " e " << d.expert);
            const uint32_t stage = step.GetLayout().At(rank).pipeline;
            std::map<std::string, uint64_t> expected;
            if (d.tensor > 1) // two all-reduces a layer and direction
            {
                expected["tensor all-reduce"] = M * layers * 4 * activations;
            }
            if (d.expert > 1) // two all-to-alls a layer and direction
            {
                expected["expert all-to-all"] = M * layers * 4 * activations / d.tensor;
            }
            const uint64_t neighbors = (stage > 0) + (stage + 1 < d.pipeline);
            if (neighbors > 0)
            {
                expected["send"] = M * neighbors * activations;
            }
            const uint64_t ends = (stage == 0) + (stage + 1 == d.pipeline);
            const uint64_t dense =
                2 * (layers * (attention + (d.expert > 1 ? 0 : block)) + ends * vocabulary);
            const uint64_t sparse = d.expert > 1 ? 2 * layers * 4 / d.expert * block : 0;
            CHECK(step.GetDenseGradientBytes(stage) == dense);
            CHECK(step.GetExpertGradientBytes() == sparse);
            if (d.data > 1)
            {
                expected["data all-reduce"] = dense + (d.data > d.expert ? sparse : 0);
            }
            CHECK(bytes[rank] == expected);
        }
    }
}

TEST_CASE("Buckets are reduced as their layers are done", "[training-step]")
{
    // two micro batches on one stage: F0 B0 F1 B1; the last backward pass begins after
    // 8 (300 + 500) + 8 x 300 ns, and each layer takes 500 of it. A layer has 12 x 64^2 x 2 = 98304
    // bytes, so buckets of 200000 are full after layers 3, 5, 7 and the rest is ready after 8
    TrainingPlan plan = Small({1, 1, 2, 1});
    plan.microBatches = 2;
    plan.bucketBytes = 200000;
    plan.gpu.optimizerNs = 7;
    constexpr int64_t BEGIN = 8 * (TF + TB) + 8 * TF;
    for (const bool overlap : {true, false})
    {
        plan.overlap = overlap;
        const Ptr<TaskGraph> graph = TrainingStep(plan).MakeGraph();
        const ZeroLatency run(*graph);
        std::vector<int64_t> begins;
        std::vector<uint64_t> sizes;
        for (uint32_t id = 0; id < graph->GetTasks(); ++id)
        {
            const Task& task = graph->GetTask(id);
            if (task.rank == 0 && task.kind == TaskKind::COLLECTIVE)
            {
                begins.push_back(run.begun[id] - BEGIN);
                sizes.push_back(task.bytes);
            }
            if (task.name == "optimizer")
            {
                CHECK(task.after.size() == 5); // four buckets and the last computation
                CHECK(run.begun[id] == BEGIN + 8 * TB);
            }
        }
        CHECK(sizes == std::vector<uint64_t>{200000, 200000, 200000, 8 * 98304 - 600000});
        CHECK(begins == (overlap ? std::vector<int64_t>{3 * TB, 5 * TB, 7 * TB, 8 * TB}
                                 : std::vector<int64_t>(4, 8 * TB)));
        CHECK(run.now == BEGIN + 8 * TB + 7);
    }
}

TEST_CASE("Chunks of an interleaved stage have buckets of their own", "[training-step]")
{
    TrainingPlan plan = Small({1, 2, 2, 1});
    plan.schedule = "interleaved";
    plan.chunks = 2;
    plan.microBatches = 4;
    plan.bucketBytes = 0; // one a chunk, of 2 layers
    const Ptr<TaskGraph> graph = TrainingStep(plan).MakeGraph();
    std::map<uint32_t, std::vector<std::string>> names;
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        const Task& task = graph->GetTask(id);
        if (task.kind == TaskKind::COLLECTIVE)
        {
            CHECK(task.bytes == 2 * 98304);
            names[task.rank].push_back(task.name);
        }
    }
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        CHECK(names[rank] == std::vector<std::string>{"B3.1 data", "B3.0 data"});
    }
}

TEST_CASE("Tensor ranks may send parts and gather them", "[training-step]")
{
    TrainingPlan plan = Small({4, 2, 1, 1});
    plan.microBatches = 3;
    plan.scatterGather = true;
    const Ptr<TaskGraph> graph = TrainingStep(plan).MakeGraph();
    REQUIRE_NOTHROW(graph->Validate());
    const uint64_t activations = BATCH * SEQUENCE * HIDDEN * 2;
    for (const auto& bytes : BytesOf(*graph))
    {
        CHECK(bytes.at("send") == 3 * activations / 4);
        CHECK(bytes.at("tensor all-gather") == 3 * activations); // size: what is put together
    }
}

TEST_CASE("Folded all-reduces are time, not bytes", "[training-step]")
{
    // a ring of 4: 2 x 3 steps of 8192 / 4 bytes at 2 byte/ns and 10 ns: 6 x 1034 = 6204 ns; four a
    // layer, in place of collectives
    TrainingPlan plan = Small({4, 2, 1, 1});
    plan.microBatches = 3;
    plan.foldTensor = true;
    plan.foldBytesPerS = 2e9;
    plan.foldLatencyNs = 10;
    const TrainingStep step(plan);
    const Ptr<TaskGraph> graph = step.MakeGraph();
    CHECK(graph->GetGroups() == 0);
    CHECK(step.GetFoldNs(8192) == 6204);
    const int64_t expected = (3 + 2 - 1) * 4 * (TF + TB + 4 * 6204);
    CHECK(ZeroLatency(*graph).now == expected);
    CHECK(step.GetIdealNs() == expected);
}

TEST_CASE("A head keeps the last stage busy for longer", "[training-step]")
{
    // V = 14.5 h makes the head 2 V h of 24 h^2 + 4 s h = 26 h^2 of a layer (s = h / 2): 29 / 26
    TrainingPlan plan = Small({1, 2, 1, 1});
    plan.microBatches = 4;
    plan.model.vocabulary = 928;
    plan.gpu.forwardNs = 2600;
    plan.gpu.backwardNs = 5200;
    // the last stage does 4 x (4 layers and a head) without a gap; the first is 4 layers before it
    // and 4 after it
    const int64_t stage = 4 * (2600 + 5200);
    const int64_t head = 2900 + 5800;
    CHECK(ZeroLatency(*TrainingStep(plan).MakeGraph()).now == 4 * (stage + head) + stage);
}

TEST_CASE("Steps that do not fit are refused", "[training-step]")
{
    const auto refused = [](const std::function<void(TrainingPlan&)>& change) {
        TrainingPlan plan = Small({1, 2, 2, 1});
        change(plan);
        try
        {
            TrainingStep(plan).MakeGraph()->Validate();
        }
        catch (const std::invalid_argument& e)
        {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(refused([](TrainingPlan&) {}).empty());
    CHECK_THAT(refused([](TrainingPlan& p) { p.degrees.pipeline = 3; }),
               Contains("the 8 layers of model own do not make 3 equal chunks"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.order = "tp-pp"; }), Contains("order \"tp-pp\""));
    CHECK_THAT(refused([](TrainingPlan& p) { p.schedule = "zero"; }), Contains("\"zero\""));
    CHECK_THAT(refused([](TrainingPlan& p) { p.microBatches = 0; }), Contains("0 micro batches"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.degrees.data = 0; }), Contains("data degree 0"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.degrees.expert = 3; }), Contains("does not divide"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.degrees.expert = 2; }), Contains("0 experts"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.foldBytesPerS = 0; }), Contains("folded"));
    // 4 ranks x 2 x 10^6 passes x 4 tasks, without collectives in a layer
    CHECK_THAT(refused([](TrainingPlan& p) {
                   p.microBatches = 1000000;
                   p.bucketBytes = 0;
               }),
               Contains("up to 32000000 tasks"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.model.hidden = 0; }), Contains("hidden is 0"));
    CHECK_THAT(refused([](TrainingPlan& p) { p.gpu.efficiency = 0; }), Contains("efficiency 0"));
}
