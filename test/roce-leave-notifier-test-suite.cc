/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/roce-flowlet-load-balancer.h"
#include "ns3/roce-leave-notifier.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t CONTROL = 6;
constexpr uint32_t QP = 0x99;

/**
 * CNPs pass, a flow moves, late CNPs pass. Host 1 sends CNPs to the queue pair of host 0; ports 0
 * and 1 of the switch are two ways of its flow, of domains 20 and 21. The flowlet balancer, asked
 * by hand, takes one, then, after more than the gap of 1 us, the other, as it remembers the load of
 * the first.
 */
class LeaveNotifierTest : public SwitchTest
{
  public:
    LeaveNotifierTest()
        : SwitchTest("leave notifier: moves and late CNPs")
    {
    }

  private:
    /** Host 1 sends a CNP. \param star the network \param domain its domain \param clear its flag
     */
    static void SendCnp(TestStar& star, uint32_t domain, bool clear = false)
    {
        CnpBody body;
        body.domain = static_cast<uint16_t>(domain);
        body.clear = clear;
        Frame* frame = EventCore::Get()->GetPool().Get();
        frame->kind = FrameKind::CNP;
        frame->opcode = Opcode::CNP;
        frame->flags = FRAME_BECN | FRAME_EXTENDED;
        frame->source = LocatorTable::BASE_ADDRESS + 256;
        frame->destination = LocatorTable::BASE_ADDRESS;
        frame->destinationQp = QP;
        frame->size = 78;
        frame->priority = CONTROL;
        frame->ttl = 64;
        body.Encode(frame->cnpBody);
        star.hosts[1]->port->GetTransmitter().Enqueue(frame, CONTROL, EventCore::Get()->Now());
    }

    /** The switch has a packet of the flow. \return its way \param star the network */
    static uint32_t Pick(TestStar& star)
    {
        const uint16_t ways[] = {0, 1};
        Frame frame{};
        frame.kind = FrameKind::REQUEST;
        frame.opcode = Opcode::RC_WRITE_MIDDLE;
        frame.source = LocatorTable::BASE_ADDRESS;
        frame.destination = LocatorTable::BASE_ADDRESS + 256;
        frame.hash = 1;
        frame.aeth = QP;
        frame.size = 1062;
        frame.payload = 1000;
        frame.hops = 1;
        return star.sw->GetLoadBalancer()->Pick(&frame, ways, 2, EventCore::Get()->Now());
    }

    /** \return a star whose switch moves flows. \param notifier its stage */
    static std::unique_ptr<TestStar> Make(Ptr<LeaveNotifier> notifier)
    {
        auto star = std::make_unique<TestStar>(2, "100Gbps", NanoSeconds(100));
        auto balancer = CreateObject<FlowletLoadBalancer>();
        balancer->SetAttribute("Gap", TimeValue(MicroSeconds(1)));
        star->sw->SetLoadBalancer(balancer);
        CnpBody place;
        place.domain = 20;
        place.point = 7;
        place.tier = 1;
        CnpBody other = place;
        other.domain = 21;
        other.point = 8;
        notifier->SetPlaces({place, other});
        star->sw->AddStage(notifier);
        return star;
    }

    void DoRun() override
    {
        auto notifier = CreateObject<LeaveNotifier>();
        const auto star = Make(notifier);
        uint32_t first = 9;
        uint32_t second = 9;
        star->At(MicroSeconds(1), [&] { first = Pick(*star); });
        star->At(MicroSeconds(2), [&] { SendCnp(*star, 20 + first); });
        star->At(MicroSeconds(3), [&] { second = Pick(*star); });
        star->At(MicroSeconds(4), [&] { SendCnp(*star, 20 + first, true); }); // late
        star->At(MicroSeconds(5), [&] { SendCnp(*star, 20 + second); });
        star->At(MicroSeconds(6), [&] { SendCnp(*star, 5); }); // of somebody else
        Finish(*star);
        NS_TEST_EXPECT_MSG_EQ(first + second, 1, "it moved");
        NS_TEST_EXPECT_MSG_EQ(notifier->GetLeaves(), 1, "told");
        NS_TEST_EXPECT_MSG_EQ(notifier->GetRepeats(), 1, "and again behind the late one");
        const auto& arrivals = star->hosts[0]->arrivals;
        const uint32_t domains[] = {20 + first, 20 + first, 20 + first, 20 + first, 20 + second, 5};
        const bool leaves[] = {false, true, false, true, false, false};
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 6, "CNPs");
        for (std::size_t i = 0; i < 6; ++i)
        {
            CnpBody body;
            NS_TEST_EXPECT_MSG_EQ(CnpBody::Decode(arrivals[i].header.cnpBody, body), true, i);
            NS_TEST_EXPECT_MSG_EQ(body.domain, domains[i], "domain of CNP " << i);
            NS_TEST_EXPECT_MSG_EQ(body.leave, leaves[i], "leave of CNP " << i);
            NS_TEST_EXPECT_MSG_EQ(body.clear, (i == 2), "clear of CNP " << i);
            NS_TEST_EXPECT_MSG_EQ(arrivals[i].header.destinationQp, QP, "queue pair");
            NS_TEST_EXPECT_MSG_EQ(+arrivals[i].header.priority, +CONTROL, "priority");
        }
        CnpBody told;
        CnpBody::Decode(arrivals[1].header.cnpBody, told);
        NS_TEST_EXPECT_MSG_EQ(told.point, 7 + first, "place of the port");
        NS_TEST_EXPECT_MSG_EQ(+told.hops, 1, "one link from the sender");
        Simulator::Destroy();
        RunRefused();
    }

    /** Places of a port too few. */
    void RunRefused()
    {
        TestStar star(2, "100Gbps", NanoSeconds(100));
        auto notifier = CreateObject<LeaveNotifier>();
        notifier->SetPlaces({CnpBody()});
        star.sw->AddStage(notifier);
        std::string text;
        try
        {
            star.sw->Freeze();
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        for (const char* part : {"1 ports", "has 2"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in: " << text);
        }
        // with ECMP there is nothing to hear
        TestStar still(2, "100Gbps", NanoSeconds(100));
        auto idle = CreateObject<LeaveNotifier>();
        idle->SetPlaces({CnpBody(), CnpBody()});
        still.sw->AddStage(idle);
        still.sw->Freeze();
        NS_TEST_EXPECT_MSG_EQ(+idle->GetHears(), 0, "ECMP moves nobody");
        const auto moving = CreateObject<LeaveNotifier>();
        const auto star2 = Make(moving);
        star2->sw->Freeze();
        NS_TEST_EXPECT_MSG_EQ(+moving->GetHears(), +SwitchStage::HEARS_ENQUEUE, "flowlets do");
    }
};

/** Flag leave at one switch. */
class LeaveNotifierSuite : public TestSuite
{
  public:
    LeaveNotifierSuite()
        : TestSuite("roce-leave-notifier", TestSuite::Type::UNIT)
    {
        AddTestCase(new LeaveNotifierTest, D::QUICK);
    }
};

LeaveNotifierSuite g_leaveNotifierSuite; //!< registers the suite

} // namespace
