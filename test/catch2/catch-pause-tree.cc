/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-pause-tree.h"

#include <catch2/catch.hpp>

using namespace ns3::roce;

namespace
{

/** \return a pause of a host. \param host it \param paused switch \param port its port \param at
 *  when \param until when it runs out */
PauseEpisode
ByHost(uint32_t host, uint32_t paused, uint32_t port, Tick at, Tick until = NEVER)
{
    PauseEpisode episode;
    episode.pauser = host;
    episode.byHost = true;
    episode.paused = paused;
    episode.port = port;
    episode.priority = 3;
    episode.begin = at;
    episode.until = until;
    return episode;
}

/** \return a pause of a switch. \param pauser it \param full its longest egress \param paused the
 *  other \param port its egress \param at when \param host whether the other is a host */
PauseEpisode
BySwitch(uint32_t pauser, uint32_t full, uint32_t paused, uint32_t port, Tick at, bool host = false)
{
    PauseEpisode episode;
    episode.pauser = pauser;
    episode.fullPort = full;
    episode.paused = paused;
    episode.stopsHost = host;
    episode.port = port;
    episode.priority = 3;
    episode.begin = at;
    return episode;
}

} // namespace

// host 0 - switch 2 - switch 3 - switch 4 - host 1; port 0 of each switch is on the left

TEST_CASE("PauseTree: a slow host stops a chain", "[pause-tree]")
{
    PauseTree tree;
    tree.Begin(ByHost(1, 4, 1, 100));
    tree.Begin(BySwitch(4, 1, 3, 1, 200));
    tree.Begin(BySwitch(3, 1, 2, 1, 300));
    tree.Begin(BySwitch(2, 1, 0, 0, 400, true));
    const auto& episodes = tree.GetEpisodes();
    REQUIRE(episodes.size() == 4);
    CHECK(episodes[0].cause == PauseEpisode::NONE);
    CHECK(episodes[1].cause == 0);
    CHECK(episodes[2].cause == 1);
    CHECK(episodes[3].cause == 2);
    const auto roots = tree.GetRoots();
    REQUIRE(roots.size() == 1);
    CHECK(roots[0].node == 4);
    CHECK(roots[0].port == 1);
    CHECK(roots[0].priority == 3);
    CHECK(roots[0].byHost);
    CHECK(roots[0].host == 1);
    CHECK(roots[0].first == 100);
    CHECK(roots[0].starts == 1);
    CHECK(roots[0].pauses == 4);
    CHECK(roots[0].depth == 4);
    CHECK(roots[0].hosts == 1);
    CHECK(tree.GetText().find("switch 4 port 1 priority 3: paused by host 1") == 0);
    const auto json = tree.GetJson();
    CHECK(json["roots"][0]["switch"] == 4);
    CHECK(json["roots"][0]["host"] == 1);
    CHECK(json["episodes"].size() == 4);
    CHECK(json["episodes"][0]["cause"].is_null());
    CHECK(json["episodes"][3]["cause"] == 2);
    CHECK(json["episodes"][3]["end_s"].is_null());
}

TEST_CASE("PauseTree: causes must be open, at that port and of that priority", "[pause-tree]")
{
    PauseTree tree;
    SECTION("it has ended")
    {
        tree.Begin(ByHost(1, 4, 1, 100));
        tree.End(4, 1, 3, 150);
    }
    SECTION("it has run out")
    {
        tree.Begin(ByHost(1, 4, 1, 100, 200));
    }
    SECTION("another port is stopped")
    {
        tree.Begin(ByHost(1, 4, 2, 100));
    }
    SECTION("another switch is stopped")
    {
        tree.Begin(ByHost(1, 5, 1, 100));
    }
    SECTION("another priority is stopped")
    {
        PauseEpisode other = ByHost(1, 4, 1, 100);
        other.priority = 4;
        tree.Begin(other);
    }
    tree.Begin(BySwitch(4, 1, 3, 1, 200));
    CHECK(tree.GetEpisodes()[1].cause == PauseEpisode::NONE);
    CHECK(tree.GetRoots().size() == 2);
    CHECK(tree.GetText().find("switch 4 port 1 priority 3: full, not paused") != std::string::npos);
}

TEST_CASE("PauseTree: ends and extensions", "[pause-tree]")
{
    PauseTree tree;
    CHECK(!tree.Extend(4, 1, 3, 0, 100));
    tree.End(4, 1, 3, 0); // nothing open
    tree.Begin(ByHost(1, 4, 1, 100, 200));
    CHECK(tree.Extend(4, 1, 3, 150, 300));
    CHECK(!tree.Extend(4, 1, 3, 300, 400)); // has run out
    tree.Begin(ByHost(1, 4, 1, 350, 450));  // ends the first at its time
    CHECK(tree.GetEpisodes()[0].end == 300);
    tree.End(4, 1, 3, 400);
    CHECK(tree.GetEpisodes()[1].end == 400);
    const auto roots = tree.GetRoots();
    REQUIRE(roots.size() == 1);
    CHECK(roots[0].starts == 2);
    CHECK(roots[0].pauses == 2);
    CHECK(roots[0].depth == 1);
    CHECK(roots[0].hosts == 0);
}

TEST_CASE("PauseTree: the root with most pauses comes first", "[pause-tree]")
{
    PauseTree tree;
    tree.Begin(ByHost(9, 8, 0, 50));
    tree.Begin(BySwitch(4, 1, 3, 1, 200));
    tree.Begin(BySwitch(4, 1, 5, 1, 210));
    tree.Begin(BySwitch(3, 1, 2, 1, 300));
    const auto roots = tree.GetRoots();
    REQUIRE(roots.size() == 2);
    CHECK(roots[0].node == 4);
    CHECK(!roots[0].byHost);
    CHECK(roots[0].host == PauseEpisode::NONE);
    CHECK(roots[0].starts == 2);
    CHECK(roots[0].pauses == 3);
    CHECK(roots[0].depth == 2);
    CHECK(roots[1].node == 8);
}
