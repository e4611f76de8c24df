/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-model.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse something. */
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("training model: " + what);
}

} // namespace

std::vector<std::string>
TrainingModel::GetPresets()
{
    return {"demo", "demo-moe", "gpt-175b", "llama-7b"};
}

TrainingModel
TrainingModel::Preset(const std::string& name)
{
    const std::vector<std::string> known = GetPresets();
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        Refuse("\"" + name + "\" is not known; choose demo, demo-moe, gpt-175b, llama-7b");
    }
    TrainingModel model; // the sizes of demo
    model.name = name;
    if (name == "demo-moe")
    {
        model.experts = 8;
        model.expertsPerToken = 2;
    }
    else if (name == "gpt-175b")
    {
        model.layers = 96;
        model.hidden = 12288;
        model.feedForward = 4 * 12288;
        model.sequence = 2048;
        model.vocabulary = 50257;
    }
    else if (name == "llama-7b")
    {
        model.layers = 32;
        model.hidden = 4096;
        model.feedForward = 11008;
        model.feedForwardMatrices = 3;
        model.sequence = 2048;
        model.vocabulary = 32000;
    }
    return model;
}

void
TrainingModel::Check() const
{
    for (const auto& [what, size] : {std::make_pair("layers", layers),
                                     std::make_pair("hidden", hidden),
                                     std::make_pair("feedForward", feedForward),
                                     std::make_pair("sequence", sequence),
                                     std::make_pair("microBatch", microBatch),
                                     std::make_pair("valueBytes", valueBytes),
                                     std::make_pair("gradientBytes", gradientBytes),
                                     std::make_pair("expertsPerToken", expertsPerToken)})
    {
        if (size == 0 || size > (1U << 24))
        {
            Refuse(std::string(what) + " is " + std::to_string(size) + ", expected 1.." +
                   std::to_string(1U << 24));
        }
    }
    if (feedForwardMatrices != 2 && feedForwardMatrices != 3)
    {
        Refuse("feedForwardMatrices is " + std::to_string(feedForwardMatrices) +
               ", expected 2, or 3 with a gate");
    }
    if (expertsPerToken > std::max(experts, 1U))
    {
        Refuse("expertsPerToken is " + std::to_string(expertsPerToken) + ", there are " +
               std::to_string(experts) + " experts");
    }
    const double bytes = double(microBatch) * sequence * hidden * valueBytes * expertsPerToken;
    const double parameters =
        double(layers) *
            (4.0 * hidden * hidden + std::max(experts, 1U) * 3.0 * hidden * feedForward) +
        double(vocabulary) * hidden;
    if (bytes > 1e15 || parameters * gradientBytes > 1e18)
    {
        Refuse(std::to_string(bytes) + " bytes of activations and " + std::to_string(parameters) +
               " parameters, expected 1e15 bytes of activations and 1e18 of gradients at most");
    }
}

uint64_t
TrainingModel::GetAttentionParameters() const
{
    return 4 * uint64_t(hidden) * hidden;
}

uint64_t
TrainingModel::GetFeedForwardParameters() const
{
    return uint64_t(feedForwardMatrices) * hidden * feedForward;
}

uint64_t
TrainingModel::GetVocabularyParameters() const
{
    return uint64_t(vocabulary) * hidden;
}

uint64_t
TrainingModel::GetParameters(bool tied) const
{
    const uint64_t layer =
        GetAttentionParameters() + std::max(experts, 1U) * GetFeedForwardParameters();
    return layers * layer + (tied ? 1 : 2) * GetVocabularyParameters();
}

double
TrainingModel::GetAttentionFlops() const
{
    // a multiplication and an addition a parameter and token; scores and their use: 2 x 2 s h each
    const double tokens = double(microBatch) * sequence;
    return tokens * (2 * double(GetAttentionParameters()) + 4 * double(sequence) * hidden);
}

double
TrainingModel::GetFeedForwardFlops() const
{
    const double used = experts ? expertsPerToken : 1;
    return double(microBatch) * sequence * 2 * double(GetFeedForwardParameters()) * used;
}

double
TrainingModel::GetHeadFlops() const
{
    return double(microBatch) * sequence * 2 * double(GetVocabularyParameters());
}

} // namespace roce
} // namespace ns3
