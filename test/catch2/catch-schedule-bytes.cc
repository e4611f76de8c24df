/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-schedule-formulas.h"

#include "ns3/roce-double-binary-tree.h"
#include "ns3/roce-hierarchical-schedule.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A plan of the operation by the algorithm. */
CollectivePlan
Plan(const std::string& operation, const std::string& algorithm, uint32_t ranks, uint64_t bytes)
{
    CollectivePlan plan;
    plan.operation = operation;
    plan.algorithm = algorithm;
    plan.ranks = ranks;
    plan.bytes = bytes;
    return plan;
}

/** Messages a rank sends. */
uint32_t
CountSends(const CollectiveSchedule& schedule, uint32_t rank)
{
    uint32_t sends = 0;
    for (uint32_t i = 0; i < schedule.GetSteps(rank); ++i)
    {
        sends += schedule.GetStep(rank, i).sendTo != CollectiveStep::NONE ? 1 : 0;
    }
    return sends;
}

/** Length of the longest chain of messages, each of which waits for the one before. */
uint32_t
CountHops(const CollectiveSchedule& schedule)
{
    // in[rank][step]: messages on the longest chain that ends with it; repeat until nothing grows
    const uint32_t n = schedule.GetRanks();
    std::vector<std::vector<uint32_t>> in(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        in[rank].assign(schedule.GetSteps(rank), 0);
    }
    uint32_t longest = 0;
    for (bool grows = true; grows;)
    {
        grows = false;
        std::map<std::array<uint32_t, 3>, std::vector<uint32_t>> arrive;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (uint32_t i = 0; i < in[rank].size(); ++i)
            {
                const CollectiveStep step = schedule.GetStep(rank, i);
                uint32_t ready = 0;
                for (const uint32_t after : step.after)
                {
                    ready = std::max(ready, after == CollectiveStep::NONE ? 0 : in[rank][after]);
                }
                if (step.sendTo != CollectiveStep::NONE)
                {
                    arrive[{rank, step.sendTo, step.channel}].push_back(ready + 1);
                    longest = std::max(longest, ready + 1);
                }
                if (step.receiveFrom == CollectiveStep::NONE && in[rank][i] != ready)
                {
                    in[rank][i] = ready;
                    grows = true;
                }
            }
        }
        std::map<std::array<uint32_t, 3>, std::size_t> taken;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (uint32_t i = 0; i < in[rank].size(); ++i)
            {
                const CollectiveStep step = schedule.GetStep(rank, i);
                if (step.receiveFrom != CollectiveStep::NONE)
                {
                    const std::array<uint32_t, 3> link{{step.receiveFrom, rank, step.channel}};
                    const uint32_t ready = arrive[link].at(taken[link]++);
                    grows = grows || in[rank][i] != ready;
                    in[rank][i] = ready;
                }
            }
        }
    }
    return longest;
}

} // namespace

TEST_CASE("schedules: each is valid and its ranks send what the formula says")
{
    const uint32_t ranks = GENERATE(as<uint32_t>(), 1, 2, 3, 7, 8, 16, 24);
    const uint64_t bytes = GENERATE(as<uint64_t>(), 0, 1, 5, 1000003, (5ULL << 30) + 1);
    for (const uint32_t channels : {1, 3})
    {
        for (const uint32_t chunks : {1, 3})
        {
            for (const CollectivePlan& plan : AllPlans(ranks, bytes, channels, chunks))
            {
                INFO(ToText(plan));
                const Ptr<CollectiveSchedule> schedule = CollectiveCatalog::Make(plan);
                REQUIRE_NOTHROW(schedule->Validate());
                REQUIRE(schedule->GetRanks() == ranks);
                REQUIRE(schedule->GetBytes() == (plan.operation == "barrier" ? 0 : bytes));
                const ScheduleFormulas formulas(plan);
                uint64_t sent = 0;
                uint64_t received = 0;
                for (uint32_t rank = 0; rank < ranks; ++rank)
                {
                    REQUIRE(schedule->GetBytesSent(rank) == formulas.Sent(rank));
                    sent += schedule->GetBytesSent(rank);
                    received += schedule->GetBytesReceived(rank);
                    if (ranks == 1 || (bytes == 0 && plan.operation != "barrier"))
                    {
                        REQUIRE(schedule->GetSteps(rank) == 0);
                    }
                }
                REQUIRE(sent == received);
            }
        }
    }
}

