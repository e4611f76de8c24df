/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// the programs of examples/ are no library
#include "../../examples/roce-scenario-max-min.cc"

#include <catch2/catch.hpp>

using namespace ns3::roce;

TEST_CASE("max-min: two links in series share in halves", "[max-min]")
{
    // A34: one flow over both links of 100, one over each: 50 each, both full
    const MaxMinRates fair({{1, 100}, {2, 100}}, {{1, 2}, {1}, {2}});
    CHECK(fair.GetRates() == std::vector<double>{50, 50, 50});
    CHECK(fair.GetFull() == std::vector<uint64_t>{1, 2});
}

TEST_CASE("max-min: what a bottleneck leaves goes to the others", "[max-min]")
{
    // Four flows share link 1 of 40: 10 each. One of them crosses link 2 of 100 too, where the
    // other flow takes the remaining 90. Link 3 of 1000 carries all five and is not full.
    const MaxMinRates fair({{1, 40}, {2, 100}, {3, 1000}, {4, 7}},
                           {{1, 3}, {1, 3}, {1, 3}, {3, 1, 2}, {2, 3}});
    CHECK(fair.GetRates() == std::vector<double>{10, 10, 10, 10, 90});
    CHECK(fair.GetFull() == std::vector<uint64_t>{1, 2});
}

TEST_CASE("max-min: the hotspot of roce-headline", "[max-min]")
{
    // 36 flows to a host of 100: 100/36 each. The sender of one of them has four others: each gets
    // (100 - 100/36) / 4.
    std::vector<std::vector<uint64_t>> routes(36, {0});
    routes[0] = {0, 1};
    routes.insert(routes.end(), 4, {1});
    const MaxMinRates fair({{0, 100}, {1, 100}}, routes);
    CHECK(fair.GetRates()[0] == Approx(100.0 / 36));
    CHECK(fair.GetRates()[35] == Approx(100.0 / 36));
    CHECK(fair.GetRates()[36] == Approx((100 - 100.0 / 36) / 4));
    CHECK(fair.GetFull() == std::vector<uint64_t>{0, 1});
}
