/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_STEPS_H
#define ROCE_VALIDATE_STEPS_H

#include "roce-validate-equations.h"
#include "roce-validate-series.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * DCQCN over one link in steps of a microsecond, without packets and without the module.
 *
 * Models: what the fluid model averages away. Each flow runs Algorithm 1 of the DCQCN paper with
 * its timers and counters; the link is a fluid queue, first come, first served, whose output is
 * marked by the queue at that time; a flow's marks come at random, as of packets; the notification
 * point sends no CNP within the CNP interval of the last one, or has fixed intervals. An
 * independent second opinion: shares no code with the module's law, switch and NIC.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, sections
 * 3.1 and 5; minimum rate and hyper increase as in the authors' simulator (100 and 200 Mb/s).
 *
 * Invariants: the same input and seed give the same result; flows begin at the rate of the link,
 * the last one at joinS, the others at once.
 *
 * Leaves out: packets, PFC, differences between flows.
 */
class DcqcnStepModel
{
  public:
    /** Further input. */
    struct Link
    {
        double kmin{5e3};      //!< bytes
        double kmax{200e3};    //!< bytes
        double pmax{0.01};     //!< marking probability at kmax
        double loopS{4e-6};    //!< delay of the loop without queue: a quarter from sender to queue
        bool periodic{false};  //!< CNPs leave when intervals end, from the first mark on
        double joinS{0};       //!< when the last flow begins
        bool joinAlike{false}; //!< it begins with the mean alpha of the others, not with 1
        unsigned seed{1};      //!< of the marks
    };

    /** \param input numbers of the law \param link numbers of the link */
    DcqcnStepModel(const DcqcnFixedPoint::Input& input, const Link& link);

    /** Run. \param fromS from when to count \param toS end, seconds */
    void Run(double fromS, double toS);

    /** \return bytes of the queue, a value a step */
    const ValidateSeries& GetQueue() const;

    /** \return part of the packets that were marked */
    double GetMarking() const;

    /** \return rate of the last flow less the mean of the others, over the fair share; mean of a
     *  time that has run. \param fromS begin \param toS end, seconds */
    double GetLead(double fromS, double toS) const;

  private:
    /** One flow. */
    struct Flow
    {
        double rate{0};            //!< bit/s
        double target{0};          //!< bit/s
        double alpha{1};           //!< alpha
        int64_t alphaAt{-1};       //!< next fall of alpha, step; -1: no CNP yet
        int64_t increaseAt{-1};    //!< next increase by the timer, step
        double counter{0};         //!< bytes since the last event of the byte counter
        unsigned timerStage{0};    //!< events of the timer since the last cut
        unsigned counterStage{0};  //!< events of the byte counter since the last cut
        int64_t lastCnp{-1000000}; //!< step in which the notification point sent one
        bool marked{false};        //!< a mark came since then
        std::deque<int64_t> cnps;  //!< steps in which CNPs arrive
    };

    static constexpr double STEP_S = 1e-6; //!< length of a step

    /** \return steps in a time */
    static int64_t Steps(double seconds)
    {
        return std::lround(seconds / STEP_S);
    }

    void Step(int64_t now);
    void Join(int64_t now);
    void MarkOutput(int64_t now, double bits);
    void Notify(Flow& flow, bool marked, int64_t now) const;
    void Cut(Flow& flow, int64_t now) const;
    void Increase(Flow& flow, bool byTimer) const;
    void RunTimers(Flow& flow, int64_t now) const;
    double Uniform();

    DcqcnFixedPoint::Input m_input;
    Link m_link;
    std::vector<Flow> m_flows;
    std::vector<std::vector<double>> m_rates; //!< of all flows, by step
    std::vector<double> m_arrived;            //!< bits that arrived before the end of each step
    double m_left{0};                         //!< bits that left
    double m_queue{0};                        //!< bits
    std::size_t m_leaving{0};                 //!< step in which arrived what leaves now
    std::mt19937_64 m_random;
    bool m_counting{false};
    ValidateSeries m_series{STEP_S};
    std::vector<double> m_leads; //!< by step
    double m_packets{0};
    double m_marks{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_STEPS_H
