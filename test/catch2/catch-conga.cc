/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-balancer-test.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/roce-conga-header.h"
#include "ns3/roce-conga-load-balancer.h"
#include "ns3/roce-conga-tables.h"
#include "ns3/roce-dre.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G = 1000000000;
constexpr uint16_t UPLINKS[] = {2, 3};

/** A leaf with hosts at ports 0 and 1 and uplinks at ports 2 and 3; FlowFrame goes to leaf 1. */
struct CongaLeaf
{
    CongaLeaf()
        : ports({100 * G, 100 * G, 100 * G, 100 * G}),
          conga(CreateObject<CongaLoadBalancer>()),
          locators(std::make_shared<LocatorTable>())
    {
        locators->Set(0x0b000001, 0, 0);
        locators->Set(0x0b000101, 0, 1);
        locators->Set(0x0b002201, 1, 0);
        conga->SetAttribute("Gap", TimeValue(NanoSeconds(1000)));
        conga->SetAttribute("AgingTime", TimeValue(MicroSeconds(100)));
        conga->AssignStreams(1);
        conga->Assemble(7, ports.pointers);
        conga->Join(locators, 0);
    }

    /** \return port of flow i. \param i the flow \param now present tick */
    uint32_t Pick(uint32_t i, Tick now) const
    {
        const Frame frame = FlowFrame(i);
        return conga->Pick(&frame, UPLINKS, 2, now);
    }

    /** A frame comes back from leaf 1 and goes to host 0. \param header what it carries \param now
     *  present tick */
    void Hear(const CongaHeader& header, Tick now) const
    {
        Frame frame = FlowFrame(0);
        std::swap(frame.source, frame.destination);
        header.Write(&frame);
        conga->Forward(&frame, 0, now);
        CHECK_FALSE(CongaHeader::IsIn(&frame));
    }

    StillPorts ports;
    Ptr<CongaLoadBalancer> conga;
    std::shared_ptr<LocatorTable> locators;
};

} // namespace

TEST_CASE("DRE: n packets and k decays by hand", "[conga]")
{
    Dre dre;
    dre.Configure(1, 1000, 0.25, 3);
    // 100 bytes in each of n periods: 100 (1 - 0.75^n) / 0.25, n = 5: 400 x (1 - 243/1024)
    for (Tick period = 0; period < 5; ++period)
    {
        dre.Add(60, 1000 * period);
        dre.Add(40, 1000 * period + 999);
    }
    CHECK(dre.GetRegister(4999) == 305.078125);
    // three decays: x 27/64
    CHECK(dre.GetRegister(7999) == 128.704833984375);
    CHECK(dre.GetMetric(1000000) == 0);
}

TEST_CASE("DRE: the metric is rounded and capped", "[conga]")
{
    Dre dre;
    dre.Configure(1, 1000, 0.5, 3); // C x tau = 2000 bytes, a step is 250
    CHECK(dre.GetMetric(0) == 0);
    dre.Add(124, 0);
    CHECK(dre.GetMetric(0) == 0); // 0.496 steps
    dre.Add(1, 0);
    CHECK(dre.GetMetric(0) == 1); // 0.5
    dre.Add(999, 0);
    CHECK(dre.GetMetric(0) == 4); // 1124 / 250 = 4.496
    dre.Add(1, 0);
    CHECK(dre.GetMetric(0) == 5);
    CHECK(dre.GetMetric(1000) == 2); // 562.5 / 250 = 2.25
    dre.Add(100000, 1000);
    CHECK(dre.GetMetric(1000) == 7); // 2^3 - 1
    dre.Configure(1, 1000, 0.5, 4);  // a step is 125
    CHECK(dre.GetRegister(0) == 0);
    dre.Add(1000, 0);
    CHECK(dre.GetMetric(0) == 8);
}

TEST_CASE("DRE: a steady rate R gives X = R tau", "[conga]")
{
    // 100 Gb/s are 12.5 bytes a ns; T 16 us, alpha 0.1: tau 160 us, C x tau 2 MB, a step 250 kB.
    // 1000 bytes each 160, 320 or 80 ns are 1/2, 1/4 and all of the rate. At the end of a period
    // X / step = 4, 2, 8; after the decay 3.6, 1.8, 7.2, which round to the same or are capped.
    const std::vector<std::pair<Tick, unsigned>> cases = {{160, 4}, {320, 2}, {80, 7}};
    for (const auto& [interval, metric] : cases)
    {
        Dre dre;
        Dre watched;
        dre.Configure(12.5, 16000, 0.1, 3);
        watched.Configure(12.5, 16000, 0.1, 3);
        // 0.9^300 = 2e-14: 4.8 ms and then one period
        for (Tick now = 0; now < 4816000; now += interval)
        {
            dre.Add(1000, now);
            watched.Add(1000, now);
            watched.GetMetric(now);
        }
        CHECK(dre.GetRegister(4815999) == Approx(1000.0 / interval * 160000).epsilon(1e-9));
        CHECK(dre.GetRegister(4815999) == Approx(watched.GetRegister(4815999)).epsilon(1e-12));
        CHECK(dre.GetMetric(4815999) == metric);
        CHECK(dre.GetMetric(4816000) == metric);
    }
}

