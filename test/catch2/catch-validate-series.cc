/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../../examples/roce-validate-series.h"

#include <catch2/catch.hpp>
#include <random>

using namespace ns3::roce;

namespace
{

constexpr double STEP_S = 10e-6;
constexpr int STEPS = 20000; // 200 ms

} // namespace

TEST_CASE("validate-series: mean, variation, maximum", "[validate]")
{
    // 2 and 4 in turn: mean 3, standard deviation 1
    ValidateSeries series(STEP_S);
    for (int i = 0; i < 1000; ++i)
    {
        series.Add(i % 2 == 0 ? 2 : 4);
    }
    CHECK(series.GetMean() == Approx(3));
    CHECK(series.GetCov() == Approx(1.0 / 3));
    CHECK(series.GetMax() == 4);
}

TEST_CASE("validate-series: a swing that lasts rings, noise and rest do not", "[validate]")
{
    ValidateSeries swing(STEP_S);
    ValidateSeries noise(STEP_S);
    ValidateSeries rest(STEP_S);
    std::mt19937_64 random(1);
    for (int i = 0; i < STEPS; ++i)
    {
        swing.Add(100 + 50 * std::sin(2 * M_PI * i * STEP_S / 3e-3)); // period 3 ms
        noise.Add(double(random() % 1000));
        rest.Add(7);
    }
    CHECK(swing.GetRinging() == Approx(1).epsilon(0.01));
    // 2000 means: an autocorrelation has a standard deviation of 1 / sqrt(2000) = 0.022, and the
    // highest of 80 lies within 4 of it
    CHECK(noise.GetRinging() < 0.09);
    CHECK(rest.GetRinging() == 0);
}

TEST_CASE("validate-series: a swing that dies out rings less", "[validate]")
{
    // x(k) = 2 r cos(w) x(k-1) - r^2 x(k-2) + noise has an autocorrelation that falls by r a step:
    // with a period of 3 ms = 30 means and r = 0.98, about 0.98^30 = 0.55 after one period
    ValidateSeries series(100e-6);
    std::mt19937_64 random(2);
    const double r = 0.98;
    double last = 0;
    double before = 0;
    for (int i = 0; i < 100000; ++i)
    {
        const double kick = double(random() >> 11) * 0x1p-53 - 0.5;
        const double next = 2 * r * std::cos(2 * M_PI / 30) * last - r * r * before + kick;
        before = last;
        last = next;
        series.Add(1000 + next);
    }
    CHECK(series.GetRinging() == Approx(0.55).margin(0.06));
}
