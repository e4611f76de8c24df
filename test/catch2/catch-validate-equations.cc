/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../../examples/roce-validate-equations.h"

#include <catch2/catch.hpp>

using namespace ns3::roce;

namespace
{

/** \return where n flows rest, other values as in the paper */
DcqcnFixedPoint
Solved(double n)
{
    DcqcnFixedPoint::Input input;
    input.flows = n;
    return DcqcnFixedPoint(input);
}

} // namespace

TEST_CASE("validate-equations: the fixed point of DCQCN", "[validate]")
{
    // CoNEXT 2016 paper, equation of p*, solved by others with the numbers of its section 3
    CHECK(Solved(2).GetMarking() == Approx(0.00078).epsilon(0.01));
    CHECK(Solved(4).GetMarking() == Approx(0.00189).epsilon(0.01));
    CHECK(Solved(8).GetMarking() == Approx(0.00455).epsilon(0.01));
    CHECK(Solved(10).GetMarking() == Approx(0.00603).epsilon(0.01));
    CHECK(Solved(16).GetMarking() == Approx(0.0109).epsilon(0.01));
    CHECK(Solved(20).GetMarking() == Approx(0.0144).epsilon(0.01));
    CHECK(Solved(64).GetMarking() == Approx(0.0591).epsilon(0.01));
    CHECK(Solved(2).GetAlpha() == Approx(0.101).epsilon(0.02));
    CHECK(Solved(64).GetAlpha() == Approx(0.230).epsilon(0.02));
}

TEST_CASE("validate-equations: the queue of DCQCN", "[validate]")
{
    // Kmin 5, Kmax 200 KB: 5 + 195 p* / Pmax
    CHECK(Solved(2).GetQueueBytes(5e3, 200e3, 0.01) == Approx(20.2e3).epsilon(0.01));
    CHECK(Solved(4).GetQueueBytes(5e3, 200e3, 0.01) == Approx(41.8e3).epsilon(0.01));
    CHECK(Solved(8).GetQueueBytes(5e3, 200e3, 0.01) == Approx(93.8e3).epsilon(0.01));
    CHECK(Solved(10).GetQueueBytes(5e3, 200e3, 0.01) == Approx(122.6e3).epsilon(0.01));
    CHECK(Solved(16).GetQueueBytes(5e3, 200e3, 0.01) == 200e3); // p* above Pmax
    CHECK(Solved(2).GetQueueBytes(5e3, 200e3, 0.1) == Approx(6.5e3).epsilon(0.01));
    CHECK(Solved(64).GetQueueBytes(5e3, 200e3, 0.1) == Approx(120e3).epsilon(0.01));
}

TEST_CASE("validate-equations: the fixed point holds in the equation as written", "[validate]")
{
    // both sides with plain powers, N = 10: R = 40e9 / 10 / 8000 = 500,000 packets/s
    const double p = Solved(10).GetMarking();
    const double rate = 500000;
    const double q = 1 - p;
    const double b = p / (std::pow(q, -10000.0) - 1);
    const double c = std::pow(q, 50000.0) * b;
    const double d = p / (std::pow(q, -55e-6 * rate) - 1);
    const double e = std::pow(q, 5 * 55e-6 * rate) * d;
    const double a = 1 - std::pow(q, 50e-6 * rate);
    const double alpha = 1 - std::pow(q, 55e-6 * rate);
    CHECK(a * a * alpha / ((b + d) * (c + e)) == Approx(50e-6 * 50e-6 * 5000 * rate).epsilon(1e-6));
}

TEST_CASE("validate-equations: patched TIMELY", "[validate]")
{
    // 10 Gb/s x 50 us / 8 = 62.5 KB, times 1 + N x 10 Mb/s / (0.008 x 10 Gb/s) = 1 + N / 8
    CHECK(PatchedTimelyQueueBytes(2, 10e9, 50e-6, 10e6, 0.008) == Approx(78125));
    CHECK(PatchedTimelyQueueBytes(10, 10e9, 50e-6, 10e6, 0.008) == Approx(140625));
    CHECK(PatchedTimelyQueueBytes(20, 10e9, 50e-6, 10e6, 0.008) == Approx(218750));
    CHECK(PatchedTimelyQueueBytes(40, 10e9, 50e-6, 10e6, 0.008) == Approx(375000));
    // the paper's 76.7 ms from 10 and 0 Gb/s; ln 20 x 25.6 ms
    CHECK(PatchedTimelyConvergenceS(1, 10e6, 16000) == Approx(0.0767).epsilon(0.001));
    // from 7 and 3 Gb/s: ln 8 x 25.6 ms
    CHECK(PatchedTimelyConvergenceS(0.4, 10e6, 16000) == Approx(0.0532).epsilon(0.002));
}