TEST_CASE("CONGA tables: values and aging", "[conga]")
{
    CongaTables tables;
    tables.Configure(500);
    CHECK(tables.GetTo(3, 1, 0) == 0); // unknown
    tables.SetTo(3, 1, 5, 100);
    CHECK(tables.GetTo(3, 1, 100) == 5);
    CHECK(tables.GetTo(3, 0, 100) == 0);
    CHECK(tables.GetTo(2, 1, 100) == 0);
    CHECK(tables.GetFrom(3, 1, 100) == 0); // the other table
    CHECK(tables.GetTo(3, 1, 599) == 5);
    CHECK(tables.GetTo(3, 1, 600) == 4);  // 500 later
    CHECK(tables.GetTo(3, 1, 1600) == 2); // three times 500
    CHECK(tables.GetTo(3, 1, 2600) == 0);
    CHECK(tables.GetTo(3, 1, 1000000) == 0); // not below
    tables.SetTo(3, 1, 4, 1600);             // renewed
    CHECK(tables.GetTo(3, 1, 2099) == 4);
    tables.SetFrom(3, 2, 7, 0);
    CHECK(tables.GetFrom(3, 2, 500) == 6);
    tables.Configure(NEVER);
    CHECK(tables.GetTo(3, 1, 2099) == 0); // forgotten
    tables.SetTo(3, 1, 4, 0);
    CHECK(tables.GetTo(3, 1, NEVER - 1) == 4);
}

TEST_CASE("CONGA tables: feedback goes round, changes go first", "[conga]")
{
    CongaTables tables;
    tables.Configure(1000);
    CHECK(tables.NextFeedback(0, 0).tag == CongaHeader::NO_TAG);
    tables.SetFrom(0, 0, 2, 0);
    tables.SetFrom(0, 1, 3, 0);
    tables.SetFrom(0, 3, 4, 0); // tag 2 was never heard
    auto next = [&](Tick now) {
        const CongaTables::Feedback feedback = tables.NextFeedback(0, now);
        return std::pair<int, int>(feedback.tag, feedback.metric);
    };
    // all are new
    CHECK(next(0) == std::pair(0, 2));
    CHECK(next(0) == std::pair(1, 3));
    CHECK(next(0) == std::pair(3, 4));
    // none changed: in turn
    CHECK(next(0) == std::pair(0, 2));
    CHECK(next(0) == std::pair(1, 3));
    // tag 1 changes: before tag 3, whose turn it is; then on from there
    tables.SetFrom(0, 1, 6, 0);
    CHECK(next(0) == std::pair(1, 6));
    CHECK(next(0) == std::pair(3, 4));
    CHECK(next(0) == std::pair(0, 2));
    // an aged value is a changed one
    CHECK(next(1000) == std::pair(1, 5));
    CHECK(tables.NextFeedback(1, 0).tag == CongaHeader::NO_TAG); // another leaf
}

TEST_CASE("CONGA: the header of the overlay", "[conga]")
{
    Frame frame{};
    frame.flags = FRAME_ACK_REQUEST;
    CHECK_FALSE(CongaHeader::IsIn(&frame));
    CongaHeader header;
    header.tag = 254;
    header.congestion = 3;
    header.feedbackTag = 17;
    header.feedback = 15;
    header.Write(&frame);
    CHECK(CongaHeader::IsIn(&frame));
    CongaHeader::Raise(&frame, 2);
    CHECK(CongaHeader::Read(&frame).congestion == 3); // the largest on the way
    CongaHeader::Raise(&frame, 9);
    const CongaHeader read = CongaHeader::Read(&frame);
    CHECK(read.tag == 254);
    CHECK(read.congestion == 9);
    CHECK(read.feedbackTag == 17);
    CHECK(read.feedback == 15);
    CongaHeader::Remove(&frame);
    CHECK(frame.flags == FRAME_ACK_REQUEST);
}

