/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-event-core.h"
#include "ns3/string.h"

#include <map>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;

/** A3: how many ACKs a flow causes. */
class AckCountTest : public FabricTest
{
  public:
    AckCountTest()
        : FabricTest("A3: ACK coalescing counts")
    {
    }

  private:
    /** \param interval AckInterval \param packets of each message \param messages how many
     *  \param acks expected */
    void RunOnce(uint32_t interval, uint64_t packets, uint32_t messages, uint64_t acks)
    {
        helper->SetNicAttribute("AckInterval", UintegerValue(interval));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        for (uint32_t i = 0; i < messages; ++i)
        {
            Post(flow, packets * 1000);
        }
        Run();
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).acksSent, acks, packets << " packets");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).acksReceived, acks, packets << " packets");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, "no ACK is missing");
        Reset();
    }

    void DoRun() override
    {
        RunOnce(4, 40, 1, 10); // packets 4, 8 ... 40
        RunOnce(4, 42, 1, 11); // and 42, which ends the message
        RunOnce(4, 3, 5, 5);   // each message end, never the fourth packet
        RunOnce(4, 5, 4, 8);   // fourth and fifth of each
        RunOnce(1, 42, 1, 42);
        RunOnce(1000, 42, 1, 1);
    }
};

/**
 * A3: sparse ACKs under a window. The case names HPCC, which comes with a later issue; DCQCN and
 * the smallest legal window stand for it here.
 */
class SparseAckTest : public FabricTest
{
  public:
    SparseAckTest()
        : FabricTest("A3: sparse ACKs and windows")
    {
    }

  private:
    /** \param control congestion control \param window bytes */
    void RunOnce(const std::string& control, uint64_t window)
    {
        helper->SetCongestionControl(control);
        helper->SetNicAttribute("AckInterval", UintegerValue(20));
        Build(StarGraph(3, RATE, 1000));
        ConnectionOptions options;
        options.windowBytes = window;
        for (uint32_t i : {0, 1})
        {
            Post(Open(i, 2, options), 10000000);
        }
        Run();
        // 10000 packets each, one ACK a 20
        NS_TEST_EXPECT_MSG_EQ(Receiver(flows[0]).acksSent, 1000, control << ": ACKs");
        for (const TestFlow& flow : flows)
        {
            NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, control << ": timeouts");
        }
        Reset();
    }

    void DoRun() override
    {
        RunOnce("dcqcn", CongestionControl::UNLIMITED);
        RunOnce("none", CongestionControl::UNLIMITED);
        RunOnce("none", 21000);
        RunOnce("dcqcn", 21000);
        helper->SetNicAttribute("AckInterval", UintegerValue(20));
        Build(StarGraph(2, RATE, 1000));
        ConnectionOptions options;
        options.windowBytes = 20999;
        std::string text;
        try
        {
            fabric->Connect(0, 1, options);
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(text.find("20999"), std::string::npos, "the window: " << text);
        NS_TEST_EXPECT_MSG_NE(text.find("21 packets"), std::string::npos, "the limit: " << text);
    }
};

/** A16: control frames are not marked, CNPs are paced. */
class MarksTest : public FabricTest
{
  public:
    MarksTest()
        : FabricTest("A16: marks and CNPs")
    {
    }

  private:
    /** Look at what hosts receive. */
    void Watch()
    {
        for (uint32_t host = 0; host < 10; ++host)
        {
            fabric->GetPort(host, 0)->SetReceiveFilter([this](const Frame& frame) {
                const bool data = frame.kind == FrameKind::REQUEST;
                (data ? markedData : ectControl) += data ? frame.ecn == ECN_CE : frame.ecn != 0;
                controlPriority += !data && frame.priority != 6;
                return false;
            });
        }
    }

