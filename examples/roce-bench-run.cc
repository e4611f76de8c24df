/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-bench-run.h"

#include "ns3/core-module.h"
#include "ns3/roce-monitor-helper.h"

#include <ctime>
#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ns3
{
namespace roce
{

namespace
{

/** \return heap in use; 0 where the C library does not tell */
std::size_t
HeapBytes()
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

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
    const std::size_t before = HeapBytes();
    for (const BenchFlow& flow : workload.flows)
    {
        Connection connection = fabric->Connect(flow.source, flow.destination);
        WorkRequest request;
        request.bytes = flow.bytes;
        connection.nic->Post(connection.qp, request);
    }
    const std::size_t heap = HeapBytes() - before;
    const double begin = GetCpuSeconds();
    Simulator::Run();
    BenchCost cost;
    cost.queuePairBytes = heap / (2 * workload.flows.size()); // one at each end
    cost.cpuSeconds = GetCpuSeconds() - begin;
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
BenchRun::GetCpuSeconds()
{
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
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
