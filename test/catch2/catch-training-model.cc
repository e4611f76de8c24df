/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-training-cost.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return floating point operations of all of a model but the head, forward. \param model it */
double
LayerFlops(const TrainingModel& model)
{
    return model.layers * (model.GetAttentionFlops() + model.GetFeedForwardFlops());
}

} // namespace

TEST_CASE("A layer of GPT-175B takes 24 B s h^2 (1 + s / 6 h) operations", "[training-model]")
{
    // B = 1, s = 2048, h = 12288: 24 x 2048 x 12288^2 = 7421703487488, and s / 6 h = 1 / 36 of it
    const TrainingModel gpt = TrainingModel::Preset("gpt-175b");
    CHECK(gpt.GetAttentionFlops() + gpt.GetFeedForwardFlops() ==
          Approx(7421703487488.0 + 206158430208.0).epsilon(1e-12));
    TrainingModel four = gpt;
    four.microBatch = 4;
    CHECK(LayerFlops(four) == Approx(4 * LayerFlops(gpt)).epsilon(1e-12));
    // Narayanan et al., with what is computed again: 96 B s l h^2 (1 + s / 6 h + V / 16 l h)
    const double v = gpt.vocabulary;
    const double paper =
        96.0 * 2048 * 96 * 12288 * 12288 * (1 + 1.0 / 36 + v / (16 * 96 * 12288.0));
    CHECK(4 * LayerFlops(gpt) + 3 * gpt.GetHeadFlops() == Approx(paper).epsilon(1e-12));
}

TEST_CASE("GPT-3 on 1024 A100 needs 34 days", "[training-model]")
{
    // Narayanan et al., section 5.1: 300 billion tokens at 140 Tflop/s a GPU: 34 days
    const TrainingModel gpt = TrainingModel::Preset("gpt-175b");
    const double sequences = 300e9 / gpt.sequence;
    const double flops = sequences * (4 * LayerFlops(gpt) + 3 * gpt.GetHeadFlops());
    CHECK(flops / (1024 * 140e12) / 86400 == Approx(34).epsilon(0.03));
}

TEST_CASE("Presets have the parameters of their papers", "[training-model]")
{
    // table 2.1 of Brown et al. says 175.0 billion, with biases, norms and positions
    CHECK(double(TrainingModel::Preset("gpt-175b").GetParameters()) ==
          Approx(175.0e9).epsilon(3e-3));
    // 32 (4 x 4096^2 + 3 x 4096 x 11008) + 2 x 32000 x 4096; the published weights have 65 norms of
    // 4096 more: 6738415616
    CHECK(TrainingModel::Preset("llama-7b").GetParameters(false) == 6738415616ULL - 65ULL * 4096);
    // 12 x 1024^2 a layer
    CHECK(TrainingModel::Preset("demo").GetParameters() == 16ULL * 12 * 1024 * 1024);
    // 4 x 1024^2 and 8 experts of 8 x 1024^2
    CHECK(TrainingModel::Preset("demo-moe").GetParameters() == 16ULL * 68 * 1024 * 1024);
    CHECK_THROWS_WITH(TrainingModel::Preset("gpt"), Contains("\"gpt\" is not known; choose demo"));
    for (const std::string& name : TrainingModel::GetPresets())
    {
        CHECK(TrainingModel::Preset(name).name == name);
        CHECK_NOTHROW(TrainingModel::Preset(name).Check());
    }
}

TEST_CASE("Times come from operations, or are given", "[training-model]")
{
    // demo: 24 x 1024 x 1024^2 (1 + 1 / 6) = 30064771072 operations; by 2 ranks at half of
    // 312 Tflop/s: 96361.4 ns
    const TrainingModel demo = TrainingModel::Preset("demo");
    const TrainingCost cost(demo, {}, {2, 1, 1, 1});
    CHECK(cost.LayerNs(true) == 96361);
    CHECK(cost.LayerNs(false) == 2 * 96361);
    // attention: 8 B s h^2 + 4 B s^2 h of them, with s = h 12 of 28 parts: 41297.6 ns
    CHECK(cost.AttentionNs(true) == 41298);
    CHECK(cost.FeedForwardNs(true) == 96361 - 41298);
    CHECK(cost.HeadNs(true) == 0);
    // 16 bytes in and out a parameter at 2.039 TB/s: 1e6 parameters in 15693.97 ns
    CHECK(cost.OptimizerNs(1000000) == 15694);

    TrainingGpu given;
    given.forwardNs = 1000;
    given.optimizerNs = 5;
    const TrainingCost told(demo, given, {2, 1, 1, 1});
    CHECK(told.LayerNs(true) == 1000);
    CHECK(told.LayerNs(false) == 2000);
    CHECK(told.OptimizerNs(1000000) == 5);
    given.backwardNs = 1500;
    CHECK(TrainingCost(demo, given, {2, 1, 1, 1}).LayerNs(false) == 1500);

    // the head of llama-7b: 2 x 32000 x 4096 a token; a layer: 2 x 202375168 + 4 x 2048 x 4096
    given.forwardNs = 438304768;
    CHECK(TrainingCost(TrainingModel::Preset("llama-7b"), given, {1, 1, 1, 1}).HeadNs(true) ==
          262144000);
}

