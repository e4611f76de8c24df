/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-collective-progress.h"
#include "ns3/roce-list-schedule.h"
#include "ns3/roce-ring-all-reduce-schedule.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Bytes of part k of a length cut into parts: quotient, and one more for the first few. */
uint64_t
Part(uint64_t bytes, uint64_t parts, uint64_t k)
{
    return bytes / parts + (k < bytes % parts ? 1 : 0);
}

/**
 * What rank i of n sends in a ring all-reduce, from the definition alone. In a piece of P bytes it
 * sends each slice but i+1 in the reduce-scatter (that one it holds whole at the end) and each but
 * i+2 in the all-gather (that one it is given last): 2 P - s(i+1) - s(i+2), indices mod n.
 */
uint64_t
RingBytes(uint32_t n, uint64_t bytes, uint32_t channels, uint32_t chunks, uint32_t i)
{
    uint64_t sum = 0;
    for (uint32_t channel = 0; channel < channels && n > 1; ++channel)
    {
        for (uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            const uint64_t p = Part(Part(bytes, channels, channel), chunks, chunk);
            sum += 2 * p - Part(p, n, (i + 1) % n) - Part(p, n, (i + 2) % n);
        }
    }
    return sum;
}

/** A step that sends, with what it waits for. */
CollectiveStep
SendStep(uint32_t to, uint64_t bytes, uint32_t after = CollectiveStep::NONE)
{
    CollectiveStep step;
    step.sendTo = to;
    step.sendBytes = bytes;
    step.after[0] = after;
    return step;
}

/** A step that receives. */
CollectiveStep
ReceiveStep(uint32_t from, uint64_t bytes)
{
    CollectiveStep step;
    step.receiveFrom = from;
    step.receiveBytes = bytes;
    step.reduce = true;
    return step;
}

} // namespace

TEST_CASE("collective schedule: parts add up and differ by a byte at most")
{
    for (uint64_t bytes : {0ULL, 1ULL, 7ULL, 8ULL, 1000003ULL, 5000000000ULL})
    {
        for (uint64_t parts : {1, 2, 3, 7, 8, 16})
        {
            uint64_t sum = 0;
            for (uint64_t k = 0; k < parts; ++k)
            {
                REQUIRE(CollectiveSchedule::PartOffset(bytes, parts, k) == sum);
                REQUIRE(CollectiveSchedule::PartBytes(bytes, parts, k) == Part(bytes, parts, k));
                sum += CollectiveSchedule::PartBytes(bytes, parts, k);
            }
            REQUIRE(sum == bytes);
            REQUIRE(CollectiveSchedule::PartOffset(bytes, parts, parts) == bytes);
        }
    }
}

TEST_CASE("ring all-reduce: bytes of each rank by the formula")
{
    const std::vector<std::pair<uint32_t, uint32_t>> cuts{{1, 1}, {1, 4}, {2, 3}, {4, 1}};
    for (uint32_t n : {1, 2, 3, 7, 8, 16})
    {
        for (uint64_t bytes : {0ULL, 1ULL, 7ULL, 8ULL, 1000003ULL, 5000000000ULL})
        {
            for (const auto& [channels, chunks] : cuts)
            {
                CAPTURE(n, bytes, channels, chunks);
                const RingAllReduceSchedule ring(n, bytes, channels, chunks);
                REQUIRE_NOTHROW(ring.Validate());
                uint64_t all = 0;
                for (uint32_t i = 0; i < n; ++i)
                {
                    REQUIRE(ring.GetBytesSent(i) == RingBytes(n, bytes, channels, chunks, i));
                    // the neighbor before sends what this rank receives
                    REQUIRE(ring.GetBytesReceived(i) ==
                            RingBytes(n, bytes, channels, chunks, (i + n - 1) % n));
                    all += ring.GetBytesSent(i);
                }
                REQUIRE(all == 2 * (uint64_t(n) - 1) * bytes);
            }
        }
    }
}

