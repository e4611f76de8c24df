/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PINNED_LOAD_BALANCER_H
#define ROCE_PINNED_LOAD_BALANCER_H

#include "roce-load-balancer.h"

#include "ns3/roce-flow-key.h"

#include <string>
#include <unordered_map>

namespace ns3
{
namespace roce
{

/**
 * Exact-match overrides in front of another load balancer.
 *
 * Models: path pinning and the table that traffic engineering writes: a flow, by its 5-tuple or by
 * destination and destination QP, leaves by a given port; all others, and those whose port is no
 * member any more, are left to the Fallback. The 5-tuple goes before the queue pair.
 *
 * Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM 2024.
 *
 * Invariants: a pinned flow takes its port while that is a member; an unknown port is refused with
 * std::invalid_argument.
 *
 * Leaves out: who computes the pins (TrafficEngineer, or the program); a limit on their number;
 * wildcards; destinations with one member, where there is nothing to choose. PathPinHelper checks
 * pins against the routes.
 */
class PinnedLoadBalancer : public LoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PinnedLoadBalancer();

    /** \param flow 5-tuple; its protocol must be UDP's \param port output port of the switch */
    void Pin(const FlowKey& flow, uint32_t port);

    /** \param destination IPv4, host order \param qpn destination QP \param port output port */
    void PinQueuePair(uint32_t destination, uint32_t qpn, uint32_t port);

    /** \return whether it was pinned. \param flow the flow to leave to the fallback again */
    bool Unpin(const FlowKey& flow);

    /** \return whether it was pinned. \param destination IPv4, host order \param qpn its QP */
    bool UnpinQueuePair(uint32_t destination, uint32_t qpn);

    /** \return the balancer of all other flows */
    Ptr<LoadBalancer> GetFallback() const;

    /** \return frames whose pinned port was no member */
    uint64_t GetMisses() const;

  private:
    /** What is matched. */
    struct Key
    {
        uint64_t addresses; //!< source and destination; of a queue pair the destination
        uint64_t numbers;   //!< ports; of a queue pair its number and a mark

        bool operator==(const Key& other) const
        {
            return addresses == other.addresses && numbers == other.numbers;
        }
    };

    struct KeyHash
    {
        std::size_t operator()(const Key& key) const
        {
            return FlowKey::Mix(key.addresses + FlowKey::Mix(key.numbers));
        }
    };

    static Key MakeKey(uint32_t source, uint32_t destination, uint16_t from, uint16_t to);
    static Key MakeKey(uint32_t destination, uint32_t qpn);
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;
    int64_t DoAssignStreams(int64_t stream) override;
    LoadBalancer* GetMover() override;
    void SetFallbackType(std::string name);
    std::string GetFallbackType() const;
    void Add(const Key& key, uint32_t port);
    int32_t Find(const Frame* frame) const;

    std::unordered_map<Key, uint16_t, KeyHash> m_pins;
    bool m_hasFlows{false};        //!< whether a 5-tuple was ever pinned
    bool m_hasQueuePairs{false};   //!< whether a queue pair was ever pinned
    uint32_t m_numPorts{1u << 16}; //!< of the switch, once it is known
    uint64_t m_misses{0};
    Ptr<LoadBalancer> m_fallback;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PINNED_LOAD_BALANCER_H