    /** A -> B, B -> A and 4:1 incast to each. \param kmin of 100G, bytes \param ect EcnCapable */
    void RunOnce(uint64_t kmin, bool ect)
    {
        markedData = ectControl = controlPriority = 0;
        helper->SetCongestionControl("dcqcn");
        helper->SetNicAttribute("EcnCapable", BooleanValue(ect));
        helper->SetEcnAttribute("KminBytes", UintegerValue(kmin));
        helper->SetEcnAttribute("KmaxBytes", UintegerValue(4 * kmin));
        Build(StarGraph(10, RATE, 1000));
        helper->AssignStreams(fabric, 1);
        Watch();
        Open(0, 1);
        Open(1, 0);
        for (uint32_t i = 2; i < 10; ++i)
        {
            Open(i, i < 6 ? 0 : 1);
        }
        for (TestFlow& flow : flows)
        {
            Post(flow, 2000000);
        }
        Run();
        NS_TEST_EXPECT_MSG_EQ(ectControl, 0, "ACK, NAK and CNP are Not-ECT");
        NS_TEST_EXPECT_MSG_EQ(controlPriority, 0, "and have their own class");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(10)->GetEcnMarks(), markedData, "marks arrive");
    }

    void RunPaced()
    {
        RunOnce(20000, true);
        NS_TEST_EXPECT_MSG_GT(markedData, 0, "queues were long");
        for (const TestFlow& flow : flows)
        {
            // all CNPs a sender hears are of its one flow, or of the flow it receives
            const Tick span = flow.arrived.at(0).completed;
            if (flow.source > 1)
            {
                const auto most = static_cast<uint64_t>(span / 50000) + 1;
                NS_TEST_EXPECT_MSG_LT_OR_EQ(Sender(flow).cnpsReceived, most, "CNPs");
                NS_TEST_EXPECT_MSG_GT(Sender(flow).cnpsReceived, 0, "marks cause CNPs");
            }
        }
        uint64_t sent = 0;
        uint64_t received = 0;
        for (uint32_t host = 0; host < 10; ++host)
        {
            sent += fabric->GetNic(host)->GetCounters().cnpsSent;
            received += fabric->GetNic(host)->GetCounters().cnpsReceived;
        }
        NS_TEST_EXPECT_MSG_EQ(received, sent, "no CNP is lost");
        Reset();
    }

    void DoRun() override
    {
        RunPaced();
        RunOnce(20000, false);
        NS_TEST_EXPECT_MSG_EQ(markedData, 0, "Not-ECT is never marked");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flows[0]).cnpsSent, 0, "no mark, no CNP");
        NS_TEST_EXPECT_MSG_GT(fabric->GetSwitch(10)->GetMmu().GetTotal().peak, 20000, "queues");
        Reset();
        RunOnce(100000000, true); // above the buffer of 32 MiB
        NS_TEST_EXPECT_MSG_EQ(markedData, 0, "below Kmin");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flows[0]).cnpsSent, 0, "no CNP");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flows[1]).cnpsSent, 0, "no CNP");
    }

    uint64_t markedData{0};
    uint64_t ectControl{0};
    uint64_t controlPriority{0};
};

/** CNPs with Timing Periodic leave when intervals end, one for each interval with a mark. */
class PeriodicCnpTest : public FabricTest
{
  public:
    PeriodicCnpTest()
        : FabricTest("CNPs leave when intervals end")
    {
    }

  private:
    static constexpr Tick INTERVAL = 50000;

    void Note(uint32_t qpn, Tick tick)
    {
        cnps[qpn].insert(tick);
    }

    void DoRun() override
    {
        helper->SetCongestionControl("dcqcn");
        helper->SetCnpAttribute("Timing", StringValue("Periodic"));
        helper->SetEcnAttribute("KminBytes", UintegerValue(20000));
        helper->SetEcnAttribute("KmaxBytes", UintegerValue(80000));
        Build(StarGraph(5, RATE, 1000));
        helper->AssignStreams(fabric, 1);
        std::map<uint32_t, std::set<Tick>> marks;
        fabric->GetPort(0, 0)->SetReceiveFilter([&marks](const Frame& frame) {
            if (frame.kind == FrameKind::REQUEST && frame.ecn == ECN_CE)
            {
                marks[frame.destinationQp].insert(EventCore::Get()->Now());
            }
            return false;
        });
        fabric->GetNic(0)->TraceConnectWithoutContext("CnpSent",
                                                      MakeCallback(&PeriodicCnpTest::Note, this));
        for (uint32_t i = 1; i < 5; ++i)
        {
            Post(Open(i, 0), 4000000);
        }
        Run();
        NS_TEST_ASSERT_MSG_EQ(marks.size(), 4, "each flow is marked");
        for (const auto& [qpn, at] : marks)
        {
            // the first mark at once; any other when its interval since then ends
            std::set<Tick> expected;
            for (const Tick mark : at)
            {
                const Tick since = mark - *at.begin();
                expected.insert(*at.begin() + (since + INTERVAL - 1) / INTERVAL * INTERVAL);
            }
            NS_TEST_EXPECT_MSG_GT(expected.size(), 2, "more than one interval with marks");
            NS_TEST_EXPECT_MSG_EQ((cnps[qpn] == expected), true, "CNPs of queue pair " << qpn);
        }
    }

    std::map<uint32_t, std::set<Tick>> cnps; //!< by queue pair of the receiver
};

/** Two flows over one core link share it, and each message is whole. */
class DumbbellTest : public FabricTest
{
  public:
    DumbbellTest()
        : FabricTest("fair turns over a core link")
    {
    }