TEST_CASE("ring all-reduce: 2 (n-1)/n S a rank when it divides, and the numbers of steps")
{
    // 2 * 7/8 * 16 MiB = 29360128; 2 (n-1) rounds of 4 chunks = 56 steps
    const RingAllReduceSchedule ring(8, 16777216, 1, 4);
    for (uint32_t i = 0; i < 8; ++i)
    {
        REQUIRE(ring.GetBytesSent(i) == 29360128);
        REQUIRE(ring.GetSteps(i) == 56);
    }
    // above 4 GiB: 2 * 15/16 * 5e9 = 9.375e9, slices of 312.5e6
    const RingAllReduceSchedule large(16, 5000000000ULL);
    REQUIRE(large.GetBytesSent(3) == 9375000000ULL);
    REQUIRE(large.GetSliceBytes(0, 0, 15) == 312500000ULL);
    // 7 bytes over 8 ranks: slice 7 is empty and sent by nobody; 2 * 7 - s(1) - s(2) = 12
    const RingAllReduceSchedule tiny(8, 7);
    REQUIRE(tiny.GetBytesSent(0) == 12);
    // one rank, or nothing to reduce: no steps
    REQUIRE(RingAllReduceSchedule(1, 1000).GetSteps(0) == 0);
    REQUIRE(RingAllReduceSchedule(8, 0, 2, 4).GetSteps(7) == 0);
}

TEST_CASE("collective schedule: a step that joins three receives")
{
    // ranks 1..3 send 8 bytes to rank 0, which then sends to rank 1
    ListSchedule list(4, 8);
    for (uint32_t r = 1; r < 4; ++r)
    {
        list.Add(r, SendStep(0, 8));
        list.Add(0, ReceiveStep(r, 8));
    }
    CollectiveStep join;
    join.after = {0, 1};
    REQUIRE(list.Add(0, join) == 3);
    CollectiveStep send = SendStep(1, 8, 3);
    send.after[1] = 2;
    list.Add(0, send);
    list.Add(1, ReceiveStep(0, 8));
    REQUIRE_NOTHROW(list.Validate());

    CollectiveProgress root(list, 0);
    const CollectiveLink out{1, 0};
    REQUIRE(root.TakeSend(out) == CollectiveStep::NONE); // waits for step 0
    REQUIRE(root.SetIn(root.Match({2, 0})).empty());     // step 1
    REQUIRE(root.SetIn(root.Match({3, 0})).empty());     // step 2
    REQUIRE(root.TakeSend(out) == CollectiveStep::NONE);
    REQUIRE(root.SetIn(root.Match({1, 0})).size() == 1); // step 0: the link is free
    REQUIRE(root.TakeSend(out) == 4);
    REQUIRE(root.IsFinished());
    REQUIRE_THROWS_AS(root.Match({1, 0}), std::runtime_error); // no message left
}

TEST_CASE("collective schedule: Validate names what is broken")
{
    const auto message = [](const CollectiveSchedule& schedule) {
        try
        {
            schedule.Validate();
        }
        catch (const std::invalid_argument& e)
        {
            return std::string(e.what());
        }
        return std::string();
    };
    const auto has = [](const std::string& part) { return Catch::Matchers::Contains(part); };

    ListSchedule lengths(2, 8);
    lengths.Add(0, SendStep(1, 8));
    lengths.Add(1, ReceiveStep(0, 7));
    REQUIRE_THAT(message(lengths), has("step 0 of rank 1 receives 7") && has("sends 8"));

    ListSchedule lost(2, 8);
    lost.Add(0, SendStep(1, 8));
    REQUIRE_THAT(message(lost), has("sends 1 messages to rank 1") && has("receives 0"));

    ListSchedule self(2, 8);
    self.Add(1, SendStep(1, 8));
    REQUIRE_THAT(message(self), has("step 0 of rank 1 has rank 1 as its peer"));

    ListSchedule later(2, 8);
    later.Add(0, SendStep(1, 8, 1));
    REQUIRE_THAT(message(later), has("step 0 of rank 0 waits for step 1"));

    // both receive before they send
    ListSchedule circle(2, 8);
    for (uint32_t r : {0, 1})
    {
        circle.Add(r, ReceiveStep(1 - r, 8));
        circle.Add(r, SendStep(1 - r, 8, 0));
    }
    REQUIRE_THAT(message(circle), has("wait for each other") && has("waits for step 0"));

    REQUIRE_THROWS_AS(RingAllReduceSchedule(0, 8), std::invalid_argument);
    REQUIRE_THROWS_AS(RingAllReduceSchedule(8, 8, 0, 1), std::invalid_argument);
    REQUIRE_THROWS_AS(RingAllReduceSchedule(8, 8, 1, 0), std::invalid_argument);
    REQUIRE_THROWS_AS(RingAllReduceSchedule(8, 8).GetStep(8, 0), std::out_of_range);
    REQUIRE_THROWS_AS(RingAllReduceSchedule(8, 8).GetStep(0, 14), std::out_of_range);
}
