/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-run.h"

#include "py-bind.h"
#include "py-run-progress.h"

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

PyResult::PyResult(const ExperimentRun& run)
    : result(run.GetResult()),
      extra(const_cast<ExperimentRun&>(run).GetExtra())
{
    const FabricMonitor& monitor = *run.GetMonitor();
    const HostDirectory& hosts = monitor.GetHosts();
    messages.reserve(monitor.GetMessages().size());
    for (const MessageRecord& m : monitor.GetMessages())
    {
        MessageRow row;
        row.id = m.id;
        row.bytes = m.bytes;
        row.posted = FromTick(m.posted).GetNanoSeconds();
        row.arrived = FromTick(m.arrived).GetNanoSeconds();
        row.completed = FromTick(m.completed).GetNanoSeconds();
        row.host = hosts.GetId(m.host);
        row.peer = hosts.GetId(m.peer);
        row.qpn = m.qpn;
        row.operation = static_cast<uint16_t>(m.operation);
        row.service = static_cast<uint16_t>(m.service);
        messages.push_back(row);
    }
}

std::unique_ptr<PyResult>
RunExperiment(Ptr<Fabric> fabric, const RunRequest& request)
{
    RunGuard::RefuseWhileRunning("another run");
    RequireAlive(fabric->GetHosts().Get(0));
    ExperimentRun run(request.label, fabric, false);
    Ptr<QueueMonitor> queues;
    if (request.queues.IsStrictlyPositive())
    {
        queues = run.EnableQueueMonitor(request.queues);
    }
    std::unique_ptr<RunProgress> progress;
    if (!request.progress.is_none())
    {
        progress = std::make_unique<RunProgress>(fabric, MakeSink(request.progress));
        run.GetStallDetector()->SetBeat([&progress](Tick now) { progress->Poll(now); });
    }
    RunGuard::Run([&]() { run.Run(request.stop); });
    if (progress)
    {
        progress->Tell(EventCore::Get()->Now());
        RunGuard::ThrowError();
    }
    auto result = std::make_unique<PyResult>(run);
    if (queues)
    {
        for (const auto& [begin, bytes] : queues->GetSeries().GetBuckets())
        {
            result->queues.emplace_back(FromTick(begin).GetSeconds(), static_cast<double>(bytes));
        }
    }
    return result;
}

} // namespace python
} // namespace roce
} // namespace ns3
