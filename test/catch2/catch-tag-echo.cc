/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-tag-echo.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <memory>
#include <random>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Tag 1: point 5, which leads to a host; tag 2: point 6 between pods. W 8, 100 and 300 ticks
 *  between CNPs, span 1000. */
struct Receiver
{
    explicit Receiver(unsigned window = 8, Tick interval = 100, Tick span = 1000)
    {
        CnpBody place;
        place.point = 5;
        place.domain = 1;
        place.stage = 2;
        place.rateBps = 100000000000;
        table->Assign(place, true);
        place.point = 6;
        place.stage = 3; // its port has 100 Gb/s too
        table->Assign(place, false);
        TagEcho::Settings settings;
        settings.window = window;
        settings.interval = interval;
        settings.interval3 = 3 * interval;
        settings.span = span;
        echo = std::make_unique<TagEcho>(table, settings);
    }

    /** \return whether a CNP goes; its body is in body */
    bool Mark(uint64_t flow, uint32_t psn, uint8_t tag, Tick now)
    {
        return echo->OnMarked(flow, psn, tag, 1000, now, body);
    }

    Ptr<CnpTagTable> table = CreateObject<CnpTagTable>(false);
    std::unique_ptr<TagEcho> echo;
    CnpBody body;
};

} // namespace

TEST_CASE("tag echo: share of the last packets of a flow", "[tag-echo]")
{
    Receiver r(8, 0);
    CHECK(r.Mark(1, 100, 1, 0));
    CHECK(r.body.share == 1.0 / 8);
    CHECK(r.body.point == 5);
    CHECK(r.body.domain == 1);
    CHECK(+r.body.stage == 2);
    CHECK(+r.body.hops == 0);
    CHECK(r.body.rateBps == 100000000000);
    CHECK(r.Mark(1, 101, 1, 10));
    CHECK(r.body.share == 2.0 / 8);
    r.Mark(1, 104, 1, 20); // 102 and 103 came without: 100, 101, 104 of 97..104
    CHECK(r.body.share == 3.0 / 8);
    r.Mark(1, 108, 1, 30); // 101, 104, 108 of 101..108
    CHECK(r.body.share == 3.0 / 8);
    r.Mark(1, 107, 1, 40); // late: it belongs to the same window
    CHECK(r.body.share == 4.0 / 8);
    r.Mark(1, 107, 1, 50); // a copy
    CHECK(r.body.share == 4.0 / 8);
    r.Mark(1, 116, 1, 60); // 109..116
    CHECK(r.body.share == 1.0 / 8);
    // another flow and another tag have windows of their own
    r.Mark(2, 116, 1, 70);
    CHECK(r.body.share == 1.0 / 8);
    r.Mark(1, 117, 2, 80);
    CHECK(r.body.share == 1.0 / 8);
    CHECK(r.body.point == 6);
    r.Mark(1, 118, 1, 90); // 116, 118 of 111..118; 117 had the other tag
    CHECK(r.body.share == 2.0 / 8);
}

TEST_CASE("tag echo: PSNs wrap, and a new start is no window", "[tag-echo]")
{
    Receiver r(8, 0);
    r.Mark(1, 0xfffffe, 1, 0);
    r.Mark(1, 0xffffff, 1, 1);
    r.Mark(1, 1, 1, 2); // 0 came without
    CHECK(r.body.share == 3.0 / 8);
    r.Mark(1, 0x800000, 1, 3); // far off: a queue pair that was reset
    CHECK(r.body.share == 1.0 / 8);
    r.Mark(1, 0x800001, 1, 4);
    CHECK(r.body.share == 2.0 / 8);
}

TEST_CASE("tag echo: one CNP a flow and tag in an interval", "[tag-echo]")
{
    Receiver r;
    CHECK(r.Mark(1, 0, 1, 0));
    CHECK_FALSE(r.Mark(1, 1, 1, 99));
    CHECK(r.Mark(2, 1, 1, 99));
    CHECK(r.Mark(1, 2, 2, 99));
    CHECK(r.Mark(1, 3, 1, 100));
    CHECK(r.body.share == 3.0 / 8);    // the silent one counted
    CHECK_FALSE(r.Mark(1, 4, 2, 398)); // between pods 300
    CHECK(r.Mark(1, 5, 2, 399));
    CHECK_FALSE(r.Mark(1, 6, 3, 500)); // not in the table
    CHECK(r.echo->GetUnknown() == 1);
}

TEST_CASE("tag echo: N is counted at the last port", "[tag-echo]")
{
    Receiver r(8, 0);
    for (uint64_t flow = 0; flow < 10; ++flow)
    {
        r.Mark(flow, 0, 1, 100);
        CHECK(r.body.flows == flow + 1);
        r.Mark(flow, 1, 2, 100);
        CHECK(r.body.flows == 0);
    }
    r.Mark(0, 2, 1, 1100); // not older than the span of 1000
    CHECK(r.body.flows == 10);
    r.Mark(0, 3, 1, 1121); // looked for again after span / 50 = 20
    CHECK(r.body.flows == 1);
}

TEST_CASE("tag echo: elsewhere N comes from the rate of the flow", "[tag-echo]")
{
    // 8 packets of 1000 bytes take 640 ns of a port of 100 Gb/s; here a tick is 1 ns
    Receiver r(8, 0);
    r.Mark(1, 0, 2, 0);
    r.Mark(1, 7, 2, 600);
    CHECK(r.body.flows == 0); // 7 packets are too few
    r.Mark(1, 8, 2, 640);
    CHECK(r.body.flows == 1);
    r.Mark(1, 20, 2, 640 + 340); // faster than the port can be
    CHECK(r.body.flows == 1);
    r.Mark(2, 0, 2, 1000);
    r.Mark(2, 8, 2, 1000 + 970); // 1.52 times: rounded up
    CHECK(r.body.flows == 2);
    r.Mark(2, 9, 2, 2400);
    r.Mark(2, 16, 2, 1970 + 1001); // more than the span: begin anew, the old word stands
    CHECK(r.body.flows == 2);
    Receiver slow(8, 0, 100000);
    slow.Mark(1, 0xfffffc, 2, 0);
    slow.Mark(1, 4, 2, 8 * 640); // the PSN wraps
    CHECK(slow.body.flows == 8);
    slow.Mark(1, 3, 2, 8 * 640 + 1); // late: begins anew
    slow.Mark(1, 11, 2, 8 * 640 + 1 + 40 * 640);
    CHECK(slow.body.flows == 40);
}

TEST_CASE("tag echo: equal to counting", "[tag-echo]")
{
    for (unsigned window : {1u, 5u, 16u, 64u})
    {
        Receiver r(window, 0);
        std::deque<bool> last(window, false);
        std::mt19937 random(window);
        Tick now = 0;
        for (uint32_t psn = 0xffff00; psn < 0x1001000; ++psn)
        {
            const bool marked = random() % 4 == 0 || psn % 50 == 0; // gaps below 64
            last.pop_front();
            last.push_back(marked);
            if (marked)
            {
                REQUIRE(r.Mark(9, psn & 0xffffff, 1, ++now));
                const auto marks = std::count(last.begin(), last.end(), true);
                REQUIRE(r.body.share == double(marks) / window);
            }
        }
    }
}
