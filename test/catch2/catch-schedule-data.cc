/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-schedule-plans.h"
#include "roce-schedule-rehearsal.h"

#include "ns3/roce-bruck-all-to-all-schedule.h"
#include "ns3/roce-list-schedule.h"

#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using Arrival = ScheduleRehearsal::Arrival;

/**
 * What byte b of rank r begins with: digit r (base 4) counts the rank, for up to 24 ranks, the bits
 * from 48 on tell the place, so that a byte added in a wrong place or twice is seen. Sums of 24
 * ranks fit while places are below 2^16 / 24 = 2730.
 */
uint64_t
Mark(uint32_t rank, uint64_t offset)
{
    return (uint64_t(1) << 2 * rank) + (offset << 48);
}

/** Sum of Mark over all ranks. */
uint64_t
SumOfMarks(uint32_t ranks, uint64_t offset)
{
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        sum += Mark(rank, offset);
    }
    return sum;
}

/** Where part k of S begins. */
uint64_t
PlainOffset(uint64_t bytes, uint64_t parts, uint64_t k)
{
    uint64_t offset = 0;
    for (uint64_t i = 0; i < k; ++i)
    {
        offset += PlainPart(bytes, parts, i);
    }
    return offset;
}

/** The rank whose part of S a byte is in. */
uint32_t
OwnerOf(const CollectivePlan& plan, uint64_t offset)
{
    uint32_t rank = 0;
    while (offset >= PlainOffset(plan.bytes, plan.ranks, rank + 1))
    {
        ++rank;
    }
    return rank;
}

/** Memory at the start: marks, but in an all-gather in the own part alone. */
uint64_t
Begin(const CollectivePlan& plan, uint32_t rank, uint64_t offset)
{
    const bool foreign = plan.operation == "all-gather" && OwnerOf(plan, offset) != rank;
    return offset >= plan.bytes || foreign ? 0xbad : Mark(rank, offset);
}

/** Each block of an all-to-all is where the sender says. */
void
CheckAllToAll(const CollectivePlan& plan,
              const CollectiveSchedule& schedule,
              const ScheduleRehearsal& run,
              uint32_t rank)
{
    const auto* bruck = dynamic_cast<const BruckAllToAllSchedule*>(&schedule);
    const uint64_t bytes = PlainPart(plan.bytes, plan.ranks, rank);
    const uint64_t begin = PlainOffset(plan.bytes, plan.ranks, rank);
    for (uint32_t from = 0; from < plan.ranks; ++from)
    {
        std::vector<uint64_t> got;
        const std::vector<ByteRange> ranges =
            bruck ? bruck->GetBlock(rank, from)
                  : std::vector<ByteRange>{{plan.bytes + from * bytes, from == rank ? 0 : bytes}};
        for (const ByteRange& range : ranges)
        {
            for (uint64_t i = 0; i < range.bytes; ++i)
            {
                got.push_back(run.At(rank, range.offset + i));
            }
        }
        std::vector<uint64_t> sent;
        for (uint64_t i = 0; i < bytes && (bruck || from != rank); ++i)
        {
            sent.push_back(Mark(from, begin + i));
        }
        REQUIRE(got == sent);
    }
    for (uint64_t offset = 0; offset < plan.bytes; ++offset)
    {
        REQUIRE(run.At(rank, offset) == Mark(rank, offset)); // the input is as it was
    }
}

/** Input kept, output that of the rank before. */
void
CheckSendRecv(const CollectivePlan& plan, const ScheduleRehearsal& run, uint32_t rank)
{
    for (uint64_t offset = 0; offset < plan.bytes && plan.ranks > 1; ++offset)
    {
        const uint32_t before = (rank + plan.ranks - 1) % plan.ranks;
        REQUIRE(run.At(rank, offset) == Mark(rank, offset));
        REQUIRE(run.At(rank, plan.bytes + offset) == Mark(before, offset));
    }
}

/** What the operation promises of the memory of a rank. */
void
CheckResult(const CollectivePlan& plan,
            const CollectiveSchedule& schedule,
            const ScheduleRehearsal& run,
            uint32_t rank)
{
    if (plan.operation == "all-to-all")
    {
        CheckAllToAll(plan, schedule, run, rank);
        return;
    }
    if (plan.operation == "send-recv")
    {
        CheckSendRecv(plan, run, rank);
        return;
    }
    if (plan.operation == "barrier" || (plan.operation == "reduce" && rank != plan.root))
    {
        return; // no data
    }
    std::vector<uint64_t> expected;
    for (uint64_t offset = 0; offset < plan.bytes; ++offset)
    {
        const uint32_t owner = OwnerOf(plan, offset);
        if (plan.operation == "all-gather")
        {
            expected.push_back(Mark(owner, offset));
        }
        else if (plan.operation == "broadcast")
        {
            expected.push_back(Mark(plan.root, offset));
        }
        else if (plan.operation == "reduce-scatter" && owner != rank)
        {
            expected.push_back(run.At(rank, offset)); // not part of the result
        }
        else
        {
            expected.push_back(SumOfMarks(plan.ranks, offset));
        }
    }
    REQUIRE(run.GetMemory(rank) == expected);
}

