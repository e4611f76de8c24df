/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-run.h"
#include "py-value.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/roce-result-writer.h"

#include <pybind11/numpy.h>
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

const PyResult&
Get(py::handle self)
{
    return self.cast<const PyResult&>();
}

py::object
Freeze(const py::array& array)
{
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

/** \return a view of numbers, which keeps the result alive */
py::object
View(const std::vector<double>& numbers, py::object self)
{
    return Freeze(py::array_t<double>({numbers.size()}, {sizeof(double)}, numbers.data(), self));
}

/** \return a view of pairs, n rows of two */
py::object
View(const std::vector<std::pair<double, double>>& pairs, py::object self)
{
    using Pair = std::pair<double, double>;
    static_assert(sizeof(Pair) == 2 * sizeof(double), "two numbers and nothing else");
    const auto* data = reinterpret_cast<const double*>(pairs.data());
    return Freeze(py::array_t<double>({pairs.size(), std::size_t(2)},
                                      {sizeof(Pair), sizeof(double)},
                                      data,
                                      self));
}

py::object
Messages(py::object self)
{
    static const bool registered = []() {
        PYBIND11_NUMPY_DTYPE(MessageRow,
                             id,
                             bytes,
                             posted,
                             arrived,
                             completed,
                             host,
                             peer,
                             qpn,
                             operation,
                             service);
        return true;
    }();
    (void)registered;
    const auto& rows = Get(self).messages;
    return Freeze(py::array_t<MessageRow>({rows.size()}, {sizeof(MessageRow)}, rows.data(), self));
}

/** \return from the post to something else, ns, by message. \param end a column */
py::object
SpanOf(py::object self, const char* end)
{
    const py::object messages = Messages(self);
    const py::object begun = messages[py::str("posted")];
    const py::object ended = messages[py::str(end)];
    return ended - begun;
}

py::object
ToPandas(py::object self)
{
    py::object frame = py::module_::import("pandas").attr("DataFrame")(Messages(self));
    frame[py::str("fct_ns")] = SpanOf(self, "completed");
    frame[py::str("ttd_ns")] = SpanOf(self, "arrived");
    return frame;
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
    py::object progress)
{
    RunRequest request;
    request.label = label;
    request.stop = stop.is_none() ? Time(0) : Values::ToTime(stop, "stop");
    request.queues = queues.is_none() ? Time(0) : Values::ToTime(queues, "queues");
    request.progress = progress;
    if (request.stop.IsStrictlyNegative() || request.queues.IsStrictlyNegative())
    {
        throw py::value_error("stop and queues must be above 0");
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
BindArrays(py::class_<PyResult>& c)
{
    c.def_property_readonly(
         "fct_sorted_ns",
         [](py::object self) { return View(Get(self).result.fctNs.GetSorted(), self); },
         "Completion times, ascending, ns: a view. Needs NumPy, as all arrays do.")
        .def_property_readonly(
            "fct_ns",
            [](py::object self) { return SpanOf(self, "completed"); },
            "Completion times in the order of completion, ns.")
        .def_property_readonly(
            "ttd_sorted_ns",
            [](py::object self) { return View(Get(self).result.ttdNs.GetSorted(), self); },
            "Times to data, ascending, ns: a view.")
        .def_property_readonly(
            "slowdown_sorted",
            [](py::object self) { return View(Get(self).result.slowdown.GetSorted(), self); },
            "Completion time / that of the message alone, ascending: a view.")
        .def_property_readonly(
            "cnp_per_s",
            [](py::object self) { return View(Get(self).result.cnpPerS, self); },
            "CNPs received over time: rows of begin in s and CNPs a second: a view.")
        .def_property_readonly(
            "xoff_per_s",
            [](py::object self) { return View(Get(self).result.xoffPerS, self); },
            "XOFFs over time: rows of begin in s and XOFFs a second: a view.")
        .def_property_readonly(
            "queue_bytes",
            [](py::object self) { return View(Get(self).queues, self); },
            "Longest queue over time: rows of begin in s and bytes: a view; with run(queues=).")
        .def_property_readonly(
            "messages",
            &Messages,
            "A row a message, in the order of completion: id, bytes, posted, "
            "arrived,\ncompleted (ns), host, peer (ids), qpn, operation, service: "
            "a view.")
        .def("to_pandas",
             &ToPandas,
             "The messages as a DataFrame, with fct_ns and ttd_ns. Needs pandas.");
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
    BindArrays(result);
    m.def("_run",
          &Run,
          py::arg("fabric"),
          py::arg("label"),
          py::arg("stop"),
          py::arg("queues"),
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

} // namespace python
} // namespace roce
} // namespace ns3
