/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-fabric.h"

#include "ns3/roce-event-core.h"

namespace ns3
{
namespace roce
{

void
FabricTest::CheckFlow(const TestFlow& flow)
{
    const std::string name =
        "flow " + std::to_string(flow.source) + " -> " + std::to_string(flow.destination);
    NS_TEST_EXPECT_MSG_EQ(flow.sent.size(), flow.posted.size(), name << ": completions");
    NS_TEST_EXPECT_MSG_EQ(flow.arrived.size(), flow.posted.size(), name << ": arrivals");
    if (flow.sent.size() != flow.posted.size() || flow.arrived.size() != flow.posted.size())
    {
        return;
    }
    uint64_t bytes = 0;
    Tick last = 0;
    for (std::size_t i = 0; i < flow.posted.size(); ++i)
    {
        const Completion& done = flow.sent[i];
        bytes += flow.posted[i];
        NS_TEST_EXPECT_MSG_EQ(done.id, i, name << ": order of completions");
        NS_TEST_EXPECT_MSG_EQ(done.bytes, flow.posted[i], name << ": bytes of a completion");
        NS_TEST_EXPECT_MSG_EQ((done.status == CompletionStatus::SUCCESS), true, name);
        NS_TEST_EXPECT_MSG_EQ((done.kind == CompletionKind::WRITE), true, name);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(done.completed, last, name << ": time of completions");
        last = done.completed;
        NS_TEST_EXPECT_MSG_EQ(flow.arrived[i].bytes, flow.posted[i], name << ": bytes arrived");
        NS_TEST_EXPECT_MSG_LT(flow.arrived[i].completed, done.completed, name << ": cause");
        if (checkIdeal)
        {
            // ticks are cut, so a time may lie up to a tick below the exact one
            const double ideal =
                fabric->GetIdealCompletionNs(flow.source, flow.destination, done.bytes);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(double(done.completed - done.posted) + 1,
                                        ideal,
                                        name << ": slowdown below 1");
        }
    }
    const Responder& responder = flow.pair.peerQp->GetResponder();
    NS_TEST_EXPECT_MSG_EQ(responder.GetBytes(), bytes, name << ": memory written once");
    NS_TEST_EXPECT_MSG_EQ(responder.GetMessages(), flow.posted.size(), name << ": messages");
}

void
FabricTest::CheckSwitch(Ptr<Switch> device)
{
    const std::string name = "switch " + std::to_string(device->GetId());
    NS_TEST_EXPECT_MSG_EQ(device->CheckInvariants(), "", name);
    NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetTotal().used, 0, name << ": bytes when idle");
    NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetHeadroomLevel().used, 0, name << ": headroom");
    NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetPool(true).used, 0, name << ": lossless pool");
    NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetPool(false).used, 0, name << ": lossy pool");
    NS_TEST_EXPECT_MSG_EQ(device->GetDrops(DropReason::LOSSLESS_BUFFER), 0, name << ": drops");
    uint64_t dropped = 0;
    for (unsigned reason = 0; reason < NUM_DROP_REASONS; ++reason)
    {
        dropped += device->GetDrops(static_cast<DropReason>(reason));
    }
    NS_TEST_EXPECT_MSG_EQ(device->GetFramesIn(),
                          device->GetFramesOut() + dropped,
                          name << ": in = out + dropped");
    for (unsigned priority = 0; priority < NUM_PRIORITIES; ++priority)
    {
        NS_TEST_EXPECT_MSG_EQ(device->GetPfcController()->GetXoffs(priority),
                              device->GetPfcController()->GetXons(priority),
                              name << ": XOFF and XON of " << priority);
    }
}

void
FabricTest::CheckIdle()
{
    const Ptr<EventCore> core = EventCore::Get();
    NS_TEST_EXPECT_MSG_EQ(core->GetPool().GetLive(), 0, "frames left over");
    NS_TEST_EXPECT_MSG_EQ(core->GetPending(), 0, "events left over");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetOpenRequests(), 0, "requests left over");
    for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
    {
        CheckSwitch(fabric->GetSwitches().Get(i)->GetObject<Switch>());
    }
    for (uint32_t i = 0; i < fabric->GetHosts().GetN(); ++i)
    {
        const Ptr<Nic> nic = fabric->GetHosts().Get(i)->GetObject<Nic>();
        for (uint32_t port = 0; port < nic->GetNPorts(); ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(nic->GetPort(port)->GetTransmitter().HasBacklog(),
                                  false,
                                  "host " << i << ": frames queued");
        }
    }
}

} // namespace roce
} // namespace ns3
