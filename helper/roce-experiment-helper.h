/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_HELPER_H
#define ROCE_EXPERIMENT_HELPER_H

#include "roce-experiment-flags.h"
#include "roce-experiment-run.h"
#include "roce-helper.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The frame of every experiment: flags, runs, table, result file, exit code.
 *
 * Models: a program such as
 * \code
 * return ExperimentHelper::Main(argc, argv, [&]() {
 *     ExperimentHelper exp("roce-x", "what it does");
 *     exp.AddFlag("size", "bytes of a message", size);
 *     exp.Parse(argc, argv);
 *     for (const std::string& cc : exp.GetCcs())
 *     {
 *         RoceHelper roce;
 *         exp.Configure(roce, cc);
 *         Ptr<Fabric> fabric = roce.Install(graph);
 *         ExperimentRun& run = exp.Begin(cc, fabric);
 *         // connect and post
 *         run.Run();
 *         exp.End();
 *     }
 *     return exp.Finish();
 * });
 * \endcode
 *
 * Flags: --cc, --lb and --recovery by short names (--cc takes a list), --json, --pcap, --progress,
 * --quiet.
 *
 * Invariants: each run starts from a new simulator and the fabric from random stream 0, so a run of
 * several in one process equals a run of its own; a path that cannot be written and a
 * name that is not known are refused before the run. Exit codes: 0 done; 1 more or fewer requests
 * failed than the program expects, or a run did not stall as expected; 2 a mistake of the user; 3 a
 * run could not finish, with the reason on stderr.
 *
 * Leaves out: traffic and topology.
 */
class ExperimentHelper
{
  public:
    /**
     * \param program its name
     * \param usage one sentence: what it does
     */
    ExperimentHelper(const std::string& program, const std::string& usage);
    ~ExperimentHelper();

    /**
     * Defaults of the common flags, before Parse.
     * \param cc congestion control, or several with commas
     * \param lb load balancer
     * \param recovery loss recovery
     */
    void SetDefaults(const std::string& cc,
                     const std::string& lb = "ecmp",
                     const std::string& recovery = "go-back-n");

    /**
     * \param name of the flag, without dashes
     * \param help one line
     * \param value holds the default, then what was given
     */
    template <typename T>
    void AddFlag(const std::string& name, const std::string& help, T& value)
    {
        m_flags.Add(name, help, value);
    }

    /**
     * Read and check the flags. Throws std::invalid_argument or std::runtime_error.
     * \param argc of main
     * \param argv of main
     */
    void Parse(int argc, char* argv[]);

    /** \return whether the user gave a flag. \param name without dashes */
    bool IsGiven(const std::string& name) const;

    /** \return the congestion controls of --cc, in order */
    const std::vector<std::string>& GetCcs() const;

    /** \return the load balancer of --lb */
    const std::string& GetLb() const;

    /** \return the loss recovery of --recovery */
    const std::string& GetRecovery() const;

    /** \return whether the program is to print nothing but errors */
    bool IsQuiet() const;

    /**
     * Apply --lb, --recovery and one of --cc. With "none" hosts send Not-ECT, so nothing is marked
     * and no CNP is sent. \param roce the helper that will build the fabric \param cc one of
     * GetCcs(); empty: the first
     */
    void Configure(RoceHelper& roce, const std::string& cc = "") const;

    /** Note a setting in "config". \param name its name \param value its value */
    void AddConfig(const std::string& name, const ResultWriter::Json& value);

    /** Add a key at the top level of the result file. \param key its name \param value its value */
    void AddKey(const std::string& key, const ResultWriter::Json& value);

    /**
     * Begin a run on a fabric that was just built: random streams, monitors, pcap files if --pcap.
     * \param label name of the run
     * \param fabric the fabric
     * \return the run; valid until End
     */
    ExperimentRun& Begin(const std::string& label, Ptr<Fabric> fabric);

    /**
     * \return first random stream that the fabric of the open run does not use. Give random
     *         variables of the program fixed streams from here on, or a run depends on earlier ones
     */
    int64_t GetNextStream() const;

    /** Print the run's row, keep its result, destroy the simulation. */
    void End();

    /** End a run that is open, and write the file. \return exit code of the program */
    int Finish();

    /** \return whether a congestion control did anything, and what it heard: "active, 1,234 rate
     *  changes, 567 CNPs". \param result of a run */
    static std::string DescribeControl(const RunResult& result);

    /**
     * Call the body of a program and turn exceptions into a message and an exit code.
     * \param argc of main
     * \param argv of main
     * \param body the program; returns the exit code
     * \return exit code
     */
    static int Main(int argc, char* argv[], const std::function<int()>& body);

  private:
    void CheckNames();
    void EnablePcap(const std::string& label, Ptr<Fabric> fabric) const;
    void PrintRow(const RunResult& result);
    void Judge(const RunResult& result, const ExperimentRun& run);

    std::string m_program;
    ExperimentFlags m_flags;
    std::string m_cc{"dcqcn"};
    std::string m_lb{"ecmp"};
    std::string m_recovery{"go-back-n"};
    std::string m_json;
    std::string m_pcap;
    bool m_showProgress{false};
    bool m_quiet{false};
    std::vector<std::string> m_ccs;
    std::unique_ptr<ResultWriter> m_writer;
    std::unique_ptr<ExperimentRun> m_run;
    bool m_headPrinted{false};
    int64_t m_nextStream{0};
    int m_exit{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_HELPER_H
