/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/roce-pfc-controller.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{
constexpr uint64_t GIGA = 1000000000;
constexpr int64_t NS = 1000000000;
} // namespace

TEST_CASE("PFC controller: XOFF and XON alternate, per port and priority", "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    pfc->Configure({100 * GIGA, 100 * GIGA, 400 * GIGA}, NS);
    CHECK(pfc->Xoff(1, 3, 100));
    CHECK_FALSE(pfc->Xoff(1, 3, 101)); // is paused already
    CHECK(pfc->GetMask(1) == 0x08);
    CHECK(pfc->GetMask(0) == 0);
    CHECK(pfc->Xoff(1, 4, 102));
    CHECK(pfc->Xoff(2, 3, 103));
    CHECK(pfc->GetMask(1) == 0x18);
    CHECK(pfc->GetPaused(3) == 2);
    CHECK_FALSE(pfc->Xon(0, 3)); // was not paused
    CHECK(pfc->Xon(1, 3));
    CHECK_FALSE(pfc->Xon(1, 3));
    CHECK(pfc->GetMask(1) == 0x10);
    CHECK(pfc->GetXoffs(3) == 2);
    CHECK(pfc->GetXons(3) == 1);
    CHECK(pfc->GetXoffFrames(3) == 2);
    CHECK(pfc->GetXonFrames(3) == 1);
    CHECK(pfc->GetXoffs(4) == 1);
    CHECK(pfc->GetXons(4) == 0);
    CHECK(pfc->GetPaused(4) == 1);
}

TEST_CASE("PFC controller: refresh before the pause expires", "[pfc-controller]")
{
    // 65535 * 512 bits last 335539.2 ns at 100G, 83884.8 ns at 400G; half of it, rounded down
    auto pfc = CreateObject<PfcController>();
    pfc->Configure({100 * GIGA, 400 * GIGA}, NS);
    CHECK(pfc->GetQuanta() == 65535);
    CHECK(pfc->GetRefreshInterval(0) == 167769);
    CHECK(pfc->GetRefreshInterval(1) == 41942);
    CHECK(pfc->GetDeadline() == NEVER);
    PfcController::Refresh refresh{};
    CHECK_FALSE(pfc->NextRefresh(1000, refresh));

    pfc->Xoff(0, 3, 1000);
    CHECK(pfc->GetDeadline() == 168769);
    pfc->Xoff(1, 3, 2000); // later, but due earlier
    CHECK(pfc->GetDeadline() == 43942);
    CHECK_FALSE(pfc->NextRefresh(43941, refresh));
    REQUIRE(pfc->NextRefresh(43942, refresh));
    CHECK(refresh.port == 1);
    CHECK(refresh.mask == 0x08);
    CHECK_FALSE(pfc->NextRefresh(43942, refresh));
    CHECK(pfc->GetDeadline() == 85884);
    CHECK(pfc->GetXoffFrames(3) == 3);
    CHECK(pfc->GetXoffs(3) == 2); // a refresh is no transition

    CHECK(pfc->Xon(1, 3));
    CHECK(pfc->GetDeadline() == 168769);
    CHECK(pfc->Xon(0, 3));
    CHECK(pfc->GetDeadline() == NEVER);
    CHECK_FALSE(pfc->NextRefresh(10000000, refresh));
}

TEST_CASE("PFC controller: a pause that ended and began anew has a new deadline",
          "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    pfc->Configure({100 * GIGA}, NS);
    PfcController::Refresh refresh{};
    pfc->Xoff(0, 3, 0);
    pfc->Xon(0, 3);
    pfc->Xoff(0, 3, 100000);
    CHECK(pfc->GetDeadline() == 267769);
    CHECK_FALSE(pfc->NextRefresh(167769, refresh));
    CHECK(pfc->NextRefresh(267769, refresh));
    // all paused priorities of a port are told at once, and wait together again
    pfc->Xoff(0, 5, 300000);
    REQUIRE(pfc->NextRefresh(435538, refresh));
    CHECK(refresh.mask == 0x28);
    CHECK_FALSE(pfc->NextRefresh(467769, refresh));
    CHECK(pfc->GetDeadline() == 603307);
    CHECK(pfc->GetXoffFrames(5) == 2);
}

