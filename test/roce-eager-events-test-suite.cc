/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/**
 * Two frames reach a switch in the same tick; the attribute decides which is first.
 *
 * 1000 bytes of payload are 1048 on the wire and last 83 ns at 100 Gb/s, cut to whole ns. Host 0, 2
 * us away, sends two frames at 0: they start at 0 and 83 and arrive at 2083 and 2166. Host 1, 1 us
 * away, sends one at 1083: it arrives at 2166 too. Scheduled at the start, the second frame of host
 * 0 (83) is before that of host 1 (1083). With only the head of a cable scheduled, it is scheduled
 * when the first arrives (2083), and so after it.
 */
class EagerEventsTest : public TestCase
{
  public:
    /**
     * \param eager the attribute
     * \param order hosts in the order in which the switch passes their frames on
     */
    EagerEventsTest(bool eager, const std::string& order)
        : TestCase(eager ? "ties by start of transmission" : "ties by the head of each cable"),
          m_eager(eager),
          m_expected(order)
    {
    }

  private:
    void DoRun() override
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddHost(2);
        graph.AddSwitch(3);
        const int64_t us = 1000000;
        graph.AddLink(0, 3, 100000000000, 2 * us);
        graph.AddLink(1, 3, 100000000000, us);
        graph.AddLink(2, 3, 100000000000, us);
        RoceHelper roce;
        roce.SetFrameSizes(FrameSizes::HpccArtifact());
        roce.SetPortAttribute("Overhead", UintegerValue(0));
        roce.SetPortAttribute("TruncateTicks", BooleanValue(true));
        roce.SetPortAttribute("EagerEvents", BooleanValue(m_eager));
        roce.SetNicAttribute("PathMtu", UintegerValue(1000));
        roce.SetCongestionControl("none");
        Ptr<Fabric> fabric = roce.Install(graph);
        fabric->GetPort(3, 2)->TraceConnectWithoutContext(
            "FrameSent",
            MakeCallback(&EagerEventsTest::Note, this));
        m_first = fabric->GetAddresses().Address(0);
        Send(fabric, 0, 2000, Time(0));
        Send(fabric, 1, 1000, NanoSeconds(1083));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_order, m_expected, "order of the frames at the receiver's port");
        NS_TEST_ASSERT_MSG_EQ(fabric->GetOpenRequests(), 0, "all is done");
        Simulator::Destroy();
    }

    static void Send(Ptr<Fabric> fabric, uint32_t source, uint64_t bytes, Time at)
    {
        Connection connection = fabric->Connect(source, 2);
        Simulator::Schedule(at, [connection, bytes]() {
            WorkRequest request;
            request.bytes = bytes;
            connection.nic->Post(connection.qp, request);
        });
    }

    void Note(const Frame& frame)
    {
        if (frame.kind == FrameKind::REQUEST)
        {
            m_order += frame.source == m_first ? '0' : '1';
        }
    }

    bool m_eager;
    std::string m_expected;
    std::string m_order;
    uint32_t m_first{0};
};

/** The suite. */
class EagerEventsTestSuite : public TestSuite
{
  public:
    EagerEventsTestSuite()
        : TestSuite("roce-eager-events", TestSuite::Type::UNIT)
    {
        AddTestCase(new EagerEventsTest(true, "001"), D::QUICK);
        AddTestCase(new EagerEventsTest(false, "010"), D::QUICK);
    }
};

EagerEventsTestSuite g_eagerEventsTestSuite;

} // namespace
