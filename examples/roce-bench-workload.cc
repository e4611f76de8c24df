/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-bench-workload.h"

#include "roce-bench-permutations.h"

#include "ns3/roce-clos-builder.h"
#include "ns3/roce-fat-tree-builder.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t MB = 1000000;

FabricGraph
MakeStar(uint32_t hosts)
{
    LeafSpinePlan plan;
    plan.leaves = 1;
    plan.spines = 0;
    plan.hostsPerLeaf = hosts;
    return ClosBuilder::Build(plan);
}

FabricGraph
MakeFatTree(uint32_t k)
{
    FatTreePlan plan;
    plan.k = k;
    return FatTreeBuilder::Build(plan);
}

} // namespace

BenchWorkload
BenchWorkloads::Make(const std::string& name)
{
    BenchWorkload work;
    if (name == "a" || name == "c")
    {
        work.graph = MakeFatTree(8);
        for (uint32_t i = 0; i < PERMUTATION_128.size(); ++i)
        {
            const uint32_t next = (i + 1) % PERMUTATION_128.size();
            work.flows.push_back({i, name == "a" ? PERMUTATION_128[i] : next, 4 * MB});
        }
    }
    else if (name == "b")
    {
        work.graph = MakeStar(17);
        for (uint32_t i = 0; i < 16; ++i)
        {
            work.flows.push_back({i, 16, 2 * MB});
        }
    }
    else if (name == "d")
    {
        work.graph = MakeFatTree(16);
        for (uint32_t i = 0; i < PERMUTATION_1024.size(); ++i)
        {
            work.flows.push_back({i, PERMUTATION_1024[i], MB});
        }
    }
    else
    {
        throw std::invalid_argument("workload \"" + name +
                                    "\" is not known; choose a, b, c, d or e");
    }
    return work;
}

BenchWorkload
BenchWorkloads::MakeManyQueuePairs(uint32_t queuePairs, uint64_t packets)
{
    constexpr uint32_t peers = 8;
    BenchWorkload work;
    work.graph = MakeStar(peers + 1);
    for (uint32_t i = 0; i < queuePairs; ++i)
    {
        work.flows.push_back({0, 1 + i % peers, packets / queuePairs * PAYLOAD_BYTES});
    }
    return work;
}

} // namespace roce
} // namespace ns3
