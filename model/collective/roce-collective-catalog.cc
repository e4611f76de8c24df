/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-catalog.h"

#include "roce-all-to-all-schedule.h"
#include "roce-barrier-schedule.h"
#include "roce-bruck-all-to-all-schedule.h"
#include "roce-direct-schedule.h"
#include "roce-halving-doubling-schedule.h"
#include "roce-hierarchical-schedule.h"
#include "roce-ring-all-reduce-schedule.h"
#include "roce-rooted-schedule.h"
#include "roce-send-recv-schedule.h"
#include "roce-tree-all-reduce-schedule.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/** Operations with their algorithms, the default first. */
using Table = std::vector<std::pair<std::string, std::vector<std::string>>>;

Table
GetTable()
{
    return Table{
        {"all-reduce", {"ring", "tree", "halving-doubling", "direct", "hierarchical"}},
        {"all-gather", {"ring", "direct"}},
        {"reduce-scatter", {"ring", "direct"}},
        {"all-to-all", {"direct", "pairwise", "bruck"}},
        {"broadcast", {"ring", "tree"}},
        {"reduce", {"ring", "tree"}},
        {"send-recv", {"direct"}},
        {"barrier", {"dissemination"}},
    };
}

/** Names in a message. */
std::string
Join(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/** Refuse fields that the algorithm has no use for. */
void
CheckFields(const CollectivePlan& plan, const std::string& algorithm)
{
    const bool rooted = plan.operation == "broadcast" || plan.operation == "reduce";
    const std::string name = "collective: " + plan.operation + " by algorithm " + algorithm;
    if (!rooted && plan.root != 0)
    {
        throw std::invalid_argument(name + " has no root, " + std::to_string(plan.root) +
                                    " given; leave it at 0");
    }
    if (algorithm == "hierarchical")
    {
        return;
    }
    if (!plan.levels.empty())
    {
        throw std::invalid_argument(name + " has no levels, " + std::to_string(plan.levels.size()) +
                                    " given; take algorithm hierarchical");
    }
    if (!plan.mapping.empty())
    {
        throw std::invalid_argument(name + " has no mapping, " + plan.mapping +
                                    " given; take algorithm hierarchical");
    }
}

/** The hierarchical all-reduce. */
Ptr<CollectiveSchedule>
MakeHierarchical(const CollectivePlan& plan)
{
    using Mapping = HierarchicalSchedule::Mapping;
    if (!plan.mapping.empty() && plan.mapping != "rail" && plan.mapping != "leader")
    {
        throw std::invalid_argument("collective: mapping " + plan.mapping +
                                    " is not known, expected rail or leader");
    }
    auto schedule =
        Create<HierarchicalSchedule>(plan.levels,
                                     plan.mapping == "leader" ? Mapping::LEADER : Mapping::RAIL,
                                     plan.bytes,
                                     plan.channels,
                                     plan.chunks);
    if (schedule->GetRanks() != plan.ranks)
    {
        std::string levels;
        for (const uint32_t size : plan.levels)
        {
            levels += (levels.empty() ? "" : " x ") + std::to_string(size);
        }
        throw std::invalid_argument("collective: levels " + levels + " make " +
                                    std::to_string(schedule->GetRanks()) + " ranks, the plan has " +
                                    std::to_string(plan.ranks));
    }
    return schedule;
}

Ptr<CollectiveSchedule>
MakeAllReduce(const CollectivePlan& p, const std::string& algorithm)
{
    if (algorithm == "tree")
    {
        return Create<TreeAllReduceSchedule>(p.ranks, p.bytes, p.channels, p.chunks);
    }
    if (algorithm == "halving-doubling")
    {
        return Create<HalvingDoublingSchedule>(p.ranks, p.bytes, p.channels, p.chunks);
    }
    if (algorithm == "hierarchical")
    {
        return MakeHierarchical(p);
    }
    if (algorithm == "direct")
    {
        return Create<DirectSchedule>(ReducePhases::ALL_REDUCE,
                                      p.ranks,
                                      p.bytes,
                                      p.channels,
                                      p.chunks);
    }
    return Create<RingAllReduceSchedule>(p.ranks, p.bytes, p.channels, p.chunks);
}

/** One phase of an all-reduce. */
Ptr<CollectiveSchedule>
MakePhase(const CollectivePlan& p, const std::string& algorithm)
{
    const ReducePhases phases =
        p.operation == "all-gather" ? ReducePhases::ALL_GATHER : ReducePhases::REDUCE_SCATTER;
    if (algorithm == "direct")
    {
        return Create<DirectSchedule>(phases, p.ranks, p.bytes, p.channels, p.chunks);
    }
    return Create<RingSchedule>(phases, p.ranks, p.bytes, p.channels, p.chunks);
}

Ptr<CollectiveSchedule>
MakeAllToAll(const CollectivePlan& p, const std::string& algorithm)
{
    using Mode = AllToAllSchedule::Mode;
    if (algorithm == "bruck")
    {
        return Create<BruckAllToAllSchedule>(p.ranks, p.bytes, p.channels, p.chunks);
    }
    return Create<AllToAllSchedule>(algorithm == "pairwise" ? Mode::PAIRWISE : Mode::DIRECT,
                                    p.ranks,
                                    p.bytes,
                                    p.channels,
                                    p.chunks);
}

Ptr<CollectiveSchedule>
MakeRooted(const CollectivePlan& p, const std::string& algorithm)
{
    using Operation = RootedSchedule::Operation;
    using Shape = RootedSchedule::Shape;
    return Create<RootedSchedule>(p.operation == "reduce" ? Operation::REDUCE
                                                          : Operation::BROADCAST,
                                  algorithm == "tree" ? Shape::BINARY : Shape::CHAIN,
                                  p.ranks,
                                  p.bytes,
                                  p.root,
                                  p.channels,
                                  p.chunks);
}

} // namespace