TEST_CASE("schedules: bytes in closed form where n divides S")
{
    // S = 24 MB. 2 (n-1)/n S: n = 8: 2 * 7/8 * 24e6 = 42e6; (n-1)/n S = 21e6
    const uint64_t bytes = 24000000;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (const char* algorithm : {"ring", "halving-doubling", "direct"})
        {
            REQUIRE(CollectiveCatalog::Make(Plan("all-reduce", algorithm, 8, bytes))
                        ->GetBytesSent(rank) == 42000000);
        }
        for (const char* operation : {"all-gather", "reduce-scatter"})
        {
            for (const char* algorithm : {"ring", "direct"})
            {
                REQUIRE(CollectiveCatalog::Make(Plan(operation, algorithm, 8, bytes))
                            ->GetBytesSent(rank) == 21000000);
            }
        }
        for (const char* algorithm : {"direct", "pairwise"})
        {
            REQUIRE(CollectiveCatalog::Make(Plan("all-to-all", algorithm, 8, bytes))
                        ->GetBytesSent(rank) == 21000000);
        }
        // Bruck: S/2 in each of log2 8 = 3 rounds
        REQUIRE(
            CollectiveCatalog::Make(Plan("all-to-all", "bruck", 8, bytes))->GetBytesSent(rank) ==
            36000000);
        // two levels by rail are as good as one ring: 2 (1/2 + 1/2 * 3/4) S = 2 * 7/8 S
        CollectivePlan rail = Plan("all-reduce", "hierarchical", 8, bytes);
        rail.levels = {2, 4};
        REQUIRE(CollectiveCatalog::Make(rail)->GetBytesSent(rank) == 42000000);
        // by leader: S inwards or outwards, and 2 * 3/4 S among the 4 leaders
        rail.mapping = "leader";
        REQUIRE(CollectiveCatalog::Make(rail)->GetBytesSent(rank) ==
                (rank % 2 == 0 ? 24000000 + 36000000 : 24000000));
    }
    // Bruck, n = 3: j = 1 (one hop), j = 2 (one hop): 2 blocks of S/3
    REQUIRE(CollectiveCatalog::Make(Plan("all-to-all", "bruck", 3, bytes))->GetBytesSent(1) ==
            16000000);
    // no rank of a double tree sends more than 2 S; all together 2 (n-1) S
    for (uint32_t n = 2; n <= 24; ++n)
    {
        const auto tree = CollectiveCatalog::Make(Plan("all-reduce", "tree", n, bytes));
        uint64_t all = 0;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            REQUIRE(tree->GetBytesSent(rank) <= 2 * bytes);
            all += tree->GetBytesSent(rank);
        }
        REQUIRE(all == 2 * (n - 1) * bytes);
    }
}

TEST_CASE("schedules: messages of a rank and rounds")
{
    for (uint32_t n : {1, 2, 3, 7, 8, 16, 24})
    {
        CAPTURE(n);
        uint32_t up = 0; // ceil(log2 n)
        while ((1U << up) < n)
        {
            ++up;
        }
        const uint32_t down = (1U << up) > n ? up - 1 : up; // floor(log2 n)
        const uint64_t bytes = 1 << 20;
        const auto make = [n, bytes](const std::string& operation, const std::string& algorithm) {
            return CollectiveCatalog::Make(Plan(operation, algorithm, n, bytes));
        };
        const auto barrier = make("barrier", "dissemination");
        const auto bruck = make("all-to-all", "bruck");
        const auto pairwise = make("all-to-all", "pairwise");
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            REQUIRE(CountSends(*barrier, rank) == up);
            REQUIRE(CountSends(*bruck, rank) == up);
            REQUIRE(CountSends(*pairwise, rank) == n - 1);
        }
        const uint32_t some = n > 1 ? 1 : 0;
        REQUIRE(CountHops(*barrier) == up);
        REQUIRE(CountHops(*bruck) == up);
        REQUIRE(CountHops(*pairwise) == n - 1);
        REQUIRE(CountHops(*make("all-to-all", "direct")) == some);
        REQUIRE(CountHops(*make("send-recv", "direct")) == some);
        REQUIRE(CountHops(*make("all-reduce", "ring")) == 2 * (n - 1));
        REQUIRE(CountHops(*make("all-gather", "ring")) == n - 1);
        REQUIRE(CountHops(*make("reduce-scatter", "ring")) == n - 1);
        REQUIRE(CountHops(*make("all-reduce", "direct")) == 2 * some);
        REQUIRE(CountHops(*make("all-gather", "direct")) == some);
        // a fold before and after unless n is a power of two
        REQUIRE(CountHops(*make("all-reduce", "halving-doubling")) ==
                2 * (down + (up > down ? 1 : 0)));
        // up and down a tree no higher than ceil(log2 n)
        REQUIRE(CountHops(*make("all-reduce", "tree")) <= 2 * up);
        REQUIRE(CountHops(*make("broadcast", "ring")) == n - 1);
        REQUIRE(CountHops(*make("reduce", "ring")) == n - 1);
        REQUIRE(CountHops(*make("broadcast", "tree")) == down);
        REQUIRE(CountHops(*make("reduce", "tree")) == down);
    }
    // 2 x 3 x 4: 2 (1 + 2 + 3) = 12 rounds by rail; by leader 1 + 2 (2 + 3) + 1
    CollectivePlan plan = Plan("all-reduce", "hierarchical", 24, 1 << 20);
    plan.levels = {2, 3, 4};
    REQUIRE(CountHops(*CollectiveCatalog::Make(plan)) == 12);
    plan.mapping = "leader";
    REQUIRE(CountHops(*CollectiveCatalog::Make(plan)) == 12);
    plan.levels = {4, 6}; // a chain of 4: 3 + 2 * 5 + 3
    REQUIRE(CountHops(*CollectiveCatalog::Make(plan)) == 16);
}

