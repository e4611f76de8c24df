/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DLB_LOAD_BALANCER_H
#define ROCE_DLB_LOAD_BALANCER_H

#include "roce-flowlet-load-balancer.h"

namespace ns3
{
namespace roce
{

/**
 * Dynamic load balancing as switch ASICs offer it: bands of quality.
 *
 * Models: each port has a quality band from 0 (best) to 7, the mean of a load band (eighths of its
 * utilisation, by the estimator of PortLoad) and a queue band (time to send what waits, in
 * QueueUnit) with weight QueueWeight. A band is worked out anew when it is asked for and at least
 * UpdateInterval old. The choice is among the members of the best band: by the hash of the flow, or
 * in turn per packet. Modes: eligible (a flow may move after Gap), fixed (a flow stays where it
 * began), per-packet.
 *
 * Vendors describe modes and bands; the numbers here are ours.
 *
 * Invariants: no member of a worse band than the best is chosen for a new flowlet; in mode fixed a
 * flow never moves while its member exists and its entry of the table is not shared.
 *
 * Leaves out: global quality (that of switches further on); failover links.
 */
class DlbLoadBalancer : public FlowletLoadBalancer
{
  public:
    /** When a flow may move. */
    enum Mode
    {
        ELIGIBLE,   //!< after a gap
        FIXED,      //!< never
        PER_PACKET, //!< with each packet
    };

    /** Number of bands. */
    static constexpr uint32_t BANDS = 8;

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    DlbLoadBalancer();

    /** \return the band of a port, from 0 (best) to 7. \param port the port \param now present
     *  tick */
    uint32_t GetBand(uint32_t port, Tick now);

    /**
     * \param utilization part of the link's rate in use
     * \param backlog time to send what waits, in units of QueueUnit
     * \param weight of the queue, 0 to 1
     * \return the band
     */
    static uint32_t Band(double utilization, double backlog, double weight);

  private:
    Tick ChooseGap(Tick set) const override;
    void Prepare() override;
    uint32_t ChooseMember(uint32_t hash,
                          const uint16_t* members,
                          uint32_t count,
                          Tick now) override;

    /** A band and its age. */
    struct Quality
    {
        Tick evaluated{NEVER}; //!< NEVER: not yet
        uint32_t band{0};
    };

    std::vector<Quality> m_quality; //!< by port
    uint32_t m_turn{0};

    // attributes
    Mode m_mode;
    Time m_updateInterval;
    Time m_queueUnit;
    double m_queueWeight;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DLB_LOAD_BALANCER_H
