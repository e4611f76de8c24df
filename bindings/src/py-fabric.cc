/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-fabric.h"

#include "py-bind.h"
#include "py-connection.h"
#include "py-value.h"

#include "ns3/roce-hcc-helper.h"
#include "ns3/roce-link-schedule.h"
#include "ns3/roce-quantity.h"

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

constexpr const char* FABRIC = R"(A built fabric: hosts with NICs, switches, cables and routes.

Fabric(topology, cc="dcqcn", lb="ecmp", recovery="go-back-n", ...)

topology: a FabricGraph, a helper such as ClosHelper, or text: the path of a topology file or the
    name of a preset, such as "homelab".
cc: congestion control of senders: none, dcqcn, dctcp, timely, patched-timely, swift, hpcc,
    hpcc-rate, powertcp, theta-powertcp, hcc, or a TypeId name. What it needs of switches and
    receivers comes with it. Under none, hosts are not ECN-capable.
lb: load balancer of switches: ecmp, e-ecmp, hpcc, flowlet, letflow, dlb, spray, drill, conga, pinned.
recovery: loss recovery: go-back-n, go-back-0, irn.
scheduler: of ports: strict or dwrr. path_chooser: of senders: ecmp or int-oracle.
hcc: an HccHelper that says more than cc="hcc".
nic, switch, port, cnp, ecn, pfc, buffer, transport: dict of attributes of these parts, such as
    nic={"PathMtu": 4096}, switch={"BufferSize": "16MB"}.
congestion_control, load_balancer, loss_recovery, scheduler_attributes, path_attributes: dict of
    attributes of what was chosen.
partition: whether hosts without a path between them are allowed. internet: whether hosts get an
    IPv4 stack of ns-3.

ValueError names the attribute or the fault of the topology, RuntimeError what cannot be read. A
fabric belongs to the simulation in which it was built; destroy() ends that.)";

PyConnection
Connect(Fabric& fabric,
        uint32_t source,
        uint32_t destination,
        uint16_t sourcePort,
        int priority,
        const std::optional<py::object>& window,
        const std::string& service)
{
    RequireAlive(fabric.GetNode(source));
    ConnectionOptions options;
    options.sourcePort = sourcePort;
    options.priority = priority;
    if (priority > 7)
    {
        throw py::value_error("priority " + std::to_string(priority) + " is not 0 to 7, or -1");
    }
    if (window && !window->is_none())
    {
        options.windowBytes = Values::ToBytes(*window, "window");
    }
    if (service != "RC" && service != "UC")
    {
        throw py::value_error("service \"" + service + "\" is not RC or UC");
    }
    options.service = service == "RC" ? TransportService::RC : TransportService::UC;
    return PyConnection(fabric.Connect(source, destination, options));
}

void
BindFabricLinks(py::class_<Fabric, Held<Fabric>>& fabric)
{
    fabric
        .def(
            "set_link",
            [](Fabric& f, uint32_t link, bool up) {
                RequireAlive(f.GetHosts().Get(0));
                f.SetLinkUp(link, up);
                RunGuard::ThrowError();
            },
            py::arg("link"),
            py::arg("up"),
            "Take a link down or up now; routes follow after the route delay.")
        .def(
            "set_link_rate",
            [](Fabric& f, uint32_t link, const std::string& rate) {
                RequireAlive(f.GetHosts().Get(0));
                f.SetLinkRate(link, Quantity::RateBps(rate));
            },
            py::arg("link"),
            py::arg("rate"),
            "Change the rate of a link now, both ways: \"25Gbps\".")
        .def(
            "set_route_delay",
            [](Fabric& f, py::handle delay) {
                f.SetRouteDelay(Values::ToTime(delay, "route delay"));
            },
            py::arg("delay"),
            "Time from a change of a link to that of the routes.")
        .def(
            "schedule_links",
            [](Ptr<Fabric> f, const std::string& text, int64_t stream) {
                RequireAlive(f->GetHosts().Get(0));
                LinkSchedule schedule(f);
                const uint32_t changes = schedule.Add(text);
                schedule.AssignStreams(stream);
                return changes;
            },
            py::arg("text"),
            py::arg("stream") = 1000000,
            "Change links later: \"1ms 12-20 down; 2ms 12-20 up; 1ms 3 rate 25Gbps; 0s 7 errors "
            "1e-5\".\nstream: first random stream of errors; give\n"
            "several calls different ones. Returns the number of changes. ValueError names the "
            "entry "
            "that is wrong.");
}

void
BindFabricPaths(py::class_<Fabric, Held<Fabric>>& fabric)
{
    fabric
        .def(
            "base_rtt",
            [](const Fabric& f, uint32_t a, uint32_t b) {
                RequireAlive(f.GetHosts().Get(0));
                return f.GetBaseRtt(a, b).GetNanoSeconds();
            },
            py::arg("source"),
            py::arg("destination"),
            "Unloaded round trip of a full packet and its ACK, ns.")
        .def(
            "ideal_completion_ns",
            [](const Fabric& f, uint32_t a, uint32_t b, py::handle bytes) {
                RequireAlive(f.GetHosts().Get(0));
                return f.GetIdealCompletionNs(a, b, Values::ToBytes(bytes, "bytes"));
            },
            py::arg("source"),
            py::arg("destination"),
            py::arg("bytes"),
            "Completion time of a lone WRITE, ns.")
        .def(
            "path",
            [](const Fabric& f, uint32_t a, uint32_t b) {
                RequireAlive(f.GetHosts().Get(0));
                return f.GetPath(a, b);
            },
            py::arg("source"),
            py::arg("destination"),
            "Indices of the links of one shortest path.")
        .def_property_readonly(
            "open_requests",
            [](const Fabric& f) {
                RequireAlive(f.GetHosts().Get(0));
                return f.GetOpenRequests();
            },
            "Requests that have neither completed nor failed.");
}

