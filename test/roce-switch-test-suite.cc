/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Priority of data. */
constexpr uint8_t DATA = 3;

/** Store and forward through one hop; time to live; no route. */
class ForwardTest : public SwitchTest
{
  public:
    ForwardTest()
        : SwitchTest("forward, TTL, no route")
    {
    }

  private:
    void DoRun() override
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        star.At(NanoSeconds(10), [&] {
            star.hosts[0]->Send(1, 1, 1230, DATA, ECN_ECT0, 64);
            star.hosts[0]->Send(1, 1, 1230, DATA, ECN_ECT0, 1);
            star.hosts[0]->Send(1, 1, 1230, DATA, ECN_ECT0, 2);
            star.hosts[0]->Send(0, 1, 1230, DATA, ECN_ECT0, 0);
            star.hosts[0]->Send(9, 1, 1230, DATA, ECN_ECT0, 64);
        });
        Finish(star);
        const auto& arrivals = star.hosts[1]->arrivals;
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 2, "frames delivered");
        // 1250 bytes with preamble and gap last 100 ns at 100G: 10 + 2 * (100 + 1000)
        NS_TEST_EXPECT_MSG_EQ(arrivals[0].at, 2210, "store and forward");
        NS_TEST_EXPECT_MSG_EQ(arrivals[1].at, 2410, "third frame, 200 ns later");
        NS_TEST_EXPECT_MSG_EQ(+arrivals[0].header.ttl, 63, "one hop");
        NS_TEST_EXPECT_MSG_EQ(+arrivals[1].header.ttl, 1, "one hop");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetDrops(DropReason::TTL), 2, "TTL 1 and 0");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetDrops(DropReason::NO_ROUTE), 1, "unknown address");
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 3, "no other drops");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetEcnMarks(), 0, "no queue, no marks");
    }
};

/** Without PFC lossless priorities are lossy. */
class LossyTest : public SwitchTest
{
  public:
    LossyTest()
        : SwitchTest("PFC off: drops, no pauses")
    {
    }

  private:
    void DoRun() override
    {
        TestStar star(3, "100Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("PfcEnabled", BooleanValue(false));
        star.sw->SetAttribute("BufferSize", UintegerValue(200000));
        star.sw->SetAttribute("LossyReserveBytes", UintegerValue(0));
        star.sw->SetAttribute("LossyPoolFraction", DoubleValue(0));
        for (uint32_t i : {0, 1})
        {
            star.At(MicroSeconds(1),
                    [&star, i] { star.hosts[i]->Send(2, 1000, 1000, DATA, ECN_NOT_ECT, 64); });
        }
        Finish(star);
        const uint64_t lost = star.sw->GetDrops(DropReason::LOSSY_BUFFER);
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), lost, "all drops are lossy ones");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[2]->Count(DATA), 2000 - lost, "the rest arrives");
        NS_TEST_EXPECT_MSG_EQ(star.changes.size(), 0, "no pause");
        // two ingress queues at alpha 1 hold a third of the pool each; half of 2000 frames arrives
        // while the other half leaves, so about 1000 - 133 are lost
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, 867, 10, "lost");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.sw->GetMmu().GetTotal().peak, 133333, 2000, "peak");
    }
};

/** Link down: what is queued is dropped with its reason, and paused senders are let go. */
class LinkDownTest : public SwitchTest
{
  public:
    LinkDownTest()
        : SwitchTest("link down")
    {
    }

  private:
    void DoRun() override
    {
        TestStar star(3, "100Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("BufferSize", UintegerValue(2000000));
        star.At(MicroSeconds(0), [&] { star.hosts[2]->Pause(DATA, 65535); });
        for (uint32_t i : {0, 1})
        {
            star.At(MicroSeconds(2),
                    [&star, i] { star.hosts[i]->Send(2, 1000, 1048, DATA, ECN_NOT_ECT, 64); });
        }
        uint64_t stored = 0;
        star.At(MicroSeconds(100), [&] {
            NS_TEST_EXPECT_MSG_EQ(+star.sw->GetPfcController()->GetMask(0), 1 << DATA, "paused");
            NS_TEST_EXPECT_MSG_EQ(+star.sw->GetPfcController()->GetMask(1), 1 << DATA, "paused");
            stored = star.sw->GetMmu().GetTotal().used;
            star.cables[1]->SetUp(false);
            NS_TEST_EXPECT_MSG_EQ(star.sw->GetMmu().GetTotal().used, stored, "input link");
            NS_TEST_EXPECT_MSG_EQ(+star.sw->GetPfcController()->GetMask(1), 0, "forgotten");
            star.cables[2]->SetUp(false);
            NS_TEST_EXPECT_MSG_EQ(star.sw->GetMmu().GetTotal().used, 0, "output link");
            NS_TEST_EXPECT_MSG_EQ(+star.sw->GetPfcController()->GetMask(0), 0, "let go");
        });
        Finish(star);
        NS_TEST_EXPECT_MSG_EQ((stored > 300000), true, "a backlog was there");
        // all of host 0's frames and those of host 1 that came before its link broke
        const uint64_t lost = star.sw->GetDrops(DropReason::LINK_DOWN);
        NS_TEST_EXPECT_MSG_EQ(lost, star.drops.size(), "all for the same reason");
        NS_TEST_EXPECT_MSG_EQ(lost, star.sw->GetFramesIn(), "no frame survives");
        NS_TEST_EXPECT_MSG_EQ((lost > 1000), true, "all of host 0, some of host 1");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[2]->arrivals.size(), 0, "nothing arrives");
    }
};

