/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCHEDULE_PLANS_H
#define ROCE_SCHEDULE_PLANS_H

#include "ns3/roce-collective-catalog.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** Bytes of part k of a length cut into parts: quotient, and one more for the first few. */
inline uint64_t
PlainPart(uint64_t bytes, uint64_t parts, uint64_t k)
{
    return bytes / parts + (k < bytes % parts ? 1 : 0);
}

/** A plan in words. */
inline std::string
ToText(const CollectivePlan& plan)
{
    std::string text = plan.operation + " " + plan.algorithm + " " + plan.mapping + " n " +
                       std::to_string(plan.ranks) + " S " + std::to_string(plan.bytes) +
                       " channels " + std::to_string(plan.channels) + " chunks " +
                       std::to_string(plan.chunks) + " root " + std::to_string(plan.root) +
                       " levels";
    for (const uint32_t size : plan.levels)
    {
        text += " " + std::to_string(size);
    }
    return text;
}

/** Ways to write n as a product of levels: all of n, and some that begin with a divisor. */
inline std::vector<std::vector<uint32_t>>
LevelsOf(uint32_t n)
{
    std::vector<std::vector<uint32_t>> all{{n}, {1, n}, {n, 1, 1}};
    for (uint32_t a = 2; a < n; ++a)
    {
        if (n % a == 0)
        {
            all.push_back({a, n / a});
            for (uint32_t b = 2; b < n / a; ++b)
            {
                if (n / a % b == 0)
                {
                    all.push_back({a, b, n / a / b});
                }
            }
        }
    }
    return all;
}

/** Each operation with each algorithm, some roots, many levels, both mappings. */
inline std::vector<CollectivePlan>
AllPlans(uint32_t ranks, uint64_t bytes, uint32_t channels, uint32_t chunks)
{
    std::vector<CollectivePlan> plans;
    CollectivePlan plan;
    plan.ranks = ranks;
    plan.bytes = bytes;
    plan.channels = channels;
    plan.chunks = chunks;
    for (const std::string& operation : CollectiveCatalog::GetOperations())
    {
        for (const std::string& algorithm : CollectiveCatalog::GetAlgorithms(operation))
        {
            plan.operation = operation;
            plan.algorithm = algorithm;
            if (algorithm == "hierarchical")
            {
                for (const auto& levels : LevelsOf(ranks))
                {
                    CollectivePlan stages = plan;
                    stages.levels = levels;
                    for (const char* mapping : {"rail", "leader"})
                    {
                        stages.mapping = mapping;
                        plans.push_back(stages);
                    }
                }
                continue;
            }
            plans.push_back(plan);
            if (ranks > 1 && (operation == "broadcast" || operation == "reduce"))
            {
                CollectivePlan rooted = plan;
                rooted.root = ranks - 1;
                plans.push_back(rooted);
            }
        }
    }
    return plans;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_SCHEDULE_PLANS_H