TEST_CASE("double binary tree: two trees, inner nodes of one are leaves of the other")
{
    for (uint32_t n = 1; n <= 130; ++n)
    {
        CAPTURE(n);
        const DoubleBinaryTree trees(n);
        uint32_t both = 0; // ranks that are inner nodes of both
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            uint32_t inner = 0;
            for (uint32_t tree : {0, 1})
            {
                // up to the root in at most ceil(log2 n) hops
                uint32_t hops = 0;
                uint32_t at = rank;
                while (trees.GetParent(tree, at) != DoubleBinaryTree::NONE)
                {
                    const uint32_t above = trees.GetParent(tree, at);
                    const auto children = trees.GetChildren(tree, above);
                    REQUIRE((children[0] == at) != (children[1] == at));
                    at = above;
                    ++hops;
                    REQUIRE((1U << (hops - 1)) < n);
                }
                REQUIRE(at == (tree == 0 ? 0 : n % 2 == 0 ? n - 1 : 1 % n));
                const auto below = trees.GetChildren(tree, rank);
                inner += below[0] != DoubleBinaryTree::NONE || below[1] != DoubleBinaryTree::NONE;
            }
            both += inner == 2 ? 1 : 0;
        }
        REQUIRE(both == (n % 2 == 1 && n > 1 ? 1 : 0));
    }
}

TEST_CASE("hierarchical all-reduce: levels stay apart, by rank and by connection")
{
    CollectivePlan plan = Plan("all-reduce", "hierarchical", 24, 4800);
    plan.levels = {2, 3, 4};
    plan.channels = 2;
    plan.chunks = 3;
    for (const char* mapping : {"rail", "leader"})
    {
        plan.mapping = mapping;
        const Ptr<CollectiveSchedule> made = CollectiveCatalog::Make(plan);
        const auto* schedule = dynamic_cast<const HierarchicalSchedule*>(PeekPointer(made));
        REQUIRE(schedule);
        std::set<uint32_t> channels;
        for (uint32_t rank = 0; rank < 24; ++rank)
        {
            for (uint32_t i = 0; i < schedule->GetSteps(rank); ++i)
            {
                const CollectiveStep step = schedule->GetStep(rank, i);
                for (const uint32_t peer : {step.sendTo, step.receiveFrom})
                {
                    if (peer == CollectiveStep::NONE)
                    {
                        continue;
                    }
                    channels.insert(step.channel);
                    // 0 in the same pair, 1 in the same six, else 2
                    const uint32_t level = peer / 2 == rank / 2 ? 0 : peer / 6 == rank / 6 ? 1 : 2;
                    REQUIRE(schedule->GetLevel(step.channel) == level);
                    if (level > 0) // the same place in what is below
                    {
                        REQUIRE(peer % 2 == rank % 2);
                        REQUIRE((level == 1 || peer % 6 == rank % 6));
                        REQUIRE((std::string(mapping) == "rail" || rank % 2 == 0));
                    }
                    if (step.receiveFrom != CollectiveStep::NONE)
                    {
                        REQUIRE(step.reduce != schedule->IsDown(step.channel));
                    }
                }
            }
        }
        REQUIRE(channels.size() == 2 * 3 * 2); // channels, levels, ways
        // 2 channels of 2400 bytes, 3 chunks of 800 in each: one chunk after the other
        for (uint32_t rank = 0; rank < 24; ++rank)
        {
            uint64_t chunk = 0;
            for (uint32_t i = 0; i < schedule->GetSteps(rank); ++i)
            {
                const CollectiveStep step = schedule->GetStep(rank, i);
                if (step.sendTo != CollectiveStep::NONE)
                {
                    REQUIRE(step.sendOffset % 2400 / 800 >= chunk);
                    chunk = step.sendOffset % 2400 / 800;
                }
            }
            REQUIRE(chunk == 2);
        }
    }
}
