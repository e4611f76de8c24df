/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-hcc.h"

#include "ns3/enum.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What must hold at any time. */
void
CheckInvariants(const Ptr<Hcc>& cc, Tick now)
{
    const uint64_t line = cc->GetFlow().lineRate;
    REQUIRE(cc->GetFairRate() >= 1e8);
    REQUIRE(cc->GetFairRate() <= static_cast<double>(line));
    REQUIRE(cc->GetRate() >= 1);
    REQUIRE(cc->GetRate() <= line);
    REQUIRE(cc->GetGuarantee() <= cc->GetRate());
    REQUIRE(cc->GetWindow() >= (cc->GetGuarantee() == 0 ? cc->GetFlow().mtu : 1));
    REQUIRE(cc->GetWindow() <= cc->GetGuaranteeWindow());
    REQUIRE(cc->GetDeadline() > now);
    REQUIRE(cc->GetEntries().size() <= Hcc::MAX_ENTRIES);
}

/** A random CNP of some points. */
CnpBody
RandomBody(std::mt19937& random)
{
    CnpBody body = Says(random() % 5, (random() % 17) / 16.0, 1 + random() % 400, 1 + random() % 3);
    body.domain = 7 + body.point % 2;
    body.stage = 2 + random() % 2;
    body.clear = random() % 8 == 0;
    body.leave = random() % 32 == 0;
    return body;
}

/** Rates of two flows of a NIC after each CNP. \param often advance in between */
std::vector<double>
RunScript(HccParameters::Law law, HccParameters::Scope scope, bool often)
{
    auto shared = CreateObject<CnpProcessor>();
    Ptr<Hcc> flows[2];
    for (auto& cc : flows)
    {
        cc = CreateObject<Hcc>();
        cc->SetAttribute("Law", EnumValue(law));
        cc->SetAttribute("DomainScope", EnumValue(scope));
        cc->Start(HccFlow(shared), 0);
    }
    std::mt19937 script(5);
    std::mt19937 calls(6);
    std::vector<double> rates;
    Tick now = 0;
    for (int i = 0; i < 3000; ++i)
    {
        // now and then a silence in which rates come back
        const Tick next = now + script() % (i % 10 == 9 ? 20000000 : 20000);
        for (Tick t = now; often && t < next; t += 1 + calls() % 20000)
        {
            flows[calls() % 2]->Advance(t);
        }
        now = next;
        if (often)
        {
            flows[0]->Advance(now);
            flows[1]->Advance(now);
            flows[1]->OnSent(1000, now);
        }
        const unsigned which = script() % 2;
        Hear(flows[which], RandomBody(script), now);
        flows[0]->Advance(now);
        flows[1]->Advance(now);
        rates.push_back(flows[0]->GetFairRate());
        rates.push_back(flows[1]->GetFairRate());
    }
    return rates;
}

} // namespace

TEST_CASE("HCC: when and how often it is called changes no rate", "[hcc]")
{
    for (const auto law : {HccParameters::DOMAIN_LAW, HccParameters::ARTICLE_LAW})
    {
        for (const auto scope : {HccParameters::OFF, HccParameters::SIBLINGS, HccParameters::ALL})
        {
            const auto seldom = RunScript(law, scope, false);
            CHECK(seldom == RunScript(law, scope, true)); // to the last bit
            // And something happened: at line rate after cuts, and far below it.
            const auto atLine = std::count(seldom.begin() + 1000, seldom.end(), 100 * GBPS);
            const auto low = std::count_if(seldom.begin(), seldom.end(), [](double rate) {
                return rate < 10 * GBPS;
            });
            CHECK(atLine > 0);
            CHECK(low > 0);
        }
    }
}

TEST_CASE("HCC: many expiries at once are the same as one by one", "[hcc]")
{
    // Steps against the sum they stand for.
    for (const uint32_t acc : {1u, 8u, 32u})
    {
        double sum = 0;
        for (uint64_t n = 1; n <= 100; ++n)
        {
            sum += static_cast<double>(std::min<uint64_t>(n, acc));
            CHECK(HccEntry::Steps(n, acc) == sum);
        }
    }
    auto once = MakeHcc();
    auto each = MakeHcc();
    Hear(once, Says(1, 1, 3000), 0);
    Hear(each, Says(1, 1, 3000), 0);
    for (Tick t = 30000; t <= 3000000; t += 30000)
    {
        each->Advance(t);
    }
    once->Advance(3000000);
    CHECK(once->GetFairRate() == each->GetFairRate());
    CHECK(once->GetDeadline() == each->GetDeadline());
    CHECK(once->GetFairRate() > 0.1 * GBPS);
}

TEST_CASE("HCC: 32 points are kept, the most limiting ones", "[hcc]")
{
    auto cc = MakeHcc();
    for (uint16_t point = 0; point < 40; ++point)
    {
        // N from 2 to 41: the floor, which these reach, falls from point to point
        Hear(cc, Says(point, 0.9921875, static_cast<uint16_t>(point + 2)), 0);
    }
    CHECK(cc->GetEntries().size() == 32);
    CHECK(cc->Find(39));
    CHECK(cc->Find(7) == nullptr);
    CHECK(cc->Find(8));
    CHECK(cc->GetFairRate() == Approx(0.9 * 100 / 41 * GBPS));
}

TEST_CASE("HCC: any 16 bytes leave rate, window and timer within bounds", "[hcc]")
{
    std::mt19937 random(20260101);
    for (int run = 0; run < 24; ++run)
    {
        auto shared = CreateObject<CnpProcessor>();
        Ptr<Hcc> flows[3];
        for (auto& cc : flows)
        {
            cc = CreateObject<Hcc>();
            cc->SetAttribute(
                "Law",
                EnumValue(run % 4 == 0 ? HccParameters::ARTICLE_LAW : HccParameters::DOMAIN_LAW));
            cc->SetAttribute("Enforce", EnumValue(HccParameters::Enforce(run % 3)));
            cc->SetAttribute("DomainScope", EnumValue(HccParameters::Scope(run / 2 % 3)));
            cc->SetAttribute("RateKey", EnumValue(HccParameters::RateKey(run % 2)));
            FlowParameters flow = HccFlow(shared);
            flow.lineRate = run % 5 == 0 ? 1000000000 : 400000000000;
            flow.baseRtt = run % 7 == 0 ? 0 : 1 + random() % 1000000;
            cc->Start(flow, 0);
        }
        Tick now = 0;
        for (int i = 0; i < 2000; ++i)
        {
            std::array<uint8_t, CNP_BODY_BYTES> bytes;
            for (auto& byte : bytes)
            {
                byte = static_cast<uint8_t>(random());
            }
            if (random() % 4 != 0) // else mostly of another version
            {
                bytes[0] = static_cast<uint8_t>(CnpBody::VERSION << 2 |
                                                (random() % 4 == 0 ? random() % 4 : 0));
                bytes[1] = 0;
                bytes[2] %= 3;
                bytes[3] = 0;
                bytes[4] %= 50;
            }
            CnpInfo info;
            info.body = random() % 16 == 0 ? nullptr : bytes.data();
            now += random() % (random() % 100 == 0 ? 100000000 : 10000);
            const auto& cc = flows[random() % 3];
            cc->OnCnp(info, now);
            CheckInvariants(cc, now);
            for (const auto& each : flows)
            {
                each->Advance(now);
                CheckInvariants(each, now);
            }
        }
    }
}
