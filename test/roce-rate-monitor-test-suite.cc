/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-experiment-run.h"
#include "ns3/roce-hcc.h"
#include "ns3/roce-link-use.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/roce-pause-storm.h"
#include "ns3/roce-run-series.h"

#include <cmath>

using namespace ns3;
using namespace ns3::roce;

namespace
{

// A packet of 1000 bytes: Ethernet 14 + IPv4 20 + UDP 8 + BTH 12 + ICRC 4 + FCS 4 = 62 more, and 20
// of preamble and gap: 1082 bytes, 86.56 ns at 100 Gb/s. The first one of a WRITE has 16 of RETH.
// An ACK has 66 bytes.
constexpr double PACKET_NS = 86.56;

/** \return a monitor. \param fabric to watch \param interval between samples \param pairs at most
 */
Ptr<RateMonitor>
Watch(Ptr<Fabric> fabric, Time interval, uint32_t pairs = 64)
{
    MonitorHelper monitors;
    monitors.SetRateAttribute("Interval", TimeValue(interval));
    monitors.SetRateAttribute("QueuePairs", UintegerValue(pairs));
    return monitors.InstallRateMonitor(fabric);
}

/** What is acknowledged over time, from arithmetic. */
class LoneRateTest : public FabricTest
{
  public:
    LoneRateTest()
        : FabricTest("a lone flow: rate and acknowledged bytes at each sample")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("AckInterval", UintegerValue(1));
        Build(StarGraph(2, 100 * GBPS, 1000));
        Post(Open(0, 1), 2000000);
        Ptr<RateMonitor> monitor = Watch(fabric, MicroSeconds(10));
        Run();
        const auto tracks = monitor->GetTracks();
        NS_TEST_ASSERT_MSG_EQ(tracks.size(), 1, "one queue pair, and no points under none");
        const RateTrack& track = tracks[0];
        NS_TEST_EXPECT_MSG_EQ(track.IsOwn(), true, "of the queue pair");
        NS_TEST_EXPECT_MSG_EQ(track.host, 0, "sender");
        NS_TEST_EXPECT_MSG_EQ(track.peer, 1, "receiver");
        // 2000 packets of 86.56 ns and a round trip of 4 us and a bit: 177.3 us
        NS_TEST_ASSERT_MSG_EQ(track.samples.size(), 19, "at 0, 10, ... 180 us");
        for (std::size_t i = 0; i < track.samples.size(); ++i)
        {
            const RateSample& sample = track.samples[i];
            NS_TEST_EXPECT_MSG_EQ(sample.at, Tick(10000 * i), "time");
            NS_TEST_EXPECT_MSG_EQ(sample.rateBps, 1e11, "line rate");
            // the ACK of packet n: n packets, 1.28 ns of RETH, the last one once more on the second
            // link, two ACKs of 86 bytes on the wire, four cables
            const double first = PACKET_NS + 1.28 + 2 * 86 * 0.08 + 4000;
            const double packets = std::floor((sample.at - first) / PACKET_NS);
            const double expected = 1000 * std::clamp(packets, 0.0, 2000.0);
            NS_TEST_EXPECT_MSG_EQ_TOL(double(sample.bytes), expected, 1000, "bytes at " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(track.samples.back().bytes, 2000000, "all");
        // 10 us hold 115.5 packets
        const double goodput = RunSeries::GoodputBps(track.samples, 10);
        NS_TEST_EXPECT_MSG_EQ_TOL(goodput, 8e3 / (PACKET_NS * 1e-9), 8e3 / 10e-6, "goodput");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(RunSeries::GoodputBps(track.samples, 0)), true, "first");
    }
};

/** It stops when the fabric is idle, and goes on with the next message. */
class IdleRateTest : public FabricTest
{
  public:
    IdleRateTest()
        : FabricTest("nothing is read while nothing is open")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, 100 * GBPS, 1000));
        TestFlow& flow = Open(0, 1);
        Post(flow, 100000); // 100 packets and 4.2 us: 12.9 us
        Ptr<RateMonitor> monitor = Watch(fabric, MicroSeconds(10));
        At(MicroSeconds(100), [&]() { Post(flow, 100000); });
        Run();
        std::vector<Tick> times;
        std::vector<uint64_t> bytes;
        const RateTrack track = monitor->GetTracks().at(0);
        for (const RateSample& sample : track.samples)
        {
            times.push_back(sample.at / 1000);
            bytes.push_back(sample.bytes);
        }
        NS_TEST_EXPECT_MSG_EQ((times == std::vector<Tick>{0, 10, 20, 100, 110, 120}), true, "when");
        NS_TEST_EXPECT_MSG_EQ(bytes.at(2), 100000, "the first message at 20 us");
        NS_TEST_EXPECT_MSG_EQ(bytes.at(3), 100000, "nothing came until the second was posted");
        NS_TEST_EXPECT_MSG_EQ(bytes.at(5), 200000, "both");
    }
};

