/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-pacing.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t LINE = 100 * GBPS;
constexpr uint32_t MTU = 1000;
constexpr uint32_t PACKETS = 2000;
/** Bytes of a full packet on the link: 1000, 62 of headers and FCS, 20 of preamble and gap. */
constexpr double WIRE_BYTES = MTU + 62 + 20;

/** A fixed rate. */
class SteadyControl : public CongestionControl
{
  public:
    /** \return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::roce::SteadyControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<SteadyControl>()
                                .AddAttribute("RateBps",
                                              "Rate, bit/s",
                                              UintegerValue(LINE),
                                              MakeUintegerAccessor(&SteadyControl::m_bps),
                                              MakeUintegerChecker<uint64_t>(1));
        return tid;
    }

  private:
    void DoStart(Tick) override
    {
        m_rate = m_bps;
    }

    uint64_t m_bps;
};

NS_OBJECT_ENSURE_REGISTERED(SteadyControl);

/** What a flow did. */
struct Observed
{
    Tick first{0};    //!< arrival of its first packet
    double slot{0};   //!< ns between its packets in the long run
    uint64_t hash{0}; //!< that its phase comes from
};

/** The long-run rate, and the first slot, of each kind of pacing. */
class LongRunTest : public FabricTest
{
  public:
    /** \param mode value of TransportOptions::Pacing \param rate of the flow, bit/s */
    LongRunTest(const std::string& mode, uint64_t rate)
        : FabricTest(mode + " pacing at " + std::to_string(rate / GBPS) + "G"),
          m_mode(mode),
          m_rate(rate)
    {
    }

  private:
    /** \return what came of one flow. \param mode pacing \param port UDP source port */
    Observed RunOnce(const std::string& mode, uint16_t port)
    {
        helper->SetCongestionControl("ns3::roce::SteadyControl");
        helper->SetCongestionControlAttribute("RateBps", UintegerValue(m_rate));
        helper->SetTransportAttribute("Pacing", StringValue(mode));
        Build(StarGraph(2, LINE, 1000));
        ConnectionOptions options;
        options.sourcePort = port;
        TestFlow& flow = Open(0, 1, options);
        std::vector<Tick> arrivals;
        fabric->GetPort(1, 0)->SetReceiveFilter([&arrivals](const Frame& frame) {
            arrivals.push_back(frame.arrival);
            return false;
        });
        Post(flow, uint64_t(MTU) * PACKETS);
        Run();
        NS_ABORT_MSG_IF(arrivals.size() != PACKETS, "each packet arrives once");
        Observed seen;
        seen.first = arrivals[0];
        // the first packet has a RETH of 16 bytes more
        seen.slot = double(arrivals.back() - arrivals[1]) / (PACKETS - 2);
        seen.hash = flow.pair.qp->GetCongestionControl()->GetFlow().hash;
        Reset();
        return seen;
    }

    void DoRun() override
    {
        const double slot = WIRE_BYTES * 8e9 / double(m_rate);
        bool moved = false;
        for (uint16_t port : {50000, 50001, 50002, 50003, 50004})
        {
            const Observed plain = RunOnce("plain", port);
            const Observed seen = RunOnce(m_mode, port);
            // literal: rate = bytes / (bytes * 8 / R + p), so a slot of bytes * 8 / R + p
            const uint64_t phase = seen.hash % 50;
            const double expected = slot + (m_mode == "literal" ? double(phase) : 0);
            // whole ticks at both ends: 2 in 1998 slots
            NS_TEST_EXPECT_MSG_EQ_TOL(seen.slot, expected, 0.001, m_mode << " port " << port);
            uint64_t start = 0;
            if (m_mode == "interval")
            {
                start = seen.hash % static_cast<uint64_t>(slot);
            }
            else if (m_mode == "fixed")
            {
                start = phase;
            }
            NS_TEST_EXPECT_MSG_EQ((seen.first - plain.first), Tick(start), "first slot");
            moved = moved || seen.slot > slot + 1 || start > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(moved, (m_mode != "plain"), "five flows do not all have phase 0");
    }

    std::string m_mode;
    uint64_t m_rate;
};

/** Suite roce-pacing. */
class PacingTestSuite : public TestSuite
{
  public:
    PacingTestSuite()
        : TestSuite("roce-pacing", TestSuite::Type::UNIT)
    {
        for (const char* mode : {"plain", "interval", "fixed", "literal"})
        {
            for (uint64_t rate : {LINE, 10 * GBPS})
            {
                AddTestCase(new LongRunTest(mode, rate), D::QUICK);
            }
        }
    }
};

PacingTestSuite g_pacingTestSuite; //!< registers the suite

} // namespace