void
CheckPlan(const CollectivePlan& plan, Arrival arrival, uint32_t seed)
{
    INFO(ToText(plan) << " order " << static_cast<int>(arrival) << " seed " << seed);
    const Ptr<CollectiveSchedule> schedule = CollectiveCatalog::Make(plan);
    ScheduleRehearsal run(*schedule, [&plan](uint32_t rank, uint64_t offset) {
        return Begin(plan, rank, offset);
    });
    run.Run(arrival, seed);
    for (uint32_t rank = 0; rank < plan.ranks; ++rank)
    {
        CheckResult(plan, *schedule, run, rank);
    }
}

} // namespace

TEST_CASE("schedules: each operation gives its result at each rank, in any order of arrival")
{
    const uint64_t bytes = GENERATE(as<uint64_t>(), 0, 1, 5, 29, 64);
    for (uint32_t ranks = 1; ranks <= 24; ++ranks)
    {
        for (const CollectivePlan& plan : AllPlans(ranks, bytes, 1, 1))
        {
            CheckPlan(plan, Arrival::OLDEST, 0);
            CheckPlan(plan, Arrival::NEWEST, 0);
            CheckPlan(plan, Arrival::RANDOM, ranks);
        }
    }
}

TEST_CASE("schedules: the same with channels and chunks")
{
    const uint64_t bytes = GENERATE(as<uint64_t>(), 1, 5, 29, 64);
    for (uint32_t ranks = 1; ranks <= 24; ++ranks)
    {
        for (const CollectivePlan& plan : AllPlans(ranks, bytes, 2, 3))
        {
            CheckPlan(plan, Arrival::NEWEST, 0);
            CheckPlan(plan, Arrival::RANDOM, ranks);
            CheckPlan(plan, Arrival::RANDOM, 100 + ranks);
        }
    }
}

TEST_CASE("schedules: a rehearsal sees data that are overwritten before they are sent")
{
    // each rank hands its buffer to the next one in place: the message sent last arrives first, and
    // what rank 0 then still has to send is gone
    ListSchedule shift(3, 1);
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        CollectiveStep step;
        step.sendTo = (rank + 1) % 3;
        step.receiveFrom = (rank + 2) % 3;
        step.sendBytes = 1;
        step.receiveBytes = 1;
        shift.Add(rank, step);
    }
    REQUIRE_NOTHROW(shift.Validate()); // it cannot tell
    ScheduleRehearsal early(shift, Mark);
    early.Run(Arrival::OLDEST);
    REQUIRE(early.At(1, 0) == Mark(0, 0));
    ScheduleRehearsal late(shift, Mark);
    late.Run(Arrival::NEWEST);
    REQUIRE(late.At(0, 0) == Mark(2, 0));
    REQUIRE(late.At(1, 0) == Mark(2, 0)); // not that of rank 0
}

TEST_CASE("schedules: a rehearsal sees a sum that is sent before it is whole")
{
    // rank 0 adds up what ranks 1 and 2 send and hands the sum to rank 3, but waits for rank 1 only
    ListSchedule hasty(4, 1);
    CollectiveStep step;
    step.sendTo = 0;
    step.sendBytes = 1;
    hasty.Add(1, step);
    hasty.Add(2, step);
    CollectiveStep receive;
    receive.receiveBytes = 1;
    receive.reduce = true;
    for (const uint32_t from : {1, 2})
    {
        receive.receiveFrom = from;
        hasty.Add(0, receive);
    }
    step.sendTo = 3;
    step.after[0] = 0;
    hasty.Add(0, step);
    receive.receiveFrom = 0;
    receive.reduce = false;
    hasty.Add(3, receive);
    const uint64_t whole = Mark(0, 0) + Mark(1, 0) + Mark(2, 0);
    ScheduleRehearsal run(hasty, Mark);
    run.Run(Arrival::OLDEST);
    REQUIRE(run.At(0, 0) == whole);
    REQUIRE(run.At(3, 0) == Mark(0, 0) + Mark(1, 0));
}

TEST_CASE("schedules: a barrier ends nowhere before all ranks have begun")
{
    for (uint32_t n = 1; n <= 24; ++n)
    {
        CollectivePlan plan;
        plan.operation = "barrier";
        plan.ranks = n;
        const Ptr<CollectiveSchedule> barrier = CollectiveCatalog::Make(plan);
        // heard[rank][round]: ranks that must have begun when that message is in, by what its send
        // had to wait for; round k comes from the rank 2^k before
        std::vector<std::vector<uint32_t>> heard(n);
        for (uint32_t round = 0; round < barrier->GetSteps(0) / 2; ++round)
        {
            std::vector<uint32_t> carried(n);
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                const CollectiveStep send = barrier->GetStep(rank, 2 * round);
                carried[rank] = 1U << rank;
                for (uint32_t k = 0; k < round; ++k)
                {
                    // the send before is in when all it waited for is
                    REQUIRE(send.after == std::array<uint32_t, 2>{{2 * round - 1, 2 * round - 2}});
                    carried[rank] |= heard[rank][k];
                }
            }
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                heard[rank].push_back(carried[barrier->GetStep(rank, 2 * round + 1).receiveFrom]);
            }
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            uint32_t all = 1U << rank;
            for (const uint32_t mask : heard[rank])
            {
                all |= mask;
            }
            REQUIRE(all == (n == 32 ? 0xffffffffU : (1U << n) - 1));
        }
    }
}
