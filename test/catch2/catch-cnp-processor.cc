/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-hcc.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A law with a domain scope that has started. */
Ptr<Hcc>
MakeScoped(HccParameters::Scope scope,
           Ptr<CnpProcessor> shared,
           HccParameters::Law law = HccParameters::DOMAIN_LAW)
{
    auto cc = CreateObject<Hcc>();
    cc->SetAttribute("DomainScope", EnumValue(scope));
    cc->SetAttribute("Law", EnumValue(law));
    cc->Start(HccFlow(shared), 0);
    return cc;
}

/** Let a processor read a CNP of a point. \return alpha */
double
Read(Ptr<CnpProcessor> processor, const CnpBody& body, uint32_t linksOfFlow)
{
    std::array<uint8_t, CNP_BODY_BYTES> bytes;
    body.Encode(bytes.data());
    CnpInfo info;
    info.body = bytes.data();
    FlowParameters flow = HccFlow();
    flow.hops = linksOfFlow;
    CnpProcessor::Notice notice;
    REQUIRE(processor->Receive(info, flow, 1, 0.5, 0.02, notice));
    return notice.alpha;
}

constexpr auto OFF = HccParameters::OFF;
constexpr auto SIBLINGS = HccParameters::SIBLINGS;
constexpr auto ALL = HccParameters::ALL;

} // namespace

TEST_CASE("CNP processor: alpha is AlphaMax AlphaDecay^(tier - 1)", "[hcc]")
{
    auto table = CreateObject<CnpProcessor>();
    const double expected[] = {1, 1, 0.5, 0.25, 0.125}; // tier 0 is not known: as 1
    for (uint8_t tier = 0; tier <= 4; ++tier)
    {
        CHECK(Read(table, Says(tier, 1, 1, tier), 6) == expected[tier]);
        CHECK(table->GetAlpha(tier) == expected[tier]);
    }
    CHECK(table->GetAlpha(99) == 0);
    auto set = CreateObject<CnpProcessor>();
    set->SetAttribute("AlphaMax", DoubleValue(0.8));
    set->SetAttribute("AlphaDecay", DoubleValue(0.25));
    CHECK(Read(set, Says(1, 1, 1, 1), 6) == 0.8);
    CHECK(Read(set, Says(2, 1, 1, 2), 6) == 0.2);
    CHECK(Read(set, Says(3, 1, 1, 3), 6) == Approx(0.05).epsilon(1e-14));
}

TEST_CASE("CNP processor: learned distance is the lesser one to both ends", "[hcc]")
{
    // A path of 6 links has 5 switches: leaf, spine, super-spine, spine, leaf.
    auto processor = CreateObject<CnpProcessor>();
    processor->SetAttribute("AlphaMode", EnumValue(CnpProcessor::LEARNED));
    const double distance[] = {1, 2, 3, 2, 1};
    for (uint8_t hops = 1; hops <= 5; ++hops)
    {
        CnpBody body = Says(hops, 1, 1, 9); // the tier in the CNP is wrong
        body.hops = hops;
        CHECK(Read(processor, body, 6) == std::pow(0.5, distance[hops - 1] - 1));
        CHECK(processor->GetDistance(hops) == distance[hops - 1]);
    }
    // Without the links of the flow, or with hops that cannot be, the tier counts.
    CnpBody body = Says(20, 1, 1, 3);
    body.hops = 2;
    CHECK(Read(processor, body, 0) == 0.25);
    body.point = 21;
    CHECK(Read(processor, body, 2) == 0.25);
    body.point = 22;
    body.hops = 0;
    CHECK(Read(processor, body, 6) == 0.25);
}

TEST_CASE("CNP processor: the learned distance is smoothed by 1/8", "[hcc]")
{
    auto processor = CreateObject<CnpProcessor>();
    processor->SetAttribute("AlphaMode", EnumValue(CnpProcessor::LEARNED));
    std::vector<std::tuple<uint16_t, double, double>> changes;
    processor->TraceConnectWithoutContext(
        "AlphaChange",
        Callback<void, uint16_t, double, double>([&](uint16_t point, double before, double after) {
            changes.emplace_back(point, before, after);
        }));
    CnpBody body = Says(5, 1, 1);
    body.hops = 2;
    CHECK(Read(processor, body, 4) == 0.5);                          // the first sample is taken: 2
    body.hops = 3;                                                   // 1 link from the other end
    CHECK(Read(processor, body, 4) == Approx(std::pow(0.5, 0.875))); // 2 - 1/8
    CHECK(processor->GetDistance(5) == 1.875);
    Read(processor, body, 4);
    CHECK(processor->GetDistance(5) == 1.765625); // 1.875 - 0.875 / 8
    REQUIRE(changes.size() == 3);
    CHECK(changes[0] == std::make_tuple(5, 0.0, 0.5));
    CHECK(std::get<1>(changes[1]) == 0.5);
}

