/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Workloads of SimAI and AICB: groups and order of tasks of small ones by hand, and the files of
 * others if they are there.
 */

#include "roce-shared-file.h"

#include "ns3/roce-simai-workload-reader.h"

#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return a workload. */
Ptr<TaskGraph>
Read(const std::string& text, const SimaiOptions& options = {})
{
    return SimaiWorkloadReader::Read(TextSource::FromString("s", text), options);
}

/** \return a header. */
std::string
Head(const std::string& sizes, int layers)
{
    return "HYBRID_TRANSFORMER_FWD_IN_BCKWD " + sizes +
           " checkpoints: 0 checkpoint_initiates: 0\n" + std::to_string(layers) + "\n";
}

/** \return ranks of the groups of a name, in order. */
std::vector<std::vector<uint32_t>>
GroupsOf(const TaskGraph& graph, const std::string& name)
{
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t i = 0; i < graph.GetGroups(); ++i)
    {
        if (graph.GetGroup(i).name == name)
        {
            groups.push_back(graph.GetGroup(i).ranks);
        }
    }
    return groups;
}

/** \return how many collectives of an operation a rank calls, and their bytes. */
std::map<std::string, std::pair<uint32_t, uint64_t>>
CallsOf(const TaskGraph& graph, uint32_t rank)
{
    std::map<std::string, std::pair<uint32_t, uint64_t>> calls;
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const Task& task = graph.GetTask(id);
        if (task.rank == rank && task.kind == TaskKind::COLLECTIVE)
        {
            ++calls[task.operation].first;
            calls[task.operation].second += task.bytes;
        }
    }
    return calls;
}

using Ranks = std::vector<std::vector<uint32_t>>;

const char* const LAYER = "l -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";

} // namespace

TEST_CASE("SimAI: groups of 16 GPUs, TP 2, EP 4", "[workload]")
{
    // DP = 8 = EP 4 x data-expert 2; tensor groups are 01 23 45 67 89 ...
    const Ptr<TaskGraph> graph =
        Read(Head("model_parallel_NPU_group: 2 ep: 4 pp: 1 vpp: 8 ga: 3 all_gpus: 16", 1) + LAYER);
    CHECK(graph->GetRanks() == 16);
    CHECK(GroupsOf(*graph, "tensor") ==
          Ranks{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}});
    CHECK(GroupsOf(*graph, "data") ==
          Ranks{{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}});
    CHECK(GroupsOf(*graph, "expert") ==
          Ranks{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}});
    CHECK(GroupsOf(*graph, "data-expert") ==
          Ranks{{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}});
    // a group of one is none
    const Ptr<TaskGraph> plain = Read(Head("model_parallel_NPU_group: 4 all_gpus: 4", 1) + LAYER);
    CHECK(plain->GetGroups() == 1);
    CHECK(GroupsOf(*plain, "tensor") == Ranks{{0, 1, 2, 3}});
}

TEST_CASE("SimAI: which group a suffix picks", "[workload]")
{
    const Ptr<TaskGraph> graph =
        Read(Head("model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 all_gpus: 8", 3) +
             "a -1 0 ALLREDUCE 1 0 ALLGATHER 2 0 REDUCESCATTER 3 0\n"
             "b -1 0 ALLTOALL_EP 4 0 ALLTOALL_EP 5 0 ALLREDUCE_EP 6 0\n"
             "c -1 0 ALLGATHER_DP_EP 7 0 BROADCAST 8 0 REDUCESCATTER_DP_EP 9 0\n");
    std::map<uint64_t, std::pair<std::string, std::string>> of; // bytes to operation and group
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        const Task& task = graph->GetTask(id);
        if (task.rank == 5 && task.kind == TaskKind::COLLECTIVE)
        {
            of[task.bytes] = {task.operation, graph->GetGroup(task.group).name};
        }
    }
    const std::map<uint64_t, std::pair<std::string, std::string>> expected = {
        {1, {"all-reduce", "tensor"}},
        {2, {"all-gather", "tensor"}},
        {3, {"reduce-scatter", "data"}},
        {4, {"all-to-all", "expert"}},
        {5, {"all-to-all", "expert"}},
        {6, {"all-reduce", "expert"}},
        {7, {"all-gather", "data-expert"}},
        {8, {"broadcast", "tensor"}},
        {9, {"reduce-scatter", "data-expert"}}};
    CHECK(of == expected);
}

