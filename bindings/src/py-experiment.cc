/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-result.h"
#include "py-run-progress.h"
#include "py-signal-watch.h"

#include "ns3/node-list.h"
#include "ns3/roce-experiment-runner.h"
#include "ns3/roce-experiment-schema.h"

#include <pybind11/stl.h>
#include <stdexcept>
#include <string>
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

using Results = std::vector<std::unique_ptr<PyResult>>;

/** Throws std::runtime_error if there is a simulation, which the runs would be part of. */
void
RequireNoSimulation()
{
    if (NodeList::GetNNodes() > 0 || !Simulator::IsFinished())
    {
        throw std::runtime_error("there is a simulation already, and an experiment makes its own; "
                                 "call roce.destroy() first");
    }
}

/** What Python has to do with one run: signals and progress. Made and dropped in the run. */
class Attendance
{
  public:
    Attendance(ExperimentRun& run, Ptr<Fabric> fabric, const Sink& sink)
    {
        py::gil_scoped_acquire gil;
        RunGuard::CheckSignals(); // those that came between runs
        m_watch = std::make_unique<SignalWatch>();
        if (sink)
        {
            m_progress = std::make_unique<RunProgress>(fabric, sink, run.GetLabel());
            run.GetStallDetector()->SetBeat([this](Tick now) { m_progress->Poll(now); });
        }
    }

    ~Attendance()
    {
        py::gil_scoped_acquire gil;
        m_watch.reset();
    }

    Attendance(const Attendance&) = delete;
    Attendance& operator=(const Attendance&) = delete;

    /** The run is over. */
    void End() const
    {
        if (m_progress)
        {
            m_progress->Tell(EventCore::Get()->Now());
        }
        py::gil_scoped_acquire gil;
        RunGuard::CheckSignals();
    }

  private:
    std::unique_ptr<SignalWatch> m_watch;
    std::unique_ptr<RunProgress> m_progress;
};

/** Throws if Python has raised something; RunGuard raises that. */
void
EndAfterError()
{
    if (RunGuard::HasError())
    {
        throw std::runtime_error("the experiment was ended by an exception");
    }
}

/** Runs an experiment once. */
class Session
{
  public:
    Session(const ExperimentDocument& document, Sink sink)
        : m_runner(document),
          m_sink(std::move(sink))
    {
    }

    /** \return what the runs came to */
    Results Run()
    {
        try
        {
            ExperimentRunner::Observer observer;
            observer.begun = [this](ExperimentRun& run, Ptr<Fabric> fabric) {
                return Begin(run, fabric);
            };
            observer.ended = [this](ExperimentRun& run) { End(run); };
            m_runner.Run(observer);
        }
        catch (...)
        {
            Simulator::Destroy(); // what a run that did not begin has left
            throw;
        }
        return std::move(m_results);
    }

  private:
    std::shared_ptr<void> Begin(ExperimentRun& run, Ptr<Fabric> fabric)
    {
        auto attendance = std::make_shared<Attendance>(run, fabric, m_sink);
        EndAfterError();
        m_attendance = attendance;
        return attendance;
    }

    void End(ExperimentRun& run)
    {
        m_attendance.lock()->End();
        EndAfterError();
        m_results.push_back(std::make_unique<PyResult>(run));
    }

    ExperimentRunner m_runner;
    Sink m_sink;
    std::weak_ptr<Attendance> m_attendance;
    Results m_results;
};

/** A document that was checked whole; plain data, which any thread may drop. */
struct CheckedDocument
{
    ExperimentDocument document;     //!< what was given
    std::vector<std::string> labels; //!< of its runs
    uint32_t runs;                   //!< with repeats
};

std::unique_ptr<CheckedDocument>
Make(const std::string& name, const std::string& text, const std::string& folder)
{
    RunGuard::RefuseWhileRunning("a new experiment");
    const ExperimentRunner runner(ExperimentDocument::Parse(name, text, folder));
    return std::make_unique<CheckedDocument>(
        CheckedDocument{runner.GetDocument(), runner.GetLabels(), runner.GetNRuns()});
}

py::list
Run(const CheckedDocument& checked, const py::object& progress)
{
    RunGuard::RefuseWhileRunning("another run");
    RequireNoSimulation();
    const Sink sink = progress.is_none() ? Sink() : MakeSink(progress);
    Results results;
    RunGuard::RunUnwatched([&]() { results = Session(checked.document, sink).Run(); });
    py::list list;
    for (std::unique_ptr<PyResult>& result : results)
    {
        list.append(py::cast(std::move(result)));
    }
    return list;
}

} // namespace

void
BindExperiment(py::module_& m)
{
    py::class_<CheckedDocument>(m, "_Document", "The C++ part of roce.Experiment.")
        .def(py::init(&Make),
             py::arg("name"),
             py::arg("text"),
             py::arg("folder"),
             "Check the text of an experiment.")
        .def(
            "given",
            [](const CheckedDocument& d) { return d.document.GetGiven().dump(); },
            "The experiment as JSON.")
        .def(
            "full",
            [](const CheckedDocument& d) { return d.document.GetJson().dump(); },
            "The experiment as JSON, with defaults.")
        .def_readonly("labels", &CheckedDocument::labels, "Names of the runs, without repeats.")
        .def_readonly("runs", &CheckedDocument::runs, "Number of runs, with repeats.")
        .def(
            "resolve",
            [](const CheckedDocument& d, const std::string& file) {
                return d.document.Resolve(file);
            },
            py::arg("file"),
            "Path of a file that the experiment names.")
        .def("run", &Run, py::arg("progress"), "A list of results.")
        .def_static(
            "schema",
            []() { return ExperimentSchema::Make().dump(); },
            "The JSON Schema, as text.");
}

} // namespace python
} // namespace roce
} // namespace ns3