std::vector<std::string>
CollectiveCatalog::GetOperations()
{
    std::vector<std::string> names;
    for (const auto& [operation, algorithms] : GetTable())
    {
        names.push_back(operation);
    }
    return names;
}

std::vector<std::string>
CollectiveCatalog::GetAlgorithms(const std::string& operation)
{
    for (const auto& [name, algorithms] : GetTable())
    {
        if (name == operation)
        {
            return algorithms;
        }
    }
    throw std::invalid_argument("collective: operation '" + operation +
                                "' is not known, expected one of " + Join(GetOperations()));
}

std::string
CollectiveCatalog::GetDefaultAlgorithm(const std::string& operation)
{
    return GetAlgorithms(operation).front();
}

Ptr<CollectiveSchedule>
CollectiveCatalog::Make(const CollectivePlan& plan)
{
    const std::vector<std::string> known = GetAlgorithms(plan.operation);
    const std::string algorithm = plan.algorithm.empty() ? known.front() : plan.algorithm;
    if (std::find(known.begin(), known.end(), algorithm) == known.end())
    {
        throw std::invalid_argument("collective: " + plan.operation + " has no algorithm '" +
                                    algorithm + "', expected one of " + Join(known));
    }
    CheckFields(plan, algorithm);
    if (plan.operation == "all-reduce")
    {
        return MakeAllReduce(plan, algorithm);
    }
    if (plan.operation == "all-gather" || plan.operation == "reduce-scatter")
    {
        return MakePhase(plan, algorithm);
    }
    if (plan.operation == "all-to-all")
    {
        return MakeAllToAll(plan, algorithm);
    }
    if (plan.operation == "send-recv")
    {
        return Create<SendRecvSchedule>(plan.ranks, plan.bytes, plan.channels, plan.chunks);
    }
    if (plan.operation == "barrier")
    {
        return Create<BarrierSchedule>(plan.ranks);
    }
    return MakeRooted(plan, algorithm);
}

double
CollectiveCatalog::BusFactor(const std::string& operation, uint32_t ranks)
{
    GetAlgorithms(operation); // refuses what is not known
    if (ranks == 0)
    {
        throw std::invalid_argument("collective: bus factor of 0 ranks, expected 1 or more");
    }
    const double others = (ranks - 1.0) / ranks;
    if (operation == "all-reduce")
    {
        return 2 * others;
    }
    if (operation == "all-gather" || operation == "reduce-scatter" || operation == "all-to-all")
    {
        return others;
    }
    return operation == "barrier" ? 0 : 1;
}

} // namespace roce
} // namespace ns3
