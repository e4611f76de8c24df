/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ABM_POLICY_H
#define ROCE_ABM_POLICY_H

#include "roce-switch-mmu.h"
#include "roce-switch-stage.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Thresholds that look at how many queues are congested and how fast they drain.
 *
 * Models: active buffer management: the threshold of a queue of priority p is
 * alpha_p / n_p * (free bytes of the pool) * mu / b, with n_p congested queues of the priority and
 * mu / b the rate at which the queue drains over the rate of its port. A queue here is what came by
 * one ingress port with one priority. Every Interval, with the first frame that comes or leaves,
 * the factor alpha_p / n_p * mu / b of each queue is set anew in the MMU; between two measurements
 * the thresholds are ordinary dynamic ones.
 *
 * Addanki, Apostolaki, Ghobadi, Schmid, Vanbever: ABM: Active Buffer Management in Datacenters,
 * ACM SIGCOMM 2022.
 *
 * Invariants: with one congested queue that drains at line rate it is the dynamic threshold of
 * alpha_p; a factor never passes alpha_p; it is at least alpha_p / n_p / 16, so that a queue that
 * stands still is not starved; a queue that did not hold bytes all the time counts as draining at
 * line rate.
 *
 * Leaves out: the larger alpha of the first packets of a flow; measuring at the egress; an update
 * while nothing comes or leaves.
 */
class AbmPolicy : public SwitchStage
{
  public:
    /** Least mu / b. */
    static constexpr double LEAST_DRAIN = 1.0 / 16;

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param mmu the buffer whose thresholds it moves
     * \param interval ticks between measurements
     * \param congested part of the threshold from which on a queue is congested
     */
    AbmPolicy(SwitchMmu& mmu, Tick interval, double congested);

    /**
     * The MMU is configured.
     * \param rates bit/s of each port
     * \param ticksPerSecond resolution
     */
    void Start(const std::vector<uint64_t>& rates, int64_t ticksPerSecond);

    /** \return congested queues at the last measurement. \param priority theirs */
    uint32_t GetCongested(unsigned priority) const;

    // SwitchStage
    uint8_t GetHears() const override;
    void Assemble(Switch& device) override;
    bool MayEnqueue(Frame* frame, uint32_t in, uint32_t out, Tick now) override;
    void OnDeparture(Frame* frame, uint32_t out, Tick now) override;

  private:
    /** One ingress port and priority. */
    struct Queue
    {
        double alpha{0};        //!< of the configuration
        uint64_t departed{0};   //!< bytes since the last measurement
        bool backlogged{false}; //!< held bytes at the last measurement
    };

    void Measure(Tick now);
    double DrainOf(const Queue& queue, uint32_t port, Tick span) const;

    SwitchMmu* m_mmu;
    Tick m_interval;
    double m_congested;
    Tick m_last{0};
    std::vector<double> m_bytesPerTick; //!< by port
    std::vector<Queue> m_queues;        //!< port * 8 + priority
    uint32_t m_counts[NUM_PRIORITIES]{};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ABM_POLICY_H
