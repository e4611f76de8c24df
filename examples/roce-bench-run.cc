/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-bench-run.h"

#include "ns3/core-module.h"
#include "ns3/roce-monitor-helper.h"

#include <algorithm>
#include <ctime>
#include <sys/resource.h>

namespace ns3
{
namespace roce
{

namespace
{

double
CpuSeconds()
{
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/** An event that puts itself back, as a hold model does. */
class Hold
{
  public:
    Hold(uint64_t events, uint32_t pending)
        : m_left(events)
    {
        for (uint32_t i = 0; i < pending; ++i)
        {
            Simulator::Schedule(NanoSeconds(Next()), &Hold::Fire, this);
        }
    }

  private:
    uint32_t Next()
    {
        m_state = m_state * 6364136223846793005ull + 1442695040888963407ull;
        return 100 + static_cast<uint32_t>((m_state >> 33) % 1000);
    }

    void Fire()
    {
        if (m_left > 0)
        {
            --m_left;
            Simulator::Schedule(NanoSeconds(Next()), &Hold::Fire, this);
        }
    }

    uint64_t m_left;
    uint64_t m_state{1};
};

} // namespace

BenchCost
BenchRun::Run(const BenchWorkload& workload, bool monitors)
{
    RoceHelper roce;
    roce.SetNicAttribute("PathMtu", UintegerValue(BenchWorkloads::PAYLOAD_BYTES));
    roce.SetCongestionControl("dcqcn");
    roce.SetCongestionControlAttribute("Preset", StringValue("hpcc-artifact"));
    Ptr<Fabric> fabric = roce.Install(workload.graph);
    roce.AssignStreams(fabric, 1);
    Ptr<FabricMonitor> monitor;
    Ptr<StallDetector> detector;
    if (monitors)
    {
        monitor = MonitorHelper().InstallFabricMonitor(fabric);
        detector = MonitorHelper().InstallStallDetector(fabric);
    }
    for (const BenchFlow& flow : workload.flows)
    {
        Connection connection = fabric->Connect(flow.source, flow.destination);
        WorkRequest request;
        request.bytes = flow.bytes;
        connection.nic->Post(connection.qp, request);
    }
    const double begin = CpuSeconds();
    Simulator::Run();
    BenchCost cost;
    cost.cpuSeconds = CpuSeconds() - begin;
    Ptr<EventCore> core = EventCore::Get();
    cost.frameHops = core->GetFrameHops();
    cost.events = core->GetEventCount();
    cost.stockEvents = core->GetStockEventCount();
    for (uint32_t i = 0; i < fabric->GetHosts().GetN(); ++i)
    {
        const NicCounters& counters = fabric->GetHosts().Get(i)->GetObject<Nic>()->GetCounters();
        cost.packets += counters.dataSent;
        cost.completed += counters.requestsCompleted;
    }
    for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
    {
        for (unsigned reason = 0; reason < NUM_DROP_REASONS; ++reason)
        {
            cost.drops += fabric->GetSwitches().Get(i)->GetObject<Switch>()->GetDrops(
                static_cast<DropReason>(reason));
        }
    }
    Simulator::Destroy();
    return cost;
}

double
BenchRun::MeasureEventNs()
{
    constexpr uint32_t pending = 10000;
    constexpr uint64_t events = 1000000;
    double least = 0;
    for (int round = 0; round < 3; ++round)
    {
        ObjectFactory scheduler;
        scheduler.SetTypeId("ns3::PriorityQueueScheduler");
        Simulator::SetScheduler(scheduler);
        Hold hold(events, pending);
        const double begin = CpuSeconds();
        Simulator::Run();
        const double ns = (CpuSeconds() - begin) * 1e9 / double(events + pending);
        least = round == 0 ? ns : std::min(least, ns);
        Simulator::Destroy();
    }
    return least;
}

uint64_t
BenchRun::GetPeakRss()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

} // namespace roce
} // namespace ns3
