/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-bruck-all-to-all-schedule.h"
#include "ns3/roce-collective-catalog.h"
#include "ns3/roce-hierarchical-schedule.h"
#include "ns3/roce-list-schedule.h"
#include "ns3/roce-ring-all-reduce-schedule.h"

#include <catch2/catch.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What std::invalid_argument says, or nothing. */
std::string
Refusal(const std::function<void()>& of)
{
    try
    {
        of();
    }
    catch (const std::invalid_argument& e)
    {
        return e.what();
    }
    return "";
}

/** What Make says. */
std::string
Refusal(const CollectivePlan& plan)
{
    return Refusal([&plan]() { CollectiveCatalog::Make(plan); });
}

/** A plan of 8 ranks. */
CollectivePlan
Plan(const std::string& operation, const std::string& algorithm = "")
{
    CollectivePlan plan;
    plan.operation = operation;
    plan.algorithm = algorithm;
    plan.ranks = 8;
    plan.bytes = 800;
    return plan;
}

Catch::Matchers::StdString::ContainsMatcher
Has(const std::string& part)
{
    return Catch::Matchers::Contains(part);
}

} // namespace

TEST_CASE("collective catalog: factors of nccl-tests")
{
    // n = 8: 2 * 7/8, 7/8, 1
    REQUIRE(CollectiveCatalog::BusFactor("all-reduce", 8) == 1.75);
    for (const char* operation : {"all-gather", "reduce-scatter", "all-to-all"})
    {
        REQUIRE(CollectiveCatalog::BusFactor(operation, 8) == 0.875);
        REQUIRE(CollectiveCatalog::BusFactor(operation, 1) == 0);
    }
    for (const char* operation : {"broadcast", "reduce", "send-recv"})
    {
        REQUIRE(CollectiveCatalog::BusFactor(operation, 8) == 1);
    }
    REQUIRE(CollectiveCatalog::BusFactor("barrier", 8) == 0);
    REQUIRE_THROWS_AS(CollectiveCatalog::BusFactor("all-reduce", 0), std::invalid_argument);
    REQUIRE_THROWS_AS(CollectiveCatalog::BusFactor("gather", 8), std::invalid_argument);
}

TEST_CASE("collective catalog: names and defaults")
{
    REQUIRE(CollectiveCatalog::GetOperations() == std::vector<std::string>{"all-reduce",
                                                                           "all-gather",
                                                                           "reduce-scatter",
                                                                           "all-to-all",
                                                                           "broadcast",
                                                                           "reduce",
                                                                           "send-recv",
                                                                           "barrier"});
    REQUIRE(CollectiveCatalog::GetDefaultAlgorithm("all-reduce") == "ring");
    REQUIRE(CollectiveCatalog::GetDefaultAlgorithm("all-to-all") == "direct");
    REQUIRE(CollectiveCatalog::GetDefaultAlgorithm("barrier") == "dissemination");
    REQUIRE(CollectiveCatalog::GetAlgorithms("all-to-all") ==
            std::vector<std::string>{"direct", "pairwise", "bruck"});
    for (const std::string& operation : CollectiveCatalog::GetOperations())
    {
        // no name: the default
        const auto named = CollectiveCatalog::Make(
            Plan(operation, CollectiveCatalog::GetAlgorithms(operation)[0]));
        const auto unnamed = CollectiveCatalog::Make(Plan(operation));
        REQUIRE(named->GetSteps(0) > 0);
        REQUIRE(named->GetSteps(0) == unnamed->GetSteps(0));
        REQUIRE(named->GetBytesSent(0) == unnamed->GetBytesSent(0));
    }
}

