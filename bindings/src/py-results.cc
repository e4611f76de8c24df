/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-result-arrays.h"
#include "py-run.h"
#include "py-value.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/roce-result-writer.h"

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

/** \return JSON as Python objects */
py::object
Load(const ResultWriter::Json& json)
{
    return py::module_::import("json").attr("loads")(json.dump());
}

py::object
ToDict(const PyResult& r)
{
    ResultWriter::Json json = ResultWriter::ToJson(r.result);
    for (const auto& [key, value] : r.extra.items())
    {
        json[key] = value;
    }
    return Load(json);
}

std::unique_ptr<PyResult>
Run(Ptr<Fabric> fabric,
    const std::string& label,
    py::object stop,
    py::object queues,
    py::object rates,
    bool pauses,
    py::object progress)
{
    RunRequest request;
    request.label = label;
    request.stop = stop.is_none() ? Time(0) : Values::ToTime(stop, "stop");
    request.queues = queues.is_none() ? Time(0) : Values::ToTime(queues, "queues");
    request.rates = rates.is_none() ? Time(0) : Values::ToTime(rates, "rates");
    request.pauses = pauses;
    request.progress = progress;
    if (request.stop.IsStrictlyNegative() || request.queues.IsStrictlyNegative() ||
        request.rates.IsStrictlyNegative())
    {
        throw py::value_error("stop, queues and rates must be above 0");
    }
    return RunExperiment(fabric, request);
}

void
Write(const std::string& path,
      const std::vector<const PyResult*>& results,
      const std::string& program,
      const py::dict& config)
{
    ResultWriter::CheckPath(path);
    ResultHeader header;
    header.program = program;
    header.version = ROCE_VERSION;
    header.ns3 = ROCE_NS3_VERSION;
    header.seed = RngSeedManager::GetSeed();
    header.run = RngSeedManager::GetRun();
    ResultWriter writer(header);
    for (const auto& [key, value] : config)
    {
        const auto text = py::module_::import("json").attr("dumps")(value).cast<std::string>();
        writer.SetConfig(key.cast<std::string>(), ResultWriter::Json::parse(text));
    }
    for (const PyResult* result : results)
    {
        writer.AddRun(result->result, result->extra);
    }
    writer.Write(path);
}

void
BindRuns(py::module_& m)
{
    m.def("_run",
          &Run,
          py::arg("fabric"),
          py::arg("label"),
          py::arg("stop"),
          py::arg("queues"),
          py::arg("rates"),
          py::arg("pauses"),
          py::arg("progress"),
          "roce.run without its progress bar and warnings.");
    m.def("write_results",
          &Write,
          py::arg("path"),
          py::arg("results"),
          py::kw_only(),
          py::arg("program") = "python",
          py::arg("config") = py::dict(),
          "Write a result file (schema roce-result/1) of several results. RuntimeError names the "
          "file\n"
          "if it cannot be written.");
}

} // namespace

void
BindResults(py::module_& m)
{
    py::class_<PyResult> result(m,
                                "Result",
                                "What a run came to.\n\n"
                                "result[\"goodput_bps\"] is a number of the result file "
                                "(roce-result/1), result.as_dict() all\nof them. Arrays are views "
                                "that cannot be written; they keep the result alive.");
    result.def("as_dict", &ToDict, "All numbers as in the result file.")
        .def(
            "__getitem__",
            [](const PyResult& r, const std::string& key) {
                const py::object all = ToDict(r);
                return py::object(all[py::str(key)]);
            },
            py::arg("key"),
            "A number or dict of the result file; KeyError if there is none.")
        .def_property_readonly(
            "label",
            [](const PyResult& r) { return r.result.label; },
            "Name of the run.")
        .def_property_readonly(
            "finished",
            [](const PyResult& r) { return r.result.stalled.IsEmpty(); },
            "Whether nothing was left that cannot finish.")
        .def_property_readonly(
            "stalled",
            [](const PyResult& r) { return r.result.stalled.GetLines(); },
            "What waits for what, a sentence each; empty if finished.")
        .def(
            "add",
            [](PyResult& r, const std::string& key, py::object value) {
                const auto text = py::module_::import("json").attr("dumps")(value);
                r.extra[key] = ResultWriter::Json::parse(text.cast<std::string>());
            },
            py::arg("key"),
            py::arg("value"),
            "Add a key of yours, for as_dict() and result files.")
        .def("__repr__", [](const PyResult& r) {
            return "<roce.Result \"" + r.result.label +
                   "\": " + std::to_string(r.result.completed) + "/" +
                   std::to_string(r.result.posted) + " messages>";
        });
    BindResultArrays(result);
    BindRuns(m);
}

} // namespace python
} // namespace roce
} // namespace ns3
