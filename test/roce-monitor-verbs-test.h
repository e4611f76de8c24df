/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MONITOR_VERBS_TEST_H
#define ROCE_MONITOR_VERBS_TEST_H

#include "roce-test-fabric.h"

#include "ns3/roce-monitor-helper.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** A run of hosts 0 and 1 with monitors. */
class MonitorVerbsTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /** \param rates of the links \param options of the connection */
    void Build(const std::vector<uint64_t>& rates = {100 * GBPS, 100 * GBPS},
               const ConnectionOptions& options = {})
    {
        roce->SetCongestionControl("none");
        fabric = roce->Install(ChainGraph(rates, 1000));
        monitor = MonitorHelper().InstallFabricMonitor(fabric);
        detector = MonitorHelper().InstallStallDetector(fabric);
        pair = fabric->Connect(0, 1, options);
    }

    /** \param operation what \param bytes length \param fence whether it waits for READs */
    void Post(Operation operation, uint64_t bytes, bool fence = false)
    {
        WorkRequest request;
        request.id = posted++;
        request.operation = operation;
        request.bytes = bytes;
        request.fence = fence;
        pair.nic->Post(pair.qp, request);
    }

    /** Give host 1 a receive request. \param bytes its room */
    void PostReceive(uint64_t bytes)
    {
        ReceiveRequest request;
        request.bytes = bytes;
        pair.peerNic->PostReceive(pair.peerQp, request);
    }

    /** \param at when \param action what is done then */
    static void At(Time at, std::function<void()> action)
    {
        Simulator::Schedule(at, [action]() { action(); });
    }

    /** \return what the only open queue pair waits for */
    StalledQueuePair Waits() const
    {
        const StallReport report = detector->Describe();
        return report.pairs.size() == 1 ? report.pairs[0] : StalledQueuePair();
    }

    /** \param wanted cause \param text what its sentence must contain */
    void Expect(StallCause wanted, const std::string& text)
    {
        const StalledQueuePair found = Waits();
        NS_TEST_EXPECT_MSG_EQ(StallCauseName(found.cause),
                              std::string(StallCauseName(wanted)),
                              found.GetText());
        NS_TEST_EXPECT_MSG_NE(found.GetText().find(text), std::string::npos, found.GetText());
        ++checked;
    }

    /** Forget the run. */
    void Reset()
    {
        monitor = nullptr;
        detector = nullptr;
        pair = Connection();
        fabric = nullptr;
        posted = 0;
        roce = std::make_unique<RoceHelper>();
        Simulator::Destroy();
    }

    std::unique_ptr<RoceHelper> roce = std::make_unique<RoceHelper>();
    Ptr<Fabric> fabric;
    Ptr<FabricMonitor> monitor;
    Ptr<StallDetector> detector;
    Connection pair;
    uint64_t posted{0};
    int checked{0}; //!< calls of Expect

  private:
    void DoTeardown() override
    {
        Reset();
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MONITOR_VERBS_TEST_H