TEST_CASE("collective catalog: what is refused, and how")
{
    REQUIRE_THAT(Refusal(Plan("allreduce")), Has("'allreduce'") && Has("all-reduce, all-gather"));
    REQUIRE_THAT(Refusal(Plan("all-gather", "tree")), Has("'tree'") && Has("ring, direct"));
    REQUIRE_THAT(Refusal(Plan("all-reduce", "hierarchical")), Has("no levels"));

    CollectivePlan plan = Plan("broadcast", "tree");
    plan.root = 8;
    REQUIRE_THAT(Refusal(plan), Has("root 8") && Has("0..7"));
    plan.operation = "all-reduce";
    REQUIRE_THAT(Refusal(plan), Has("has no root, 8 given"));

    plan = Plan("all-reduce", "ring");
    plan.levels = {2, 4};
    REQUIRE_THAT(Refusal(plan), Has("has no levels") && Has("hierarchical"));
    plan.levels.clear();
    plan.mapping = "rail";
    REQUIRE_THAT(Refusal(plan), Has("has no mapping") && Has("hierarchical"));

    plan = Plan("all-reduce", "hierarchical");
    plan.levels = {2, 3};
    REQUIRE_THAT(Refusal(plan), Has("levels 2 x 3 make 6 ranks, the plan has 8"));
    plan.levels = {2, 0, 4};
    REQUIRE_THAT(Refusal(plan), Has("level 1 has groups of 0"));
    plan.levels = {70000, 70000};
    REQUIRE_THAT(Refusal(plan), Has("level 1") && Has("4900000000 ranks"));
    plan.levels = {2, 4};
    plan.mapping = "train";
    REQUIRE_THAT(Refusal(plan), Has("mapping train") && Has("rail or leader"));
    plan.mapping.clear(); // rail
    REQUIRE(CollectiveCatalog::Make(plan)->GetBytesSent(1) == 1400);

    for (const std::string& operation : CollectiveCatalog::GetOperations())
    {
        for (const std::string& algorithm : CollectiveCatalog::GetAlgorithms(operation))
        {
            CAPTURE(operation, algorithm);
            CollectivePlan bad = Plan(operation, algorithm);
            if (algorithm != "hierarchical")
            {
                bad.ranks = 0;
                REQUIRE_FALSE(Refusal(bad).empty());
                bad.ranks = 8;
            }
            else
            {
                bad.levels = {8};
            }
            if (operation == "barrier")
            {
                continue; // has neither
            }
            bad.channels = 0;
            REQUIRE_THAT(Refusal(bad), Has("0 channels"));
            bad.channels = 1;
            bad.chunks = 0;
            REQUIRE_THAT(Refusal(bad), Has("0 chunks"));
        }
    }
}

TEST_CASE("collective catalog: 2^32 - 2 steps a rank at most")
{
    // 2^31 ranks, 1 chunk: 2 (2^31 - 1) = 2^32 - 2 steps; 2 chunks are too many
    const uint64_t bytes = uint64_t(1) << 40;
    REQUIRE(RingAllReduceSchedule(0x80000000U, bytes).GetSteps(0) == 4294967294U);
    REQUIRE_THROWS_AS(RingAllReduceSchedule(0x80000000U, bytes, 1, 2), std::invalid_argument);
    // steps a piece: at least 1 with 2 ranks, so 2^16 channels of 2^16 chunks are too many for all
    for (const std::string& operation : CollectiveCatalog::GetOperations())
    {
        for (const std::string& algorithm : CollectiveCatalog::GetAlgorithms(operation))
        {
            CAPTURE(operation, algorithm);
            CollectivePlan plan = Plan(operation, algorithm);
            plan.ranks = 2;
            plan.bytes = bytes;
            plan.channels = 65536;
            plan.chunks = 65536;
            if (algorithm == "hierarchical")
            {
                plan.levels = {2};
            }
            if (operation == "barrier")
            {
                REQUIRE(CollectiveCatalog::Make(plan)->GetSteps(0) == 2); // takes no notice
                continue;
            }
            REQUIRE_THAT(Refusal(plan), Has("the limit is 2^32 - 2") && Has("take fewer chunks"));
        }
    }
    CollectivePlan plan = Plan("all-reduce", "tree");
    plan.channels = 0x80000000U;
    REQUIRE_THAT(Refusal(plan), Has("2147483648 channels") && Has("2^31 - 1"));
}

