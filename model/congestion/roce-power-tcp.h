/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_POWER_TCP_H
#define ROCE_POWER_TCP_H

#include "roce-int-path.h"
#include "roce-window-control.h"
#include "roce-window-history.h"

namespace ns3
{
namespace roce
{

/**
 * PowerTCP with telemetry: a window that follows the power of the path.
 *
 * Models: of each hop current = growth of the queue + txRate, voltage = queue + B T, power =
 * current x voltage / (B B T). The largest one goes with weight dt / T into the smoothed power, dt
 * being the time between the records of that hop, at most T. Each ACK sets
 * W = Gamma (Wold / power + beta) + (1 - Gamma) W, where Wold is the window in force when the
 * acknowledged packet was sent and beta = line rate x T / Flows.
 *
 * Source: Addanki, Michel and Schmid, "PowerTCP: Pushing the Performance Limits of Datacenter
 * Networks", NSDI 2022, Algorithm 1, Gamma = 0.9; the authors' Linux module takes 10 flows.
 *
 * Differences of the simulator that its authors published (inet-tub): the step is 150 Mb/s
 * whatever the line rate; current is txRate alone; the power is divided by HPCC's target
 * utilization 0.95; the state is a rate, and the one of the last round stands for both Wold and W.
 *
 * Choices: the current of a hop is never taken below MinCurrent of its rate. While a queue drains
 * the current says that little arrives now, but Wold is of a packet that came before; without a
 * floor the windows then rise too early, and after a burst the queue may swing for good. The
 * simulator above has such a floor, of one half, in its delay version. The power begins as 1; W is
 * at most line rate x T.
 *
 * Invariants: those of WindowControl; in equilibrium n flows with one bottleneck and one T have
 * equal windows and leave a queue of n beta (power = 1 + queue / (B T)), less where the floor of
 * the current counts; power >= MinCurrent once a sample of T has come; an ACK without a usable
 * record changes nothing.
 *
 * Leaves out: reaction to loss, feedback from the receiver, priorities.
 */
class PowerTcp : public WindowControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PowerTcp();
    ~PowerTcp() override;

    /** \return smoothed power; 1 is a full path without a queue */
    double GetPower() const
    {
        return m_power;
    }

    /** \return beta, bytes on the link */
    double GetAdditiveBytes() const
    {
        return m_beta;
    }

    /** \return what it knows of the path */
    const IntPath& GetPath() const
    {
        return m_path;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
    /** Take the samples into the power. \return whether there was one */
    bool MeasurePower();

    IntPath m_path;
    WindowHistory m_history;
    double m_power{1};
    double m_beta{0};

    double m_gamma;      //!< attribute
    uint32_t m_flows;    //!< attribute
    double m_minCurrent; //!< attribute
};

} // namespace roce
} // namespace ns3

#endif // ROCE_POWER_TCP_H
