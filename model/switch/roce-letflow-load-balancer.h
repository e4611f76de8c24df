/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LETFLOW_LOAD_BALANCER_H
#define ROCE_LETFLOW_LOAD_BALANCER_H

#include "roce-flowlet-load-balancer.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace roce
{

/**
 * LetFlow: a random member for each flowlet.
 *
 * Models: flowlets as in FlowletLoadBalancer, whose sizes adapt to congestion by themselves; the
 * choice is uniform and knows no load.
 *
 * Clause: Vanini, Pan, Alizadeh, Taheri, Edsall, Let It Flow, NSDI 2017, section 3.
 *
 * Invariants: those of FlowletLoadBalancer; each member is as likely as any other.
 *
 * Leaves out: aging by a bit; its paper's default gap (500 us): Gap is that of the parent.
 */
class LetFlowLoadBalancer : public FlowletLoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    LetFlowLoadBalancer();

  private:
    uint32_t ChooseMember(uint32_t hash,
                          const uint16_t* members,
                          uint32_t count,
                          Tick now) override;
    int64_t DoAssignStreams(int64_t stream) override;

    Ptr<UniformRandomVariable> m_random;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LETFLOW_LOAD_BALANCER_H