/** However long a run is, a track stays short; a monitor changes nothing. */
class ThinRateTest : public FabricTest
{
  public:
    ThinRateTest()
        : FabricTest("every second sample goes when there are too many; no result changes")
    {
    }

  private:
    Tick Fct(Ptr<RateMonitor>* monitor)
    {
        Build(StarGraph(2, 100 * GBPS, 1000));
        TestFlow& flow = Open(0, 1);
        Post(flow, 2000000);
        if (monitor)
        {
            *monitor = Watch(fabric, NanoSeconds(100));
        }
        Run();
        return flow.Fct();
    }

    void DoRun() override
    {
        const Tick alone = Fct(nullptr);
        Reset();
        Ptr<RateMonitor> monitor;
        NS_TEST_EXPECT_MSG_EQ(Fct(&monitor), alone, "the same with a monitor");
        // 177.3 us are 1773 beats; 512 with a stride of 1, 2, then 4: the last one at 177.2 us
        const auto samples = monitor->GetTracks().at(0).samples;
        NS_TEST_ASSERT_MSG_GT(samples.size(), 400, "not too few");
        NS_TEST_EXPECT_MSG_LT(samples.size(), 512, "not too many");
        for (std::size_t i = 1; i + 1 < samples.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(samples[i].at - samples[i - 1].at, 400, "evenly");
        }
        NS_TEST_EXPECT_MSG_EQ(samples.back().bytes, 2000000, "the end is read whatever the stride");
    }
};

/** Rates for congestion points are those of the law. */
class PointRateTest : public FabricTest
{
  public:
    PointRateTest()
        : FabricTest("hierarchical congestion control: the rates for congestion points")
    {
    }

  private:
    /** The law and the last samples, between two beats. */
    void Compare(Ptr<RateMonitor> monitor)
    {
        const auto tracks = monitor->GetTracks();
        for (const TestFlow& flow : flows)
        {
            auto law = DynamicCast<Hcc>(flow.pair.qp->GetCongestionControl());
            law->Advance(ToTick(Simulator::Now()));
            for (const HccEntry& entry : law->GetEntries())
            {
                for (const RateTrack& track : tracks)
                {
                    if (track.host != flow.source || track.point != entry.point)
                    {
                        continue;
                    }
                    ++m_compared;
                    m_limited += entry.limits;
                    const double rate = entry.limits ? entry.rate : 1e11;
                    NS_TEST_EXPECT_MSG_EQ(track.domain, entry.domain, "domain");
                    NS_TEST_EXPECT_MSG_EQ_TOL(track.samples.back().rateBps, rate, 1, "rate");
                }
            }
        }
    }

    void DoRun() override
    {
        helper->SetCongestionControl("hcc");
        Build(StarGraph(5, 100 * GBPS, 1000));
        for (uint32_t host = 0; host < 4; ++host)
        {
            Post(Open(host, 4), 2000000);
        }
        Ptr<RateMonitor> monitor = Watch(fabric, MicroSeconds(5));
        for (int64_t us = 50; us <= 600; us += 50)
        {
            At(NanoSeconds(1000 * us + 1), [this, monitor]() { Compare(monitor); });
        }
        Run();
        NS_TEST_EXPECT_MSG_GT(m_compared, 20, "rates were compared");
        NS_TEST_EXPECT_MSG_GT(m_limited, 10, "and most of them limited");
        Reset();

        helper->SetCongestionControl("hcc");
        Build(StarGraph(5, 100 * GBPS, 1000));
        for (uint32_t host = 0; host < 4; ++host)
        {
            Post(Open(host, 4), 100000);
        }
        monitor = Watch(fabric, MicroSeconds(5), 3);
        Run();
        uint32_t pairs = 0;
        for (const RateTrack& track : monitor->GetTracks())
        {
            pairs += track.IsOwn();
        }
        NS_TEST_EXPECT_MSG_EQ(pairs, 3, "as many as asked for");
        NS_TEST_EXPECT_MSG_EQ(monitor->GetIgnored(), 1, "the fourth is counted");
    }

    uint32_t m_compared{0};
    uint32_t m_limited{0};
};

/** Keys rates, pauses and links of a run. */
class SeriesTest : public FabricTest
{
  public:
    SeriesTest()
        : FabricTest("keys rates, pauses and links of a run")
    {
    }

