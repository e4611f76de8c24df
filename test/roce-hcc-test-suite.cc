/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/config.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-hcc-helper.h"
#include "ns3/roce-hcc.h"
#include "ns3/roce-leave-notifier.h"
#include "ns3/roce-path-pin-helper.h"
#include "ns3/string.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t DATA = 3;
constexpr uint64_t LINE = 100 * GBPS;
/** Payload of a packet by what it takes on the link: 1000 + 62 of headers + 20 of preamble and gap
 */
constexpr double PAYLOAD = 1000.0 / 1082;

/** Hierarchical congestion control on a fabric, and who got what in a span of time. */
class HccTest : public FabricTest
{
  public:
    /** \param name of the case */
    explicit HccTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    /** Measure the payload of each flow. \param from begin \param to end */
    void Measure(Time from, Time to)
    {
        m_span = (to - from).GetSeconds();
        At(from, [this] { m_before = Bytes(); });
        At(to, [this] {
            m_got = Bytes();
            std::transform(m_got.begin(),
                           m_got.end(),
                           m_before.begin(),
                           m_got.begin(),
                           std::minus<>());
        });
    }

    /** \return share of the line that a flow had. \param i which flow */
    double Share(std::size_t i) const
    {
        return double(m_got.at(i)) * 8 / m_span / PAYLOAD / double(LINE);
    }

    /** \return the law of a flow's sender. \param flow the flow */
    static Ptr<Hcc> LawOf(const TestFlow& flow)
    {
        return DynamicCast<Hcc>(flow.pair.qp->GetCongestionControl());
    }

    /** \return XOFFs of all switches */
    uint64_t Xoffs() const
    {
        uint64_t sum = 0;
        for (uint32_t id : fabric->GetGraph().Switches())
        {
            sum += fabric->GetSwitch(id)->GetPfcController()->GetXoffs(DATA);
        }
        return sum;
    }

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

  private:
    /** \return payload that has arrived, by flow */
    std::vector<uint64_t> Bytes() const
    {
        std::vector<uint64_t> bytes;
        for (const TestFlow& flow : flows)
        {
            bytes.push_back(flow.pair.peerQp->GetResponder().GetBytes());
        }
        return bytes;
    }

    double m_span{0};
    std::vector<uint64_t> m_before;
    std::vector<uint64_t> m_got;
};

/**
 * N hosts send to one. In the long run each has 1 / N of its port, within 10 %, the port is busy
 * and nobody is paused. The hosts have 6 ms of work at that rate; measured are the 2 ms before 4.
 * Two flows with a cap of one BDP (52 KB) each would leave a queue below Kmin (80 KB), so they have
 * none.
 */
class FairShareTest : public HccTest
{
  public:
    /** \param n flows \param path who makes the CNPs */
    FairShareTest(uint32_t n, CongestionPoint::Path path)
        : HccTest(std::to_string(n) + " flows on one port, CNPs " +
                  (path == CongestionPoint::CNP ? "of the switch" : "of the receiver")),
          m_n(n),
          m_path(path)
    {
    }

  private:
    void DoRun() override
    {
        HccHelper hcc;
        hcc.SetNotification(m_path);
        if (m_n == 2)
        {
            hcc.SetAttribute("CapBdp", DoubleValue(0));
        }
        hcc.Configure(*helper);
        Build(StarGraph(m_n + 1, LINE, 1000));
        const uint64_t bytes = static_cast<uint64_t>(6e-3 * LINE / 8 * PAYLOAD) / m_n;
        for (uint32_t i = 0; i < m_n; ++i)
        {
            Open(i, m_n);
        }
        for (TestFlow& flow : flows)
        {
            At(MicroSeconds(1), [&flow, bytes] { Post(flow, bytes); });
        }
        Measure(MilliSeconds(2), MilliSeconds(4));
        At(MilliSeconds(4), [this] { CheckLaws(); });
        Run();
        double sum = 0;
        for (uint32_t i = 0; i < m_n; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Share(i) * m_n, 1, 0.1, "flow " << i);
            sum += Share(i);
        }
        NS_TEST_EXPECT_MSG_GT(sum, 0.98, "the port is busy");
        NS_TEST_EXPECT_MSG_LT(sum, 1.001, "but not more than that");
        NS_TEST_EXPECT_MSG_EQ(Xoffs(), 0, "nobody was paused");
    }

    /** CNPs with a body have come, and no others; no rate is below the floor of 0.9 C / N. */
    void CheckLaws()
    {
        for (const TestFlow& flow : flows)
        {
            const Ptr<Hcc> law = LawOf(flow);
            NS_TEST_EXPECT_MSG_GT(law->GetProcessor()->GetReceived(), 0, "CNPs");
            NS_TEST_EXPECT_MSG_EQ(law->GetProcessor()->GetPlain(), 0, "no plain ones");
            NS_TEST_EXPECT_MSG_GT(law->GetFairRate() * m_n, 0.899 * LINE, "floor");
            const uint64_t made = Receiver(flow).cnpsSent;
            NS_TEST_EXPECT_MSG_EQ((made > 0), (m_path == CongestionPoint::TAG), "who made them");
        }
    }

    uint32_t m_n;
    CongestionPoint::Path m_path;
};

