/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-value.h"

#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-quantity.h"

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

const char*
KindName(NodeKind kind)
{
    return kind == NodeKind::Host ? "host" : kind == NodeKind::Switch ? "switch" : "nvswitch";
}

/** \return a structured array. \param rows tuples \param fields names and types of NumPy */
py::object
ToArray(const py::list& rows, const std::vector<std::pair<const char*, const char*>>& fields)
{
    py::list dtype;
    for (const auto& [name, type] : fields)
    {
        dtype.append(py::make_tuple(name, type));
    }
    return py::module_::import("numpy").attr("array")(rows, py::arg("dtype") = dtype);
}

py::object
Nodes(const FabricGraph& graph)
{
    py::list rows;
    for (uint32_t i = 0; i < graph.NodeCount(); ++i)
    {
        const FabricNode& node = graph.Node(graph.IdOf(i));
        rows.append(py::make_tuple(node.id, KindName(node.kind), node.tier, node.name));
    }
    return ToArray(rows, {{"id", "u4"}, {"kind", "U8"}, {"tier", "U16"}, {"name", "U32"}});
}

py::object
Links(const FabricGraph& graph)
{
    py::list rows;
    for (uint32_t i = 0; i < graph.LinkCount(); ++i)
    {
        const FabricLink& l = graph.Link(i);
        rows.append(
            py::make_tuple(l.a, l.portA, l.b, l.portB, l.rateBps, l.delayPs, l.errorRate, l.up));
    }
    return ToArray(rows,
                   {{"a", "u4"},
                    {"port_a", "u4"},
                    {"b", "u4"},
                    {"port_b", "u4"},
                    {"rate_bps", "u8"},
                    {"delay_ps", "i8"},
                    {"error_rate", "f8"},
                    {"up", "?"}});
}

uint32_t
AddSwitch(FabricGraph& graph,
          uint32_t id,
          const std::string& tier,
          const std::string& name,
          const std::string& kind)
{
    if (kind != "switch" && kind != "nvswitch")
    {
        throw py::value_error("kind \"" + kind + "\" is not switch or nvswitch");
    }
    return graph.AddSwitch(id,
                           tier,
                           name,
                           kind == "switch" ? NodeKind::Switch : NodeKind::NvSwitch);
}

} // namespace

void
BindGraph(py::module_& m)
{
    py::class_<FabricGraph>(m,
                            "FabricGraph",
                            "The plan of a fabric: hosts, switches and links, as plain data.\n\n"
                            "The k-th link added to a node is its port k. Parallel links stay "
                            "separate.")
        .def(py::init<>())
        .def("add_host",
             &FabricGraph::AddHost,
             py::arg("id"),
             py::arg("name") = "",
             "Add a host; ValueError if the id is taken. Returns its index.")
        .def("add_switch",
             &AddSwitch,
             py::arg("id"),
             py::arg("tier") = "",
             py::arg("name") = "",
             py::arg("kind") = "switch",
             "Add a switch (kind switch or nvswitch). Returns its index.")
        .def(
            "add_link",
            [](FabricGraph& graph,
               uint32_t a,
               uint32_t b,
               const std::string& rate,
               const std::string& delay,
               double errorRate) {
                return graph.AddLink(a,
                                     b,
                                     Quantity::RateBps(rate),
                                     Quantity::DelayPs(delay),
                                     errorRate);
            },
            py::arg("a"),
            py::arg("b"),
            py::arg("rate") = "100Gbps",
            py::arg("delay") = "1us",
            py::arg("error_rate") = 0.0,
            "Join two nodes by id. delay is one way; error_rate the chance that a packet is lost,\n"
            "0 to 1. Returns the index of the link, from 0.")
        .def(
            "validate",
            [](const FabricGraph& graph) { graph.Validate(); },
            "ValueError if there is no host, a node without link, or hosts without a path.")
        .def_property_readonly("hosts", &FabricGraph::Hosts, "Ids of the hosts, in order.")
        .def_property_readonly("switches", &FabricGraph::Switches, "Ids of the switches, in order.")
        .def_property_readonly("nodes",
                               &Nodes,
                               "Structured array (copy): id, kind, tier, name; a row a node. Needs "
                               "NumPy.")
        .def_property_readonly(
            "links",
            &Links,
            "Structured array (copy): a, port_a, b, port_b, rate_bps, delay_ps,\n"
            "error_rate, up; row i is link i. Needs NumPy.")
        .def("__repr__", [](const FabricGraph& graph) {
            return "<roce.FabricGraph: " + std::to_string(graph.HostCount()) + " hosts, " +
                   std::to_string(graph.SwitchCount()) + " switches, " +
                   std::to_string(graph.LinkCount()) + " links>";
        });
}

} // namespace python
} // namespace roce
} // namespace ns3
