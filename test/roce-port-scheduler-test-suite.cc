/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/pointer.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A8 on NICs: a pause of priority 3 on the way stops no message of priority 4. */
class TwoClassesTest : public TestCase
{
  public:
    TwoClassesTest()
        : TestCase("A8: a paused class of a NIC does not hold the other")
    {
    }

  private:
    /** \return completion ticks by priority. \param paused whether priority 3 is paused */
    static std::map<int, Tick> RunOnce(bool paused)
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddLink(0, 2, 100000000000, 1000000);
        graph.AddLink(1, 2, 100000000000, 1000000);
        RoceHelper roce;
        roce.SetCongestionControl("none");
        Ptr<Fabric> fabric = roce.Install(graph);
        std::map<int, Tick> done;
        std::vector<Connection> connections;
        for (int priority : {3, 4})
        {
            ConnectionOptions options;
            options.priority = priority;
            connections.push_back(fabric->Connect(0, 1, options));
            auto queue = CreateObject<CompletionQueue>();
            queue->SetHandler(
                0,
                Callback<void, const Completion&>(
                    [&done, priority](const Completion& c) { done[priority] = c.completed; }));
            connections.back().qp->SetSendQueue(queue);
        }
        if (paused)
        {
            const std::vector<uint16_t> times(NUM_PRIORITIES, 65535);
            fabric->GetPort(2, 0)->SendPause(1u << 3, times.data(), 0);
        }
        Simulator::Schedule(MicroSeconds(2), [&connections]() {
            for (const Connection& connection : connections)
            {
                WorkRequest request;
                request.bytes = 100000;
                connection.nic->Post(connection.qp, request);
            }
        });
        Simulator::Run();
        Simulator::Destroy();
        return done;
    }

    void DoRun() override
    {
        const std::map<int, Tick> paused = RunOnce(true);
        const std::map<int, Tick> free = RunOnce(false);
        NS_TEST_ASSERT_MSG_EQ(paused.size(), 2, "both complete");
        NS_TEST_ASSERT_MSG_EQ(free.size(), 2, "both complete");
        // alone: 24 full packets and one of 1696 bytes with 82 bytes each and a RETH:
        // 100000 + 25 * 82 + 16 = 102066 bytes = 8165.28 ns, a first packet of 335.52 ns... the
        // last one of (1696 + 82) * 0.08 = 142.24 crosses the second link, 4 us and two ACKs
        const double alone = 2000 + 8165.28 + 4000 + 2 * 6.88;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(paused.at(4)),
                                  alone + 335.52,
                                  1,
                                  "priority 4 has the link alone");
        // 65535 quanta from 1006.72 on, then it is alone
        NS_TEST_EXPECT_MSG_EQ_TOL(double(paused.at(3)),
                                  1006 + 335539.2 + alone - 2000 + 335.52,
                                  2,
                                  "priority 3 after the pause");
        // without a pause they share the link, round robin: both take about twice as long
        NS_TEST_EXPECT_MSG_GT(free.at(4), 2000 + 2 * 7800 + 4000, "shared");
        NS_TEST_EXPECT_MSG_LT(free.at(3), 2000 + 2 * 8500 + 4000, "shared");
    }
};

/** DWRR of a switch port in the network. */
class DwrrPortTest : public TestCase
{
  public:
    DwrrPortTest()
        : TestCase("DWRR at the ports of a switch")
    {
    }

  private:
    void DoRun() override
    {
        // three hosts write to one, priorities 1, 2 and 3, weights 1, 2 and 4
        FabricGraph graph;
        for (uint32_t i = 0; i < 4; ++i)
        {
            graph.AddHost(i);
        }
        graph.AddSwitch(4);
        for (uint32_t i = 0; i < 4; ++i)
        {
            graph.AddLink(i, 4, 100000000000, 1000000);
        }
        RoceHelper roce;
        roce.SetCongestionControl("none");
        roce.SetScheduler("dwrr");
        roce.SetSchedulerAttribute("Weights", StringValue("0,1,2,4,0,0,0,0"));
        roce.SetSchedulerAttribute("Quantum", UintegerValue(4200));
        roce.SetSwitchAttribute("LosslessMask", UintegerValue(0x0e));
        Ptr<Fabric> fabric = roce.Install(graph);
        NS_TEST_EXPECT_MSG_NE(GetScheduler(fabric, 0), GetScheduler(fabric, 3), "one each port");
        for (uint32_t i = 0; i < 3; ++i)
        {
            ConnectionOptions options;
            options.priority = static_cast<int>(i) + 1;
            const Connection connection = fabric->Connect(i, 3, options);
            WorkRequest request;
            request.bytes = 2000000;
            connection.nic->Post(connection.qp, request);
        }
        std::map<int, uint64_t> bytes;
        m_bytes = &bytes;
        fabric->GetPort(4, 3)->TraceConnectWithoutContext(
            "FrameSent",
            MakeCallback(&DwrrPortTest::OnSent, this));
        Simulator::Run();
        // from 20 to 120 us all three are backlogged: 100 us are 1,250,000 bytes with gaps,
        // 1250000 / 4178 * 4158 = 1244016 frame bytes; 1/7, 2/7 and 4/7 of it to within a quantum
        // and a frame of each class
        const double all = 1244016;
        for (int priority : {1, 2, 3})
        {
            const int weight = 1 << (priority - 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(double(bytes[priority]),
                                      all * weight / 7,
                                      4200.0 * weight + 4158 * 2,
                                      "share of priority " << priority);
        }
        Simulator::Destroy();
        CheckRefusals();
    }

    void CheckRefusals()
    {
        RoceHelper roce;
        std::string message;
        try
        {
            roce.SetScheduler("wfq");
        }
        catch (const std::invalid_argument& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find("wfq"), std::string::npos, "an unknown one is named");
        message.clear();
        try
        {
            roce.SetPortAttribute("Scheduler", PointerValue());
        }
        catch (const std::invalid_argument& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find("SetScheduler"),
                              std::string::npos,
                              "one scheduler for all ports is refused, with the way to do it");
    }

    static PortScheduler* GetScheduler(Ptr<Fabric> fabric, uint32_t port)
    {
        PointerValue value;
        fabric->GetPort(4, port)->GetAttribute("Scheduler", value);
        return PeekPointer(value.Get<PortScheduler>());
    }

    void OnSent(const Frame& frame)
    {
        const Tick now = EventCore::Get()->Now();
        if (now >= 20000 && now < 120000)
        {
            (*m_bytes)[frame.priority] += frame.size;
        }
    }

    std::map<int, uint64_t>* m_bytes{nullptr};
};

/** Suite roce-port-scheduler. */
class PortSchedulerTestSuite : public TestSuite
{
  public:
    PortSchedulerTestSuite()
        : TestSuite("roce-port-scheduler", TestSuite::Type::UNIT)
    {
        AddTestCase(new TwoClassesTest, D::QUICK);
        AddTestCase(new DwrrPortTest, D::QUICK);
    }
};

PortSchedulerTestSuite g_portSchedulerTestSuite;

} // namespace
