/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-callback.h"
#include "py-value.h"

#include "ns3/roce-collective-helper.h"
#include "ns3/roce-job-placement.h"

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

void
CallSink(Sink sink)
{
    sink->Call();
}

void
BindGpuMap(py::module_& m)
{
    py::class_<GpuMap>(m, "GpuMap", "The GPUs of a fabric: which NIC and which server each has.")
        .def_static("one_per_host",
                    &GpuMap::OnePerHost,
                    py::arg("graph"),
                    "A GPU a host, each a server.")
        .def_static("nic_per_gpu",
                    &GpuMap::NicPerGpu,
                    py::arg("graph"),
                    py::arg("gpus_per_server"),
                    "Consecutive hosts make a server; ValueError if hosts are left over.")
        .def_static("shared_nic",
                    &GpuMap::SharedNic,
                    py::arg("graph"),
                    py::arg("gpus_per_server"),
                    "A host is a server, whose GPUs share its NIC.")
        .def_property_readonly("gpus", &GpuMap::GetGpus, "Number of GPUs.")
        .def_property_readonly("servers", &GpuMap::GetServers, "Number of servers.")
        .def_property_readonly("gpus_per_server", &GpuMap::GetGpusPerServer, "GPUs of a server.")
        .def(
            "at",
            [](const GpuMap& map, uint32_t gpu) {
                const GpuPlace& place = map.At(gpu);
                return py::make_tuple(place.host, place.server, place.slot);
            },
            py::arg("gpu"),
            "(host, server, slot) of a GPU; ValueError if it is not there.");
    py::class_<JobPlacement>(m, "JobPlacement", "Gives jobs free GPUs.")
        .def(py::init([](const GpuMap& gpus, int64_t stream) {
                 JobPlacement placement(gpus);
                 placement.AssignStreams(stream);
                 return placement;
             }),
             py::arg("gpus"),
             py::arg("stream") = 2000000)
        .def("place",
             &JobPlacement::Place,
             py::arg("count"),
             py::arg("policy") = "packed",
             "GPUs by rank: packed, fragmented or random. ValueError if fewer are free.")
        .def("free", &JobPlacement::Free, py::arg("gpus"), "Let GPUs be free again.")
        .def_property_readonly("free_gpus", &JobPlacement::GetFree, "Number of free GPUs.");
}

/** \return a network, kept until the simulation is destroyed */
Held<GpuNetwork>
MakeNetwork(Ptr<Fabric> fabric,
            const GpuMap& gpus,
            uint32_t queuePairs,
            bool nvlink,
            bool pxn,
            const std::optional<py::dict>& channel,
            const std::optional<py::dict>& links)
{
    RequireAlive(fabric->GetHosts().Get(0));
    Ptr<GpuNetwork> network = Create<GpuNetwork>(fabric, gpus);
    network->SetQueuePairs(queuePairs);
    network->SetNvlink(nvlink);
    network->SetPxn(pxn);
    const TypeId types[] = {Values::Type("ns3::roce::QueuePairChannel"), NvlinkDomain::GetTypeId()};
    for (const auto& [key, value] : channel.value_or(py::dict()))
    {
        const auto name = key.cast<std::string>();
        network->SetChannelAttribute(name, *Values::Make(types[0], name, value));
    }
    for (const auto& [key, value] : links.value_or(py::dict()))
    {
        const auto name = key.cast<std::string>();
        network->SetNvlinkAttribute(name, *Values::Make(types[1], name, value));
    }
    KeepUntilDestroy(network);
    return Held<GpuNetwork>(network);
}

void
BindNetwork(py::module_& m)
{
    py::class_<GpuNetwork, Held<GpuNetwork>>(
        m,
        "GpuNetwork",
        "How the GPUs of a fabric reach each other: NVLink within a server, connections between\n"
        "NICs.\n\n"
        "queue_pairs: of a connection. nvlink: whether GPUs of a server use NVLink. pxn: whether\n"
        "messages take the rail of the receiver. channel, nvlink_attributes: dict of attributes "
        "of\n"
        "QueuePairChannel and NvlinkDomain.")
        .def(py::init(&MakeNetwork),
             py::arg("fabric"),
             py::arg("gpus"),
             py::kw_only(),
             py::arg("queue_pairs") = 1,
             py::arg("nvlink") = true,
             py::arg("pxn") = false,
             py::arg("channel") = py::none(),
             py::arg("nvlink_attributes") = py::none())
        .def_property_readonly("gpus", &GpuNetwork::GetGpus, "The GpuMap.");
}