TEST_CASE("SimAI: order of the tasks of a rank", "[workload]")
{
    SimaiOptions options;
    options.computeScale = 0.5;
    options.iterations = 2;
    const Ptr<TaskGraph> graph = Read(Head("model_parallel_NPU_group: 2 all_gpus: 4", 2) +
                                          "a -1 10 ALLREDUCE 100 20 NONE 0 30 ALLREDUCE 200 40\n"
                                          "b -1 50 NONE 0 60 ALLREDUCE 300 70 ALLGATHER 0 80\n",
                                      options);

    // rank 0, first iteration, by hand
    struct Expected
    {
        const char* name;
        int64_t ns; // -1: a collective
        uint64_t bytes;
        std::vector<uint32_t> after;
    };

    const std::vector<Expected> expected = {
        {"a forward", 5, 0, {}},
        {"a forward", -1, 100, {0}},
        {"b forward", 25, 0, {1}},
        {"b input gradient", 30, 0, {2}},
        {"b input gradient", -1, 300, {3}},
        {"b weight gradient", 35, 0, {4}},
        {"b update", 40, 0, {5}}, // nothing to gather, so behind the computation
        {"a input gradient", 10, 0, {5}},
        {"a weight gradient", 15, 0, {7}},
        {"a weight gradient", -1, 200, {8}}, // nobody but the update waits for it
        {"a update", 20, 0, {9}},
        {"a forward", 5, 0, {8, 10}}, // next iteration: the weights of a must be there
        {"a forward", -1, 100, {11}},
        {"b forward", 25, 0, {12, 6}}};
    REQUIRE(graph->GetTasks() == 4 * 22);
    for (uint32_t id = 0; id < expected.size(); ++id)
    {
        const Task& task = graph->GetTask(id);
        INFO(id);
        CHECK(task.rank == 0);
        CHECK(task.name == expected[id].name);
        CHECK(task.after == expected[id].after);
        if (expected[id].ns < 0)
        {
            CHECK(task.kind == TaskKind::COLLECTIVE);
            CHECK(task.bytes == expected[id].bytes);
        }
        else
        {
            CHECK(task.kind == TaskKind::COMPUTE);
            CHECK(task.durationNs == expected[id].ns);
            const bool update = task.name.find("update") != std::string::npos;
            CHECK(task.stream == (update ? Task::NO_STREAM : 0));
        }
    }
}

TEST_CASE("SimAI: micro benchmarks are one collective after the other", "[workload]")
{
    const std::string text = "MICRO\n2\n"
                             "m -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4096 1\n"
                             "m -1 1 NONE 0 1 NONE 0 1 ALLTOALL 8192 1\n";
    SimaiOptions options;
    CHECK_THROWS_WITH(Read(text, options), Contains("s:1: the header has no all_gpus"));
    options.gpus = 3;
    options.computeScale = 0;
    const Ptr<TaskGraph> graph = Read(text, options);
    CHECK(graph->GetRanks() == 3);
    CHECK(GroupsOf(*graph, "data") == Ranks{{0, 1, 2}});
    REQUIRE(graph->GetTasks() == 6);
    CHECK(graph->GetTask(0).operation == "all-reduce");
    CHECK(graph->GetTask(0).after.empty());
    CHECK(graph->GetTask(1).operation == "all-to-all");
    CHECK(graph->GetTask(1).bytes == 8192);
    CHECK(graph->GetTask(1).after == std::vector<uint32_t>{0});
}

