/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-value.h"

#include "ns3/roce-task-graph.h"

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

uint32_t
AddCollective(TaskGraph& graph,
              uint32_t rank,
              uint32_t group,
              const std::string& operation,
              py::handle bytes,
              const std::string& algorithm,
              uint32_t root,
              const std::vector<uint32_t>& after,
              const std::string& name)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.rank = rank;
    task.group = group;
    task.operation = operation;
    task.algorithm = algorithm;
    task.root = root;
    task.bytes = Values::ToBytes(bytes, "bytes");
    task.after = after;
    task.name = name.empty() ? operation : name;
    return graph.Add(task);
}

uint32_t
AddMessage(TaskGraph& graph,
           TaskKind kind,
           uint32_t rank,
           uint32_t peer,
           py::handle bytes,
           uint32_t tag,
           const std::vector<uint32_t>& after,
           const std::string& name)
{
    Task task;
    task.kind = kind;
    task.rank = rank;
    task.peer = peer;
    task.tag = tag;
    task.bytes = Values::ToBytes(bytes, "bytes");
    task.after = after;
    task.name = name.empty() ? (kind == TaskKind::SEND ? "send" : "receive") : name;
    return graph.Add(task);
}

template <TaskKind KIND>
uint32_t
AddMessageOf(TaskGraph& graph,
             uint32_t rank,
             uint32_t peer,
             py::handle bytes,
             uint32_t tag,
             const std::vector<uint32_t>& after,
             const std::string& name)
{
    return AddMessage(graph, KIND, rank, peer, bytes, tag, after, name);
}

py::list
TaskRows(const TaskGraph& graph)
{
    static const char* const KINDS[] = {"compute", "collective", "send", "receive"};
    py::list rows;
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const Task& task = graph.GetTask(id);
        py::dict row;
        row["id"] = id;
        row["kind"] = KINDS[static_cast<unsigned>(task.kind)];
        row["rank"] = task.rank;
        row["name"] = task.name;
        row["after"] = task.after;
        row["bytes"] = task.bytes;
        row["duration_ns"] = task.durationNs;
        rows.append(row);
    }
    return rows;
}

void
BindMessages(py::class_<TaskGraph, Held<TaskGraph>>& graph)
{
    const std::vector<uint32_t> none;
    graph
        .def("send",
             &AddMessageOf<TaskKind::SEND>,
             py::arg("rank"),
             py::arg("peer"),
             py::arg("bytes"),
             py::kw_only(),
             py::arg("tag") = 0,
             py::arg("after") = none,
             py::arg("name") = "",
             "A message to another rank; done when it is acknowledged.")
        .def("receive",
             &AddMessageOf<TaskKind::RECEIVE>,
             py::arg("rank"),
             py::arg("peer"),
             py::arg("bytes"),
             py::kw_only(),
             py::arg("tag") = 0,
             py::arg("after") = none,
             py::arg("name") = "",
             "The message of another rank; done when it is in.");
}

} // namespace

void
BindTaskGraph(py::module_& m)
{
    const std::vector<uint32_t> none;
    py::class_<TaskGraph, Held<TaskGraph>> graph(
        m,
        "TaskGraph",
        "What a job does: computation and communication of each rank, and what waits for what.\n\n"
        "A task waits for earlier ones (after: their ids). Each rank of a group calls its\n"
        "collectives in the same order. Methods return the id of the new task.");
    graph
        .def(py::init([](uint32_t ranks) { return Held<TaskGraph>(Create<TaskGraph>(ranks)); }),
             py::arg("ranks"))
        .def("add_group",
             &TaskGraph::AddGroup,
             py::arg("name"),
             py::arg("ranks"),
             "A communicator of ranks of the job; returns its number.")
        .def(
            "compute",
            [](TaskGraph& graph,
               uint32_t rank,
               py::handle duration,
               const std::vector<uint32_t>& after,
               const std::string& name,
               int stream) {
                return graph.AddCompute(rank,
                                        name,
                                        Values::ToTime(duration, "duration").GetNanoSeconds(),
                                        after,
                                        stream < 0 ? Task::NO_STREAM
                                                   : static_cast<uint32_t>(stream));
            },
            py::arg("rank"),
            py::arg("duration"),
            py::kw_only(),
            py::arg("after") = none,
            py::arg("name") = "compute",
            py::arg("stream") = 0,
            "Keep a stream of a rank busy for a time (\"50us\"); stream -1: beside everything.")
        .def("collective",
             &AddCollective,
             py::arg("rank"),
             py::arg("group"),
             py::arg("operation"),
             py::arg("bytes"),
             py::kw_only(),
             py::arg("algorithm") = "",
             py::arg("root") = 0,
             py::arg("after") = none,
             py::arg("name") = "",
             "The part of a rank in a collective of a group.")
        .def("validate", &TaskGraph::Validate, "ValueError names the first task that is wrong.")
        .def("tasks", &TaskRows, "A list of dict: id, kind, rank, name, after, bytes, duration_ns.")
        .def_property_readonly("ranks", &TaskGraph::GetRanks, "Ranks of the job.")
        .def("__len__", &TaskGraph::GetTasks, "Number of tasks.");
    BindMessages(graph);
}

} // namespace python
} // namespace roce
} // namespace ns3
