/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-callback.h"
#include "py-value.h"

#include "ns3/roce-pause-storm.h"
#include "ns3/roce-run-series.h"
#include "ns3/roce-watchdog-helper.h"
#include "ns3/simulator.h"

#include <optional>
#include <pybind11/stl.h>
#include <stdexcept>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** Set attributes of a class at a helper. \param type the class \param attributes of Python
 *  \param set takes name and value */
template <typename Set>
void
SetEach(TypeId type, const std::optional<py::dict>& attributes, Set set)
{
    for (const auto& [key, value] : attributes.value_or(py::dict()))
    {
        const auto name = py::cast<std::string>(key);
        set(name, *Values::Make(type, name, value));
    }
}

void
StartStorm(Ptr<PauseStorm> storm,
           Ptr<Port> port,
           const std::vector<int>& priorities,
           py::handle start,
           py::handle duration)
{
    uint8_t mask = 0;
    for (const int p : priorities)
    {
        if (p < 0 || p > 7)
        {
            throw py::value_error("priority " + std::to_string(p) + " is not 0 to 7");
        }
        mask |= static_cast<uint8_t>(1u << p);
    }
    RequireAlive(port->GetNode());
    const Time at = start.is_none() ? Simulator::Now() : Values::ToTime(start, "start");
    storm->Start(port, mask, at, Values::ToTime(duration, "duration"));
    KeepUntilDestroy(storm);
}

void
BindStorm(py::module_& m)
{
    py::class_<PauseStorm, Object, Held<PauseStorm>>(
        m,
        "PauseStorm",
        "A port that sends pause frames by itself: a broken NIC, or a receiver that cannot keep "
        "up.\n\n"
        "PauseStorm(Quanta=65535, Interval=\"0\", Release=True): attributes of "
        "ns3::roce::PauseStorm by name.\n"
        "Interval 0: half the pause time.")
        .def(py::init([](const py::kwargs& attributes) {
            auto storm = CreateObject<PauseStorm>();
            for (const auto& [name, value] : attributes)
            {
                Values::Set(*storm, name.cast<std::string>(), value);
            }
            return Held<PauseStorm>(storm);
        }))
        .def("start",
             &StartStorm,
             py::arg("port"),
             py::kw_only(),
             py::arg("priorities") = std::vector<int>{3},
             py::arg("start") = py::none(),
             py::arg("duration"),
             "Send pause frames from a port, as fabric.port(host, 0).\n\n"
             "priorities: 0 to 7. start: in simulated time, \"1ms\"; None: now. duration: how "
             "long.\n"
             "It need not be kept. ValueError if one is under way, the start lies in the past or "
             "nothing\n"
             "would be sent; RuntimeError if the simulation of the port was destroyed.")
        .def("stop", &PauseStorm::Stop, "End now; nothing if none is under way.")
        .def_property_readonly("running",
                               &PauseStorm::IsRunning,
                               "Whether one waits or is under way.")
        .def_property_readonly("frames",
                               &PauseStorm::GetFrames,
                               "Frames sent so far, the one that ends the pause too.");
}

py::dict
CountersOf(const PfcWatchdogCounters& c)
{
    py::dict d;
    d["storms"] = c.storms;
    d["restores"] = c.restores;
    d["dropped"] = c.dropped;
    d["forwarded"] = c.forwarded;
    return d;
}

/** \return what a function of a queue gives. \param port of it \param priority of it \param get the
 *  function; IndexError if there is no such queue */
template <typename Get>
auto
OfQueue(uint32_t port, unsigned priority, Get get)
{
    try
    {
        return get();
    }
    catch (const std::out_of_range&)
    {
        throw py::index_error("port " + std::to_string(port) + " priority " +
                              std::to_string(priority) +
                              ": the watchdog has no such queue; it has the ports of its switch "
                              "and priorities 0 to 7");
    }
}

void
BindWatchdog(py::module_& m)
{
    py::class_<PfcWatchdog, Object, Held<PfcWatchdog>>(
        m,
        "PfcWatchdog",
        "The PFC watchdog of a switch, made by WatchdogHelper; trace source Storm (port, priority, "
        "begins).")
        .def(
            "state",
            [](const PfcWatchdog& w, uint32_t port, unsigned priority) {
                return OfQueue(port, priority, [&]() {
                    return std::string(PfcWatchdogStateName(w.GetState(port, priority)));
                });
            },
            py::arg("port"),
            py::arg("priority") = 3,
            "Where a queue stands: operational, watching, stormed or clearing. IndexError if there "
            "is none.")
        .def(
            "counters",
            [](const PfcWatchdog& w, uint32_t port, unsigned priority) {
                return OfQueue(port, priority, [&]() {
                    return CountersOf(w.GetCounters(port, priority));
                });
            },
            py::arg("port"),
            py::arg("priority") = 3,
            "What happened to a queue: a dict of storms, restores, dropped and forwarded "
            "(frames).\n"
            "IndexError if there is none.")
        .def_property_readonly(
            "totals",
            [](const PfcWatchdog& w) { return CountersOf(w.GetTotals()); },
            "The same, summed over all queues.")
        .def_property_readonly("polls", &PfcWatchdog::GetPolls, "Polls so far.");
}

