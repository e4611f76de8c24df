/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/roce-ecn-marker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{
constexpr uint64_t GIGA = 1000000000;

/** \return a frame. \param ecn code point \param kind what it is */
Frame
MakeFrame(uint8_t ecn, FrameKind kind = FrameKind::REQUEST)
{
    Frame frame{};
    frame.size = 1048;
    frame.priority = 3;
    frame.ecn = ecn;
    frame.kind = kind;
    return frame;
}

/** \return whether an ECT(0) frame is marked at this queue */
bool
MarkOne(EcnMarker& marker, const EcnThresholds& thresholds, uint64_t bytes)
{
    Frame frame = MakeFrame(ECN_ECT0);
    const bool marked = marker.Mark(&frame, thresholds, bytes);
    CHECK(frame.ecn == (marked ? ECN_CE : ECN_ECT0));
    return marked;
}
} // namespace

TEST_CASE("ECN marker: thresholds scale with the rate", "[ecn-marker]")
{
    auto marker = CreateObject<EcnMarker>();
    // 400 and 1600 KB at 100G, KB = 1000 B; so 4 and 16 KB a Gb/s
    for (uint64_t rate : {10, 25, 40, 50, 100, 200, 400, 800, 1600})
    {
        const EcnThresholds t = marker->GetThresholds(rate * GIGA);
        CHECK(t.kmin == rate * 4000);
        CHECK(t.kmax == rate * 16000);
        CHECK(t.pmax == 0.2);
    }
    marker->SetAttribute("ReferenceRate", DataRateValue(DataRate(0)));
    CHECK(marker->GetThresholds(800 * GIGA).kmin == 400000);
    CHECK(marker->GetThresholds(10 * GIGA).kmax == 1600000);
}

TEST_CASE("ECN marker: a rate with an entry of its own", "[ecn-marker]")
{
    auto marker = CreateObject<EcnMarker>();
    marker->SetThresholds(200 * GIGA, 300000, 1200000, 0.8);
    CHECK(marker->HasThresholds(200 * GIGA));
    CHECK_FALSE(marker->HasThresholds(100 * GIGA));
    CHECK(marker->GetThresholds(200 * GIGA).kmin == 300000);
    CHECK(marker->GetThresholds(200 * GIGA).kmax == 1200000);
    CHECK(marker->GetThresholds(200 * GIGA).pmax == 0.8);
    CHECK(marker->GetThresholds(400 * GIGA).kmin == 1600000); // the others scale
    CHECK_THROWS_WITH(marker->SetThresholds(GIGA, 5, 4, 0.1),
                      Catch::Contains("Kmin 5") && Catch::Contains("Kmax 4"));
    CHECK_THROWS_AS(marker->SetThresholds(GIGA, 4, 5, 1.1), std::invalid_argument);
    marker->SetAttribute("KminBytes", UintegerValue(2000000));
    CHECK_THROWS_WITH(marker->GetThresholds(100 * GIGA),
                      Catch::Contains("Kmin 2000000") && Catch::Contains("Kmax 1600000"));
}

TEST_CASE("ECN marker: both limits are strict", "[ecn-marker]")
{
    auto marker = CreateObject<EcnMarker>();
    const EcnThresholds never{1000, 2000, 0.0};
    CHECK_FALSE(MarkOne(*marker, never, 0));
    CHECK_FALSE(MarkOne(*marker, never, 2000)); // at Kmax the probability is Pmax, here 0
    CHECK(MarkOne(*marker, never, 2001));
    const EcnThresholds surely{1000, 2000, 1.0};
    CHECK_FALSE(MarkOne(*marker, surely, 1000));
    CHECK(MarkOne(*marker, surely, 2000)); // p = 1 at Kmax, and a draw is below 1
    const EcnThresholds step{1000, 1000, 0.2};
    CHECK_FALSE(MarkOne(*marker, step, 1000));
    CHECK(MarkOne(*marker, step, 1001));
    CHECK_FALSE(MarkOne(*marker, EcnThresholds(), 1ull << 60)); // the default never marks
}

