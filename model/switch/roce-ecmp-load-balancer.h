/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ECMP_LOAD_BALANCER_H
#define ROCE_ECMP_LOAD_BALANCER_H

#include "roce-load-balancer.h"

namespace ns3
{
namespace roce
{

/**
 * Equal-cost multipath by a hash of the 5-tuple.
 *
 * Models: hash-threshold selection: the hash of the flow is mixed with a seed of the switch and
 * scaled to the number of members, so that switches in a row choose independently.
 *
 * RFC 2992. The mix is the fmix32 finaliser of MurmurHash3 (public domain).
 *
 * Invariants: the choice depends on 5-tuple, switch, Seed and members only, not on the ingress
 * port or the order of frames; each member gets an equal share of many flows.
 *
 * Leaves out: selectable fields; resilient hashing (a changed group moves other flows too).
 */
class EcmpLoadBalancer : public LoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    EcmpLoadBalancer();

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;

    uint32_t m_seed;     //!< attribute
    uint32_t m_mixed{0}; //!< seed of this switch
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ECMP_LOAD_BALANCER_H