/**
 * Two leaves, two spines, three flows by spine 10 and one by spine 11: it keeps its rate within
 * 1 %, while the three have a third each. Hosts 0 to 3 are on leaf 8, 4 to 7 on leaf 9.
 */
class OtherSpineTest : public HccTest
{
  public:
    /** \param path who makes the CNPs */
    explicit OtherSpineTest(CongestionPoint::Path path)
        : HccTest(std::string("a flow over another spine, CNPs ") +
                  (path == CongestionPoint::CNP ? "of switches" : "of receivers")),
          m_path(path)
    {
    }

  private:
    void DoRun() override
    {
        HccHelper hcc;
        hcc.SetDomains("spine");
        hcc.SetNotification(m_path);
        hcc.Configure(*helper);
        helper->SetLoadBalancer("pinned");
        LeafSpinePlan plan;
        Build(ClosBuilder::Build(plan));
        PathPinHelper pins(fabric);
        for (uint32_t i = 0; i < 4; ++i)
        {
            TestFlow& flow = Open(i, 4 + i);
            pins.PinPath(flow.pair, {8, i < 3 ? 10u : 11u, 9});
            const uint64_t bytes = i < 3 ? 20000000 : 60000000; // 5.2 ms at the rates below
            At(MicroSeconds(1), [&flow, bytes] { Post(flow, bytes); });
        }
        Measure(MilliSeconds(2), MilliSeconds(4));
        Run();
        double sum = 0;
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Share(i) * 3, 1, 0.1, "flow " << i);
            NS_TEST_EXPECT_MSG_GT(LawOf(flows[i])->GetProcessor()->GetReceived(), 0, "CNPs");
            sum += Share(i);
        }
        NS_TEST_EXPECT_MSG_GT(sum, 0.95, "the way up is busy");
        NS_TEST_EXPECT_MSG_EQ_TOL(Share(3), 1, 0.01, "the other one");
        NS_TEST_EXPECT_MSG_EQ(LawOf(flows[3])->GetProcessor()->GetReceived(), 0, "no CNP");
        NS_TEST_EXPECT_MSG_EQ(Xoffs(), 0, "nobody was paused");
    }

    CongestionPoint::Path m_path;
};

/**
 * A leaf that moves a flow from spine to spine says so. Leaves 2 and 3, spines 4 and 5, one host
 * each of 100 Gb/s; the fabric has 40 Gb/s, so the flow is cut at the first way up, of domain
 * "spine x". It ends; 100 us later, more than the gap of 20 us, it goes on by the other spine, as
 * the load estimator still knows of the first one. Then the rate of the first one must be gone.
 */
class LeaveTest : public HccTest
{
  public:
    /** \param tells whether the leaf has a memory */
    explicit LeaveTest(bool tells)
        : HccTest(std::string("a flow is moved, the leaf ") + (tells ? "tells" : "does not tell")),
          m_tells(tells)
    {
    }

  private:
    /** \return point of a way up of leaf 2. \param spine 4 or 5: its ports 1 and 2 */
    uint32_t KeyOf(uint32_t spine) const
    {
        return StageOf<CongestionPoint>(2)->GetState(spine - 3, DATA).point;
    }

    /** \return flows on a way up of leaf 2. \param spine where to */
    uint32_t FlowsTo(uint32_t spine) const
    {
        return StageOf<CongestionPoint>(2)->GetState(spine - 3, DATA).flows;
    }

