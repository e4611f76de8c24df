/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_TEST_NET_H
#define ROCE_SWITCH_TEST_NET_H

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/roce-cable.h"
#include "ns3/roce-event-core.h"
#include "ns3/roce-port-owner.h"
#include "ns3/roce-switch.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** A host that sends the frames it is told to and notes what arrives. */
class TestHost : public PortOwner
{
  public:
    /** A frame that arrived. */
    struct Arrival
    {
        Tick at;      //!< when
        Frame header; //!< a copy
    };

    /** \param rate of its port */
    explicit TestHost(DataRate rate)
        : port(CreateObject<Port>()),
          node(CreateObject<Node>())
    {
        port->SetAttribute("DataRate", DataRateValue(rate));
        port->Assemble(this, 0, Transmitter::NIC);
        node->AddDevice(port);
    }

    void Receive(Frame* frame, uint32_t, Tick now) override
    {
        arrivals.push_back({now, *frame});
        EventCore::Get()->GetPool().Free(frame);
    }

    /**
     * Queue frames now. \param to index of the destination host \param count frames \param size
     * bytes \param priority priority \param ecn code point \param ttl time to live
     */
    void Send(uint32_t to,
              uint32_t count,
              uint32_t size,
              uint8_t priority,
              uint8_t ecn,
              uint8_t ttl)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Frame* frame = EventCore::Get()->GetPool().Get();
            frame->kind = FrameKind::REQUEST;
            frame->source = 0x0b000001;
            frame->destination = LocatorTable::BASE_ADDRESS + 256 * to;
            frame->hash = 1;
            frame->size = static_cast<uint16_t>(size);
            frame->priority = priority;
            frame->ecn = ecn;
            frame->ttl = ttl;
            frame->psn = sent++;
            port->GetTransmitter().Enqueue(frame, priority, EventCore::Get()->Now());
        }
    }

    /** Pause (or with quanta 0 release) a priority at the switch. \param priority priority
     *  \param quanta time */
    void Pause(uint8_t priority, uint16_t quanta)
    {
        const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
        port->SendPause(1u << priority, times.data(), EventCore::Get()->Now());
    }

    /** \return frames that arrived. \param priority of this priority */
    uint32_t Count(uint8_t priority) const
    {
        uint32_t count = 0;
        for (const auto& arrival : arrivals)
        {
            count += arrival.header.priority == priority;
        }
        return count;
    }

    Ptr<Port> port;
    Ptr<Node> node;
    uint32_t sent{0};
    std::vector<Arrival> arrivals;
};

/** Hosts on one switch. */
class TestStar
{
  public:
    /** A change of a pause state. */
    struct PfcChange
    {
        uint32_t port;
        uint32_t priority;
        bool xoff;
        Tick at;
    };

    /** \param count hosts \param rate of all links \param delay of all cables */
    TestStar(uint32_t count, const std::string& rate, Time delay)
        : sw(CreateObject<Switch>()),
          node(CreateObject<Node>())
    {
        auto locators = std::make_shared<LocatorTable>();
        for (uint32_t i = 0; i < count; ++i)
        {
            hosts.push_back(std::make_unique<TestHost>(DataRate(rate)));
            auto port = CreateObject<Port>();
            port->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
            sw->AddPort(port);
            node->AddDevice(port);
            cables.push_back(CreateObject<Cable>());
            cables.back()->SetAttribute("Delay", TimeValue(delay));
            cables.back()->Connect(hosts[i]->port, port);
            locators->Set(LocatorTable::BASE_ADDRESS + 256 * i, 0, i);
        }
        sw->GetForwarding().SetLocators(locators);
        sw->GetForwarding().SetOwnLeaf(0);
        node->AggregateObject(sw);
        sw->TraceConnectWithoutContext("Drop", MakeCallback(&TestStar::OnDrop, this));
        sw->TraceConnectWithoutContext("EcnMark", MakeCallback(&TestStar::OnMark, this));
        sw->TraceConnectWithoutContext("PfcState", MakeCallback(&TestStar::OnPfc, this));
    }

    /** Do something at a time. \param at when \param action what */
    template <typename F>
    void At(Time at, F action)
    {
        Simulator::Schedule(
            at,
            +[](F a) { a(); },
            action);
    }

    /** \return changes of the pause state of a priority. \param priority which */
    std::vector<PfcChange> Changes(uint32_t priority) const
    {
        std::vector<PfcChange> list;
        for (const auto& change : changes)
        {
            if (change.priority == priority)
            {
                list.push_back(change);
            }
        }
        return list;
    }

    Ptr<Switch> sw;
    Ptr<Node> node;
    std::vector<std::unique_ptr<TestHost>> hosts;
    std::vector<Ptr<Cable>> cables;
    std::vector<DropReason> drops;
    std::vector<PfcChange> changes;
    uint32_t marks{0};

  private:
    void OnDrop(const Frame&, DropReason reason)
    {
        drops.push_back(reason);
    }

    void OnMark(const Frame& frame, uint32_t)
    {
        marks += frame.ecn == ECN_CE;
    }

    void OnPfc(uint32_t port, uint32_t priority, bool xoff)
    {
        changes.push_back({port, priority, xoff, EventCore::Get()->Now()});
    }
};

/** Common end of a test: nothing stored, nothing lost track of, no frame leaked. */
class SwitchTest : public TestCase
{
  public:
    explicit SwitchTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** Run to the end and check what must always hold. \param star the network */
    void Finish(TestStar& star)
    {
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.sw->CheckInvariants(), "", "invariants");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetMmu().GetTotal().used, 0, "buffer of an idle switch");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetMmu().GetHeadroomLevel().used, 0, "headroom when idle");
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "frames left over");
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPending(), 0, "events left over");
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            auto pfc = star.sw->GetPfcController();
            NS_TEST_EXPECT_MSG_EQ(pfc->GetXoffs(p), pfc->GetXons(p), "XOFF and XON match");
        }
        uint64_t dropped = 0;
        for (unsigned r = 0; r < NUM_DROP_REASONS; ++r)
        {
            dropped += star.sw->GetDrops(static_cast<DropReason>(r));
        }
        NS_TEST_EXPECT_MSG_EQ(dropped, star.drops.size(), "each drop is counted and traced once");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetFramesIn(),
                              star.sw->GetFramesOut() + dropped,
                              "in = out + dropped");
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_TEST_NET_H
