/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-pfc-watchdog-core.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

using namespace ns3::roce;

namespace
{

// ticks are microseconds here: detection and restoration 2 ms, polls every 1 ms
constexpr Tick DETECTION = 2000;
constexpr Tick RESTORATION = 2000;
constexpr Tick POLL = 1000;

/** A span of time. */
struct Span
{
    Tick from;
    Tick to;
};

/** What a queue goes through. */
struct Story
{
    std::vector<Span> pauses;     //!< in order, apart
    std::vector<Span> full;       //!< when frames wait
    std::vector<Span> down;       //!< when the link does not work
    Tick sends{0};                //!< a frame leaves every so often; 0: never
    std::vector<Tick> storms{};   //!< expected
    std::vector<Tick> restores{}; //!< expected
};

/** \return whether a time is in one of the spans. \param spans spans \param at time */
bool
In(const std::vector<Span>& spans, Tick at)
{
    return std::any_of(spans.begin(), spans.end(), [at](const Span& span) {
        return span.from <= at && at < span.to;
    });
}

/** \return time in the spans before. \param spans spans \param at time */
Tick
Total(const std::vector<Span>& spans, Tick at)
{
    Tick total = 0;
    for (const Span& span : spans)
    {
        total += std::max<Tick>(0, std::min(at, span.to) - span.from);
    }
    return total;
}

/** \return what a watchdog reads. \param story the story \param at when */
PfcWatchdogSample
Read(const Story& story, Tick at)
{
    PfcWatchdogSample sample;
    sample.now = at;
    sample.linkUp = !In(story.down, at);
    sample.paused = In(story.pauses, at);
    sample.pausedTotal = Total(story.pauses, at);
    sample.queued = In(story.full, at) ? 4096 : 0;
    sample.sent = story.sends ? static_cast<uint64_t>(at / story.sends) : 0;
    return sample;
}

/** Poll for 40 ms and check against what is expected. \param story the story */
void
Check(const Story& story)
{
    PfcWatchdogCore core;
    core.Configure(DETECTION, RESTORATION);
    core.Begin(Read(story, 0));
    std::vector<Tick> storms;
    std::vector<Tick> restores;
    for (Tick now = POLL; now <= 40000; now += POLL)
    {
        const PfcWatchdogVerdict verdict = core.Poll(Read(story, now));
        if (verdict == PfcWatchdogVerdict::STORM)
        {
            storms.push_back(now);
        }
        else if (verdict == PfcWatchdogVerdict::RESTORE)
        {
            restores.push_back(now);
        }
        CHECK(core.IsStormed() == (storms.size() > restores.size()));
    }
    CHECK(storms == story.storms);
    CHECK(restores == story.restores);
}

const std::vector<Span> ALWAYS{{0, 50000}};

} // namespace

TEST_CASE("PfcWatchdogCore: no storm", "[pfc-watchdog]")
{
    SECTION("a pause of 1.5 ms")
    {
        Check({{{300, 1800}}, ALWAYS, {}, 0});
    }
    SECTION("a pause of 2 ms that no two polls see whole")
    {
        // polls at 1, 2, 3 ms: only [1, 2] and [2, 2.5) are seen
        Check({{{500, 2500}}, ALWAYS, {}, 0});
    }
    SECTION("10 ms, nothing in the queue")
    {
        Check({{{300, 10300}}, {}, {}, 0});
    }
    SECTION("10 ms, but frames wait for less than 2 ms at a time")
    {
        Check({{{300, 10300}}, {{1500, 3400}, {5500, 7400}}, {}, 0});
    }
    SECTION("half of every ms")
    {
        std::vector<Span> gaps;
        for (Tick at = 0; at < 20000; at += 1000)
        {
            gaps.push_back({at + 250, at + 750});
        }
        Check({gaps, ALWAYS, {}, 0});
        for (Span& span : gaps) // also if each poll falls into a pause
        {
            span = {span.from + 500, span.to + 500};
        }
        Check({gaps, ALWAYS, {}, 0});
    }
    SECTION("the link is down")
    {
        Check({{{300, 1900}}, ALWAYS, {{1900, 30000}}, 0});
    }
    SECTION("frames leave all the time")
    {
        Check({{{300, 10300}}, ALWAYS, {}, 100});
    }
}

