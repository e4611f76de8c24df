/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-callback.h"
#include "py-value.h"

#include "ns3/event-id.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <optional>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** An event that Python has scheduled. */
struct ScheduledEvent
{
    EventId id;
};

void
Fire(Sink sink)
{
    sink->Call();
}

ScheduledEvent
Schedule(py::handle delay, py::function function)
{
    const Time time = Values::ToTime(delay, "delay");
    if (time.IsStrictlyNegative())
    {
        throw py::value_error("delay " + py::str(delay).cast<std::string>() +
                              " is negative; events cannot be in the past");
    }
    return {Simulator::Schedule(time, &Fire, MakeSink(function))};
}

void
RunSimulator(const std::optional<py::object>& stop)
{
    if (stop && !stop->is_none())
    {
        const Time time = Values::ToTime(*stop, "stop");
        if (!time.IsStrictlyPositive())
        {
            throw py::value_error("stop must be above 0");
        }
        Simulator::Stop(time);
    }
    RunGuard::Run([]() { Simulator::Run(); });
}

void
Destroy()
{
    RunGuard::RefuseWhileRunning("destroy()");
    Simulator::Destroy();
    CallbackSlot::DropAll();
    RunGuard::ForgetError();
}

void
EnableLog(const std::string& component, const std::string& level)
{
    static const std::pair<const char*, LogLevel> LEVELS[] = {
        {"error", LOG_LEVEL_ERROR},
        {"warn", LOG_LEVEL_WARN},
        {"info", LOG_LEVEL_INFO},
        {"debug", LOG_LEVEL_DEBUG},
        {"logic", LOG_LEVEL_LOGIC},
        {"function", LOG_LEVEL_FUNCTION},
        {"all", LOG_LEVEL_ALL},
        {"none", LOG_NONE},
    };
    const auto* components = LogComponent::GetComponentList();
    if (components->find(component) == components->end())
    {
        throw py::value_error("there is no log component \"" + component +
                              "\"; ours are called as their class: RoceNic, RoceSwitch");
    }
    for (const auto& [name, value] : LEVELS)
    {
        if (level == name)
        {
            if (value == LOG_NONE)
            {
                LogComponentDisable(component.c_str(), LOG_LEVEL_ALL);
            }
            else
            {
                const auto prefix = LOG_PREFIX_TIME | LOG_PREFIX_NODE | LOG_PREFIX_FUNC;
                LogComponentEnable(component.c_str(), LogLevel(value | prefix));
            }
            return;
        }
    }
    throw py::value_error("log level \"" + level +
                          "\" is not one of error, warn, info, debug, logic, function, all, none");
}

void
SetSeed(uint32_t seed)
{
    if (seed == 0)
    {
        throw py::value_error("seed 0 is none; take 1 or more");
    }
    RngSeedManager::SetSeed(seed);
}

} // namespace

void
BindSimulator(py::module_& m)
{
    py::class_<ScheduledEvent>(m, "ScheduledEvent", "What Simulator.schedule returns.")
        .def(
            "cancel",
            [](ScheduledEvent& e) { e.id.Cancel(); },
            "Do not call it any more.")
        .def_property_readonly(
            "pending",
            [](const ScheduledEvent& e) { return !e.id.IsExpired(); },
            "Whether it is still to come.");
    auto simulator = m.def_submodule("Simulator", "The simulator of ns-3: one a process.");
    simulator.def(
        "run",
        &RunSimulator,
        py::arg("stop") = py::none(),
        "Run until nothing is left to do, or for the time stop (\"5ms\"). The GIL is free\n"
        "meanwhile. What a callback raises ends the run and is raised here; so does "
        "Ctrl-C.");
    simulator.def(
        "stop",
        []() { Simulator::Stop(); },
        "End the run after the present tick.");
    simulator.def(
        "now",
        []() { return Simulator::Now().GetNanoSeconds(); },
        "Simulated time in ns.");
    simulator.def("schedule",
                  &Schedule,
                  py::arg("delay"),
                  py::arg("function"),
                  "Call a function after a delay (\"10us\", or 0). Returns a ScheduledEvent.");
    simulator.def(
        "destroy",
        &Destroy,
        "End the simulation: nodes, events and callbacks go, time is 0 again. Fabrics of\n"
        "it can be read but not used any more. At exit it is done for you.");
    simulator.def("running", &RunGuard::IsRunning, "Whether a run is under way.");
    m.def("set_seed",
          &SetSeed,
          py::arg("seed"),
          "Seed of all random streams, 1 or more; before a fabric is built.");
    m.def(
        "set_run",
        [](uint64_t run) { RngSeedManager::SetRun(run); },
        py::arg("run"),
        "Run number: independent repetitions with one seed; before a fabric is built.");
    m.def("get_seed", &RngSeedManager::GetSeed, "The seed.");
    m.def("get_run", &RngSeedManager::GetRun, "The run number.");
    m.def("enable_log",
          &EnableLog,
          py::arg("component"),
          py::arg("level") = "info",
          "Let a log component of ns-3 write to stderr: enable_log(\"RoceNic\", \"debug\").\n"
          "Levels: error, warn, info, debug, logic, function, all, none.");
}

} // namespace python
} // namespace roce
} // namespace ns3