TEST_CASE("CNP processor: what domains said", "[hcc]")
{
    auto cc = MakeHcc();
    auto processor = cc->GetProcessor();
    uint64_t heard = 0;
    processor->TraceConnectWithoutContext(
        "CnpReceived",
        Callback<void, uint32_t, const CnpBody&>([&](uint32_t qpn, const CnpBody& body) {
            CHECK(qpn == 17);
            heard += body.point;
        }));
    std::vector<std::tuple<uint16_t, uint16_t, double, double>> rates;
    processor->TraceConnectWithoutContext(
        "DomainRate",
        Callback<void, uint32_t, uint16_t, uint16_t, double, double>(
            [&](uint32_t, uint16_t domain, uint16_t point, double before, double after) {
                rates.emplace_back(domain, point, before, after);
            }));
    Hear(cc, Says(1, 0.5, 8), 0);
    Hear(cc, Says(2, 0.25, 9), 0);
    CnpBody flagged = Says(2, 0, 3);
    flagged.clear = true;
    Hear(cc, flagged, 1); // 75 x 1.5: to the line
    flagged = Says(0, 0, 0);
    flagged.leave = true;
    Hear(cc, flagged, 2); // point 1 is at line rate again
    cc->OnCnp(CnpInfo(), 3);
    const auto& domains = processor->GetDomains();
    REQUIRE(domains.size() == 1);
    const CnpProcessor::DomainState& state = domains.at(7);
    CHECK(state.cnps == 4);
    CHECK(state.clears == 1);
    CHECK(state.leaves == 1);
    CHECK(state.share == 0); // of the all-clear: leave is no queue's word
    CHECK(state.flows == 3);
    CHECK(state.lastPoint == 2);
    CHECK(processor->GetReceived() == 4);
    CHECK(processor->GetPlain() == 1);
    CHECK(heard == 5);
    REQUIRE(rates.size() == 4);
    CHECK(rates[0] == std::make_tuple(7, 1, 100 * GBPS, 50 * GBPS));
    CHECK(rates[1] == std::make_tuple(7, 2, 100 * GBPS, 75 * GBPS));
    CHECK(rates[2] == std::make_tuple(7, 2, 75 * GBPS, 100 * GBPS));
    CHECK(rates[3] == std::make_tuple(7, 1, 50 * GBPS, 100 * GBPS));
}

TEST_CASE("HCC: one processor a NIC, and one's own without", "[hcc]")
{
    auto first = CreateObject<Hcc>();
    auto shared = first->MakeShared();
    REQUIRE(DynamicCast<CnpProcessor>(shared));
    auto a = MakeHcc(shared);
    auto b = MakeHcc(shared);
    CHECK(a->GetProcessor() == b->GetProcessor());
    CHECK(a->GetProcessor() != MakeHcc()->GetProcessor());
    CHECK(MakeHcc(CreateObject<HccTuning>())->GetProcessor()); // of some other law
}

TEST_CASE("HCC: above T_d the flows of the point are cut together", "[hcc]")
{
    for (const auto scope : {OFF, SIBLINGS, ALL})
    {
        auto shared = CreateObject<CnpProcessor>();
        uint32_t traced = 99;
        shared->TraceConnectWithoutContext(
            "DomainLimit",
            Callback<void, uint16_t, uint16_t, double, uint32_t>(
                [&](uint16_t, uint16_t, double, uint32_t cuts) { traced = cuts; }));
        auto hears = MakeScoped(scope, shared);
        auto limited = MakeScoped(scope, shared);  // has a rate there
        auto crossing = MakeScoped(scope, shared); // had one
        auto other = MakeScoped(scope, shared);    // has one elsewhere
        int told = 0;
        limited->SetListener([&] { ++told; });
        Hear(limited, Says(1, 0.25, 8), 0);  // 75; P is below T_d 0.3
        Hear(crossing, Says(1, 0.25, 8), 0); // 75
        CnpBody clear = Says(1, 0, 8);
        clear.clear = true;
        Hear(crossing, clear, 1); // 112.5: line rate
        Hear(other, Says(2, 0.25, 8), 0);
        CHECK(told == 0);
        Hear(hears, Says(1, 0.5, 8), 1000);
        CHECK(hears->GetFairRate() == 50 * GBPS);
        CHECK(limited->GetFairRate() == (scope == OFF ? 75 : 37.5) * GBPS);
        CHECK(crossing->GetFairRate() == (scope == ALL ? 50 : 100) * GBPS);
        CHECK(other->GetFairRate() == 75 * GBPS);
        CHECK(told == (scope == OFF ? 0 : 1));
        const uint32_t cuts[] = {99, 1, 2};
        CHECK(traced == cuts[scope]);
        CHECK(limited->GetDeadline() == (scope == OFF ? 30000 : 31000));
    }
}

