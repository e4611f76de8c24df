/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-rows.h"
#include "roce-experiment-shapes.h"

#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

using Key = ExperimentKey;
using Rows = ExperimentRows;
using Json = ExperimentKey::Json;

/** \return a number of things. \param name of the key \param help for people \param fallback
 *  default, null: nothing \param least smallest \param example for people */
ExperimentKey
Count(const std::string& name,
      const std::string& help,
      const Json& fallback,
      uint32_t least = 1,
      const Json& example = nullptr)
{
    return Rows::Within(Rows::Row(Key::WHOLE, name, help, fallback, example), least, 1 << 24);
}

/** \return where ranks are and when they start */
std::vector<ExperimentKey>
PlaceKeys()
{
    return {Rows::Row(Key::WHOLES,
                      "gpus",
                      "Numbers of the GPUs, by rank; missing: those that placement gives",
                      nullptr,
                      Json::array({0, 1, 8, 9})),
            Rows::Word("placement",
                       "Which free GPUs the ranks get",
                       {"packed", "fragmented", "random"},
                       "packed"),
            Rows::Row(Key::TIME, "at", "When it starts", "0us", "10us")};
}

/** \return how the collectives of a job are done */
std::vector<ExperimentKey>
CollectiveKeys()
{
    return {Rows::Row(Key::TEXT,
                      "all_reduce",
                      "Algorithm of all-reduces that name none: auto, ring, tree, ...",
                      "auto",
                      "ring"),
            Count("channels", "Parts of a collective, with connections of their own", 1),
            Rows::Row(Key::BYTES, "chunk_bytes", "Longest message of a ring", "524288B"),
            Count("max_chunks", "Pieces of a channel at most", 16),
            Rows::Word("mapping", "Of hierarchical ones", {"rail", "leader"}, "rail")};
}

/** \return a shape. \param type of traffic \param help for people \param keys its own \param others
 *  what it shares with other types */
ExperimentShape
Shape(const std::string& type,
      const std::string& help,
      const std::vector<ExperimentKey>& keys,
      const std::vector<std::vector<ExperimentKey>>& others)
{
    ExperimentShape shape{"traffic." + type,
                          help,
                          {Rows::Must(Rows::Word("type", "Kind of traffic", {type}))},
                          {}};
    shape.keys.insert(shape.keys.end(), keys.begin(), keys.end());
    for (const auto& list : others)
    {
        shape.keys.insert(shape.keys.end(), list.begin(), list.end());
    }
    return shape;
}

/** \return the shape of a collective */
ExperimentShape
Collective()
{
    ExperimentShape shape = Shape(
        "collective",
        "A collective (CollectiveHelper)",
        {Rows::Word("op",
                    "Operation",
                    {"all-reduce",
                     "all-gather",
                     "reduce-scatter",
                     "all-to-all",
                     "broadcast",
                     "reduce",
                     "send-recv",
                     "barrier"},
                    "all-reduce"),
         Rows::Row(Key::TEXT, "algorithm", "Of the operation; missing: its first", nullptr, "ring"),
         Rows::Row(Key::BYTES,
                   "size",
                   "As nccl-tests counts it; needed but for a barrier",
                   nullptr,
                   "64MB"),
         Count("ranks", "GPUs; missing: all of the fabric", nullptr, 1, 8),
         Count("channels", "Parts with connections of their own", 1),
         Count("chunks", "Pieces of a channel that follow each other", 1),
         Count("root", "Rank of broadcast and reduce", 0, 0),
         Rows::Within(Rows::Row(Key::WHOLES,
                                "levels",
                                "Hierarchical: sizes of groups, innermost first; missing: "
                                "GPUs of a server, servers",
                                nullptr,
                                Json::array({8, 4})),
                      1),
         Rows::Word("mapping", "Hierarchical: who speaks for a group", {"rail", "leader"}),
         Rows::Within(Rows::Row(Key::WHOLE,
                                "repeat",
                                "One after the other, each with connections of its own",
                                1,
                                3),
                      1,
                      100000)},
        {PlaceKeys()});
    shape.choices = {{{"ranks", "gpus"}, false}};
    return shape;
}