TEST_CASE("What a rank keeps and sends", "[training-model]")
{
    // GPT-175B over 8 tensor ranks: 12 x 12288^2 / 8 parameters a layer, 50257 x 12288 / 8 of the
    // embedding; activations 2048 x 12288 x 2 bytes
    const TrainingCost gpt(TrainingModel::Preset("gpt-175b"), {}, {8, 1, 1, 1});
    CHECK(gpt.GetDenseParameters() == 226492416);
    CHECK(gpt.GetExpertParameters() == 0);
    CHECK(gpt.GetVocabularyParameters() == 77194752);
    CHECK(gpt.GetActivationBytes() == 50331648);
    CHECK(gpt.GetScatteredBytes() == 50331648 / 8);
    CHECK(gpt.GetGradientBytes(10) == 20);
    // 8 experts of 8 x 1024^2 over 4 expert and 2 tensor ranks: 2 halves; 2 experts a token
    const TrainingCost moe(TrainingModel::Preset("demo-moe"), {}, {2, 1, 4, 4});
    CHECK(moe.GetDenseParameters() == 2 * 1024 * 1024);
    CHECK(moe.GetExpertParameters() == 2 * 4 * 1024 * 1024);
    CHECK(moe.GetDispatchBytes() == 1024 * 1024 * 2); // 2 experts x 2 bytes / 2 ranks
    // two experts a token: operations of two feed-forward blocks
    CHECK(TrainingModel::Preset("demo-moe").GetFeedForwardFlops() ==
          Approx(2 * TrainingModel::Preset("demo").GetFeedForwardFlops()));
}

TEST_CASE("Sizes that make no sense are refused", "[training-model]")
{
    const auto refused = [](const std::function<void(TrainingModel&)>& change) {
        TrainingModel model = TrainingModel::Preset("demo");
        change(model);
        try
        {
            model.Check();
        }
        catch (const std::invalid_argument& e)
        {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(refused([](TrainingModel&) {}).empty());
    CHECK_THAT(refused([](TrainingModel& m) { m.layers = 0; }), Contains("layers is 0"));
    CHECK_THAT(refused([](TrainingModel& m) { m.hidden = 0; }), Contains("hidden is 0"));
    CHECK_THAT(refused([](TrainingModel& m) { m.feedForward = 0; }), Contains("feedForward is 0"));
    CHECK_THAT(refused([](TrainingModel& m) { m.sequence = 0; }), Contains("sequence is 0"));
    CHECK_THAT(refused([](TrainingModel& m) { m.microBatch = 0; }), Contains("microBatch is 0"));
    CHECK_THAT(refused([](TrainingModel& m) { m.valueBytes = 0; }), Contains("valueBytes is 0"));
    CHECK_THAT(refused([](TrainingModel& m) { m.gradientBytes = 0; }),
               Contains("gradientBytes is"));
    CHECK_THAT(refused([](TrainingModel& m) { m.hidden = 1U << 25; }), Contains("expected 1.."));
    CHECK_THAT(refused([](TrainingModel& m) { m.feedForwardMatrices = 4; }),
               Contains("expected 2"));
    CHECK_THAT(refused([](TrainingModel& m) { m.expertsPerToken = 2; }), Contains("0 experts"));
    CHECK_THAT(refused([](TrainingModel& m) { m.microBatch = m.sequence = m.hidden = 1U << 24; }),
               Contains("1e15 bytes"));
    CHECK_THAT(refused([](TrainingModel& m) { m.experts = 0xffffffff, m.hidden = 1U << 24; }),
               Contains("1e18 of gradients"));
}

TEST_CASE("GPUs and degrees that make no sense are refused", "[training-model]")
{
    const TrainingModel demo = TrainingModel::Preset("demo");
    TrainingGpu gpu;
    gpu.efficiency = 1.5;
    CHECK_THROWS_WITH(TrainingCost(demo, gpu, {}), Contains("efficiency 1.5"));
    gpu.efficiency = std::nan("");
    CHECK_THROWS_AS(TrainingCost(demo, gpu, {}), std::invalid_argument);
    gpu = {};
    gpu.peakFlops = 0;
    CHECK_THROWS_AS(TrainingCost(demo, gpu, {}), std::invalid_argument);
    gpu = {};
    gpu.backwardNs = -2;
    CHECK_THROWS_WITH(TrainingCost(demo, gpu, {}), Contains("backwardNs is -2"));
    gpu = {};
    gpu.peakFlops = 1e-9;
    CHECK_THROWS_WITH(TrainingCost(demo, gpu, {}), Contains("a layer takes"));
    CHECK_THROWS_WITH(TrainingCost(demo, {}, {3, 1, 1, 1}),
                      Contains("tensor degree 3 does not divide hidden size 1024"));
    CHECK_THROWS_WITH(TrainingCost(demo, {}, {1, 1, 2, 2}), Contains("such as demo-moe"));
    CHECK_THROWS_WITH(TrainingCost(TrainingModel::Preset("demo-moe"), {}, {1, 1, 3, 3}),
                      Contains("expert degree 3 does not divide the 8 experts"));
}
