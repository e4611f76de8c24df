/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-pipeline-schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return passes as text, such as F0 B0, with chunks F0.1. \param schedule of which
 *  \param stage of which \param chunks whether to tell them */
std::string
Text(const PipelineSchedule& schedule, uint32_t stage, bool chunks = false)
{
    std::string text;
    for (const PipelinePass& pass : schedule.GetPasses(stage))
    {
        text += (text.empty() ? "" : " ") + std::string(pass.forward ? "F" : "B") +
                std::to_string(pass.microBatch) + (chunks ? "." + std::to_string(pass.chunk) : "");
    }
    return text;
}

/** Each pass once, forward before backward. \param schedule of which \param m micro batches
 *  \param v chunks */
void
CheckComplete(const PipelineSchedule& schedule, uint32_t m, uint32_t v)
{
    for (uint32_t stage = 0; stage < schedule.GetStages(); ++stage)
    {
        std::map<std::pair<uint32_t, uint32_t>, int> state; // 1: forward, 2: backward too
        for (const PipelinePass& pass : schedule.GetPasses(stage))
        {
            REQUIRE(pass.microBatch < m);
            REQUIRE(pass.chunk < v);
            CHECK(state[{pass.microBatch, pass.chunk}]++ == (pass.forward ? 0 : 1));
        }
        CHECK(schedule.GetPasses(stage).size() == 2 * m * v);
    }
}

} // namespace

TEST_CASE("1F1B of four stages and eight micro batches", "[pipeline-schedule]")
{
    // Narayanan et al., SC 2021, figure 4, top is the same for 4 devices and 8 micro batches
    const PipelineSchedule schedule("1f1b", 4, 8);
    CHECK(Text(schedule, 0) == "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
    CHECK(Text(schedule, 1) == "F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 F6 B4 F7 B5 B6 B7");
    CHECK(Text(schedule, 3) == "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
    CHECK(schedule.GetBubble() == Approx(3.0 / 8));
}

TEST_CASE("GPipe does all forward passes first", "[pipeline-schedule]")
{
    const PipelineSchedule schedule("gpipe", 2, 3);
    CHECK(Text(schedule, 0) == "F0 F1 F2 B0 B1 B2");
    CHECK(Text(schedule, 1) == "F0 F1 F2 B0 B1 B2");
    CHECK(schedule.GetInFlight(0) == 3);
}

TEST_CASE("Interleaved with two stages of two chunks", "[pipeline-schedule]")
{
    // groups of 2 micro batches go through chunk 0, then chunk 1; before the first backward pass
    // stage 0 does 2 (2 - 1 - 0) + (2 - 1) 2 = 4, stage 1 does 0 + 2 = 2
    const PipelineSchedule schedule("interleaved", 2, 4, 2);
    CHECK(Text(schedule, 0, true) == "F0.0 F1.0 F0.1 F1.1 F2.0 B0.1 F3.0 B1.1 F2.1 B0.0 F3.1 B1.0 "
                                     "B2.1 B3.1 B2.0 B3.0");
    CHECK(Text(schedule, 1, true) == "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 "
                                     "F3.1 B3.1 B2.0 B3.0");
    CHECK(schedule.GetBubble() == Approx(1.0 / 8)); // (p - 1) / (v m)
}

TEST_CASE("Each pass is there once, and 1F1B holds few micro batches", "[pipeline-schedule]")
{
    for (const uint32_t p : {1U, 2U, 3U, 4U, 7U})
    {
        for (const uint32_t m : {1U, 2U, 4U, 5U, 9U})
        {
            const PipelineSchedule one("1f1b", p, m);
            const PipelineSchedule all("gpipe", p, m);
            CheckComplete(one, m, 1);
            CheckComplete(all, m, 1);
            for (uint32_t stage = 0; stage < p; ++stage)
            {
                CHECK(one.GetInFlight(stage) == std::min(p - stage, m));
                CHECK(all.GetInFlight(stage) == m);
            }
            for (const uint32_t v : {2U, 3U})
            {
                if (p > 1)
                {
                    const PipelineSchedule both("interleaved", p, m * p, v);
                    CheckComplete(both, m * p, v);
                    // one more than those before the first backward pass, if there are so many
                    CHECK(both.GetInFlight(0) ==
                          std::min(2 * (p - 1) + (v - 1) * p + 1, m * p * v));
                }
            }
        }
    }
}

TEST_CASE("What makes no pipeline is refused", "[pipeline-schedule]")
{
    CHECK_THROWS_WITH(PipelineSchedule("1f1", 2, 2), Contains("schedule \"1f1\" is not known"));
    CHECK_THROWS_WITH(PipelineSchedule("1f1b", 0, 2), Contains("0 stages"));
    CHECK_THROWS_WITH(PipelineSchedule("1f1b", 2, 0), Contains("0 micro batches"));
    CHECK_THROWS_WITH(PipelineSchedule("interleaved", 2, 2, 0), Contains("0 chunks"));
    CHECK_THROWS_WITH(PipelineSchedule("1f1b", 2, 2, 2), Contains("choose interleaved"));
    CHECK_THROWS_WITH(PipelineSchedule("interleaved", 2, 2, 1), Contains("choose 1f1b"));
    CHECK_THROWS_WITH(PipelineSchedule("interleaved", 1, 2, 2), Contains("choose 1f1b"));
    CHECK_THROWS_WITH(PipelineSchedule("interleaved", 2, 3, 2),
                      Contains("3 micro batches, expected a multiple of the 2 stages"));
    CHECK_THROWS_WITH(PipelineSchedule("1f1b", 4096, 4097), Contains("more than 2^24 passes"));
}
