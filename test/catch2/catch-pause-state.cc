/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-pause-state.h"

#include <catch2/catch.hpp>

using namespace ns3::roce;

namespace
{

constexpr int64_t NS = 1000000000; //!< ticks a second
constexpr uint64_t G = 1000000000; //!< bit/s

/** Eight times. */
struct Times
{
    uint16_t quanta[NUM_PRIORITIES]{};

    /** \param all the same for all priorities */
    explicit Times(uint16_t all = 0)
    {
        for (uint16_t& q : quanta)
        {
            q = all;
        }
    }
};

/** \return a state. \param rate Gb/s \param expires whether pauses end by themselves */
PauseState
Make(uint64_t rate = 100, bool expires = true)
{
    PauseState state;
    state.Configure(rate * G, expires, NS);
    return state;
}

} // namespace

TEST_CASE("PauseState: a quantum is 512 bit times", "[pause-state]")
{
    CHECK(Make(100).QuantaToTicks(1) == 5);          // 5.12 ns, rounded down
    CHECK(Make(100).QuantaToTicks(100) == 512);      // exact
    CHECK(Make(100).QuantaToTicks(65535) == 335539); // 335539.2
    CHECK(Make(10).QuantaToTicks(65535) == 3355392); // 3355392 exactly
    CHECK(Make(25).QuantaToTicks(3) == 61);          // 61.44
    CHECK(Make(400).QuantaToTicks(65535) == 83884);  // 83884.8
    CHECK(Make(1600).QuantaToTicks(65535) == 20971); // 20971.2
    PauseState pico;
    pico.Configure(800 * G, true, 1000000000000);
    CHECK(pico.QuantaToTicks(65535) == 41942400); // 65535 * 640 ps, no rounding
    CHECK(Make(100).QuantaToTicks(0) == 0);
}

TEST_CASE("PauseState: a pause begins, lasts and ends", "[pause-state]")
{
    PauseState state = Make();
    CHECK(state.GetMask() == 0);
    CHECK(state.GetDeadline() == NEVER);
    CHECK(state.Receive(1u << 3, Times(100).quanta, 1000) == 1u << 3);
    CHECK(state.GetDeadline() == 1512);
    CHECK(state.GetPaused(3, 1400) == 400);
    CHECK(state.GetLongest(3, 1400) == 400);
    CHECK(state.Expire(1511) == 1u << 3); // paused exactly while now < end
    CHECK(state.Expire(1512) == 0);
    CHECK(state.GetDeadline() == NEVER);
    CHECK(state.GetPaused(3, 5000) == 512);
    // late calls do not lengthen it
    state.Receive(1u << 3, Times(100).quanta, 10000);
    CHECK(state.Expire(20000) == 0);
    CHECK(state.GetPaused(3, 20000) == 1024);
    CHECK(state.GetLongest(3, 20000) == 512);
    CHECK(state.GetXoffs(3) == 2);
    CHECK(state.GetXons(3) == 0);
}

TEST_CASE("PauseState: time 0 ends a pause at once", "[pause-state]")
{
    PauseState state = Make();
    state.Receive(1u << 3, Times(65535).quanta, 1000);
    CHECK(state.Receive(1u << 3, Times(0).quanta, 3000) == 0);
    CHECK(state.GetPaused(3, 9000) == 2000);
    CHECK(state.GetXons(3) == 1);
    // superfluous ones only count
    CHECK(state.Receive(1u << 3, Times(0).quanta, 4000) == 0);
    CHECK(state.GetXons(3) == 2);
    CHECK(state.GetPaused(3, 9000) == 2000);
    CHECK(state.GetFrames() == 3);
}

TEST_CASE("PauseState: enable bits", "[pause-state]")
{
    PauseState state = Make();
    CHECK(state.Receive(0, Times(65535).quanta, 0) == 0);
    CHECK(state.GetFrames() == 1);
    CHECK(state.Receive(0x21, Times(65535).quanta, 0) == 0x21);
    CHECK(state.GetXoffs(0) == 1);
    CHECK(state.GetXoffs(5) == 1);
    for (unsigned p : {1u, 2u, 3u, 4u, 6u, 7u})
    {
        CHECK(state.GetXoffs(p) == 0);
        CHECK(state.GetPaused(p, 1000) == 0);
    }
    // a clear bit with time 0 is no XON
    CHECK(state.Receive(0x01, Times(0).quanta, 500) == 0x20);
    CHECK(state.GetXons(5) == 0);
    // one frame may end one pause and begin another
    Times mixed;
    mixed.quanta[7] = 10;
    CHECK(state.Receive(0xa0, mixed.quanta, 600) == 0x80);
}

TEST_CASE("PauseState: the last time counts, longer or shorter", "[pause-state]")
{
    PauseState state = Make();
    state.Receive(1u << 2, Times(100).quanta, 0);   // ends at 512
    state.Receive(1u << 2, Times(100).quanta, 400); // ends at 912
    CHECK(state.GetDeadline() == 912);
    state.Receive(1u << 2, Times(25).quanta, 500); // ends at 628
    CHECK(state.GetDeadline() == 628);
    CHECK(state.Expire(628) == 0);
    CHECK(state.GetPaused(2, 1000) == 628);
    CHECK(state.GetLongest(2, 1000) == 628); // one pause without a break
}

TEST_CASE("PauseState: the deadline is that of the next end", "[pause-state]")
{
    PauseState state = Make();
    Times times;
    times.quanta[1] = 300;
    times.quanta[6] = 200;
    state.Receive(0x42, times.quanta, 0);
    CHECK(state.GetDeadline() == 1024);
    CHECK(state.Expire(1024) == 0x02);
    CHECK(state.GetDeadline() == 1536);
    CHECK(state.Expire(1536) == 0);
}

TEST_CASE("PauseState: pauses without end, and a link that goes down", "[pause-state]")
{
    PauseState state = Make(100, false);
    state.Receive(1u << 3, Times(1).quanta, 100);
    CHECK(state.GetDeadline() == NEVER);
    CHECK(state.Expire(Tick(1) << 50) == 1u << 3);
    CHECK(state.Receive(1u << 3, Times(0).quanta, 700) == 0);
    CHECK(state.GetPaused(3, 800) == 600);
    state.Receive(0xff, Times(5).quanta, 1000);
    state.Reset(1250);
    CHECK(state.GetMask() == 0);
    CHECK(state.GetPaused(3, 9000) == 850);
    CHECK(state.GetPaused(4, 9000) == 250);
}
