/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-callback.h"
#include "py-value.h"

#include "ns3/roce-deadlock-detector.h"
#include "ns3/roce-monitor-helper.h"

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

py::list
ReportsOf(const std::vector<DeadlockReport>& reports)
{
    py::list list;
    for (const DeadlockReport& report : reports)
    {
        py::list cycle;
        for (const WaitingQueue& queue : report.cycle)
        {
            py::dict one;
            one["node"] = queue.node;
            one["port"] = queue.port;
            one["priority"] = queue.priority;
            one["bytes"] = queue.bytes;
            one["since_ns"] = FromTick(queue.since).GetNanoSeconds();
            one["peer"] = queue.peer;
            one["peer_port"] = queue.peerPort;
            cycle.append(one);
        }
        py::dict d;
        d["at_ns"] = FromTick(report.at).GetNanoSeconds();
        d["frozen_ns"] = FromTick(report.frozen).GetNanoSeconds();
        d["cycle"] = cycle;
        d["text"] = report.GetText();
        list.append(d);
    }
    return list;
}

void
BindDeadlocks(py::module_& m)
{
    constexpr const char* REPORTS =
        "Deadlocks seen so far, in the order of finding: a list of dict with at_ns (when it was\n"
        "found), frozen_ns (when the last of the queues stopped), text, and cycle: queues of "
        "which\n"
        "each waits for the next (node, port, priority, bytes, since_ns, peer, peer_port).";
    py::class_<DeadlockDetector, Object, Held<DeadlockDetector>>(
        m,
        "DeadlockDetector",
        "Says when switches wait for each other in a ring; trace source Deadlock (text).\n\n"
        "DeadlockDetector(fabric, CheckInterval=\"100us\", ...): attributes of\n"
        "ns3::roce::DeadlockDetector by name. It watches the switches of the fabric until the\n"
        "simulation is destroyed. ValueError names what is wrong.")
        .def(py::init([](Ptr<Fabric> fabric, const py::kwargs& attributes) {
                 RequireAlive(fabric->GetHosts().Get(0));
                 MonitorHelper helper;
                 for (const auto& [key, value] : attributes)
                 {
                     const auto name = key.cast<std::string>();
                     const TypeId type = DeadlockDetector::GetTypeId();
                     helper.SetDeadlockAttribute(name, *Values::Make(type, name, value));
                 }
                 Ptr<DeadlockDetector> detector = helper.InstallDeadlockDetector(fabric);
                 KeepUntilDestroy(detector);
                 return Held<DeadlockDetector>(detector);
             }),
             py::arg("fabric"))
        .def_property_readonly(
            "reports",
            [](const DeadlockDetector& d) { return ReportsOf(d.GetReports()); },
            REPORTS)
        .def(
            "find",
            [](const DeadlockDetector& d, py::handle hold) {
                return ReportsOf(d.Find(Values::ToTime(hold, "hold")));
            },
            py::arg("hold") = 0,
            "Rings of queues that wait for each other now, as reports has them.\n\n"
            "hold: for how long they must have been paused at least, such as \"10us\".");
}

} // namespace

void
BindMonitors(py::module_& m)
{
    BindDeadlocks(m);
}

} // namespace python
} // namespace roce
} // namespace ns3
