/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_RUNNER_H
#define ROCE_EXPERIMENT_RUNNER_H

#include "roce-experiment-document.h"
#include "roce-experiment-links.h"
#include "roce-experiment-run.h"
#include "roce-experiment-setup.h"
#include "roce-experiment-traffic.h"

#include "ns3/roce-fabric-document.h"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Runs an experiment that is given as text.
 *
 * Models: all that roce-run does between its flags and its result file, for programs and for other
 * languages:
 * \code
 * ExperimentRunner runner(ExperimentDocument::Load("incast.json"));
 * const ResultWriter::Json result = runner.Run();
 * \endcode
 *
 * Source: none.
 *
 * Invariants: the constructor builds no part of a simulation and refuses what cannot run with the
 * path of the key; each run starts from a new simulator, fixed random streams and the defaults of
 * before, so that the same document gives the same result each time but for wall_s; defaults, seed
 * and run number are afterwards what they were.
 *
 * Leaves out: headroom that does not fit, and what else RoceHelper::Install refuses. Run says that:
 * of runs with attributes of their own before the first run begins.
 */
class ExperimentRunner
{
  public:
    /** Who begins and ends runs; ExperimentHelper has such functions. */
    struct Frame
    {
        /** Begins a run, given its label and a fabric that was just built. */
        std::function<ExperimentRun&(const std::string&, Ptr<Fabric>)> begin;
        std::function<int64_t()> nextStream; //!< first random stream the fabric does not use
        std::function<void()> end;           //!< ends a run and destroys the simulation
    };

    /** Who looks at runs, for other languages; both may throw, which ends all of it. */
    struct Observer
    {
        /** Sees a run before its traffic. What it returns is dropped when the run is over, before
         *  the simulation is destroyed. */
        std::function<std::shared_ptr<void>(ExperimentRun&, Ptr<Fabric>)> begun;
        std::function<void(ExperimentRun&)> ended; //!< sees its result
    };

    /** Check all of it. Throws std::invalid_argument or std::runtime_error that begin with the name
     *  of the document and the path of the key. \param document the experiment */
    explicit ExperimentRunner(const ExperimentDocument& document);
    ~ExperimentRunner();

    /** \return the experiment */
    const ExperimentDocument& GetDocument() const
    {
        return m_document;
    }

    /** \return the fabric */
    const FabricDocument& GetFabric() const
    {
        return m_fabric;
    }

    /** \return names of the runs, without repeats */
    std::vector<std::string> GetLabels() const;

    /** \return number of runs, with repeats */
    uint32_t GetNRuns() const;

    /** \return RngSeed of all runs: that of the document, or as it is now */
    uint32_t GetSeed() const;

    /** \return RngRun of the first repeat: that of the document, or as it is now */
    uint64_t GetFirstRun() const;

    /**
     * Run all of it, and write what "output" asks for; a file that cannot be written is refused
     * first, with std::runtime_error.
     * \param progress whether to tell stderr how far it is
     * \return the result, schema roce-result/1
     */
    ResultWriter::Json Run(bool progress = false);

    /** The same for somebody who looks at runs. \param observer sees each \return the result */
    ResultWriter::Json Run(const Observer& observer);

    /** Run all of it in the frame of a program, which writes the result; only the key "fct" of
     *  "output" is looked at. \param frame begins and ends runs */
    void Run(const Frame& frame);

  private:
    class OwnFrame;

    ResultWriter::Json RunIn(OwnFrame& frame);
    void MakeTraffic();
    Ptr<Fabric> Build(const ExperimentSetup& setup) const;
    void TryFabrics() const;
    void RunOne(const Frame& frame,
                const ExperimentSetup& setup,
                uint32_t repeat,
                std::ostream* fct);
    void Install(ExperimentRun& run, Ptr<Fabric> fabric, int64_t stream);
    void Report(ExperimentRun& run, Ptr<Fabric> fabric) const;
    void SetMonitors(ExperimentRun& run, Ptr<Fabric> fabric);
    Ptr<GpuNetwork> MakeNetwork(Ptr<Fabric> fabric) const;
    GpuMap MakeMap(const FabricGraph& graph) const;
    bool IsOn(const char* object, const char* key) const;
    std::string GetOutput(const char* key) const;
    void Clear();

    ExperimentDocument m_document;
    FabricDocument m_fabric;
    std::vector<ExperimentSetup> m_setups;
    std::unique_ptr<ExperimentLinks> m_links;
    std::vector<std::unique_ptr<ExperimentTraffic>> m_traffic;
    bool m_needsGpus{false};

    std::unique_ptr<JobPlacement> m_placement; //!< of the run
    Ptr<Object> m_deadlocks;                   //!< of the run, a DeadlockDetector
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_RUNNER_H