TEST_CASE("CONGA: headers come and go at the leaf", "[conga]")
{
    CongaLeaf leaf;
    CHECK(leaf.conga->GetTag(1) == CongaHeader::NO_TAG);
    CHECK(leaf.conga->GetTag(2) == 0);
    CHECK(leaf.conga->GetTag(3) == 1);
    Frame up = FlowFrame(1);
    leaf.conga->Forward(&up, 3, 0);
    REQUIRE(CongaHeader::IsIn(&up));
    CHECK(CongaHeader::Read(&up).tag == 1);
    CHECK(CongaHeader::Read(&up).congestion == 0);
    CHECK(CongaHeader::Read(&up).feedbackTag == CongaHeader::NO_TAG);
    // 1020 bytes with preamble and gap of 2 MB x 1/8: metric 0; 124 more make half a step
    leaf.conga->Depart(&up, 3, 0);
    CHECK(CongaHeader::Read(&up).congestion == 0);
    for (int i = 0; i < 122; ++i)
    {
        leaf.conga->Depart(&up, 3, 0);
    }
    CHECK(CongaHeader::Read(&up).congestion == 1); // 123 x 1020 = 125460 > 125000
    // a frame from leaf 1 that took its uplink 5
    CongaHeader header;
    header.tag = 5;
    header.congestion = 6;
    header.feedbackTag = 1;
    header.feedback = 4;
    leaf.Hear(header, 50);
    CHECK(leaf.conga->GetTables().GetFrom(1, 5, 50) == 6);
    CHECK(leaf.conga->GetPathMetric(1, 3, 50) == 4);
    CHECK(leaf.conga->GetPathMetric(1, 2, 50) == 0);
    // and what it told goes back
    Frame next = FlowFrame(2);
    leaf.conga->Forward(&next, 2, 60);
    CHECK(CongaHeader::Read(&next).feedbackTag == 5);
    CHECK(CongaHeader::Read(&next).feedback == 6);
    // between hosts of the leaf there is no overlay
    Frame local = FlowFrame(3);
    leaf.conga->Forward(&local, 1, 60);
    CHECK_FALSE(CongaHeader::IsIn(&local));
}

TEST_CASE("CONGA: the least of the largest metrics", "[conga]")
{
    CongaLeaf leaf;
    // nothing known: random; all 32 alike has probability 2^-31
    std::set<uint32_t> used;
    for (uint32_t i = 0; i < 32; ++i)
    {
        used.insert(leaf.Pick(i, 0));
    }
    CHECK(used.size() == 2);
    const uint32_t first = leaf.Pick(100, 0);
    const uint32_t other = 5 - first;
    // its own link at half the rate (4 of 8: 980 x 1020 = 1 MB), nothing known beyond
    Frame frame = FlowFrame(100);
    for (int i = 0; i < 981; ++i)
    {
        leaf.conga->Depart(&frame, first, 0);
    }
    CHECK(leaf.conga->GetLocalMetric(first, 0) == 4);
    CHECK(leaf.Pick(100, 999) == first); // the same flowlet
    CHECK(leaf.Pick(100, 1999) == other);
    // beyond the other uplink it is worse
    CongaHeader header;
    header.tag = 0;
    header.feedbackTag = leaf.conga->GetTag(other);
    header.feedback = 5;
    leaf.Hear(header, 2000);
    CHECK(leaf.Pick(100, 2999) == first);
    // alike on both: 4 here, 4 there. New flows draw, and a flow stays where it is: by chance 12
    // times with probability 2^-12. No period of 16 us ends meanwhile
    header.feedback = 4;
    leaf.Hear(header, 3000);
    used.clear();
    for (uint32_t i = 200; i < 232; ++i)
    {
        used.insert(leaf.Pick(i, 3100));
    }
    CHECK(used.size() == 2);
    for (Tick now = 4000; now < 16000; now += 1000)
    {
        CHECK(leaf.Pick(100, now) == first);
    }
}

TEST_CASE("CONGA: what cannot be is refused", "[conga]")
{
    // 256 ports without hosts: one more than there are tags
    StillPorts ports(std::vector<uint64_t>(257, 100 * G));
    auto conga = CreateObject<CongaLoadBalancer>();
    conga->Assemble(1, ports.pointers);
    auto locators = std::make_shared<LocatorTable>();
    locators->Set(0x0b000001, 0, 0);
    CHECK_THROWS_AS(conga->Join(locators, 0), std::invalid_argument);
    locators->Set(0x0b000101, 0, 1);
    CHECK_NOTHROW(conga->Join(locators, 0));
}
