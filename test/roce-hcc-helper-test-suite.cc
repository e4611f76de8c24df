/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"
#include "roce-test-refusal.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/pointer.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-cnp-tag-table.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-hcc-helper.h"
#include "ns3/roce-hcc.h"
#include "ns3/roce-leave-notifier.h"
#include "ns3/string.h"

#include <set>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t DATA = 3;
constexpr uint64_t LINE = 100 * GBPS;

/** Pods 0 and 1 of two leaves, two spines and a super-spine a plane; one host a leaf. Hosts 0 to 3,
 *  leaves 4 to 7, spines 8 to 11, super-spines 12 and 13 of 400 Gb/s. */
FabricGraph
PodGraph()
{
    ThreeTierPlan plan;
    plan.hostsPerLeaf = 1;
    plan.superSpines = 2;
    plan.coreRateBps = 400 * GBPS;
    return ClosBuilder::Build(plan);
}

/** What HccHelper makes of a fabric. */
class HccSetupTest : public FabricTest
{
  public:
    HccSetupTest()
        : FabricTest("setup of a fabric")
    {
    }

  private:
    /** \return the stage of that type. \param id of a switch */
    template <typename T>
    Ptr<T> StageOf(uint32_t id) const
    {
        for (const auto& stage : fabric->GetSwitch(id)->GetStages())
        {
            if (Ptr<T> found = DynamicCast<T>(stage))
            {
                return found;
            }
        }
        return nullptr;
    }