void
BindRun(py::module_& m)
{
    py::class_<CollectiveRun, Held<CollectiveRun>>(
        m,
        "CollectiveRun",
        "A collective that was installed, and what came of it.\n\n"
        "With S the size and t the time from the first start to the last finish: algbw = S / t, "
        "busbw =\nalgbw x factor of the operation, both byte/s, as nccl-tests prints them.")
        .def(
            "on_done",
            [](CollectiveRun& run, py::function f) {
                run.SetDoneCallback(MakeBoundCallback(&CallSink, MakeSink(f)));
            },
            py::arg("function"),
            "Call a function when the last rank has finished.")
        .def_property_readonly("finished", &CollectiveRun::IsFinished, "Whether all ranks are.")
        .def_property_readonly(
            "duration_ns",
            [](const CollectiveRun& run) { return run.GetDuration().GetNanoSeconds(); },
            "t in ns; RuntimeError if a rank is not finished, saying why.")
        .def_property_readonly("algbw_Bps", &CollectiveRun::GetAlgorithmBandwidth, "S / t, byte/s.")
        .def_property_readonly("busbw_Bps",
                               &CollectiveRun::GetBusBandwidth,
                               "Bus bandwidth, byte/s.")
        .def_property_readonly(
            "bytes_sent",
            [](const CollectiveRun& run) {
                std::vector<uint64_t> bytes;
                for (uint32_t rank = 0; rank < run.GetSchedule()->GetRanks(); ++rank)
                {
                    bytes.push_back(run.GetBytesSent(rank));
                }
                return bytes;
            },
            "Bytes sent and acknowledged, by rank.")
        .def("describe", &CollectiveRun::Describe, "What unfinished ranks wait for; or empty.");
}

CollectiveHelper
MakeHelper(const std::string& operation,
           const std::string& algorithm,
           py::handle bytes,
           uint32_t chunks,
           uint32_t channels,
           uint32_t root,
           const std::vector<uint32_t>& levels,
           const std::string& mapping,
           const std::optional<py::dict>& application)
{
    CollectiveHelper helper;
    helper.SetOperation(operation, algorithm);
    helper.SetBytes(Values::ToBytes(bytes, "bytes"));
    helper.SetChunks(chunks);
    helper.SetChannels(channels);
    if (root > 0)
    {
        helper.SetRoot(root);
    }
    if (!levels.empty() || algorithm == "hierarchical")
    {
        helper.SetLevels(levels, mapping);
    }
    const TypeId type = CollectiveApplication::GetTypeId();
    for (const auto& [key, value] : application.value_or(py::dict()))
    {
        const auto name = key.cast<std::string>();
        helper.SetAttribute(name, *Values::Make(type, name, value));
    }
    return helper;
}

} // namespace

void
BindCollectives(py::module_& m)
{
    BindGpuMap(m);
    BindNetwork(m);
    BindRun(m);
    py::class_<CollectiveHelper>(
        m,
        "CollectiveHelper",
        "Installs collectives on hosts or GPUs.\n\n"
        "operation: all-reduce, all-gather, ... algorithm: ring, tree, ...; empty: the first one.\n"
        "bytes: as nccl-tests counts the size. channels: rings side by side. chunks: pieces of a\n"
        "channel. root: of a broadcast or reduce. levels, mapping: of the hierarchical algorithm.\n"
        "application: dict of attributes of CollectiveApplication. ValueError names what is known.")
        .def(py::init(&MakeHelper),
             py::kw_only(),
             py::arg("operation") = "all-reduce",
             py::arg("algorithm") = "",
             py::arg("bytes"),
             py::arg("chunks") = 1,
             py::arg("channels") = 1,
             py::arg("root") = 0,
             py::arg("levels") = std::vector<uint32_t>(),
             py::arg("mapping") = "rail",
             py::arg("application") = py::none())
        .def(
            "install",
            [](const CollectiveHelper& helper,
               Ptr<Fabric> fabric,
               const std::vector<uint32_t>& hosts) {
                RequireAlive(fabric->GetHosts().Get(0));
                Ptr<CollectiveRun> run = helper.Install(fabric, hosts);
                KeepUntilDestroy(run);
                return run;
            },
            py::arg("fabric"),
            py::arg("hosts"),
            "On hosts with a GPU each, by rank. It begins when the simulation runs.")
        .def(
            "install",
            [](const CollectiveHelper& helper,
               Ptr<GpuNetwork> network,
               const std::vector<uint32_t>& gpus) {
                RequireAlive(network->GetFabric()->GetHosts().Get(0));
                Ptr<CollectiveRun> run = helper.Install(network, gpus);
                KeepUntilDestroy(run);
                return run;
            },
            py::arg("network"),
            py::arg("gpus"),
            "On GPUs of a network, by rank.");
    m.def("collective_operations", &CollectiveCatalog::GetOperations, "Names of operations.");
    m.def("collective_algorithms",
          &CollectiveCatalog::GetAlgorithms,
          py::arg("operation"),
          "Names of the algorithms of an operation, the default first.");
}

} // namespace python
} // namespace roce
} // namespace ns3