TEST_CASE("PFC controller: many toggles leave nothing behind", "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    pfc->Configure({100 * GIGA, 25 * GIGA}, NS);
    PfcController::Refresh refresh{};
    Tick now = 0;
    for (int i = 0; i < 100000; ++i)
    {
        now += 7;
        REQUIRE(pfc->Xoff(i % 2, i % 8, now));
        REQUIRE(pfc->GetDeadline() == now + pfc->GetRefreshInterval(i % 2));
        REQUIRE_FALSE(pfc->NextRefresh(now, refresh));
        REQUIRE(pfc->Xon(i % 2, i % 8));
    }
    CHECK(pfc->GetWaiting() == 1); // of the last toggle; the others were looked at
    for (int i = 0; i < 1000; ++i)
    {
        pfc->Xoff(1, 3, now + i);
        pfc->Xon(1, 3);
    }
    CHECK(pfc->GetWaiting() == 2); // and one more, though nobody looked
    CHECK(pfc->GetDeadline() == NEVER);
    CHECK(pfc->GetWaiting() == 0);
    for (unsigned p = 0; p < 8; ++p)
    {
        CHECK(pfc->GetXoffs(p) == 12500 + (p == 3 ? 1000 : 0));
        CHECK(pfc->GetXons(p) == pfc->GetXoffs(p));
    }
}

TEST_CASE("PFC controller: link down ends all pauses of the port silently", "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    pfc->Configure({100 * GIGA, 100 * GIGA}, NS);
    pfc->Xoff(0, 3, 0);
    pfc->Xoff(0, 4, 0);
    pfc->Xoff(1, 3, 5);
    pfc->Reset(0);
    CHECK(pfc->GetMask(0) == 0);
    CHECK(pfc->GetXons(3) == 1);
    CHECK(pfc->GetXonFrames(3) == 0);
    CHECK(pfc->GetPaused(3) == 1);
    CHECK(pfc->GetDeadline() == 167774); // of port 1
}

TEST_CASE("PFC controller: attributes", "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    pfc->SetAttribute("Quanta", UintegerValue(1000));
    pfc->SetAttribute("RefreshFraction", DoubleValue(0.25));
    pfc->Configure({100 * GIGA}, NS);
    CHECK(pfc->GetRefreshInterval(0) == 1280); // 512000 bits at 100G = 5120 ns, a quarter
    pfc->SetAttribute("Refresh", BooleanValue(false));
    pfc->Configure({100 * GIGA}, NS);
    CHECK(pfc->Xoff(0, 3, 0));
    CHECK(pfc->GetDeadline() == NEVER);
    for (double fraction : {0.0, 1.0, -0.5, 1.5})
    {
        pfc->SetAttribute("RefreshFraction", DoubleValue(fraction));
        CHECK_THROWS_AS(pfc->Configure({100 * GIGA}, NS), std::invalid_argument);
    }
}

TEST_CASE("PFC controller: counts by port and priority", "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    pfc->Configure({100 * GIGA, 100 * GIGA}, NS);
    pfc->Xoff(0, 3, 0);
    pfc->Xoff(1, 4, 0);
    PfcController::Refresh refresh{};
    REQUIRE(pfc->NextRefresh(167769, refresh)); // half of 335539.2 ns
    REQUIRE(pfc->NextRefresh(167769, refresh));
    CHECK_FALSE(pfc->NextRefresh(167769, refresh));
    pfc->Xon(0, 3);
    CHECK(pfc->GetXoffsSent(0, 3) == 1);
    CHECK(pfc->GetRefreshesSent(0, 3) == 1);
    CHECK(pfc->GetXonsSent(0, 3) == 1);
    CHECK(pfc->GetXoffsSent(0, 4) == 0);
    CHECK(pfc->GetXoffsSent(1, 4) == 1);
    CHECK(pfc->GetXonsSent(1, 4) == 0);
}

TEST_CASE("PFC controller: a link goes on when its last priority may", "[pfc-controller]")
{
    auto pfc = CreateObject<PfcController>();
    CHECK_FALSE(pfc->PausesLink());
    pfc->SetAttribute("LinkPause", BooleanValue(true));
    pfc->Configure({100 * GIGA}, NS);
    CHECK(pfc->PausesLink());
    pfc->Xoff(0, 3, 0);
    pfc->Xoff(0, 4, 0);
    CHECK(pfc->Xon(0, 3));
    CHECK(pfc->GetXons(3) == 1);
    CHECK(pfc->GetXonFrames(3) == 0); // priority 4 still stops the link
    CHECK(pfc->Xon(0, 4));
    CHECK(pfc->GetXonFrames(4) == 1);
    CHECK(pfc->GetXonsSent(0, 4) == 1);
}
