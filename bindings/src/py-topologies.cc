/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"

#include "ns3/roce-dual-plane-helper.h"
#include "ns3/roce-pod-helper.h"
#include "ns3/roce-rail-helper.h"
#include "ns3/roce-topology-helper.h"

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

constexpr const char* GRAPH = "The plan as a FabricGraph. ValueError if the sizes make none.";

void
BindPods(py::module_& m)
{
    py::class_<PodHelper>(
        m,
        "PodHelper",
        "Builds pods under super-spines: racks of GPUs on a leaf, pod spines, super-spines that\n"
        "each meet each pod spine.\n\n"
        "Cables are given by length in metres (5 ns/m). GPUs have ids 0..n-1, rack by rack. A "
        "radix\n"
        "of 0 is no limit. Leaves out planes of super-spines (ClosHelper has them).")
        .def(py::init([](uint32_t pods,
                         uint32_t racks,
                         uint32_t gpus,
                         uint32_t spines,
                         uint32_t supers,
                         const std::string& hostRate,
                         double hostMetres,
                         const std::string& podRate,
                         double podMetres,
                         uint32_t podLinks,
                         const std::string& coreRate,
                         double coreMetres,
                         uint32_t coreLinks) {
                 PodHelper helper(pods, racks, gpus, spines, supers);
                 helper.SetHostLinks(hostRate, hostMetres);
                 helper.SetPodLinks(podRate, podMetres, podLinks);
                 helper.SetCoreLinks(coreRate, coreMetres, coreLinks);
                 helper.MakeGraph();
                 return helper;
             }),
             py::kw_only(),
             py::arg("pods"),
             py::arg("racks_per_pod"),
             py::arg("gpus_per_rack"),
             py::arg("pod_spines"),
             py::arg("super_spines"),
             py::arg("host_rate") = "100Gbps",
             py::arg("host_metres") = 2.0,
             py::arg("pod_rate") = "100Gbps",
             py::arg("pod_metres") = 50.0,
             py::arg("pod_links") = 1,
             py::arg("core_rate") = "400Gbps",
             py::arg("core_metres") = 450.0,
             py::arg("core_links") = 1)
        .def("graph", &PodHelper::MakeGraph, GRAPH);
}

void
BindRails(py::module_& m)
{
    py::class_<RailHelper>(
        m,
        "RailHelper",
        "Builds rail-optimized fabrics: NIC r of each server of a unit is on leaf r of the "
        "unit.\n\n"
        "Servers have ids 0..n-1, unit by unit, and a port a rail; with gpus_as_hosts each NIC is "
        "a\n"
        "host of its own. spines are 0 only with one unit. Cables are given in metres (5 ns/m).")
        .def(py::init([](uint32_t groups,
                         uint32_t nodes,
                         uint32_t rails,
                         uint32_t spines,
                         bool gpusAsHosts,
                         bool separateRails,
                         const std::string& hostRate,
                         double hostMetres,
                         const std::string& fabricRate,
                         double fabricMetres,
                         uint32_t parallel) {
                 RailHelper helper(groups, nodes, rails, spines);
                 helper.SetHostLinks(hostRate, hostMetres);
                 helper.SetFabricLinks(fabricRate, fabricMetres, parallel);
                 RailPlan plan = helper.GetPlan();
                 plan.gpusAsHosts = gpusAsHosts;
                 plan.separateRails = separateRails;
                 helper.SetPlan(plan);
                 helper.MakeGraph();
                 return helper;
             }),
             py::kw_only(),
             py::arg("groups"),
             py::arg("nodes_per_group"),
             py::arg("rails"),
             py::arg("spines"),
             py::arg("gpus_as_hosts") = false,
             py::arg("separate_rails") = false,
             py::arg("host_rate") = "400Gbps",
             py::arg("host_metres") = 3.0,
             py::arg("fabric_rate") = "400Gbps",
             py::arg("fabric_metres") = 30.0,
             py::arg("links_per_pair") = 1)
        .def("graph", &RailHelper::MakeGraph, GRAPH);
}

void
BindDualPlane(py::module_& m)
{
    py::class_<DualPlaneHelper>(
        m,
        "DualPlaneHelper",
        "Builds fabrics in which each host has a port on each of the two leaves of its rack.\n\n"
        "dual_plane: half of the spines belong to each plane; otherwise (dual-ToR) each spine "
        "meets\n"
        "both leaves of each rack. Hosts have ids 0..n-1, rack by rack. Cables in metres (5 ns/m).")
        .def(py::init([](uint32_t racks,
                         uint32_t hosts,
                         uint32_t spines,
                         bool dualPlane,
                         const std::string& hostRate,
                         double hostMetres,
                         const std::string& fabricRate,
                         double fabricMetres,
                         uint32_t parallel) {
                 DualPlaneHelper helper(racks,
                                        hosts,
                                        spines,
                                        dualPlane ? DualPlaneHelper::DUAL_PLANE
                                                  : DualPlaneHelper::DUAL_TOR);
                 helper.SetHostLinks(hostRate, hostMetres);
                 helper.SetFabricLinks(fabricRate, fabricMetres, parallel);
                 helper.MakeGraph();
                 return helper;
             }),
             py::kw_only(),
             py::arg("racks"),
             py::arg("hosts_per_rack"),
             py::arg("spines"),
             py::arg("dual_plane") = true,
             py::arg("host_rate") = "200Gbps",
             py::arg("host_metres") = 3.0,
             py::arg("fabric_rate") = "400Gbps",
             py::arg("fabric_metres") = 30.0,
             py::arg("links_per_pair") = 1)
        .def("graph", &DualPlaneHelper::MakeGraph, GRAPH);
}

} // namespace

void
BindTopologies(py::module_& m)
{
    BindPods(m);
    BindRails(m);
    BindDualPlane(m);
    py::class_<TopologyHelper>(
        m,
        "TopologyHelper",
        "A fabric from a file (HPCC family, htsim .topo, JSON) or a preset such as \"homelab\".\n\n"
        "ValueError says what is wrong in the file, or lists the presets; RuntimeError if it "
        "cannot\n"
        "be read.")
        .def(py::init<const std::string&>(), py::arg("name"))
        .def_property_readonly(
            "name",
            [](const TopologyHelper& h) { return h.GetDocument().name; },
            "Its name, for people.")
        .def_property_readonly(
            "radix",
            [](const TopologyHelper& h) { return h.GetDocument().radix; },
            "Ports of a node by tier; a tier that is not there has no limit.")
        .def(
            "graph",
            [](const TopologyHelper& h) { return h.GetDocument().graph; },
            "The plan as a FabricGraph.");
}

} // namespace python
} // namespace roce
} // namespace ns3
