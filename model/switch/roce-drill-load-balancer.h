/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DRILL_LOAD_BALANCER_H
#define ROCE_DRILL_LOAD_BALANCER_H

#include "roce-load-balancer.h"
#include "roce-port-load.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace roce
{

/**
 * DRILL: the shortest of a few random queues and of the best one seen before, for each frame.
 *
 * Models: DRILL(d, 1): d random members and the remembered one are compared by the time to send
 * what waits at them; the frame goes to the least loaded, which is remembered. One memory a group,
 * known by its first member.
 *
 * Clause: Ghorbani, Yang, Godfrey, Ganjali, Firoozshahian, DRILL, SIGCOMM 2017, section 3; d = 2
 * and one memory are its recommendation.
 *
 * Invariants: no choice is busier than the remembered member or any of the d samples.
 *
 * Leaves out: several engines; more than one memory; the decomposition of asymmetric groups.
 */
class DrillLoadBalancer : public LoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    DrillLoadBalancer();

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;
    int64_t DoAssignStreams(int64_t stream) override;

    PortLoad m_load;
    std::vector<uint16_t> m_memory; //!< best port of a group, by its first member
    uint32_t m_samples;             //!< attribute
    Ptr<UniformRandomVariable> m_random;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DRILL_LOAD_BALANCER_H