void
BindHcc(py::module_& m)
{
    py::class_<HccHelper>(
        m,
        "HccHelper",
        "Hierarchical congestion control beyond Fabric(cc=\"hcc\").\n\n"
        "domains: what makes a congestion domain: port, spine, pod, switch, tier. "
        "Other arguments\nare dicts of attributes: law of ns3::roce::Hcc, tuning of "
        "HccTuning.")
        .def(py::init([](const std::string& domains,
                         const std::optional<py::dict>& law,
                         const std::optional<py::dict>& tuning,
                         bool tags) {
                 HccHelper helper;
                 helper.SetDomains(domains);
                 helper.SetNotification(tags ? CongestionPoint::TAG : CongestionPoint::CNP);
                 const TypeId types[] = {Values::Type("ns3::roce::Hcc"), HccTuning::GetTypeId()};
                 for (const auto& [key, value] : law.value_or(py::dict()))
                 {
                     const auto name = key.cast<std::string>();
                     helper.SetAttribute(name, *Values::Make(types[0], name, value));
                 }
                 for (const auto& [key, value] : tuning.value_or(py::dict()))
                 {
                     const auto name = key.cast<std::string>();
                     helper.SetTuningAttribute(name, *Values::Make(types[1], name, value));
                 }
                 return helper;
             }),
             py::kw_only(),
             py::arg("domains") = "spine",
             py::arg("law") = py::none(),
             py::arg("tuning") = py::none(),
             py::arg("tags") = false)
        .def_static(
            "domain_names",
            [](const FabricGraph& graph, const std::string& domains) {
                const CongestionDomains made(graph, CongestionDomains::PolicyOf(domains));
                std::vector<std::string> names;
                for (uint32_t i = 0; i < made.GetNumDomains(); ++i)
                {
                    names.push_back(made.GetLabel(static_cast<uint16_t>(i)));
                }
                return names;
            },
            py::arg("graph"),
            py::arg("domains") = "spine",
            "Names of the domains of a graph by their numbers, such as \"spine 12\".")
        .def_static(
            "check_marking",
            &HccHelper::CheckMarking,
            py::arg("fabric"),
            "Ports whose sender is paused before any queue is marked, a line for each rate.");
}

} // namespace

void
BindFabric(py::module_& m)
{
    BindHcc(m);
    py::class_<Fabric, Held<Fabric>> fabric(m, "Fabric", FABRIC);
    fabric
        .def(py::init([](py::object topology, const py::kwargs& more) {
                 FabricArguments arguments;
                 for (const auto& [name, value] : more)
                 {
                     arguments.Take(name.cast<std::string>(), value);
                 }
                 return Held<Fabric>(arguments.Build(topology));
             }),
             py::arg("topology"))
        .def_property_readonly(
            "graph",
            [](const Fabric& f) { return f.GetGraph(); },
            "The plan (copy), with links up or down as they are now.")
        .def_property_readonly(
            "hosts",
            [](const Fabric& f) { return f.GetGraph().Hosts(); },
            "Ids of the hosts.")
        .def_property_readonly(
            "switches",
            [](const Fabric& f) { return f.GetGraph().Switches(); },
            "Ids of the switches.")
        .def("nic",
             &Fabric::GetNic,
             py::arg("host"),
             "The NIC of a host; ValueError if it is none.")
        .def("switch",
             &Fabric::GetSwitch,
             py::arg("id"),
             "A switch by its id; ValueError if it is none.")
        .def("port", &Fabric::GetPort, py::arg("id"), py::arg("port"), "A port of a node.")
        .def("connect",
             &Connect,
             py::arg("source"),
             py::arg("destination"),
             py::kw_only(),
             py::arg("source_port") = 0,
             py::arg("priority") = -1,
             py::arg("window") = py::none(),
             py::arg("service") = "RC",
             "Make and connect two queue pairs.\n\n"
             "source_port: UDP source port, 0: the NIC chooses. priority: 0 to 7, -1: as the NIC\n"
             "says. window: cap on unacknowledged bytes, such as \"64KB\". service: RC or UC.\n"
             "RuntimeError names both hosts if there is no path.")
        .def("__repr__", [](const Fabric& f) {
            return "<roce.Fabric: " + std::to_string(f.GetHosts().GetN()) + " hosts, " +
                   std::to_string(f.GetSwitches().GetN()) + " switches>";
        });
    BindFabricPaths(fabric);
    BindFabricLinks(fabric);
}

} // namespace python
} // namespace roce
} // namespace ns3