    void DoRun() override
    {
        if (!m_tells)
        {
            Config::SetDefault("ns3::roce::LeaveNotifier::Memory", TimeValue(Time(0)));
        }
        HccHelper hcc;
        hcc.Configure(*helper);
        helper->SetLoadBalancer("flowlet");
        helper->SetLoadBalancerAttribute("Gap", TimeValue(MicroSeconds(20)));
        helper->SetLoadBalancerAttribute("EstimatorPeriod", TimeValue(MicroSeconds(50)));
        LeafSpinePlan plan;
        plan.hostsPerLeaf = 1;
        plan.fabricRateBps = 40 * GBPS;
        Build(ClosBuilder::Build(plan));
        Config::SetDefault("ns3::roce::LeaveNotifier::Memory", TimeValue(MilliSeconds(1)));
        TestFlow& flow = Open(0, 1);
        // 0.5 MB take 0.1 ms at 40 Gb/s
        At(MicroSeconds(10), [&flow] { Post(flow, 500000); });
        At(MicroSeconds(220), [this, &flow] {
            const HccEntry* entry = LawOf(flow)->Find(KeyOf(4));
            first = entry && entry->limits ? 4 : 5;
            entry = LawOf(flow)->Find(KeyOf(first));
            NS_TEST_EXPECT_MSG_EQ((entry && entry->limits), true, "cut by its first way");
            // C / 1 = 40 Gb/s, 1.5 times that after the all-clear, and some steps
            NS_TEST_EXPECT_MSG_LT(LawOf(flow)->GetFairRate(), 0.7 * LINE, "less than the line");
            Post(flow, 50000);
        });
        // the first packet is at the leaf after 1.2 us, the CNP back after 1.2 more; its queue
        // there is not yet at Kmin, 32 KB at 40 Gb/s, which takes 4.3 us of 60 Gb/s more than go
        At(MicroSeconds(223), [this, &flow] {
            NS_TEST_EXPECT_MSG_EQ(FlowsTo(9 - first), 1, "moved");
            const HccEntry* entry = LawOf(flow)->Find(KeyOf(first));
            NS_TEST_EXPECT_MSG_EQ(entry->limits, !m_tells, "the rate of the way it has left");
            if (m_tells)
            {
                NS_TEST_EXPECT_MSG_EQ(LawOf(flow)->GetFairRate(), LINE, "free");
            }
        });
        Run();
        const Ptr<LeaveNotifier> notifier = StageOf<LeaveNotifier>(2);
        NS_TEST_EXPECT_MSG_EQ(notifier->GetLeaves(), m_tells, "told once");
        const uint16_t domain = StageOf<CongestionPoint>(2)->GetState(first - 3, DATA).domain;
        const auto& heard = LawOf(flow)->GetProcessor()->GetDomains();
        NS_TEST_EXPECT_MSG_EQ(heard.at(domain).leaves, m_tells, "heard");
    }

    bool m_tells;
    uint32_t first{0};
};

/** The queue pairs of a NIC have one processor of CNPs, those of another NIC another. */
class SharedProcessorTest : public HccTest
{
  public:
    SharedProcessorTest()
        : HccTest("one processor of CNPs a NIC")
    {
    }

