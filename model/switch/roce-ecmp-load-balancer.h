/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ECMP_LOAD_BALANCER_H
#define ROCE_ECMP_LOAD_BALANCER_H

#include "roce-load-balancer.h"
#include "roce-switch-hash.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Equal-cost multipath by a hash of header fields.
 *
 * Models: hash-threshold selection: the hash of the flow, with a seed of the switch, reduced to
 * the number of members; or to the sum of their weights, which are the rates of their links. With
 * the destination QP among the fields it is E-ECMP (Gangidi et al., SIGCOMM 2024).
 *
 * Clause: RFC 2992; hash functions as in SwitchHash.
 *
 * Invariants: the choice depends on the selected fields, switch, Seed and members only, not on the
 * order of frames, nor on the ingress port unless it is a field; each member gets a share of many
 * flows in proportion to its weight.
 *
 * Leaves out: resilient hashing (a changed group moves other flows too); links whose rate changes
 * after the switch is frozen.
 */
class EcmpLoadBalancer : public LoadBalancer
{
  public:
    /** What the share of a member depends on. */
    enum Weights
    {
        WEIGHTS_NONE, //!< all alike
        WEIGHTS_RATE, //!< the rate of its link
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    EcmpLoadBalancer();

    /** \param fields names joined by +; see SwitchHash::ParseFields */
    void SetFields(std::string fields);

    /** \return names of the fields, joined by + */
    std::string GetFields() const;

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    void DoRatesChanged() override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;
    uint32_t PickWeighted(uint32_t hash, const uint16_t* members, uint32_t count) const;

    SwitchHash m_hash;
    std::vector<const Transmitter*> m_transmitters;
    std::vector<uint32_t> m_weights; //!< by port; empty: all alike

    // attributes
    uint32_t m_seed;
    bool m_ownSeed;
    HashFunction m_function;
    Weights m_weighted;
    uint8_t m_fields{HASH_FIVE_TUPLE};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ECMP_LOAD_BALANCER_H
