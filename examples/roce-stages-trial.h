/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_STAGES_TRIAL_H
#define ROCE_STAGES_TRIAL_H

#include "ns3/roce-distribution.h"
#include "ns3/roce-experiment-helper.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What roce-stages is asked for. */
struct StagesOptions
{
    uint32_t leaves{8};         //!< of each of two pods
    uint32_t hosts{4};          //!< of a leaf
    uint32_t spines{4};         //!< of a pod, each with one link of 400 Gb/s up
    std::string warmup{"2ms"};  //!< before anything is counted
    std::string measure{"2ms"}; //!< while it is
    std::string buffer{"8MB"};  //!< of a switch
};

/** A law, and which stage has which numbers. */
struct StagesWay
{
    std::string law;     //!< value of Hcc::Law
    std::string profile; //!< value of Hcc::Profile
    bool rule{true};     //!< whether T is at least 1.5 RTT
    uint32_t stage{0};   //!< 0: each its own; 2 or 3: both have the numbers of this one

    /** \return name of its runs */
    std::string GetName() const;
};

/**
 * Numbers of one stage of hierarchical congestion control in the other.
 *
 * Models: two pods of 100 Gb/s, 400 Gb/s between them, about 1 us one way in a pod and 5 us between
 * pods. Between: each host writes to each of the other pod without end, twice what the links
 * between pods carry. Inside: hosts of a pod write to one of them; after the warm-up all of them
 * stop but one, and the rate of that one in the following time is what it reclaims.
 *
 * Invariants: each way sees the same flows.
 *
 * Leaves out: stage 1, the links of GPUs in a node.
 */
class StagesTrial
{
  public:
    /** \param experiment the program \param options sizes */
    StagesTrial(ExperimentHelper& experiment, const StagesOptions& options);

    /** \param way the law \param seed starts and ports of flows */
    void Run(const StagesWay& way, uint32_t seed);

    /** Print a line a way: means over the seeds. */
    void Print() const;

  private:
    /** What the seeds of one way came to. */
    struct Row
    {
        Distribution share, least, xoff, peakKb, cnps, reclaim, localXoff, localKb;
    };

    Ptr<Fabric> Install(const StagesWay& way) const;
    void Configure(RoceHelper& roce, const StagesWay& way) const;
    void RunBetween(const StagesWay& way, uint32_t seed);
    void RunInside(const StagesWay& way, uint32_t seed);

    ExperimentHelper& m_experiment;
    StagesOptions m_options;
    Time m_warmup;
    Time m_measure;
    std::vector<std::string> m_names; //!< of ways, in order
    std::map<std::string, Row> m_rows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_STAGES_TRIAL_H