TEST_CASE("HCC: a domain is cut once a CNP interval", "[hcc]")
{
    auto shared = CreateObject<CnpProcessor>();
    auto a = MakeScoped(SIBLINGS, shared);
    auto b = MakeScoped(SIBLINGS, shared);
    auto late = MakeScoped(SIBLINGS, shared);
    Hear(b, Says(1, 0.25, 16), 0); // 75
    Hear(a, Says(1, 0.5, 16), 1000);
    CHECK(a->GetFairRate() == 50 * GBPS);
    CHECK(b->GetFairRate() == 37.5 * GBPS);
    // Its own CNP of the same marks comes later: it has been cut for them.
    Hear(b, Says(1, 0.5, 16), 2000);
    CHECK(b->GetFairRate() == 37.5 * GBPS);
    Hear(a, Says(1, 0.5, 16), 4999);
    CHECK(a->GetFairRate() == 50 * GBPS);
    // A flow that had no rate when the domain was cut is cut alone.
    Hear(late, Says(1, 0.5, 16), 4999);
    CHECK(late->GetFairRate() == 50 * GBPS);
    CHECK(a->GetFairRate() == 50 * GBPS);
    // 4 us after 1000 all are cut again, and late has a rate now.
    Hear(a, Says(1, 0.5, 16), 5000);
    CHECK(a->GetFairRate() == 25 * GBPS);
    CHECK(b->GetFairRate() == 18.75 * GBPS);
    CHECK(late->GetFairRate() == 25 * GBPS);
    const auto& state = shared->GetDomains().at(7);
    CHECK(state.limits == 2);
    CHECK(state.cuts == 3);
    // At P = T_d the flow is cut alone: 0.3 is 9830.4 units, 9830 are not above.
    Hear(a, Says(1, 0.3, 16), 20000);
    CHECK(b->GetFairRate() == 18.75 * GBPS);
    // Stage 3: T_d 0.5.
    CnpBody far = Says(1, 0.5, 16);
    far.stage = 3;
    Hear(a, far, 30000);
    CHECK(b->GetFairRate() == 18.75 * GBPS);
    CHECK(state.limits == 2);
}

TEST_CASE("HCC: who has left a domain or died is not cut", "[hcc]")
{
    auto shared = CreateObject<CnpProcessor>();
    auto a = MakeScoped(ALL, shared);
    auto b = MakeScoped(ALL, shared);
    {
        auto dead = MakeScoped(ALL, shared);
        Hear(dead, Says(1, 0.25, 16), 0);
        auto disposed = MakeScoped(ALL, shared);
        Hear(disposed, Says(1, 0.25, 16), 0);
        disposed->Dispose();
    }
    Hear(b, Says(1, 0.25, 16), 0);
    CnpBody leave = Says(0, 0, 0);
    leave.leave = true;
    Hear(b, leave, 1);
    Hear(a, Says(1, 0.5, 16), 1000);
    CHECK(b->GetFairRate() == 100 * GBPS);
    CHECK(shared->GetDomains().at(7).cuts == 0);
    Hear(b, Says(1, 0.25, 16), 2000); // it crosses it again
    CHECK(b->GetFairRate() == 75 * GBPS);
    Hear(a, Says(1, 0.5, 16), 10000);
    CHECK(b->GetFairRate() == 37.5 * GBPS);
}

TEST_CASE("HCC law Article: above T_d the flows of the whole domain", "[hcc]")
{
    auto shared = CreateObject<CnpProcessor>();
    auto a = MakeScoped(OFF, shared, HccParameters::ARTICLE_LAW); // the scope is the article's
    auto b = MakeScoped(OFF, shared, HccParameters::ARTICLE_LAW);
    Hear(b, Says(1, 0.25, 8), 0);   // alpha 0.5: 100 x 0.875
    Hear(a, Says(2, 0.5, 8), 1000); // another point of the domain
    CHECK(a->GetFairRate() == 75 * GBPS);
    CHECK(b->GetFairRate() == 87.5 * 0.75 * GBPS);
    Hear(a, Says(2, 0.5, 8), 2000); // each CNP cuts its own flow, the others once an interval
    CHECK(a->GetFairRate() == 56.25 * GBPS);
    CHECK(b->GetFairRate() == 87.5 * 0.75 * GBPS);
}
