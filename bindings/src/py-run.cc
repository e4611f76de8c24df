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

std::unique_ptr<PyResult>
RunExperiment(Ptr<Fabric> fabric, const RunRequest& request)
{
    RunGuard::RefuseWhileRunning("another run");
    RequireAlive(fabric->GetHosts().Get(0));
    ExperimentRun run(request.label, fabric, false);
    if (request.queues.IsStrictlyPositive())
    {
        run.EnableQueueMonitor(request.queues);
    }
    if (request.rates.IsStrictlyPositive())
    {
        run.EnableRateMonitor(request.rates);
    }
    if (request.pauses)
    {
        run.EnablePauseMonitor();
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
    return std::make_unique<PyResult>(run);
}

} // namespace python
} // namespace roce
} // namespace ns3
