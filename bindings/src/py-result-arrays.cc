/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-result-arrays.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

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

/** \return a view of rows. \param rows of a result whose type NumPy knows */
template <typename T>
py::object
View(const std::vector<T>& rows, py::object self)
{
    return Freeze(py::array_t<T>({rows.size()}, {sizeof(T)}, rows.data(), self));
}

/** Tell NumPy what the rows of messages and links are. */
void
RegisterCounted()
{
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
    PYBIND11_NUMPY_DTYPE_EX(LinkRow,
                            a,
                            "a",
                            b,
                            "b",
                            rate,
                            "rate_bps",
                            toA,
                            "bytes_to_a",
                            toB,
                            "bytes_to_b",
                            shareToA,
                            "utilization_to_a",
                            shareToB,
                            "utilization_to_b");
}

/** The same for what was sampled and noted. */
void
RegisterSeries()
{
    PYBIND11_NUMPY_DTYPE_EX(RateRow,
                            time,
                            "time_ns",
                            host,
                            "host",
                            peer,
                            "peer",
                            qpn,
                            "qpn",
                            domain,
                            "domain",
                            point,
                            "point",
                            rate,
                            "rate_bps",
                            goodput,
                            "goodput_bps");
    PYBIND11_NUMPY_DTYPE_EX(PauseRow,
                            begin,
                            "begin_ns",
                            end,
                            "end_ns",
                            by,
                            "by",
                            byHost,
                            "by_host",
                            fullPort,
                            "full_port",
                            node,
                            "node",
                            isHost,
                            "host",
                            port,
                            "port",
                            priority,
                            "priority",
                            cause,
                            "cause");
}

/** Tell NumPy what all rows are; with the first array, as importing needs no NumPy. */
void
RegisterRows()
{
    static const bool registered = []() {
        RegisterCounted();
        RegisterSeries();
        return true;
    }();
    (void)registered;
}

py::object
Messages(py::object self)
{
    RegisterRows();
    return View(Get(self).messages, self);
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

/** Series and rows of monitors. \param c the class */
void
BindMonitorArrays(py::class_<PyResult>& c)
{
    c.def_property_readonly(
         "rates",
         [](py::object self) {
             RegisterRows();
             return View(Get(self).rates, self);
         },
         "Rates over time: a row a sample of a queue pair, or of a congestion point or domain\n"
         "that limits it: time_ns, host, peer, qpn, domain (-1: the queue pair itself), point,\n"
         "rate_bps (what the law allows), goodput_bps (acknowledged since the sample before):\n"
         "a view; with run(rates=).")
        .def_property_readonly(
            "pauses",
            [](py::object self) {
                RegisterRows();
                return View(Get(self).pauses, self);
            },
            "A row a pause, in the order in which they began: begin_ns, end_ns (-1: it went on),\n"
            "by, by_host, full_port (who paused, and which egress port was full there), node,\n"
            "host, port, priority (who must not send), cause (row of the pause that it follows\n"
            "from, -1: none): a view; with run(pauses=True), the first 100000.")
        .def_property_readonly(
            "links",
            [](py::object self) {
                RegisterRows();
                return View(Get(self).links, self);
            },
            "A row a link, in the order of graph.links: a, b (ids), rate_bps, bytes_to_a,\n"
            "bytes_to_b (of frames, without preamble and gap), utilization_to_a,\n"
            "utilization_to_b (0 to 1): a view. Counted since the fabric was made.")
        .def_property_readonly(
            "graph",
            [](const PyResult& r) { return r.graph; },
            "The plan of the fabric (copy), with links up or down as at the end.");
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
BindResultArrays(py::class_<PyResult>& result)
{
    BindArrays(result);
    BindMonitorArrays(result);
}

} // namespace python
} // namespace roce
} // namespace ns3