    /** Thresholds of marking. \param kmin at 100 Gb/s \param kmax at 100 Gb/s */
    void CheckMarks(uint64_t kmin, uint64_t kmax)
    {
        const Ptr<EcnMarker> marker = fabric->GetSwitch(4)->GetEcnMarker();
        NS_TEST_EXPECT_MSG_EQ(marker->GetThresholds(LINE).kmin, kmin, "Kmin");
        NS_TEST_EXPECT_MSG_EQ(marker->GetThresholds(LINE).kmax, kmax, "Kmax");
        NS_TEST_EXPECT_MSG_EQ(marker->GetThresholds(LINE).pmax, 1, "Pmax");
        NS_TEST_EXPECT_MSG_EQ(marker->GetThresholds(4 * LINE).kmin, 4 * kmin, "at 400 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(marker->GetThresholds(4 * LINE).kmax, 4 * kmax, "at 400 Gb/s");
    }

    /** Ids of points are unique, places are those of the domains. \param hcc made it */
    void CheckPoints(const HccHelper& hcc)
    {
        const FabricGraph& graph = fabric->GetGraph();
        const CongestionDomains domains = hcc.MakeDomains(graph);
        std::set<uint16_t> ids;
        uint32_t ports = 0;
        for (uint32_t id : graph.Switches())
        {
            for (uint32_t port = 0; port < graph.PortCount(id); ++port, ++ports)
            {
                const CnpBody state = StageOf<CongestionPoint>(id)->GetState(port, DATA);
                const CongestionPoint::Place& place = domains.GetPlace(id, port);
                ids.insert(state.point);
                NS_TEST_EXPECT_MSG_EQ(state.domain, place.domain, "domain");
                NS_TEST_EXPECT_MSG_EQ(+state.tier, +place.tier, "tier");
                NS_TEST_EXPECT_MSG_EQ(+state.stage, +place.stage, "stage");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ids.size(), ports, "points");
    }

    /** \return whether receivers make plain CNPs */
    bool AreReceiversOn() const
    {
        BooleanValue enabled;
        fabric->GetNic(0)->GetCnpGenerator()->GetAttribute("Enabled", enabled);
        return enabled.Get();
    }

    void RunDefault()
    {
        helper->SetCongestionControl("hcc");
        Build(PodGraph());
        CheckMarks(80000, 320000);
        CheckPoints(HccHelper());
        NS_TEST_EXPECT_MSG_EQ(AreReceiversOn(), false, "switches notify");
        NS_TEST_EXPECT_MSG_EQ((StageOf<LeaveNotifier>(4) != nullptr), true, "flag leave");
        PointerValue options;
        fabric->GetNic(0)->GetAttribute("Transport", options);
        StringValue pacing;
        options.Get<TransportOptions>()->GetAttribute("Pacing", pacing);
        NS_TEST_EXPECT_MSG_EQ(pacing.Get(), "interval", "phase of pacing");
        UintegerValue clear;
        StageOf<CongestionPoint>(4)->GetAttribute("AllClearBytes", clear);
        NS_TEST_EXPECT_MSG_EQ(clear.Get(), 10000, "all-clear");
        NS_TEST_EXPECT_MSG_EQ(GetFlowsPerInterval(), 4, "of the point itself");
        Reset();
    }

    /** \return FlowsPerInterval of switch 4 */
    uint64_t GetFlowsPerInterval() const
    {
        UintegerValue number;
        StageOf<CongestionPoint>(4)->GetAttribute("FlowsPerInterval", number);
        return number.Get();
    }

    /** What the user made a default goes before the stack. */
    void RunUserDefaults()
    {
        Config::SetDefault("ns3::roce::EcnMarker::KminBytes", UintegerValue(50000));
        Config::SetDefault("ns3::roce::CnpGenerator::Enabled", BooleanValue(false));
        Config::SetDefault("ns3::roce::CnpGenerator::Enabled", BooleanValue(true)); // as it was
        helper->SetCongestionControl("hcc");
        Build(PodGraph());
        Config::SetDefault("ns3::roce::EcnMarker::KminBytes", UintegerValue(400000)); // as it was
        CheckMarks(50000, 320000);
        NS_TEST_EXPECT_MSG_EQ(AreReceiversOn(), false, "not changed");
        Reset();
    }

    void RunTuned()
    {
        HccHelper hcc;
        hcc.SetDomains("pod");
        hcc.SetAttribute("Profile", StringValue("steady"));
        hcc.SetTuningAttribute("CnpInterval2", TimeValue(MicroSeconds(8)));
        hcc.SetPointAttribute("Window", UintegerValue(32));
        hcc.SetPointAttribute("AllClearBytes", UintegerValue(0));
        hcc.Configure(*helper);
        helper->SetEcnAttribute("KmaxBytes", UintegerValue(200000));
        Build(PodGraph());
        CheckMarks(80000, 200000);
        CheckPoints(hcc);
        const Ptr<CongestionPoint> point = StageOf<CongestionPoint>(4);
        UintegerValue number;
        point->GetAttribute("Window", number);
        NS_TEST_EXPECT_MSG_EQ(number.Get(), 32, "of the points");
        point->GetAttribute("AllClearBytes", number);
        NS_TEST_EXPECT_MSG_EQ(number.Get(), 0, "over the default of the stack");
        TimeValue interval;
        point->GetAttribute("CnpInterval", interval);
        NS_TEST_EXPECT_MSG_EQ(interval.Get(), MicroSeconds(8), "as the law knows it");
        const auto law = DynamicCast<Hcc>(Open(0, 1).pair.qp->GetCongestionControl());
        NS_TEST_EXPECT_MSG_EQ(law->GetProfile(), "steady", "of the law");
        NS_TEST_EXPECT_MSG_EQ(law->GetParameters().stage2.cnpInterval, MicroSeconds(8), "tuned");
        NS_TEST_EXPECT_MSG_EQ((law->GetFlow().baseRtt > 0), true, "base RTT of the graph");
        Reset();
    }

    void RunArticle()
    {
        HccHelper hcc;
        hcc.SetAttribute("Law", StringValue("Article"));
        hcc.Configure(*helper);
        Build(PodGraph());
        CheckMarks(100000, 400000);
        NS_TEST_EXPECT_MSG_EQ((StageOf<LeaveNotifier>(4) == nullptr), true, "it has no flag leave");
        NS_TEST_EXPECT_MSG_EQ(GetFlowsPerInterval(), 0, "a CNP a flow and interval");
        Reset();
    }

    void RunTags()
    {
        HccHelper hcc;
        hcc.SetNotification(CongestionPoint::TAG);
        hcc.Configure(*helper);
        Build(PodGraph()); // 4 x 3 + 4 x 3 + 2 x 2 = 28 ports
        PointerValue tags;
        fabric->GetNic(3)->GetCnpGenerator()->GetAttribute("Tags", tags);
        const Ptr<CnpTagTable> table = tags.Get<CnpTagTable>();
        NS_TEST_EXPECT_MSG_EQ(table->GetSize(), 28, "a tag a point");
        // leaf 4 comes first: its port 0 is the host's, port 1 leads to a spine
        NS_TEST_EXPECT_MSG_EQ(table->IsLast(1), true, "to a host");
        NS_TEST_EXPECT_MSG_EQ(table->IsLast(2), false, "to a spine");
        NS_TEST_EXPECT_MSG_EQ(AreReceiversOn(), true, "for marks without a tag");
        NS_TEST_EXPECT_MSG_EQ((StageOf<LeaveNotifier>(4) == nullptr), true, "switches are silent");
        const auto again = [this] { fabric = helper->Install(PodGraph()); };
        NS_TEST_EXPECT_MSG_NE(Refusal(again).find("one fabric"), std::string::npos, "two fabrics");
        Reset();

        hcc.SetTagsByDomain(true);
        hcc.Configure(*helper);
        Build(PodGraph());
        fabric->GetNic(3)->GetCnpGenerator()->GetAttribute("Tags", tags);
        NS_TEST_EXPECT_MSG_EQ(tags.Get<CnpTagTable>()->GetSize(), 10, "4 + 4 + 2 switches");
        Reset();
    }

    void DoRun() override
    {
        RunDefault();
        RunUserDefaults();
        RunTuned();
        RunArticle();
        RunTags();
    }
};

/** What it refuses, and what it warns of. */
class HccRefusalTest : public FabricTest
{
  public:
    HccRefusalTest()
        : FabricTest("refusals, marking against XOFF")
    {
    }

  private:
    /** \param text a refusal \param parts what must be in it */
    void Expect(const std::string& text, const std::vector<std::string>& parts)
    {
        for (const std::string& part : parts)
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in: " << text);
        }
    }

    void RunRefusals()
    {
        HccHelper hcc;
        Expect(Refusal([&] { hcc.SetPointAttribute("FirstPoint", UintegerValue(1)); }),
               {"FirstPoint", "unique"});
        Expect(Refusal([&] { hcc.SetPointAttribute("CnpInterval", TimeValue(Time(0))); }),
               {"CnpInterval", "CnpInterval2", "SetTuningAttribute"});
        Expect(Refusal([&] { hcc.SetPointAttribute("Notify", StringValue("tag")); }),
               {"Notify", "SetNotification"});
        Expect(Refusal([&] { hcc.SetDomains("rack"); }), {"\"rack\"", "spine"});
        Config::SetDefault("ns3::roce::CongestionPoint::CnpInterval", TimeValue(MicroSeconds(9)));
        Expect(Refusal([&] { hcc.Configure(*helper); }),
               {"CnpInterval is 9000 ns", "4000 ns", "CnpInterval2"});
        hcc.SetTuningAttribute("CnpInterval2", TimeValue(MicroSeconds(9)));
        NS_TEST_EXPECT_MSG_EQ(Refusal([&] { hcc.Configure(*helper); }), "", "now they agree");
        Config::SetDefault("ns3::roce::CongestionPoint::CnpInterval", TimeValue(MicroSeconds(4)));
    }

    /**
     * One port of 400 Gb/s, four of 100 with Kmin 80 KB: 320 KB before one is marked. The buffer of
     * 33.6 MB has 5 x 2 headrooms of 20 KB; 0.8 of the rest less reserves, some 26.6 MB, is for
     * lossless classes. Alone, a port is paused at alpha / (1 + alpha) of that: with 1/64 at 409
     * KB, with 1/128 at 206 KB.
     */
    std::vector<std::string> RunMarking(double alpha)
    {
        FabricGraph graph;
        graph.AddSwitch(0);
        for (uint32_t host = 1; host <= 5; ++host)
        {
            graph.AddHost(host);
            graph.AddLink(0, host, host == 1 ? 4 * LINE : LINE, 1000000);
        }
        HccHelper().Configure(*helper);
        helper->SetSwitchAttribute("Alpha", DoubleValue(alpha));
        helper->SetSwitchAttribute("HeadroomBytes", UintegerValue(20000));
        Build(graph);
        const std::vector<std::string> lines = HccHelper::CheckMarking(*fabric);
        Reset();
        return lines;
    }

    void DoRun() override
    {
        RunRefusals();
        NS_TEST_EXPECT_MSG_EQ(RunMarking(1.0 / 64).size(), 0, "marked in time");
        const std::vector<std::string> lines = RunMarking(1.0 / 128);
        NS_TEST_EXPECT_MSG_EQ(lines.size(), 1, "the port of 400 Gb/s");
        if (!lines.empty())
        {
            Expect(lines[0], {"switch 0", "400 Gb/s", "4 slower queues", "320000 bytes"});
        }
    }
};

/** HccHelper. */
class HccHelperSuite : public TestSuite
{
  public:
    HccHelperSuite()
        : TestSuite("roce-hcc-helper", TestSuite::Type::UNIT)
    {
        AddTestCase(new HccSetupTest, D::QUICK);
        AddTestCase(new HccRefusalTest, D::QUICK);
    }
};

HccHelperSuite g_hccHelperSuite; //!< registers the suite

} // namespace
