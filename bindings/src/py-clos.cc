/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"

#include "ns3/roce-clos-helper.h"
#include "ns3/roce-fat-tree-helper.h"

#include <pybind11/stl.h>
#include <variant>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/// pybind11 turns no int into a float where overloads have arguments by name only.
using Ratio = std::variant<int64_t, double>;

double
Number(const Ratio& ratio)
{
    return std::visit([](auto number) { return double(number); }, ratio);
}

constexpr const char* GRAPH = "The plan as a FabricGraph. ValueError if the sizes make none.";

ClosHelper
MakeLeafSpine(uint32_t leaves,
              uint32_t spines,
              uint32_t hosts,
              const std::string& hostRate,
              const std::string& hostDelay,
              const std::string& fabricRate,
              const std::string& fabricDelay,
              uint32_t parallel,
              Ratio oversubscription,
              uint32_t leafRadix,
              uint32_t spineRadix)
{
    ClosHelper helper(leaves, spines, hosts);
    helper.SetHostLinks(hostRate, hostDelay);
    helper.SetFabricLinks(fabricRate, fabricDelay, parallel);
    helper.SetOversubscription(Number(oversubscription));
    helper.SetRadix(leafRadix, spineRadix);
    helper.MakeGraph(); // refuses what makes no fabric, here rather than later
    return helper;
}

ClosHelper
MakeThreeTiers(uint32_t pods,
               uint32_t leaves,
               uint32_t spines,
               uint32_t supers,
               uint32_t hosts,
               const std::string& hostRate,
               const std::string& hostDelay,
               const std::string& fabricRate,
               const std::string& fabricDelay,
               uint32_t parallel,
               const std::string& coreRate,
               const std::string& coreDelay,
               uint32_t coreParallel,
               Ratio oversubscription,
               Ratio podOversubscription,
               uint32_t leafRadix,
               uint32_t spineRadix,
               uint32_t superRadix)
{
    ClosHelper helper(pods, leaves, spines, supers, hosts);
    helper.SetHostLinks(hostRate, hostDelay);
    helper.SetFabricLinks(fabricRate, fabricDelay, parallel);
    helper.SetCoreLinks(coreRate, coreDelay, coreParallel);
    helper.SetOversubscription(Number(oversubscription), Number(podOversubscription));
    helper.SetRadix(leafRadix, spineRadix, superRadix);
    helper.MakeGraph();
    return helper;
}

void
BindClos(py::module_& m)
{
    py::class_<ClosHelper>(
        m,
        "ClosHelper",
        "Builds Clos fabrics of two and three tiers.\n\n"
        "Hosts have ids 0..n-1, leaf by leaf; then come leaves, spines, super-spines. Rates and\n"
        "one-way delays are text with units. ValueError names the text and what was expected.\n\n"
        "Two tiers: leaves, spines (each joined to each leaf; 0 only with one leaf, a star),\n"
        "hosts_per_leaf. Three tiers: pods, leaves_per_pod, pod_spines, super_spines (in all, a\n"
        "multiple of pod_spines), hosts_per_leaf.\n\n"
        "links_per_pair is the number of parallel links between a leaf and a spine,\n"
        "core_links_per_pair that between a pod spine and a super-spine. They follow from\n"
        "oversubscription (of leaves, the rate down over the rate up) and pod_oversubscription\n"
        "where these are not 0. leaf_radix, spine_radix, super_radix: ports a switch has at most,\n"
        "0 for no limit. Leaves out rails.")
        .def(py::init(&MakeLeafSpine),
             py::kw_only(),
             py::arg("leaves"),
             py::arg("spines"),
             py::arg("hosts_per_leaf"),
             py::arg("host_rate") = "100Gbps",
             py::arg("host_delay") = "1us",
             py::arg("fabric_rate") = "100Gbps",
             py::arg("fabric_delay") = "1us",
             py::arg("links_per_pair") = 1,
             py::arg("oversubscription") = 0.0,
             py::arg("leaf_radix") = 0,
             py::arg("spine_radix") = 0)
        .def(py::init(&MakeThreeTiers),
             py::kw_only(),
             py::arg("pods"),
             py::arg("leaves_per_pod"),
             py::arg("pod_spines"),
             py::arg("super_spines"),
             py::arg("hosts_per_leaf"),
             py::arg("host_rate") = "100Gbps",
             py::arg("host_delay") = "1us",
             py::arg("fabric_rate") = "100Gbps",
             py::arg("fabric_delay") = "1us",
             py::arg("links_per_pair") = 1,
             py::arg("core_rate") = "100Gbps",
             py::arg("core_delay") = "1us",
             py::arg("core_links_per_pair") = 1,
             py::arg("oversubscription") = 0.0,
             py::arg("pod_oversubscription") = 0.0,
             py::arg("leaf_radix") = 0,
             py::arg("spine_radix") = 0,
             py::arg("super_radix") = 0)
        .def("graph", &ClosHelper::MakeGraph, GRAPH);
}

void
BindFatTree(py::module_& m)
{
    py::class_<FatTreeHelper>(
        m,
        "FatTreeHelper",
        "Builds k-ary fat trees: k^3 / 4 hosts times oversubscription.\n\n"
        "k is even. Hosts have ids 0..n-1, edge switch by edge switch. Leaves "
        "out partial fat trees.")
        .def(py::init([](uint32_t k,
                         uint32_t oversubscription,
                         const std::string& hostRate,
                         const std::string& hostDelay,
                         const std::string& fabricRate,
                         const std::string& fabricDelay) {
                 FatTreeHelper helper(k, oversubscription);
                 helper.SetHostLinks(hostRate, hostDelay);
                 helper.SetFabricLinks(fabricRate, fabricDelay);
                 helper.MakeGraph();
                 return helper;
             }),
             py::kw_only(),
             py::arg("k"),
             py::arg("oversubscription") = 1,
             py::arg("host_rate") = "100Gbps",
             py::arg("host_delay") = "1us",
             py::arg("fabric_rate") = "100Gbps",
             py::arg("fabric_delay") = "1us")
        .def("graph", &FatTreeHelper::MakeGraph, GRAPH);
}

} // namespace

void
BindClosFabrics(py::module_& m)
{
    BindClos(m);
    BindFatTree(m);
}

} // namespace python
} // namespace roce
} // namespace ns3