  private:
    void DoRun() override
    {
        Build(DumbbellGraph(4, 4, RATE, RATE, 1000));
        for (uint32_t i = 0; i < 4; ++i)
        {
            for (int k = 0; k < 5; ++k)
            {
                Open(i, 4 + i);
            }
        }
        for (TestFlow& flow : flows)
        {
            Post(flow, 500000);
            Post(flow, 1);
            Post(flow, 0);
        }
        Run();
        // 20 flows of 500 packets (43.28 us each) through one link: 865.6 us and a little
        Tick last = 0;
        Tick first = NEVER;
        for (const TestFlow& flow : flows)
        {
            last = std::max(last, flow.sent.at(2).completed);
            first = std::min(first, flow.sent.at(0).completed);
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(last, 865600, "the core link is the limit");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(last, 865600 * 1.02 + 20000, "and is kept busy");
        // queue pairs of a host take turns, and pauses hit hosts alike: all end late
        NS_TEST_EXPECT_MSG_GT_OR_EQ(double(first), 0.7 * double(last), "nobody is ahead");
    }
};

/** A congestion control that keeps to one rate. */
class FixedRateControl : public CongestionControl
{
  public:
    /** \return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::roce::TestFixedRateControl")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Roce")
                                .AddConstructor<FixedRateControl>()
                                .AddAttribute("Rate",
                                              "bit/s",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&FixedRateControl::m_fixed),
                                              MakeUintegerChecker<uint64_t>(1));
        return tid;
    }

  private:
    void DoStart(Tick) override
    {
        m_rate = m_fixed;
    }

    uint64_t m_fixed;
};

/** Queue pairs of different rates on one NIC each keep their own. */
class PacingTest : public FabricTest
{
  public:
    PacingTest()
        : FabricTest("pacing")
    {
    }

  private:
    /** Each sends 100 packets. \param gbps rate of each queue pair \param slack ns that waiting
     *  for packets of the others may cost */
    void RunOnce(const std::vector<uint64_t>& gbps, double slack)
    {
        Build(StarGraph(2, RATE, 1000));
        for (uint64_t rate : gbps)
        {
            ObjectFactory control;
            control.SetTypeId(FixedRateControl::GetTypeId());
            control.Set("Rate", UintegerValue(rate * GBPS));
            fabric->GetNic(0)->SetCongestionControl(control);
            Open(0, 1);
        }
        for (std::size_t i = 0; i < gbps.size(); ++i)
        {
            // one after the other: the timer of a slow one must give way to a faster one
            At(NanoSeconds(300 * i), [this, i] { Post(flows[i], 100000); });
        }
        Run();
        for (std::size_t i = 0; i < gbps.size(); ++i)
        {
            // the 100th packet starts when 1098 + 98 * 1082 bytes have gone at the rate, and then
            // takes 2 s + 2 d, its ACK 2 a + 2 d
            const double start = TestBytesNs(1098 + 98 * 1082, gbps[i] * GBPS);
            const double rest = TestBytesNs(2 * 1082 + 2 * 86, RATE) + 4000;
            const double fct = double(flows[i].Fct());
            NS_TEST_EXPECT_MSG_GT_OR_EQ(fct + 1.1, start + rest, gbps[i] << "G: too fast");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(fct - 1.1, start + rest + slack, gbps[i] << "G: too slow");
        }
        Reset();
    }

    void DoRun() override
    {
        for (uint64_t gbps : {1, 3, 7, 10, 25, 50, 99})
        {
            RunOnce({gbps}, 0);
        }
        // the 10G one is done after 86 us, in which the 1G one sends 11 packets: so often can they
        // meet, at 86.56 ns each
        RunOnce({1, 10}, 11 * 86.56);
        // each packet may find those of the others in the way
        RunOnce({1, 3, 25}, 100 * 2 * 86.56);
        RunOnce({25, 3, 1}, 100 * 2 * 86.56);
    }
};

/** The suite. */
class NicControlTestSuite : public TestSuite
{
  public:
    NicControlTestSuite()
        : TestSuite("roce-nic-control", TestSuite::Type::UNIT)
    {
        AddTestCase(new AckCountTest, D::QUICK);
        AddTestCase(new SparseAckTest, D::QUICK);
        AddTestCase(new MarksTest, D::QUICK);
        AddTestCase(new PeriodicCnpTest, D::QUICK);
        AddTestCase(new PacingTest, D::QUICK);
        AddTestCase(new DumbbellTest, D::QUICK);
    }
};

const NicControlTestSuite g_nicControlTestSuite;

} // namespace
