/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DEADLOCK_TEST_H
#define ROCE_DEADLOCK_TEST_H

#include "roce-test-fabric.h"

#include "ns3/roce-buffer-dependency.h"
#include "ns3/roce-monitor-helper.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What the cases share: fabrics, detectors, what to expect of a freeze. */
class DeadlockTest : public FabricTest
{
  public:
    /** \param name of the case */
    explicit DeadlockTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    /** Hosts 0..n-1, switches n..2n-1 in a ring, host i on switch n + i, all links 40G and 1 us;
     *  `extra` hosts more on switch n + 1 with links of a rate of their own. */
    static FabricGraph Ring(uint32_t n, const std::vector<uint64_t>& extra = {})
    {
        FabricGraph graph;
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.AddHost(i);
            graph.AddSwitch(n + i);
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.AddLink(i, n + i, 40 * GBPS, 1000000);
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.AddLink(n + i, n + (i + 1) % n, 40 * GBPS, 1000000);
        }
        for (std::size_t i = 0; i < extra.size(); ++i)
        {
            graph.AddHost(static_cast<uint32_t>(2 * n + i));
            graph.AddLink(static_cast<uint32_t>(2 * n + i), n + 1, extra[i], 1000000);
        }
        return graph;
    }

    /** Let a switch send what goes to a host to the next switch. */
    void Route(uint32_t device, uint32_t host, uint32_t next)
    {
        for (const FabricNeighbour& n : fabric->GetGraph().Neighbours(device))
        {
            if (n.peer == next)
            {
                fabric->OverrideRoute(device, host, n.port);
                return;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(device, next, "no link between these");
    }

    /** Routes of A30: h1 to h3 over s2 and so on, all clockwise. */
    void RouteClockwise()
    {
        Route(3, 2, 4);
        Route(4, 0, 5);
        Route(5, 1, 3);
    }

    /** Begin to watch; the switches of a ring of A30 are 3, 4 and 5. */
    void Watch()
    {
        detector = MonitorHelper().InstallDeadlockDetector(fabric);
        stalls = MonitorHelper().InstallStallDetector(fabric);
        detector->TraceConnectWithoutContext("Deadlock",
                                             MakeCallback(&DeadlockTest::OnDeadlock, this));
    }

    /** \return the cycles that the routes allow */
    std::vector<BufferCycle> StaticCycles() const
    {
        BufferDependency dependency(fabric->GetGraph());
        dependency.AddRoutes(fabric->GetRouting());
        return dependency.FindCycles();
    }

    /** \return frames dropped by all switches. \param reason why */
    uint64_t Drops(DropReason reason) const
    {
        uint64_t drops = 0;
        for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
        {
            drops += fabric->GetSwitches().Get(i)->GetObject<Switch>()->GetDrops(reason);
        }
        return drops;
    }

    /** \return payload bytes delivered, by flow */
    std::vector<uint64_t> Delivered() const
    {
        std::vector<uint64_t> bytes;
        for (const TestFlow& flow : flows)
        {
            bytes.push_back(Receiver(flow).bytesDelivered);
        }
        return bytes;
    }

    /** The run froze in this ring, said so, and ended; nothing was dropped for want of room. */
    void ExpectFrozen(const std::string& ring)
    {
        NS_TEST_EXPECT_MSG_EQ(stalls->HasStopped(), true, "ended, not hung");
        NS_TEST_ASSERT_MSG_EQ(stalls->GetReport().rings.size(), 1, "in the report of the end");
        NS_TEST_EXPECT_MSG_EQ(stalls->GetReport().rings[0].GetCycleText(), ring, "by name");
        NS_TEST_ASSERT_MSG_EQ(detector->GetReports().size(), 1, "said once");
        const DeadlockReport& report = detector->GetReports()[0];
        NS_TEST_EXPECT_MSG_EQ(report.GetCycleText(), ring, "by name");
        NS_TEST_EXPECT_MSG_EQ(report.frozen, stalls->GetReport().rings[0].frozen, "since then");
        // defaults: held for 1 ms, looked at each 0.1 ms
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.at - report.frozen, 1000000, "HoldTime");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(report.at - report.frozen, 1100000, "and CheckInterval");
        NS_TEST_ASSERT_MSG_EQ(frozen.empty(), false, "traced");
        NS_TEST_EXPECT_MSG_EQ((Delivered() == frozen), true, "rate 0 for every flow");
        NS_TEST_EXPECT_MSG_EQ(Drops(DropReason::LOSSLESS_BUFFER), 0, "lossless");
    }

    /** All is done, nothing was ever called a deadlock. */
    void RunFree()
    {
        Run();
        NS_TEST_EXPECT_MSG_EQ(stalls->HasStopped(), false, "finished");
        NS_TEST_EXPECT_MSG_EQ(detector->GetReports().size(), 0, "no deadlock");
        NS_TEST_EXPECT_MSG_EQ(Drops(DropReason::LOSSLESS_BUFFER), 0, "lossless");
    }

    Ptr<DeadlockDetector> detector;
    Ptr<StallDetector> stalls;
    std::vector<uint64_t> frozen; //!< bytes delivered when the first one was told

    void DoTeardown() override
    {
        Forget();
        FabricTest::DoTeardown();
    }

    /** Before Reset. */
    void Forget()
    {
        if (detector)
        {
            detector->Dispose();
            stalls->Dispose();
        }
        detector = nullptr;
        stalls = nullptr;
        frozen.clear();
    }

  private:
    void OnDeadlock(const DeadlockReport&)
    {
        if (frozen.empty())
        {
            frozen = Delivered();
        }
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DEADLOCK_TEST_H
