/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PACING_TRIAL_H
#define ROCE_PACING_TRIAL_H

#include "ns3/roce-distribution.h"
#include "ns3/roce-experiment-helper.h"

#include <map>
#include <string>

namespace ns3
{
namespace roce
{

/** What roce-pacing is asked for. */
struct PacingOptions
{
    uint32_t flows{100};         //!< of the crowd
    uint32_t pairs{32};          //!< hosts that send alone
    double load{0.95};           //!< of the link that the crowd shares
    std::string measure{"10ms"}; //!< time of a crowd; a tenth of it alone
};

/**
 * One way to lay the slots of flows: what it costs a flow alone, and how long the queue of many
 * flows in step gets.
 *
 * Models: alone: pairs of hosts on one switch, each with one flow at line rate; what each gets,
 * and what the phase of its slots predicts: bytes / (bytes / line + p). Crowd: hosts that send to
 * one at load / flows of the line rate each, all from the same tick on.
 *
 * Invariants: phases are hashes of UDP source ports, which come from the seed.
 *
 * Leaves out: congestion control, which would hide the phases of a crowd.
 */
class PacingTrial
{
  public:
    /** \param experiment the program \param options sizes */
    PacingTrial(ExperimentHelper& experiment, const PacingOptions& options);

    /** \param mode value of TransportOptions::Pacing \param rate of all links \param seed number */
    void RunAlone(const std::string& mode, const std::string& rate, uint32_t seed);

    /** \param mode value of TransportOptions::Pacing \param rate of all links \param seed number */
    void RunCrowd(const std::string& mode, const std::string& rate, uint32_t seed);

    /** Print a line a mode and rate: mean and standard deviation over the seeds. */
    void Print() const;

  private:
    /** What the seeds of one mode and rate came to. */
    struct Row
    {
        Distribution share, least, predicted; //!< alone, of the full rate
        Distribution first, last;             //!< crowd, KB
    };

    Ptr<Fabric> Install(RoceHelper& roce,
                        const std::string& mode,
                        const std::string& rate,
                        uint32_t hosts);
    double Predict(Ptr<Fabric> fabric, const QueuePair& qp) const;

    ExperimentHelper& m_experiment;
    PacingOptions m_options;
    Time m_measure;
    std::map<std::string, Row> m_rows; //!< by rate and mode
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PACING_TRIAL_H