/** \return the shape of a workload */
ExperimentShape
Workload()
{
    ExperimentShape shape =
        Shape("workload",
              "A workload (JobHelper)",
              {Rows::Row(Key::TEXT,
                         "file",
                         "roce-workload/1, SimAI, htsim, or the prefix of Chakra traces, relative "
                         "to the experiment's file",
                         nullptr,
                         "workload.json"),
               Rows::Object(Key::INLINE,
                            "workload",
                            "The object of such a file",
                            "roce-workload/1",
                            {{"schema", "roce-workload/1"}}),
               Rows::Within(Rows::Row(Key::NUMBER, "byte_scale", "Sizes are multiplied by it", 1),
                            1e-12,
                            1e12),
               Rows::Within(
                   Rows::Row(Key::NUMBER, "compute_scale", "SimAI: times are multiplied by it", 1),
                   0,
                   1e12),
               Count("ranks", "SimAI: GPUs, in place of all_gpus", nullptr, 1, 8),
               Count("iterations", "SimAI: passes over all layers", 1)},
              {CollectiveKeys(), PlaceKeys()});
    shape.choices = {{{"file", "workload"}, true}};
    return shape;
}

/** \return the shape of a training step */
ExperimentShape
Training()
{
    return Shape(
        "training",
        "Steps of 3D-parallel training (TrainingStep, JobHelper)",
        {Rows::Word("model",
                    "What is trained",
                    {"demo", "demo-moe", "gpt-175b", "llama-7b"},
                    "demo"),
         Count("layers", "Of the model; missing: its own", nullptr, 1, 16),
         Count("hidden",
               "Hidden size, with the inner one in proportion; missing: its own",
               nullptr,
               1,
               1024),
         Count("sequence", "Tokens of a sequence; missing: its own", nullptr, 1, 1024),
         Count("micro_batch", "Sequences of a micro batch; missing: its own", nullptr, 1, 1),
         Rows::Within(Rows::Row(Key::NUMBER, "efficiency", "Part of 312 Tflop/s reached", 0.5),
                      1e-9,
                      1),
         Count("tp", "Tensor parallel degree", 1),
         Count("pp", "Pipeline stages", 1),
         Count("dp", "Replicas", 1),
         Count("ep", "Replicas that share experts", 1),
         Rows::Row(Key::TEXT, "order", "Of ranks, fastest first", "tp-dp-pp"),
         Count("micro_batches", "Of each replica in a step", 8),
         Rows::Word("schedule", "Of the pipeline", {"1f1b", "interleaved", "gpipe"}, "1f1b"),
         Count("interleave", "Chunks a stage, with interleaved", 1),
         Rows::Row(Key::BOOL, "overlap", "Reduce gradients during the backward pass", true, false),
         Rows::Row(Key::BYTES, "bucket", "Gradients that are reduced together; 0B: all", "25MiB"),
         Rows::Row(Key::BOOL,
                   "scatter_gather",
                   "Send parts between stages, gather by NVLink",
                   false,
                   true),
         Rows::Row(Key::BOOL,
                   "fold_tensor",
                   "Tensor all-reduces are time, not messages",
                   false,
                   true),
         Count("jobs", "Such jobs at once, on GPUs of their own", 1)},
        {CollectiveKeys(), PlaceKeys()});
}

} // namespace

void
ExperimentShapes::AddJobs(std::vector<ExperimentShape>& shapes)
{
    shapes.push_back(Collective());
    shapes.push_back(Workload());
    shapes.push_back(Training());
    shapes.push_back(
        {"gpus",
         "GPUs, for collectives, workloads and training",
         {Count("per_server", "GPUs of a server", 1),
          Rows::Row(Key::BOOL,
                    "shared_nic",
                    "A host is a server whose GPUs share its NIC; false: consecutive hosts with a "
                    "GPU each make a server",
                    false,
                    true),
          Count("queue_pairs", "Of a connection", 1),
          Rows::Word("policy", "Of several queue pairs", {"Split", "RoundRobin"}, "Split"),
          Rows::Row(Key::BOOL, "nvlink", "GPUs of a server talk over NVLink", true, false),
          Rows::Row(Key::RATE, "nvlink_rate", "Of a GPU, each way", "3600Gbps"),
          Rows::Row(Key::BOOL,
                    "pxn",
                    "Messages to other servers take the rail of the receiver",
                    false,
                    true),
          Rows::Row(Key::BOOL,
                    "admission",
                    "Receivers admit chunks by clear-to-sends",
                    false,
                    true)},
         {}});
}

} // namespace roce
} // namespace ns3
