/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One door for all workload files, and the scale of their sizes.

#include "ns3/roce-workload-loader.h"
#include "ns3/roce-workload-scale.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

const std::string JSON = R"({"schema": "roce-workload/1", "ranks": 2,
  "groups": [{"name": "data", "ranks": [0, 1]}],
  "tasks": [{"kind": "collective", "rank": 0, "group": 0, "operation": "all-reduce", "bytes": 100},
            {"kind": "collective", "rank": 1, "group": 0, "operation": "all-reduce", "bytes": 100},
            {"kind": "send", "rank": 0, "peer": 1, "bytes": 3},
            {"kind": "receive", "rank": 1, "peer": 0, "bytes": 3},
            {"kind": "send", "rank": 1, "peer": 0, "bytes": 0},
            {"kind": "receive", "rank": 0, "peer": 1, "bytes": 0}]})";

const std::string HTSIM = "Nodes 2\nConnections 1\n0->1 id 1 start 0 size 1000\n";

const std::string SIMAI =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
    "all_gpus: 2 checkpoints: 0 checkpoint_initiates: 0\n1\n"
    "layer -1 10 ALLREDUCE 64 1 NONE 0 1 NONE 0 5\n";

/** \return what loading says is wrong. */
template <typename F>
std::string
Fault(F load)
{
    try
    {
        load();
    }
    catch (const std::exception& e)
    {
        return e.what();
    }
    return "nothing";
}

} // namespace

TEST_CASE("workloads of each kind are told apart", "[workload]")
{
    CHECK(WorkloadLoader::Parse("a", JSON)->GetTasks() == 6);
    CHECK(WorkloadLoader::Parse("a", "\xef\xbb\xbf \n" + JSON)->GetTasks() == 6);
    CHECK(WorkloadLoader::Parse("a", HTSIM)->GetTask(0).kind == TaskKind::SEND);
    CHECK(WorkloadLoader::Parse("a", SIMAI)->GetRanks() == 2);
    CHECK(Fault([] { WorkloadLoader::Parse("some.txt", "Hello\n"); }).find("some.txt:1") == 0);
    CHECK(Fault([] { WorkloadLoader::Parse("empty", ""); }).find("empty") == 0);
    CHECK(Fault([] { WorkloadLoader::Load("/nowhere/x"); }).find("'/nowhere/x.0.et'") !=
          std::string::npos);
    CHECK(Fault([] { WorkloadLoader::Load("/"); }).find("cannot be read") != std::string::npos);
}

TEST_CASE("sizes of workloads are scaled", "[workload]")
{
    const auto graph = WorkloadLoader::Parse("a", JSON);
    const auto half = WorkloadScale::Bytes(graph, 0.5);
    CHECK(half->GetTask(0).bytes == 50);
    CHECK(half->GetTask(2).bytes == 1); // 1.5 rounded down, at both ends of the message
    CHECK(half->GetTask(3).bytes == 1);
    CHECK(half->GetTask(4).bytes == 0);
    CHECK(half->GetTask(0).operation == "all-reduce");
    CHECK(half->GetGroup(0).name == "data");
    CHECK_NOTHROW(half->Validate());
    CHECK(WorkloadScale::Bytes(graph, 0.001)->GetTask(0).bytes == 1); // not 0
    CHECK(WorkloadScale::Bytes(graph, 1)->GetTask(2).bytes == 3);
    for (const double bad : {0.0, -1.0, 1.0 / 0.0, 0.0 / 0.0})
    {
        CHECK(Fault([&] { WorkloadScale::Bytes(graph, bad); }).find("above 0") !=
              std::string::npos);
    }
    CHECK(Fault([&] { WorkloadScale::Bytes(graph, 1e300); }).find("2^63") != std::string::npos);
}
