/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * FlowSizeDistribution: samples, means and refusals. Means are sums over the pieces, by hand; for a
 * piece from a to b with a share s of the flows that is s (a + b + 1) / 2, so the mean of the
 * continuous distribution, s (a + b) / 2, plus half a byte for each share with a < b.
 */

#include "roce-shared-file.h"

#include "ns3/roce-flow-size-distribution.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return a distribution. */
FlowSizeDistribution
Read(const std::string& text)
{
    return FlowSizeDistribution::Read(TextSource::FromString("c", text));
}

/** \return the variance of sizes: of a + 1..b it is ((b - a)^2 - 1) / 12 about its mean. */
double
Variance(const FlowSizeDistribution& sizes)
{
    double variance = 0;
    const std::vector<FlowSizePoint>& points = sizes.GetPoints();
    for (std::size_t i = 1; i < points.size(); ++i)
    {
        const double a = double(points[i - 1].bytes);
        const double b = double(points[i].bytes);
        const double mean = a == b ? a : (a + b + 1) / 2;
        const double within = a == b ? 0 : ((b - a) * (b - a) - 1) / 12;
        const double off = mean - sizes.GetMean();
        variance += (points[i].percent - points[i - 1].percent) / 100 * (within + off * off);
    }
    return variance;
}

} // namespace

TEST_CASE("FlowSizeDistribution: every size of a small one by enumeration", "[traffic]")
{
    // 40 % have 1..4 bytes, 10 % each; 35 % have 4 exactly; 25 % have 5..9, 5 % each
    const FlowSizeDistribution sizes = Read("0 0\n4 40\n4 75\n9 100\n");
    std::map<uint64_t, int> count;
    for (int i = 0; i < 1000; ++i)
    {
        ++count[sizes.Sample((i + 0.5) / 1000)]; // the middle of 1000 equal parts
    }
    const std::map<uint64_t, int> expected =
        {{1, 100}, {2, 100}, {3, 100}, {4, 450}, {5, 50}, {6, 50}, {7, 50}, {8, 50}, {9, 50}};
    CHECK(count == expected);
    // (1 + 2 + 3) / 10 + 4 * 0.45 + (5 + ... + 9) / 20 = 0.6 + 1.8 + 1.75
    CHECK(sizes.GetMean() == Approx(4.15).epsilon(1e-12));
    CHECK(sizes.Sample(0) == 1);
    CHECK(sizes.Sample(std::nextafter(1.0, 0.0)) == 9);
    CHECK(sizes.Sample(1) == 9); // beyond the range, still a size
    CHECK(sizes.Sample(0.4) == 4);
    CHECK(FlowSizeDistribution::Fixed(7).GetMean() == 7);
    CHECK(FlowSizeDistribution::Fixed(7).Sample(0.3) == 7);
}

TEST_CASE("FlowSizeDistribution: means of the published ones", "[traffic]")
{
    // WebSearch: 750 + 750 + 2500 + 4000 + 8450 + 9800 + 60000 + 150000 + 350000 + 525000 + 600000
    CHECK(FlowSizeDistribution::Named("WebSearch").GetMean() == Approx(1711250 + 0.5));
    // FbHdp: 0.5 + 1.5 + 7.5 + 32.5 + 18.75 + 45 + 55 + 65 + 85 + 105 + 135 + 370 + 4000 + 3250
    //        + 3000 + 10500 + 16250 + 22500 + 60000
    // in order: 100*1%/2; 150*1%; 250*3%; 325*10%; 375*5%; 450*10%; 550*10%; 650*10%; 850*10%;
    //           1500*7%; 4500*3%; 18500*2%; 40000*10%; 65000*5%; 100000*3%; 210000*5%;
    //           650000*2.5%; 1500000*1.5%; 6000000*1%
    CHECK(FlowSizeDistribution::Named("FbHdp").GetMean() ==
          Approx(0.5 + 1.5 + 7.5 + 32.5 + 18.75 + 45 + 55 + 65 + 85 + 105 + 135 + 370 + 4000 +
                 3250 + 3000 + 10500 + 16250 + 22500 + 60000 + 0.5));
    // Solar2022: 2047.5*.001% + 4095.5*29.999% + 10239.5*5% + 16383.5*15% + 40959.5*10%
    //            + 65535.5*35% + 163840*5%
    CHECK(FlowSizeDistribution::Named("Solar2022").GetMean() ==
          Approx(0.020475 + 1228.609045 + 511.975 + 2457.525 + 4095.95 + 22937.425 + 8192 + 0.5));
    // AliStorage2019: 2000*22.93% + 6000*46.28% + 12000*11.4% + 24000*9.86% + 48000*3.06%
    //                 + 96000*3.24% + 192000*.76% + 1128000*2.47%
    CHECK(FlowSizeDistribution::Named("AliStorage2019").GetMean() ==
          Approx(458.6 + 2776.8 + 1368 + 2366.4 + 1468.8 + 3110.4 + 1459.2 + 27861.6 + 0.5));
    CHECK(FlowSizeDistribution::Names() == std::vector<std::string>{"WebSearch",
                                                                    "FbHdp",
                                                                    "AliStorage2019",
                                                                    "GoogleRPC2008",
                                                                    "Solar2022"});
    const FlowSizeDistribution google = FlowSizeDistribution::Named("GoogleRPC2008");
    CHECK(google.GetPoints().size() == 843);
    CHECK(google.GetPoints()[1].bytes == 3);
    CHECK(google.GetPoints()[1].percent == 6.48826);
    CHECK(google.GetPoints().back().bytes == 15158197);
    CHECK_THROWS_WITH(FlowSizeDistribution::Named("websearch"), Contains("there are WebSearch, "));
    CHECK_THROWS_WITH(FlowSizeDistribution::Load("no-such-file"),
                      Contains("cannot be opened") && Contains("or one of WebSearch"));
}