  private:
    void DoRun() override
    {
        HccHelper().Configure(*helper);
        Build(StarGraph(3, LINE, 1000));
        for (uint32_t source : {0, 0, 1})
        {
            TestFlow& flow = Open(source, 2);
            At(MicroSeconds(1), [&flow] { Post(flow, 1000000); });
        }
        Run();
        const Ptr<CnpProcessor> first = LawOf(flows[0])->GetProcessor();
        NS_TEST_EXPECT_MSG_EQ((first == LawOf(flows[1])->GetProcessor()), true, "same NIC");
        NS_TEST_EXPECT_MSG_EQ((first == LawOf(flows[2])->GetProcessor()), false, "other NIC");
        const uint64_t cnps = Sender(flows[0]).cnpsReceived;
        NS_TEST_EXPECT_MSG_GT(cnps, 0, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(first->GetReceived(), cnps, "all of the NIC");
        // host ports of the only leaf: one domain
        NS_TEST_EXPECT_MSG_EQ(first->GetDomains().size(), 1, "domains");
        NS_TEST_EXPECT_MSG_EQ(first->GetDomains().begin()->second.cnps, cnps, "telemetry");
    }
};

/** A law that says always the same. */
class FixedControl : public CongestionControl
{
  public:
    /** \return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::roce::FixedControl")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Roce")
                                .AddConstructor<FixedControl>()
                                .AddAttribute("Guarantee",
                                              "bit/s",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&FixedControl::m_setGuarantee),
                                              MakeUintegerChecker<uint64_t>())
                                .AddAttribute("GuaranteeWindow",
                                              "bytes",
                                              UintegerValue(UNLIMITED),
                                              MakeUintegerAccessor(&FixedControl::m_setWindow),
                                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

  private:
    void DoStart(Tick) override
    {
        m_rate = GetFlow().lineRate;
        m_window = 1000;
        m_guarantee = m_setGuarantee;
        m_guaranteeWindow = m_setWindow;
    }

    uint64_t m_setGuarantee;
    uint64_t m_setWindow;
};

NS_OBJECT_ENSURE_REGISTERED(FixedControl);

/**
 * What a NIC makes of a window of one packet over 100 Gb/s and a round trip of 200.3 us. One way
 * has two links of 50 us: a packet of 1082 bytes on the link takes 86.56 ns on each, an ACK of 86
 * bytes 6.88 ns, so the round trip is 200000 + 2 x 86.56 + 2 x 6.88 = 200186.88 ns.
 */
class GuaranteeTest : public FabricTest
{
  public:
    GuaranteeTest()
        : FabricTest("a guarantee although the window is full")
    {
    }

  private:
    static constexpr double RTT = 200186.88; //!< ns

    /** \return completion time of so many packets, ns */
    double RunOnce(uint64_t packets, uint64_t guarantee, uint64_t window)
    {
        helper->SetCongestionControl("ns3::roce::FixedControl");
        helper->SetCongestionControlAttribute("Guarantee", UintegerValue(guarantee));
        helper->SetCongestionControlAttribute("GuaranteeWindow", UintegerValue(window));
        helper->SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(10)));
        Build(StarGraph(2, LINE, 50000));
        TestFlow& flow = Open(0, 1);
        At(MicroSeconds(1), [&flow, packets] { Post(flow, packets * 1000); });
        Run();
        const double took = double(flow.Fct());
        Reset();
        return took;
    }

    void DoRun() override
    {
        // one packet a round trip
        NS_TEST_EXPECT_MSG_EQ_TOL(RunOnce(20, 0, 1000), 20 * RTT, 100, "window alone");
        // packets of 1082 bytes at 1 Gb/s: one each 8656 ns; the last is acknowledged an RTT later.
        // ACKs come one by one too, and each opens the window for a packet between: at most as
        // many again as the round trip holds, 200187 / 8656 = 23
        const double guaranteed = RunOnce(1000, GBPS, CongestionControl::UNLIMITED);
        NS_TEST_EXPECT_MSG_EQ_TOL(guaranteed, 999 * 8656 + RTT, 0.01 * 999 * 8656, "guarantee");
        // 5 packets at most: 5 a round trip
        NS_TEST_EXPECT_MSG_EQ_TOL(RunOnce(100, GBPS, 5000), 20 * RTT, 5 * 8656, "its window");
    }
};

/** Hierarchical congestion control, packet by packet. */
class HccSuite : public TestSuite
{
  public:
    HccSuite()
        : TestSuite("roce-hcc", TestSuite::Type::UNIT)
    {
        for (uint32_t n : {2, 8, 40})
        {
            AddTestCase(new FairShareTest(n, CongestionPoint::CNP), D::QUICK);
            AddTestCase(new FairShareTest(n, CongestionPoint::TAG), D::QUICK);
        }
        AddTestCase(new OtherSpineTest(CongestionPoint::CNP), D::QUICK);
        AddTestCase(new OtherSpineTest(CongestionPoint::TAG), D::QUICK);
        AddTestCase(new LeaveTest(true), D::QUICK);
        AddTestCase(new LeaveTest(false), D::QUICK);
        AddTestCase(new SharedProcessorTest, D::QUICK);
        AddTestCase(new GuaranteeTest, D::QUICK);
    }
};

HccSuite g_hccSuite; //!< registers the suite

} // namespace
