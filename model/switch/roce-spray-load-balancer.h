/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SPRAY_LOAD_BALANCER_H
#define ROCE_SPRAY_LOAD_BALANCER_H

#include "roce-load-balancer.h"
#include "roce-port-load.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace roce
{

/**
 * A member for each frame, whatever its flow.
 *
 * Models: packet spraying: random; round-robin, one turn for each destination host (1024 of them,
 * by the low bits of its number); or the member whose queue is sent soonest, in turn if equal.
 *
 * Clause: Dixit et al., On the Impact of Packet Spraying in Data Center Networks, INFOCOM 2013
 * (random).
 *
 * Invariants: of n x m frames to one destination over m members round-robin gives n to each; frames
 * of a flow may overtake each other.
 *
 * Leaves out: reordering at the receiver (loss recovery irn, or the NIC).
 */
class SprayLoadBalancer : public LoadBalancer
{
  public:
    /** How the member is found. */
    enum Mode
    {
        RANDOM,      //!< any
        ROUND_ROBIN, //!< in turn
        LEAST_QUEUE, //!< what is sent soonest
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    SprayLoadBalancer();

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;
    int64_t DoAssignStreams(int64_t stream) override;
    uint32_t PickLeast(const uint16_t* members, uint32_t count, Tick now);

    PortLoad m_load;
    std::vector<uint32_t> m_turns; //!< by destination
    uint32_t m_turn{0};
    Mode m_mode; //!< attribute
    Ptr<UniformRandomVariable> m_random;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SPRAY_LOAD_BALANCER_H
