/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_BENCH_H
#define ROCE_VALIDATE_BENCH_H

#include "roce-validate-probe.h"
#include "roce-validate-report.h"

#include "ns3/roce-experiment-helper.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** A flow that always has something to send. */
struct ValidateFlow
{
    uint32_t source{0};       //!< host
    uint32_t destination{0};  //!< host
    Time start;               //!< when it begins
    uint64_t startRateBps{0}; //!< attribute StartRateBps of its law; 0: as it is
};

/** One run. */
struct ValidatePlan
{
    std::string label;                      //!< name of the run
    std::string law;                        //!< congestion control
    FabricGraph graph;                      //!< the fabric
    std::function<void(RoceHelper&)> setUp; //!< sets attributes; may be empty
    std::vector<ValidateFlow> flows;        //!< flows
    std::function<void(Ptr<Fabric>)> also;  //!< called before the run; may be empty
    uint32_t node{0};                       //!< switch of the queue
    uint32_t port{0};                       //!< port of the queue
    uint32_t mtu{1000};                     //!< payload of a full packet
    Time interval{MicroSeconds(10)};        //!< between samples
    Time end;                               //!< of the run
    int64_t stream{0};                      //!< first random stream; another one: other marks
};

/**
 * Runs plans.
 *
 * Models: fabric, endless flows as messages of 20 MB, a probe. Time series go to CSV files.
 *
 * Invariants: a plan gives the same whatever ran before it.
 *
 * Leaves out: what results mean.
 */
class ValidateBench
{
  public:
    /** \param experiment the program's frame \param report takes what is seen \param csv begin of
     * the names of CSV files; empty: none */
    ValidateBench(ExperimentHelper& experiment, ValidateReport& report, const std::string& csv);

    /** \return what was seen, valid until the next run. \param plan what to run */
    const ValidateProbe& Run(const ValidatePlan& plan);

    /** \return result of the last run */
    const RunResult& GetResult() const
    {
        return m_result;
    }

    /** \return the table */
    ValidateReport& GetReport()
    {
        return m_report;
    }

    /** \return bytes of a full packet of the last run at its queue, from destination address to
     * FCS, with telemetry */
    uint32_t GetFrameBytes() const
    {
        return m_frameBytes;
    }

    /** \return hosts 0..n-1 on switch n. \param n hosts \param rate of all links \param delay of
     *  all links */
    static FabricGraph Star(uint32_t n, uint64_t rate, Time delay);

  private:
    void Measure(const ValidatePlan& plan, Ptr<Fabric> fabric);
    void Connect(const ValidatePlan& plan, Ptr<Fabric> fabric);

    ExperimentHelper& m_experiment;
    ValidateReport& m_report;
    std::string m_csv;
    std::unique_ptr<ValidateProbe> m_probe;
    RunResult m_result;
    uint32_t m_frameBytes{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_BENCH_H