TEST_CASE("SimAI: what is refused", "[workload]")
{
    const std::string tp = "model_parallel_NPU_group: 2 all_gpus: 4 ";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "s:1: expected a header"},
        {"MICRO\n", "s:1: expected a header"},
        {"DATA\n1\n" + std::string(LAYER),
         "s:1: expected HYBRID_TRANSFORMER_FWD_IN_BCKWD or MICRO"},
        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD\n0\n", "s:1: expected model_parallel_NPU_group:"},
        {Head("model_parallel_NPU_group:", 1), "s:1: model_parallel_NPU_group:: expected"},
        {Head("model_parallel_NPU_group: 0", 1) + LAYER, "expected at least 1"},
        {Head("model_parallel_NPU_group: x", 1) + LAYER,
         "s:1: model_parallel_NPU_group:: expected"},
        {Head("model_parallel_NPU_group: 2", 1) + LAYER, "s:1: the header has no all_gpus"},
        {Head("model_parallel_NPU_group: 3 all_gpus: 4", 1) + LAYER, "no multiple of 3"},
        {Head("model_parallel_NPU_group: 2 ep: 4 all_gpus: 4", 1) + LAYER, "no multiple of 8"},
        {Head(tp + "ep: 1 ep: 1", 1) + LAYER, "'ep:' is given twice"},
        {Head(tp + "pp: 2", 1) + LAYER, "pipeline parallelism is not supported"},
        {Head(tp + "pp_comm 5", 1) + LAYER, "pp_comm above 0"},
        {Head(tp + "sp: 2", 1) + LAYER, "s:1: 'sp:' is not known"},
        {Head(tp + "ga: 0", 1) + LAYER, "ga:: expected at least 1"},
        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD " + tp + "checkpoints: 1\n1\n" + LAYER,
         "recomputation is not supported"},
        {"HYBRID_TRANSFORMER_FWD_IN_BCKWD " + tp + "ep:\n1\n" + LAYER,
         "expected a value after 'ep:'"},
        {Head(tp, 2) + LAYER, "s:3: expected layer 2 of 2"},
        {Head(tp, 1) + LAYER + LAYER, "s:4: expected the end of the file after 1 layers"},
        {"MICRO\n1 2\n" + std::string(LAYER), "s:2: expected the number of layers alone"},
        {"MICRO\nx\n" + std::string(LAYER), "s:2: number of layers: expected"},
        {Head(tp, 1) + "l -1 1 NONE 0 1 NONE 0 1 NONE 0\n", "s:3: expected 12 words"},
        {Head(tp, 1) + "l 3 1 NONE 0 1 NONE 0 1 NONE 0 1\n", "s:3: depends on '3'"},
        {Head(tp, 1) + "l -1 -4 NONE 0 1 NONE 0 1 NONE 0 1\n", "s:3: forward: expected"},
        {Head(tp, 1) + "l -1 1 NONE 0 1 GATHER 0 1 NONE 0 1\n",
         "s:3: input gradient: expected NONE"},
        {Head(tp, 1) + "l -1 1 NONE 0 1 NONE 0 1 ALLREDUCE_TP 0 1\n", "s:3: weight gradient: exp"},
        {Head(tp, 1) + "l -1 1 ALLREDUCEALLTOALL 0 1 NONE 0 1 NONE 0 1\n",
         "found 'ALLREDUCEALLTOALL'"},
        {Head(tp, 1) + "l -1 1 NONE_EP 0 1 NONE 0 1 NONE 0 1\n", "s:3: forward: expected NONE"},
        {Head(tp, 1) + "l -1 1 NONE 0 1 NONE 0 1 NONE 0 1.5\n", "s:3: update: expected"},
        {"MICRO\n1\nl -1 1 ALLREDUCE 1 1 NONE 0 1 NONE 0 1\n", "s:3: a MICRO benchmark"},
        {Head("model_parallel_NPU_group: 2 all_gpus: 1048576", 1) + LAYER, "take fewer GPUs"},
    };
    for (const auto& [text, why] : cases)
    {
        INFO(text);
        CHECK_THROWS_AS(Read(text), std::invalid_argument);
        CHECK_THROWS_WITH(Read(text), Contains(why));
    }
    SimaiOptions options;
    options.iterations = 0;
    CHECK_THROWS_WITH(Read(Head(tp, 1) + LAYER, options), Contains("0 iterations"));
    options.iterations = 1;
    options.computeScale = -1;
    CHECK_THROWS_WITH(Read(Head(tp, 1) + LAYER, options), Contains("scale of -1"));
}