void
BindObservers(py::module_& m)
{
    py::class_<PfcSpikeDetector, Object, Held<PfcSpikeDetector>>(
        m,
        "PfcSpikeDetector",
        "Tells when a port is paused often; made by WatchdogHelper. Trace source Spike (dict).")
        .def_property_readonly("spikes", &PfcSpikeDetector::GetSpikes, "Spikes so far.")
        .def_property_readonly(
            "peak",
            [](const PfcSpikeDetector& d) -> py::object {
                const PfcSpike& peak = d.GetPeak();
                if (peak.xoffs == 0)
                {
                    return py::none();
                }
                py::dict spike;
                spike["node"] = peak.node;
                spike["host"] = peak.host;
                spike["port"] = peak.port;
                spike["priority"] = peak.priority;
                spike["xoffs"] = peak.xoffs;
                spike["at_ns"] = FromTick(peak.at).GetNanoSeconds();
                return spike;
            },
            "The spike with most pause frames: node, host, port, priority, xoffs, at_ns; or None.");
    py::class_<PauseTreeMonitor, Held<PauseTreeMonitor>>(
        m,
        "PauseTreeMonitor",
        "Which pause follows from which, and where they began; made by WatchdogHelper.\n\n"
        "It watches as long as Python keeps it. roce.run(pauses=True) has the same as arrays.")
        .def_property_readonly(
            "text",
            [](const PauseTreeMonitor& t) { return t.GetTree().GetText(); },
            "A line for each place where pauses began, and the first of the pauses.")
        .def(
            "as_dict",
            [](const PauseTreeMonitor& t) {
                const auto json = RunSeries::Pauses(t.GetTree(), ToTick(Simulator::Now())).dump();
                return py::module_::import("json").attr("loads")(json);
            },
            "What was seen so far, as the key pauses of result files: end_s, count, roots, "
            "episodes.");
}

WatchdogHelper
MakeHelper(const std::optional<std::string>& preset,
           const std::optional<py::dict>& watchdog,
           const std::optional<py::dict>& spike)
{
    WatchdogHelper helper;
    if (preset)
    {
        helper.SetPreset(*preset);
    }
    SetEach(PfcWatchdog::GetTypeId(), watchdog, [&](const auto& name, const auto& value) {
        helper.SetAttribute(name, value);
    });
    SetEach(PfcSpikeDetector::GetTypeId(), spike, [&](const auto& name, const auto& value) {
        helper.SetSpikeAttribute(name, value);
    });
    return helper;
}

void
BindHelper(py::module_& m)
{
    py::class_<WatchdogHelper>(
        m,
        "WatchdogHelper",
        "Puts a PFC watchdog on each switch of a fabric, and observers of pauses.\n\n"
        "preset: sonic or junos, then watchdog: dict of attributes of ns3::roce::PfcWatchdog, such "
        "as\n{\"DetectionTime\": \"2ms\", \"PollInterval\": \"1ms\", \"Action\": \"drop\"}. spike: "
        "of\nns3::roce::PfcSpikeDetector. ValueError names what is wrong.")
        .def(py::init(&MakeHelper),
             py::kw_only(),
             py::arg("preset") = py::none(),
             py::arg("watchdog") = py::none(),
             py::arg("spike") = py::none())
        .def(
            "install",
            [](const WatchdogHelper& helper, Ptr<Fabric> fabric) {
                RequireAlive(fabric->GetHosts().Get(0));
                return helper.Install(fabric);
            },
            py::arg("fabric"),
            "A list of PfcWatchdog, in the order of fabric.switches. RuntimeError if a run has "
            "begun.")
        .def(
            "install_spike_detector",
            [](const WatchdogHelper& helper, Ptr<Fabric> fabric) {
                RequireAlive(fabric->GetHosts().Get(0));
                Ptr<PfcSpikeDetector> detector = helper.InstallSpikeDetector(fabric);
                KeepUntilDestroy(detector);
                return detector;
            },
            py::arg("fabric"),
            "A PfcSpikeDetector of all ports.")
        .def_static(
            "install_pause_tree",
            [](Ptr<Fabric> fabric) {
                RequireAlive(fabric->GetHosts().Get(0));
                return WatchdogHelper::InstallPauseTree(fabric);
            },
            py::arg("fabric"),
            "A PauseTreeMonitor of all pauses from now on.");
}

} // namespace

void
BindWatchdogs(py::module_& m)
{
    BindStorm(m);
    BindWatchdog(m);
    BindObservers(m);
    BindHelper(m);
}

} // namespace python
} // namespace roce
} // namespace ns3
