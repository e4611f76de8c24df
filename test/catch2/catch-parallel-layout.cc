/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-parallel-layout.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

using Groups = std::vector<std::vector<uint32_t>>;

} // namespace

TEST_CASE("The default order counts tensor, then data, then pipeline", "[parallel-layout]")
{
    // rank = tensor + 2 data + 4 pipeline
    const ParallelLayout layout({2, 2, 2, 1}, 8);
    const ParallelPlace five = layout.At(5);
    CHECK(five.tensor == 1);
    CHECK(five.data == 0);
    CHECK(five.pipeline == 1);
    CHECK(layout.GetGroups(ParallelDimension::TENSOR) == Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    CHECK(layout.GetGroups(ParallelDimension::DATA) == Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
    CHECK(layout.GetGroups(ParallelDimension::PIPELINE) == Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
}

TEST_CASE("Sixteen ranks as in Megatron's comments", "[parallel-layout]")
{
    // tensor 2, pipeline 4, data 2: the groups that Megatron-LM's documentation lists for 16 GPUs:
    // 8 tensor groups [g0 g1] [g2 g3].., 8 data groups [g0 g2] [g1 g3] [g4 g6].., 4 pipeline groups
    // [g0 g4 g8 g12] [g1 g5 g9 g13] [g2 g6 g10 g14] [g3 g7 g11 g15]
    const ParallelLayout layout({2, 4, 2, 1}, 16);
    CHECK(layout.GroupOf(ParallelDimension::TENSOR, 3) == std::vector<uint32_t>{2, 3});
    CHECK(layout.GroupOf(ParallelDimension::DATA, 6) == std::vector<uint32_t>{4, 6});
    CHECK(layout.GetGroups(ParallelDimension::PIPELINE) ==
          Groups{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}});
}

TEST_CASE("Another order changes what is next to what", "[parallel-layout]")
{
    // rank = pipeline + 2 tensor + 4 data
    const ParallelLayout layout({2, 2, 2, 1}, 8, "pp-tp-dp");
    CHECK(layout.GroupOf(ParallelDimension::PIPELINE, 0) == std::vector<uint32_t>{0, 1});
    CHECK(layout.GroupOf(ParallelDimension::TENSOR, 0) == std::vector<uint32_t>{0, 2});
    CHECK(layout.GroupOf(ParallelDimension::DATA, 3) == std::vector<uint32_t>{3, 7});
}

TEST_CASE("Experts are neighbors among the replicas", "[parallel-layout]")
{
    // 4 replicas, 2 of them share experts; by default rank = tensor + 2 (data mod 2) + 4 (data / 2)
    const ParallelLayout layout({2, 1, 4, 2}, 8);
    CHECK(layout.GetGroups(ParallelDimension::EXPERT) == Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
    CHECK(layout.GetGroups(ParallelDimension::EXPERT_DATA) ==
          Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
    // "ep" first: rank = data mod 2 + 2 tensor + 4 (data / 2)
    const ParallelLayout first({2, 1, 4, 2}, 8, "ep-tp-dp-pp");
    CHECK(first.GetGroups(ParallelDimension::EXPERT) == Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    CHECK(first.GroupOf(ParallelDimension::TENSOR, 0) == std::vector<uint32_t>{0, 2});
    CHECK(first.GroupOf(ParallelDimension::DATA, 0) == std::vector<uint32_t>{0, 1, 4, 5});
}

TEST_CASE("Places and ranks are one to one, groups divide the ranks", "[parallel-layout]")
{
    for (const std::string order : {"tp-dp-pp",
                                    "tp-pp-dp",
                                    "dp-tp-pp",
                                    "dp-pp-tp",
                                    "pp-tp-dp",
                                    "pp-dp-tp",
                                    "tp-ep-dp-pp",
                                    "ep-pp-tp-dp"})
    {
        for (const ParallelDegrees degrees :
             {ParallelDegrees{1, 1, 1, 1}, {4, 2, 3, 3}, {2, 3, 4, 2}, {1, 5, 6, 3}})
        {
            const uint32_t n = degrees.tensor * degrees.pipeline * degrees.data;
            const ParallelLayout layout(degrees, n, order);
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                CHECK(layout.RankOf(layout.At(rank)) == rank);
            }
            for (const ParallelDimension d : {ParallelDimension::TENSOR,
                                              ParallelDimension::PIPELINE,
                                              ParallelDimension::DATA,
                                              ParallelDimension::EXPERT,
                                              ParallelDimension::EXPERT_DATA})
            {
                std::set<uint32_t> seen;
                for (const auto& group : layout.GetGroups(d))
                {
                    CHECK(group.size() == layout.GetSize(d));
                    for (const uint32_t rank : group)
                    {
                        CHECK(seen.insert(rank).second);
                        CHECK(layout.GroupOf(d, rank) == group);
                    }
                }
                CHECK(seen.size() == n);
            }
        }
    }
}

TEST_CASE("What makes no layout is refused", "[parallel-layout]")
{
    CHECK_THROWS_WITH(ParallelLayout({2, 2, 2, 1}, 9),
                      Contains("tensor 2 x pipeline 2 x data 2 make 8 ranks, the job has 9"));
    CHECK_THROWS_WITH(ParallelLayout({0, 2, 2, 1}, 4), Contains("tensor degree 0"));
    CHECK_THROWS_WITH(ParallelLayout({2, 0, 2, 1}, 4), Contains("pipeline degree 0"));
    CHECK_THROWS_WITH(ParallelLayout({2, 2, 0, 1}, 4), Contains("data degree 0"));
    CHECK_THROWS_WITH(ParallelLayout({2, 2, 2, 0}, 8), Contains("expert degree 0"));
    CHECK_THROWS_WITH(ParallelLayout({1, 1, 4, 3}, 4),
                      Contains("expert degree 3 does not divide data degree 4"));
    CHECK_THROWS_WITH(ParallelLayout({65536, 65536, 2, 1}, 0), Contains("more than 2^31 ranks"));
    for (const std::string order : {"",
                                    "tp-dp",
                                    "tp-dp-pp-tp",
                                    "tp-dp-xx",
                                    "tp-dp-pp-",
                                    "tp,dp,pp",
                                    "tp--dp-pp",
                                    "-tp-dp-pp",
                                    "tp-ep-dp"})
    {
        CHECK_THROWS_WITH(ParallelLayout({1, 1, 1, 1}, 1, order), Contains("order \"" + order));
    }
    const ParallelLayout layout({2, 1, 2, 1}, 4);
    CHECK_THROWS_WITH(layout.At(4), Contains("rank 4, expected 0..3"));
    CHECK_THROWS_AS(layout.RankOf({0, 1, 0}), std::invalid_argument);
    CHECK_THROWS_AS(layout.RankOf({2, 0, 0}), std::invalid_argument);
    CHECK_THROWS_AS(layout.RankOf({0, 0, 2}), std::invalid_argument);
}