TEST_CASE("ECN marker: only ECT data is marked", "[ecn-marker]")
{
    // case A16: queue far above Kmax
    auto marker = CreateObject<EcnMarker>();
    const EcnThresholds t{1000, 2000, 0.2};
    Frame ect1 = MakeFrame(ECN_ECT1);
    CHECK(marker->Mark(&ect1, t, 1000000));
    CHECK(ect1.ecn == ECN_CE);
    Frame tcp = MakeFrame(ECN_ECT0, FrameKind::PACKET);
    CHECK(marker->Mark(&tcp, t, 1000000));
    Frame response = MakeFrame(ECN_ECT0, FrameKind::RESPONSE); // READ data is data
    CHECK(marker->Mark(&response, t, 1000000));
    CHECK(response.ecn == ECN_CE);
    Frame notEct = MakeFrame(ECN_NOT_ECT);
    CHECK_FALSE(marker->Mark(&notEct, t, 1000000));
    CHECK(notEct.ecn == ECN_NOT_ECT);
    Frame marked = MakeFrame(ECN_CE); // by an earlier switch: not counted again
    CHECK_FALSE(marker->Mark(&marked, t, 1000000));
    CHECK(marked.ecn == ECN_CE);
    for (FrameKind kind : {FrameKind::ACK, FrameKind::CNP, FrameKind::PFC})
    {
        for (uint8_t ecn : {ECN_NOT_ECT, ECN_ECT0, ECN_ECT1})
        {
            Frame control = MakeFrame(ecn, kind);
            CHECK_FALSE(marker->Mark(&control, t, 1000000));
            CHECK(control.ecn == ecn);
        }
    }
    marker->SetAttribute("MarkPriorities", UintegerValue(0xff & ~(1 << 3)));
    CHECK_FALSE(MarkOne(*marker, t, 1000000));
    marker->SetAttribute("MarkPriorities", UintegerValue(1 << 3));
    CHECK(MarkOne(*marker, t, 1000000));
}

TEST_CASE("ECN marker: the probability is linear between the limits", "[ecn-marker]")
{
    auto marker = CreateObject<EcnMarker>();
    marker->AssignStreams(7);
    const EcnThresholds t{400000, 1600000, 0.2};
    // p = 0.2 * (q - 400000) / 1200000; n draws: n p within 4 standard deviations
    constexpr uint32_t DRAWS = 100000;
    const std::pair<uint64_t, double> points[] = {{460000, 0.01},
                                                  {700000, 0.05},
                                                  {1000000, 0.1},
                                                  {1300000, 0.15},
                                                  {1600000, 0.2}};
    for (const auto& [bytes, p] : points)
    {
        uint32_t marks = 0;
        for (uint32_t i = 0; i < DRAWS; ++i)
        {
            Frame frame = MakeFrame(ECN_ECT0);
            marks += marker->Mark(&frame, t, bytes);
        }
        CHECK(std::abs(marks - DRAWS * p) < 4 * std::sqrt(DRAWS * p * (1 - p)));
    }
}

TEST_CASE("ECN marker: numbers are drawn only between the limits, from its own stream",
          "[ecn-marker]")
{
    auto a = CreateObject<EcnMarker>();
    auto b = CreateObject<EcnMarker>();
    CHECK(a->AssignStreams(3) == 1);
    CHECK(b->AssignStreams(3) == 1);
    const EcnThresholds t{1000, 2000, 1.0};
    uint32_t marks = 0;
    for (int i = 0; i < 1000; ++i)
    {
        // a also sees frames for which no number may be drawn
        MarkOne(*a, t, 1000);
        MarkOne(*a, t, 2001);
        Frame notEct = MakeFrame(ECN_NOT_ECT);
        a->Mark(&notEct, t, 1500);
        const bool marked = MarkOne(*a, t, 1500);
        REQUIRE(marked == MarkOne(*b, t, 1500));
        marks += marked;
    }
    CHECK(marks > 400); // p = 0.5, sigma 16
    CHECK(marks < 600);
}

TEST_CASE("ECN marker: step", "[ecn-marker]")
{
    auto marker = CreateObject<EcnMarker>();
    CHECK(marker->GetMoment() == EcnMarker::DEQUEUE);
    marker->SetAttribute("Mode", StringValue("step"));
    marker->SetAttribute("MarkAt", StringValue("enqueue"));
    CHECK(marker->GetMoment() == EcnMarker::ENQUEUE);
    marker->SetAttribute("KminBytes", UintegerValue(300000)); // at 100G; KmaxBytes has no effect
    marker->SetThresholds(25 * GIGA, 65000, 400000, 0.2);
    for (const auto& [rate, k] :
         {std::pair<uint64_t, uint64_t>{100, 300000}, {400, 1200000}, {25, 65000}})
    {
        const EcnThresholds t = marker->GetThresholds(rate * GIGA);
        CHECK(t.kmin == k);
        CHECK(t.kmax == k);
        for (int i = 0; i < 100; ++i)
        {
            CHECK_FALSE(MarkOne(*marker, t, k));
            CHECK(MarkOne(*marker, t, k + 1));
        }
    }
    marker->SetAttribute("KminBytes", UintegerValue(5000000)); // above KmaxBytes: no fault here
    CHECK(marker->GetThresholds(100 * GIGA).kmax == 5000000);
    marker->SetAttribute("Mode", StringValue("red"));
    CHECK_THROWS_AS(marker->GetThresholds(100 * GIGA), std::invalid_argument);
}
