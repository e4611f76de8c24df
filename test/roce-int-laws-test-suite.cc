/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-hpcc-rate.h"
#include "ns3/roce-hpcc.h"
#include "ns3/roce-int-stamper.h"
#include "ns3/roce-power-tcp.h"
#include "ns3/roce-theta-power-tcp.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/**
 * Flows from hosts 0 and 1 to host 2 over one switch, links of 100 Gb/s and 2 us.
 *
 * A frame has 1062 bytes, and 1082 with preamble and gap. A full link carries 100 x 1000 / 1082 =
 * 92.42 Gb/s of payload. Telemetry counts frames, so HPCC holds 95 Gb/s of them: 95 x 1000 / 1062 =
 * 89.45 Gb/s of payload.
 */
class LawTest : public FabricTest
{
  public:
    explicit LawTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    /** \param law TypeId \param layout of the stamper, or "" for none \param senders 1 or 2
     *  \param bytes of each \return Gb/s of payload, until the last message is complete */
    double RunOnce(const std::string& law,
                   const std::string& layout,
                   uint32_t senders,
                   uint64_t bytes)
    {
        helper->SetCongestionControl(law);
        helper->SetCongestionStack(CongestionStack()); // the stamper comes below
        helper->SetNicAttribute("AckInterval", UintegerValue(1));
        helper->SetNicAttribute("PathMtu", UintegerValue(1000));
        Build(StarGraph(3, 100 * GBPS, 2000));
        if (!layout.empty())
        {
            auto stamper = CreateObject<IntStamper>();
            stamper->SetAttribute("Layout", StringValue(layout));
            stamper->SetAttribute("CountBytes", BooleanValue(false));
            stamper->SetAttribute("Multi", UintegerValue(2)); // 100 Gb/s
            fabric->GetSwitch(3)->AddStage(stamper);
        }
        for (uint32_t i = 0; i < senders; ++i)
        {
            Post(Open(i, 2), bytes);
        }
        Run();
        Tick last = 0;
        for (const TestFlow& flow : flows)
        {
            last = std::max(last, flow.Fct());
        }
        return double(senders * bytes) * 8 / static_cast<double>(last);
    }
};

/** A single flow, with each law and layout. */
class SingleFlowTest : public LawTest
{
  public:
    SingleFlowTest()
        : LawTest("one flow over a switch")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string layout : {"hpcc", "hpcc-extended", "int-md"})
        {
            for (const std::string law : {"Hpcc", "HpccRate", "PowerTcp"})
            {
                const double rate = RunOnce("ns3::roce::" + law, layout, 1, 20000000);
                const double expected = law == "PowerTcp" ? 92.42 : 89.45;
                NS_TEST_EXPECT_MSG_EQ_TOL(rate, expected, 0.01 * expected, law << " " << layout);
                auto cc = DynamicCast<WindowControl>(flows[0].pair.qp->GetCongestionControl());
                NS_TEST_EXPECT_MSG_EQ(cc->GetUnknown(), 0, law << ": each ACK has a record");
                NS_TEST_EXPECT_MSG_GT(cc->GetRounds(), 50, law << ": rounds");
                Reset();
            }
        }
        const double rate = RunOnce("ns3::roce::ThetaPowerTcp", "", 1, 20000000);
        NS_TEST_EXPECT_MSG_EQ_TOL(rate, 92.42, 0.01 * 92.42, "theta");
        Reset();
    }
};

/** Two flows to one host. */
class SharedLinkTest : public LawTest
{
  public:
    SharedLinkTest()
        : LawTest("two flows over a switch")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string law : {"Hpcc", "HpccRate", "PowerTcp", "ThetaPowerTcp"})
        {
            const bool hpcc = law.compare(0, 4, "Hpcc") == 0;
            const double rate = RunOnce("ns3::roce::" + law, "hpcc", 2, 10000000);
            const double expected = hpcc ? 89.45 : 92.42;
            // both end at nearly the same time, as their shares are equal; what one of them
            // has left when the other ends is sent alone
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, expected, 0.02 * expected, law);
            const double first = static_cast<double>(flows[0].Fct());
            const double second = static_cast<double>(flows[1].Fct());
            NS_TEST_EXPECT_MSG_LT(std::abs(first - second), 0.1 * first, law << ": shares");
            Reset();
        }
    }
};

/** Without telemetry. */
class NoRecordTest : public LawTest
{
  public:
    NoRecordTest()
        : LawTest("no stamper: line rate, and counted")
    {
    }

  private:
    void DoRun() override
    {
        const double rate = RunOnce("ns3::roce::Hpcc", "", 1, 1000000);
        NS_TEST_EXPECT_MSG_GT(rate, 80, "line rate, but for the round trip");
        auto cc = DynamicCast<Hpcc>(flows[0].pair.qp->GetCongestionControl());
        NS_TEST_EXPECT_MSG_EQ(cc->GetUnknown(), 1000, "each ACK");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 100 * GBPS, "never reacts");
    }
};

/** HPCC and PowerTCP in a fabric. */
class IntLawsSuite : public TestSuite
{
  public:
    IntLawsSuite()
        : TestSuite("roce-int-laws", TestSuite::Type::UNIT)
    {
        AddTestCase(new SingleFlowTest, D::QUICK);
        AddTestCase(new SharedLinkTest, D::QUICK);
        AddTestCase(new NoRecordTest, D::QUICK);
    }
};

IntLawsSuite g_intLawsSuite; //!< registers the suite

} // namespace
