/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-callback.h"
#include "py-value.h"

#include "ns3/roce-job-helper.h"
#include "ns3/roce-workload-loader.h"

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

py::list
Times(const Job& job)
{
    py::list rows;
    for (uint32_t id = 0; id < job.GetGraph()->GetTasks(); ++id)
    {
        const Tick begun = job.GetResult().GetBegun(id);
        const Tick ended = job.GetResult().GetEnded(id);
        rows.append(py::make_tuple(begun == NEVER ? -1 : FromTick(begun).GetNanoSeconds(),
                                   ended == NEVER ? -1 : FromTick(ended).GetNanoSeconds()));
    }
    return rows;
}

void
BindJob(py::module_& m)
{
    py::class_<Job, Object, Held<Job>>(m,
                                       "Job",
                                       "A job that was installed, and when its tasks ran.")
        .def(
            "on_done",
            [](Job& job, py::function f) {
                job.SetDoneCallback(MakeBoundCallback(&CallSink, MakeSink(f)));
            },
            py::arg("function"),
            "Call a function when the last task has ended.")
        .def_property_readonly("finished", &Job::IsFinished, "Whether all tasks have ended.")
        .def_property_readonly(
            "duration_ns",
            [](const Job& job) { return job.GetResult().GetDuration().GetNanoSeconds(); },
            "From the start to the last end so far, ns.")
        .def_property_readonly(
            "exposed_ns",
            [](const Job& job) { return job.GetResult().GetMeanExposed().GetNanoSeconds(); },
            "Communication while a rank does not compute, mean over ranks, ns.")
        .def_property_readonly(
            "utilization",
            [](const Job& job) { return job.GetResult().GetUtilization(); },
            "Share of the time for which ranks computed, mean over ranks, 0 to 1.")
        .def_property_readonly("message_bytes",
                               &Job::GetMessageBytes,
                               "Bytes of messages sent and acknowledged.")
        .def("group_bytes",
             &Job::GetGroupBytes,
             py::arg("group"),
             "Bytes sent and acknowledged by collectives of a group.")
        .def("times", &Times, "(begun, ended) of each task in ns of simulated time; -1: not yet.")
        .def("describe", &Job::Describe, "What it waits for; empty if it is finished.");
}

} // namespace

void
BindJobs(py::module_& m)
{
    BindJob(m);
    py::class_<JobHelper>(m,
                          "JobHelper",
                          "Puts jobs on GPUs.\n\n"
                          "channels: of a collective. chunk_bytes: longest message of a ring; "
                          "max_chunks: pieces of a\n"
                          "channel at most. all_reduce: algorithm of all-reduces that name none, "
                          "or auto. mapping: of\n"
                          "hierarchical ones, rail or leader.")
        .def(py::init([](uint32_t channels,
                         py::handle chunk,
                         uint32_t maxChunks,
                         const std::string& allReduce,
                         const std::string& mapping) {
                 JobHelper helper;
                 helper.SetChannels(channels);
                 helper.SetChunks(Values::ToBytes(chunk, "chunk_bytes"), maxChunks);
                 helper.SetAllReduce(allReduce);
                 helper.SetMapping(mapping);
                 return helper;
             }),
             py::kw_only(),
             py::arg("channels") = 1,
             py::arg("chunk_bytes") = 524288,
             py::arg("max_chunks") = 16,
             py::arg("all_reduce") = "auto",
             py::arg("mapping") = "rail")
        .def(
            "install",
            [](const JobHelper& helper,
               Ptr<GpuNetwork> network,
               const std::vector<uint32_t>& gpus,
               Ptr<TaskGraph> graph,
               py::handle start) {
                RequireAlive(network->GetFabric()->GetHosts().Get(0));
                Ptr<Job> job = helper.Install(network, gpus, graph, Values::ToTime(start, "start"));
                KeepUntilDestroy(job);
                return job;
            },
            py::arg("network"),
            py::arg("gpus"),
            py::arg("graph"),
            py::arg("start") = 0,
            "Install a job: gpus by rank; start is from now on. ValueError if the graph is not "
            "valid.");
    m.def(
        "load_workload",
        [](const std::string& name, uint32_t gpus, double scale, uint32_t iterations) {
            return WorkloadLoader::Load(name, SimaiOptions{gpus, scale, iterations});
        },
        py::arg("name"),
        py::kw_only(),
        py::arg("gpus") = 0,
        py::arg("compute_scale") = 1.0,
        py::arg("iterations") = 1,
        "A TaskGraph from a file: own JSON, SimAI, htsim or Chakra traces (a prefix). The options "
        "are\n"
        "those of SimAI's. ValueError says what is wrong in the file, RuntimeError if it cannot "
        "be\n"
        "read.");
}

} // namespace python
} // namespace roce
} // namespace ns3