TEST_CASE("SimAI: the files of others", "[workload]")
{
    SimaiOptions options;
    options.gpus = 16;
    std::string path = Shared("inputs/simai/G175B-M1-C03_GPT175B_megatron_tp8_pp1_mbs1_A100.txt");
    if (!path.empty())
    {
        // TP 8, so 2 replicas; 33 layers: forward all-reduces 1 + 2 * 12 + 4; sums from the file:
        // 150994944 + 24 * 50331648 + 786432000 + 3 * 8192 forward, 5587660800 + 150994944 back
        const Ptr<TaskGraph> graph = SimaiWorkloadReader::Read(TextSource::FromFile(path), options);
        CHECK(graph->GetGroups() == 2 + 8 + 8); // with ep 1, data-expert is as data
        const auto calls = CallsOf(*graph, 0);
        CHECK(calls.at("all-reduce").first == 31);
        CHECK(calls.at("all-reduce").second ==
              150994944ULL + 24 * 50331648ULL + 786432000 + 3 * 8192 + 5587660800 + 150994944);
        CHECK(calls.at("all-gather") == std::make_pair(1U, uint64_t{1}));
        CHECK(calls.at("reduce-scatter") == std::make_pair(1U, uint64_t{11175321600}));
    }
    path = Shared("inputs/simai/L7B-M1-C04_Llama7B_megatron_tp2_pp1_mbs1_A100.txt");
    if (!path.empty())
    {
        // 64 layers with two of 16777216 each, embedding with two
        const Ptr<TaskGraph> graph = SimaiWorkloadReader::Read(TextSource::FromFile(path), options);
        CHECK(graph->GetGroups() == 8 + 2 + 2);
        CHECK(CallsOf(*graph, 15).at("broadcast") == std::make_pair(1U, uint64_t{16384}));
        CHECK(CallsOf(*graph, 15).at("all-gather") == std::make_pair(1U, uint64_t{6754926592}));
        CHECK(CallsOf(*graph, 15).at("reduce-scatter") ==
              std::make_pair(1U, uint64_t{13509853184}));
        CHECK(CallsOf(*graph, 15).at("all-reduce").first >= 2 * 65 + 1);
    }
    for (const char* name : {"all_reduce", "all_to_all"})
    {
        path = Shared("inputs/simai/" + std::string(name) + ".txt");
        if (!path.empty())
        {
            const Ptr<TaskGraph> graph =
                SimaiWorkloadReader::Read(TextSource::FromFile(path), options);
            // 19 sizes from 4 kiB, each twice the one before
            const auto calls = CallsOf(*graph, 3);
            REQUIRE(calls.size() == 1);
            CHECK(calls.begin()->second == std::make_pair(19U, uint64_t{4096} * ((1 << 19) - 1)));
        }
    }
    path = Shared("inputs/simai/microAllReduce.txt");
    if (!path.empty())
    {
        const Ptr<TaskGraph> graph = SimaiWorkloadReader::Read(TextSource::FromFile(path));
        CHECK(graph->GetRanks() == 8);
        CHECK(CallsOf(*graph, 0).at("all-reduce") ==
              std::make_pair(2U, uint64_t{16777216 + 67108864}));
    }
    path = Shared("inputs/simai/workload_head.txt");
    if (!path.empty()) // pp 12
    {
        CHECK_THROWS_WITH(SimaiWorkloadReader::Read(TextSource::FromFile(path)),
                          Contains("pipeline parallelism is not supported"));
    }
}