/** Step marking, counted by hand. */
class StepMarkTest : public SwitchTest
{
  public:
    StepMarkTest()
        : SwitchTest("step marking")
    {
    }

  private:
    /** \return marks. \param priority of the frames \param enabled EcnEnabled */
    uint32_t RunOnce(uint8_t priority, bool enabled)
    {
        TestStar star(2, "200Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("EcnEnabled", BooleanValue(enabled));
        auto marker = star.sw->GetEcnMarker();
        marker->SetAttribute("KminBytes", UintegerValue(5000)); // at 100G, so 10000 here
        marker->SetAttribute("KmaxBytes", UintegerValue(5000));
        star.At(MicroSeconds(0), [&, priority] { star.hosts[1]->Pause(priority, 65535); });
        star.At(MicroSeconds(2), [&, priority] {
            star.hosts[0]->Send(1, 30, 1000, priority, ECN_ECT0, 64);
            star.hosts[0]->Send(1, 5, 1000, 5, ECN_ECT0, 64); // not paused, never queued
        });
        star.At(MicroSeconds(30), [&, priority] { star.hosts[1]->Pause(priority, 0); });
        Finish(star);
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->arrivals.size(), 35, "delivered");
        uint32_t marked = 0;
        uint32_t next = 0;
        for (const auto& arrival : star.hosts[1]->arrivals)
        {
            if (arrival.header.priority == priority)
            {
                // frame i leaves 29 - i frames behind
                const bool due = enabled && (29 - next) * 1000 > 10000;
                NS_TEST_EXPECT_MSG_EQ((arrival.header.ecn == ECN_CE), due, "frame " << next);
                ++next;
            }
            marked += arrival.header.ecn == ECN_CE;
        }
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetEcnMarks(), marked, "counted");
        NS_TEST_EXPECT_MSG_EQ(star.marks, marked, "traced");
        Simulator::Destroy();
        return marked;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RunOnce(DATA, true), 19, "frames 0 to 18");
        NS_TEST_EXPECT_MSG_EQ(RunOnce(0, true), 19, "a lossy class");
        NS_TEST_EXPECT_MSG_EQ(RunOnce(DATA, false), 0, "ECN off");
    }
};

/** Settings that do not fit are refused before the run. */
class RefusalTest : public SwitchTest
{
  public:
    RefusalTest()
        : SwitchTest("refusals")
    {
    }

  private:
    void DoRun() override
    {
        TestStar star(4, "100Gbps", NanoSeconds(1000));
        star.sw->SetId(77);
        star.sw->SetAttribute("BufferSize", UintegerValue(300000));
        std::string text;
        try
        {
            star.sw->Freeze();
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        // headroom 37646 (4174 + 2 * 4194 + 84 + 25000) for 4 ports and 2 priorities
        for (const char* part : {"switch 77", "301168", "300000", "BufferSize"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in: " << text);
        }
        star.sw->SetAttribute("BufferSize", UintegerValue(1000000));
        star.sw->SetPortBuffer(2, 50000, 0.5);
        star.sw->Freeze();
        const SwitchMmu& mmu = star.sw->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu.GetHeadroom(1), 37646, "automatic");
        NS_TEST_EXPECT_MSG_EQ(mmu.GetHeadroom(2), 50000, "of its own");
        NS_TEST_EXPECT_MSG_EQ(mmu.GetThreshold(2, DATA), mmu.GetPool(true).size / 2, "alpha");
        NS_TEST_EXPECT_MSG_EQ(mmu.GetThreshold(1, DATA), mmu.GetPool(true).size / 8, "alpha");
        Finish(star);
    }
};

/** Suite roce-switch. */
class SwitchTestSuite : public TestSuite
{
  public:
    SwitchTestSuite()
        : TestSuite("roce-switch", TestSuite::Type::UNIT)
    {
        AddTestCase(new ForwardTest, D::QUICK);
        AddTestCase(new LossyTest, D::QUICK);
        AddTestCase(new LinkDownTest, D::QUICK);
        AddTestCase(new StepMarkTest, D::QUICK);
        AddTestCase(new RefusalTest, D::QUICK);
    }
};

SwitchTestSuite g_switchTestSuite;

} // namespace