TEST_CASE("collective schedule: Validate looks at places")
{
    CollectiveStep send;
    send.sendTo = 1;
    send.sendBytes = 4;
    send.remoteOffset = 4;
    CollectiveStep receive;
    receive.receiveFrom = 0;
    receive.receiveBytes = 4;
    ListSchedule apart(2, 8);
    apart.Add(0, send);
    apart.Add(1, receive);
    REQUIRE_THAT(Refusal([&apart]() { apart.Validate(); }),
                 Has("step 0 of rank 1 receives at offset 0") && Has("sends to offset 4"));

    // a list has the memory its steps need: 8 bytes here, 12 with the next step
    REQUIRE(apart.GetExtent() == 8);
    receive.receiveOffset = 8;
    apart.Add(1, receive);
    REQUIRE(apart.GetExtent() == 12);

    // input 800, output 8 blocks of 100
    REQUIRE(CollectiveCatalog::Make(Plan("all-to-all"))->GetExtent() == 1600);
    REQUIRE(CollectiveCatalog::Make(Plan("send-recv"))->GetExtent() == 1600);
    REQUIRE(CollectiveCatalog::Make(Plan("all-reduce"))->GetExtent() == 800);
    // Bruck: 4 blocks arrive in each of 3 rounds: 800 + 12 * 100
    REQUIRE(CollectiveCatalog::Make(Plan("all-to-all", "bruck"))->GetExtent() == 2000);
}

namespace
{

/** Sends bytes beyond its memory, or segments that do not add up. */
class FaultySchedule : public CollectiveSchedule
{
  public:
    FaultySchedule(uint64_t offset, uint64_t gathered)
        : CollectiveSchedule(2, 8),
          m_offset(offset),
          m_gathered(gathered)
    {
    }

  private:
    uint32_t DoGetSteps(uint32_t) const override
    {
        return 1;
    }

    CollectiveStep DoGetStep(uint32_t rank, uint32_t) const override
    {
        CollectiveStep step;
        (rank == 0 ? step.sendTo : step.receiveFrom) = 1 - rank;
        (rank == 0 ? step.sendBytes : step.receiveBytes) = 4;
        step.sendOffset = m_offset;
        return step;
    }

    std::vector<ByteRange> DoGetSegments(uint32_t rank, uint32_t) const override
    {
        return rank == 0 ? std::vector<ByteRange>{{m_offset, m_gathered}}
                         : std::vector<ByteRange>{};
    }

    uint64_t m_offset;
    uint64_t m_gathered;
};

} // namespace

TEST_CASE("collective schedule: Validate looks at memory and segments")
{
    REQUIRE_NOTHROW(FaultySchedule(4, 4).Validate());
    REQUIRE_THAT(Refusal([]() { FaultySchedule(5, 4).Validate(); }),
                 Has("step 0 of rank 0 uses 4 bytes at offset 5") && Has("has 8"));
    REQUIRE_THAT(Refusal([]() { FaultySchedule(0xffffffffffffffffULL, 4).Validate(); }),
                 Has("has 8"));
    REQUIRE_THAT(Refusal([]() { FaultySchedule(0, 3).Validate(); }),
                 Has("sends 4 bytes, its segments have 3"));
}

TEST_CASE("bruck all-to-all: a block that has come by two hops, gathered from three places")
{
    // 8 ranks, blocks of 100 bytes. Round 2 of rank 0 sends j = 4 (its own, for rank 4), 5 (came in
    // round 0), 6 (came in round 1), 7 (came in rounds 0 and 1, last in 1).
    // Rounds land at 800, 1200, 1600, in the order of j: round 0: 1, 3, 5, 7; round 1: 2, 3, 6, 7.
    const BruckAllToAllSchedule bruck(8, 800);
    const std::vector<ByteRange> segments = bruck.GetSegments(0, 4);
    REQUIRE(segments.size() == 4);
    const std::vector<uint64_t> offsets{400, 800 + 200, 1200 + 200, 1200 + 300};
    for (std::size_t i = 0; i < 4; ++i)
    {
        REQUIRE(segments[i].bytes == 100);
        REQUIRE(segments[i].offset == offsets[i]);
    }
    REQUIRE(bruck.GetStep(0, 4).sendOffset == 400);
    REQUIRE(bruck.GetStep(0, 4).remoteOffset == 1600);
    REQUIRE(bruck.GetSegments(0, 5).empty()); // receives
    // from rank 1 to rank 0 it is 7 hops: last in round 2, after 4, 5, 6
    REQUIRE(bruck.GetBlock(0, 1).size() == 1);
    REQUIRE(bruck.GetBlock(0, 1)[0].offset == 1600 + 300);
    REQUIRE(bruck.GetBlock(3, 3)[0].offset == 300); // its own
    REQUIRE_THROWS_AS(bruck.GetBlock(8, 0), std::out_of_range);
    REQUIRE_THROWS_AS(bruck.GetBlock(0, 8), std::out_of_range);
    REQUIRE_THROWS_AS(bruck.GetSegments(0, 6), std::out_of_range);
}