  private:
    void CheckLinks()
    {
        helper->SetNicAttribute("AckInterval", UintegerValue(1));
        Build(StarGraph(3, 100 * GBPS, 1000));
        Post(Open(0, 1), 1000000);
        ExperimentRun run("x", fabric, false);
        run.EnableLinks();
        run.EnableRateMonitor(MicroSeconds(10));
        run.Run();
        const auto uses = LinkUse::Read(*fabric, *run.GetMonitor());
        NS_TEST_ASSERT_MSG_EQ(uses.size(), 3, "three links");
        // link 0 is from host 0 to the switch: 1000 packets of 1062 bytes and one RETH
        NS_TEST_EXPECT_MSG_EQ(uses[0].bytesToB, 1062016, "data goes up");
        NS_TEST_EXPECT_MSG_EQ(uses[0].bytesToA, 66000, "1000 ACKs of 66 bytes come down");
        NS_TEST_EXPECT_MSG_EQ(uses[1].bytesToA, 1062016, "data goes down to host 1");
        NS_TEST_EXPECT_MSG_EQ(uses[2].bytesToA + uses[2].bytesToB, 0, "host 2 has no part");
        NS_TEST_EXPECT_MSG_EQ(uses[2].shareToB, 0, "and no use");
        const double busiest = run.GetResult().utilizationBottleneck;
        NS_TEST_EXPECT_MSG_EQ_TOL(uses[0].shareToB, busiest, 1e-12, "the busiest one");
        // 1082016 bytes in the FCT: 1000 packets, RETH, the last packet again, ACKs, cables
        const double fct = 1001 * PACKET_NS + 1.28 + 2 * 86 * 0.08 + 4000;
        NS_TEST_EXPECT_MSG_EQ_TOL(busiest, 1082016 * 0.08 / fct, 1e-4, "from arithmetic");
        const auto& extra = run.GetExtra();
        NS_TEST_EXPECT_MSG_EQ(extra["links"][0]["bytes_to_b"], 1062016, "as JSON");
        NS_TEST_EXPECT_MSG_EQ(extra["rates"]["queue_pairs"][0]["peer"], 1, "who to whom");
        NS_TEST_EXPECT_MSG_EQ(extra["rates"]["queue_pairs"][0]["rate_bps"][3], 1e11, "line rate");
        NS_TEST_EXPECT_MSG_EQ(extra["rates"]["interval_ns"], 10000, "interval");
        NS_TEST_EXPECT_MSG_EQ(extra.contains("pauses"), false, "was not asked for");
    }

    void CheckPauses()
    {
        Build(StarGraph(2, 100 * GBPS, 1000));
        Post(Open(0, 1), 10000000); // 0.87 ms
        ExperimentRun run("x", fabric, false);
        run.EnablePauseMonitor();
        auto storm = CreateObject<PauseStorm>();
        storm->Start(fabric->GetPort(1, 0), 0x08, MicroSeconds(50), MicroSeconds(100));
        auto later = CreateObject<PauseStorm>();
        later->Start(fabric->GetPort(1, 0), 0x08, MicroSeconds(200), MilliSeconds(1));
        run.Run(MicroSeconds(300));
        const auto& pauses = run.GetExtra()["pauses"];
        NS_TEST_EXPECT_MSG_EQ(pauses["end_s"], 300e-6, "end of the run");
        const auto& first = pauses["episodes"][0];
        // a frame of 64 bytes, preamble and gap: 6.72 ns, and 1 us of cable; to a tick
        NS_TEST_EXPECT_MSG_EQ_TOL(first["begin_s"].get<double>(), 51.00672e-6, 1e-9, "begin");
        NS_TEST_EXPECT_MSG_EQ_TOL(first["end_s"].get<double>(), 151.00672e-6, 1e-9, "end");
        NS_TEST_EXPECT_MSG_EQ(first["by"], 1, "host 1");
        NS_TEST_EXPECT_MSG_EQ(first["by_host"], true, "is a host");
        NS_TEST_EXPECT_MSG_EQ(first["node"], 2, "stops the switch");
        NS_TEST_EXPECT_MSG_EQ(first["host"], false, "which is none");
        uint32_t open = 0;
        for (const auto& episode : pauses["episodes"])
        {
            open += episode["by_host"] && episode["end_s"].is_null();
        }
        NS_TEST_EXPECT_MSG_EQ(open, 1, "the second storm goes on at the end");
        NS_TEST_EXPECT_MSG_EQ(pauses["count"], pauses["episodes"].size(), "all are listed");
        storm->Dispose();
        later->Dispose();
    }

    void DoRun() override
    {
        CheckLinks();
        Reset();
        CheckPauses();
    }
};

/** Suite roce-rate-monitor. */
class RateMonitorTestSuite : public TestSuite
{
  public:
    RateMonitorTestSuite()
        : TestSuite("roce-rate-monitor", TestSuite::Type::UNIT)
    {
        AddTestCase(new LoneRateTest, D::QUICK);
        AddTestCase(new IdleRateTest, D::QUICK);
        AddTestCase(new ThinRateTest, D::QUICK);
        AddTestCase(new PointRateTest, D::QUICK);
        AddTestCase(new SeriesTest, D::QUICK);
    }
};

RateMonitorTestSuite g_rateMonitorTestSuite;

} // namespace
