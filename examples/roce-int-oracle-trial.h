/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_ORACLE_TRIAL_H
#define ROCE_INT_ORACLE_TRIAL_H

#include "roce-long-flows.h"
#include "roce-scenario-window.h"

#include "ns3/roce-experiment-helper.h"

#include <deque>
#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What roce-int-oracle is asked for. */
struct IntOracleSettings
{
    std::string scenario{"permutation"}; //!< permutation or hot-spine
    std::string pattern{"leaf"};         //!< leaf: leaf i to leaf i + s; random: any other leaf
    uint32_t leaves{4};                  //!< leaf switches
    uint32_t spines{16};                 //!< spine switches
    uint32_t hosts{0};                   //!< on each leaf; 0: as many as spines, or three quarters
    std::string rate{"100Gbps"};         //!< of all links
    std::string delay{"500ns"};          //!< one way, of each cable
    uint32_t mtu{4096};                  //!< payload of a full packet
    uint32_t qps{1};                     //!< queue pairs of two hosts
    std::string message{"1MB"};          //!< size of a message
    uint32_t messages{200};              //!< a run lasts as long as so many alone

    /** \return whether a spine has traffic of its own */
    bool IsHot() const
    {
        return scenario == "hot-spine";
    }

    /** \return hosts of each leaf that write messages */
    uint32_t GetHosts() const
    {
        return hosts ? hosts : IsHot() ? spines - spines / 4 : spines;
    }

    /** Throws std::invalid_argument naming what is impossible. */
    void Check() const;
};

/**
 * Pairs of hosts that write message after message through a leaf-spine fabric.
 *
 * Models: each queue pair posts a message when the one before has ended. Permutation: a host writes
 * to one host and receives from one. Hot spine: one more host of each leaf writes to one of the
 * next leaf without end, and all of those flows are pinned to the first spine.
 *
 * Invariants: runs of a seed have the same pairs and begin with the same UDP source ports, which
 * come from the seed, whatever picks paths. Figures are of the second half of the run.
 *
 * Leaves out: failures.
 */
class IntOracleTrial
{
  public:
    static constexpr uint32_t SLICES = 20; //!< of a run

    /** \param settings sizes, checked \param seed of pairs and ports */
    IntOracleTrial(const IntOracleSettings& settings, uint32_t seed);

    /** \return the fabric. \param roce makes its parts \param how ecmp, pinned, a load balancer or
     * a path chooser \param windowed whether windows, not a law, limit what is on the way */
    Ptr<Fabric> Install(RoceHelper& roce, const std::string& how, bool windowed);

    /** Connect, post and run. \param run the run */
    void Run(ExperimentRun& run);

    /** \return what came of it. \param run the same run */
    ScenarioFigures Measure(const ExperimentRun& run) const;

    /** \return shares of line rate over time: "mean" and "slowest" of the pairs */
    ResultWriter::Json GetSeries() const;

    /** \return destination of each source. \param settings sizes \param engine draws it */
    static std::vector<uint32_t> DrawPairs(const IntOracleSettings& settings, std::mt19937& engine);

  private:
    /** A queue pair that writes message after message. */
    struct Writer
    {
        Connection pair;
        WorkRequest request;

        void Post();
        void Done(const Completion& completion);
    };

    uint32_t HostId(uint32_t number) const;
    void Connect(uint32_t source, uint32_t destination);
    void AddBackground();
    void Pin(uint32_t source, uint32_t destination, uint32_t qp);
    void Note();
    std::vector<double> GetShares(uint32_t first, uint32_t last) const;
    uint64_t CountMoves() const;
    double GetTelemetryBytes() const;

    IntOracleSettings m_settings;
    std::mt19937 m_engine;
    Ptr<Fabric> m_fabric;
    std::deque<Writer> m_writers;
    std::unique_ptr<LongFlows> m_background;
    Ptr<QueueMonitor> m_queues;
    Time m_slice;
    bool m_windowed{false};
    bool m_pinned{false};
    uint64_t m_earlyMoves{0};                       //!< until the second half
    std::vector<std::vector<uint64_t>> m_delivered; //!< at the borders of slices, by destination
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_ORACLE_TRIAL_H
