/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HPCC_LOAD_BALANCER_H
#define ROCE_HPCC_LOAD_BALANCER_H

#include "roce-load-balancer.h"

namespace ns3
{
namespace roce
{

/**
 * Equal-cost multipath as the HPCC artifact does it, to compare with it flow by flow.
 *
 * Models: MurmurHash3 (x86, 32 bit) of source, destination and source port + 65536 * destination
 * port, seeded with the number of the switch, modulo the number of members (HpccHash).
 *
 * Invariants: the next hops are those of the artifact if addresses, ports, switch numbers and the
 * order of the members are.
 *
 * Leaves out: the order of the members, which is the routing's.
 */
class HpccLoadBalancer : public LoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    HpccLoadBalancer();

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;

    uint32_t m_id{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HPCC_LOAD_BALANCER_H