TEST_CASE("FlowSizeDistribution: the mean of samples", "[traffic]")
{
    // the mean of n samples has standard error sqrt(variance / n); 5 of them leave 6 in 10^7
    constexpr int N = 200000;
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (const std::string& name : FlowSizeDistribution::Names())
    {
        const FlowSizeDistribution sizes = FlowSizeDistribution::Named(name);
        double sum = 0;
        for (int i = 0; i < N; ++i)
        {
            sum += double(sizes.Sample(uniform(random)));
        }
        INFO(name);
        CHECK(std::abs(sum / N - sizes.GetMean()) < 5 * std::sqrt(Variance(sizes) / N));
    }
}

TEST_CASE("FlowSizeDistribution: what is refused", "[traffic]")
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "c:1: expected 100 per cent at the last point, found no point"},
        {"0 0\n", "c:1: expected 100 per cent at the last point, found 0"},
        {"5 100\n", "c:1: expected 0 per cent at the first point"},
        {"0 0\n10 99.5\n", "c:2: expected 100 per cent at the last point, found 99.5"},
        {"0 0\n10\n", "c:2: expected 'size cumulative_percent', found 1 words"},
        {"0 0\n10 50 1\n", "c:2: expected 'size cumulative_percent', found 3 words"},
        {"0 0\n10 60\n\n20 50\n30 100\n", "c:4: point: 50 per cent after 60"},
        {"0 0\n10 60\n9 100\n", "c:3: point: size 9 after 10"},
        {"0 0\n0 1\n9 100\n", "c:2: point: 1 per cent of the flows have 0 bytes"},
        {"0 0\n9 100.1\n", "c:2: point: expected"},
        {"0 0\n1.5 100\n", "c:2: point: expected"},
        {"0 0\n-1 100\n", "c:2: point: expected"},
        {"0 0\n2000000000000000 100\n", "c:2: point: expected"},
        {"0 0\n1 nan\n", "c:2: point: expected"},
    };
    for (const auto& [text, why] : cases)
    {
        INFO(text);
        CHECK_THROWS_AS(Read(text), std::invalid_argument);
        CHECK_THROWS_WITH(Read(text), Contains(why));
    }
    CHECK_THROWS_WITH(FlowSizeDistribution("x", {}), Contains("x: expected points from 0 to 100"));
    CHECK_THROWS_WITH(FlowSizeDistribution("x", {{1, 0}, {2, 50}, {1, 60}, {3, 100}}),
                      Contains("x: point 3: size 1 after 2"));
    CHECK_THROWS_AS(FlowSizeDistribution::Fixed(0), std::invalid_argument);
}

TEST_CASE("FlowSizeDistribution: the files of others", "[traffic]")
{
    const std::vector<std::pair<std::string, std::string>> files = {
        {"WebSearch", "WebSearch_distribution.txt"},
        {"FbHdp", "FbHdp_distribution.txt"},
        {"AliStorage2019", "AliStorage2019.txt"},
        {"GoogleRPC2008", "GoogleRPC2008.txt"},
        {"Solar2022", "Solar2022.txt"}};
    for (const auto& [name, file] : files)
    {
        const std::string path = Shared("inputs/cdf/" + file);
        if (path.empty())
        {
            continue;
        }
        const FlowSizeDistribution read = FlowSizeDistribution::Load(path);
        const FlowSizeDistribution own = FlowSizeDistribution::Load(name);
        REQUIRE(read.GetPoints().size() == own.GetPoints().size());
        for (std::size_t i = 0; i < own.GetPoints().size(); ++i)
        {
            CHECK(read.GetPoints()[i].bytes == own.GetPoints()[i].bytes);
            CHECK(read.GetPoints()[i].percent == own.GetPoints()[i].percent);
        }
    }
}
