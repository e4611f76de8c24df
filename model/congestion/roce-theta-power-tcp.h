/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_THETA_POWER_TCP_H
#define ROCE_THETA_POWER_TCP_H

#include "roce-window-control.h"
#include "roce-window-history.h"

namespace ns3
{
namespace roce
{

/**
 * PowerTCP without telemetry: power from round trip times alone.
 *
 * Models: power = (growth of the RTT per time + 1) x RTT / T, smoothed with weight dt / T, dt being
 * the time between two ACKs, at most T. Once a round W = Gamma (Wold / power + beta) +
 * (1 - Gamma) W, with Wold and beta as in PowerTcp.
 *
 * Source: Addanki, Michel and Schmid, "PowerTCP: Pushing the Performance Limits of Datacenter
 * Networks", NSDI 2022, Algorithm 2 (theta-PowerTCP); Gamma = 0.7 is that of the simulator its
 * authors published.
 *
 * Differences of that simulator (inet-tub): the step is 150 Mb/s whatever the line rate; T is 1.05
 * times the least RTT seen; the state is a rate.
 *
 * Choices: growth + 1 is taken as no less than MinCurrent (the -0.5 of that simulator); the first
 * RTT is only a reference; ACKs on one tick count as the first of them.
 *
 * Invariants: those of WindowControl; W changes at most once a round; in equilibrium n flows with
 * one bottleneck and one T have equal windows and leave a queue of n beta; an ACK without an RTT
 * changes nothing.
 *
 * Leaves out: links that are not full (their RTT is T, their power 1, so only beta raises the
 * window), reaction to loss.
 */
class ThetaPowerTcp : public WindowControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ThetaPowerTcp();
    ~ThetaPowerTcp() override;

    /** \return smoothed power; 1 is a path without a queue */
    double GetPower() const
    {
        return m_power;
    }

    /** \return beta, bytes on the link */
    double GetAdditiveBytes() const
    {
        return m_beta;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
    /** Take an RTT into the power. */
    void MeasurePower(double rttNs, Tick now);

    WindowHistory m_history;
    double m_power{1};
    double m_beta{0};
    double m_nsPerTick{1};
    double m_lastRttNs{0}; //!< of the ACK before
    Tick m_lastAt{0};      //!< when it came
    bool m_hasLast{false}; //!< whether there was one

    double m_gamma;      //!< attribute
    uint32_t m_flows;    //!< attribute
    double m_minCurrent; //!< attribute
};

} // namespace roce
} // namespace ns3

#endif // ROCE_THETA_POWER_TCP_H
