/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CABLE_LENGTH_SWEEP_H
#define ROCE_CABLE_LENGTH_SWEEP_H

#include "ns3/roce-distribution.h"
#include "ns3/roce-experiment-helper.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What roce-cable-length is asked for. */
struct CableLengthOptions
{
    uint32_t flows{16};            //!< hosts that send to one
    std::string rate{"100Gbps"};   //!< of all links
    std::string buffer{"8MB"};     //!< of the switch
    std::string enforce{"Pacing"}; //!< attribute of Hcc; with Pacing there is no cap either
    std::string warmup{"4ms"};     //!< before anything is counted
    std::string measure{"4ms"};    //!< while it is
    double slope{1};               //!< factor of the slope of both sweeps
};

/** One point of a sweep. */
struct CableLengthPoint
{
    std::string sweep;        //!< "fixed-step" or "equal-slope"
    std::string cables;       //!< name of the column
    std::vector<Time> delays; //!< one way, of the cables of senders, in turn
    Time recovery;            //!< T
    double factor{0};         //!< T is at least this times the RTT; 0: no such rule
};

/**
 * Hierarchical congestion control with several recovery times T over cables of several lengths.
 *
 * Models: hosts on one switch that write to one of them, without end. fixed-step: each expiry of T
 * adds the same, kappa = 0.001 T / us, and up to 32 times that, so the slope in time goes with 1 /
 * T. equal-slope: kappa = 0.03 (T / 30 us)^2 without acceleration: each T has the same slope in
 * time.
 *
 * Invariants: CNPs come at least twice in T.
 *
 * Leaves out: DLB, several switches.
 */
class CableLengthSweep
{
  public:
    /** \param experiment the program \param options sizes */
    CableLengthSweep(ExperimentHelper& experiment, const CableLengthOptions& options);

    /** \param point what to run \param seed its number: starts of flows */
    void Run(const CableLengthPoint& point, uint32_t seed);

    /** Print a table a sweep: a line a T, a column for each kind of cables. */
    void Print() const;

  private:
    /** What the seeds of one point came to. */
    struct Cell
    {
        Distribution xoff, peakKb, unsteady, share;
    };

    FabricGraph MakeGraph(const CableLengthPoint& point) const;
    void Configure(RoceHelper& roce, const CableLengthPoint& point) const;

    ExperimentHelper& m_experiment;
    CableLengthOptions m_options;
    Time m_warmup;
    Time m_measure;
    std::vector<std::string> m_columns;
    std::map<std::string, std::map<int64_t, std::map<std::string, Cell>>> m_cells;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CABLE_LENGTH_SWEEP_H