TEST_CASE("PfcWatchdogCore: one storm, one restore", "[pfc-watchdog]")
{
    SECTION("from a poll on: exactly the times")
    {
        // paused from 0: stuck for 2 ms at the poll at 2; ends at 10, 2 ms more
        Check({{{0, 10000}}, ALWAYS, {}, 0, {2000}, {12000}});
    }
    SECTION("between polls: up to one poll later")
    {
        // first whole interval from 1: at 3 (2.7 ms after 0.3); last pause seen at 11, so 13 (2.7)
        Check({{{300, 10300}}, ALWAYS, {}, 0, {3000}, {13000}});
    }
    SECTION("frames come while it is paused")
    {
        // first poll with a frame at 5, so 7
        Check({{{300, 10300}}, {{4500, 50000}}, {}, 0, {7000}, {13000}});
    }
    SECTION("the queue is emptied by the action, the storm goes on")
    {
        Check({{{0, 10000}}, {{0, 2001}}, {}, 0, {2000}, {12000}});
    }
    SECTION("short pauses put off the end")
    {
        // after 10 a pause of 0.1 ms at 11.5 and 13.5: seen at 12 and 14, so 16
        Check({{{0, 10000}, {11500, 11600}, {13500, 13600}}, ALWAYS, {}, 0, {2000}, {16000}});
    }
    SECTION("forwarded frames do not end it")
    {
        // none leaves before 2.5 ms, then one every 2.5 ms
        Check({{{0, 10000}}, ALWAYS, {}, 2500, {2000}, {12000}});
    }
    SECTION("the link goes down: over at the next poll")
    {
        Check({{{0, 5500}}, ALWAYS, {{5500, 9000}}, 0, {2000}, {6000}});
    }
    SECTION("no storm before the link is up, even if the pause counter runs")
    {
        // up at two polls in a row from 6 and 7 on: stuck from 6
        Check({{{300, 10300}}, ALWAYS, {{0, 5500}}, 0, {8000}, {13000}});
        Check({{{0, 10300}}, ALWAYS, {{1500, 5500}}, 0, {8000}, {13000}});
    }
    SECTION("twice")
    {
        Check({{{0, 5000}, {20000, 25000}}, ALWAYS, {}, 0, {2000, 22000}, {7000, 27000}});
    }
}

TEST_CASE("PfcWatchdogCore: states and their names", "[pfc-watchdog]")
{
    PfcWatchdogCore core;
    core.Configure(DETECTION, RESTORATION);
    const Story story{{{1500, 6500}}, ALWAYS, {}, 0};
    core.Begin(Read(story, 0));

    struct Step
    {
        Tick at;
        const char* state;
    };

    for (const Step& step : {Step{1000, "operational"},
                             {2000, "watching"}, // paused now, not all the time
                             {3000, "watching"}, // 1 ms
                             {4000, "stormed"},  // 2 ms
                             {6000, "stormed"},
                             {7000, "clearing"}, // ended meanwhile: counts from here
                             {8000, "clearing"},
                             {9000, "operational"}})
    {
        core.Poll(Read(story, step.at));
        CHECK(std::string(PfcWatchdogStateName(core.GetState())) == step.state);
    }
}

TEST_CASE("PfcWatchdogCore: nobody polled for a while", "[pfc-watchdog]")
{
    PfcWatchdogCore core;
    core.Configure(DETECTION, RESTORATION);
    const Story story{{{0, 20000}}, ALWAYS, {}, 0};
    core.Begin(Read(story, 0));
    core.Poll(Read(story, 1000));
    CHECK(core.GetState() == PfcWatchdogState::WATCHING);
    core.Begin(Read(story, 8000)); // what was before does not count
    CHECK(core.Poll(Read(story, 9000)) == PfcWatchdogVerdict::NONE);
    CHECK(core.Poll(Read(story, 10000)) == PfcWatchdogVerdict::STORM);
    core.Begin(Read(story, 15000)); // a storm lasts
    CHECK(core.IsStormed());
}
