/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_H
#define ROCE_NIC_H

#include "roce-nic-counters.h"
#include "roce-nic-events.h"
#include "roce-qp-arbiter.h"

#include "ns3/object-factory.h"
#include "ns3/roce-cnp-generator.h"
#include "ns3/roce-port-owner.h"
#include "ns3/roce-port.h"
#include "ns3/roce-queue-pair.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * An RDMA NIC of a host.
 *
 * Models: a channel adapter with one or more Ethernet ports: queue pairs, an arbiter with pacing a
 * port, the demultiplexer of what arrives, notification point and retransmission timers. Aggregate
 * it to a Node. ACKs, NAKs and CNPs go in a class of their own, before data.
 *
 * Invariants: requests posted = completed + failed + open; each posted request completes once;
 * payload bytes delivered to the far side = bytes of its completed requests; the cost of a packet
 * is O(log n) in the number of active queue pairs.
 *
 * Leaves out: memory regions (payload is not stored), SEND, READ and atomics, PCIe and the host.
 */
class Nic : public Object, public PortOwner
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Nic();
    ~Nic() override;

    /**
     * \param port a port of this host
     * \return its index at the NIC
     */
    uint32_t AddPort(Ptr<Port> port);

    /** \return number of ports */
    uint32_t GetNPorts() const;

    /**
     * \param index 0..GetNPorts()-1
     * \return the port
     */
    Ptr<Port> GetPort(uint32_t index) const;

    /**
     * \return a configuration filled from the attributes of this NIC
     */
    QueuePairConfig GetDefaults() const;

    /**
     * Make a queue pair in state RESET. Throws std::invalid_argument naming the value and the
     * limit if the configuration is impossible.
     * \param config what it needs to know; remoteQpn may still be 0
     * \return the queue pair
     */
    Ptr<QueuePair> CreateQueuePair(const QueuePairConfig& config);

    /**
     * Bring a queue pair into service.
     * \param qp a queue pair of this NIC in state RESET
     * \param remoteQpn queue pair at the other side
     */
    void Connect(Ptr<QueuePair> qp, uint32_t remoteQpn);

    /**
     * Remove a queue pair. Open requests are dropped without completion; frames that come for it
     * later are counted and ignored. Its number is not used again.
     * \param qp a queue pair of this NIC
     */
    void Destroy(Ptr<QueuePair> qp);

    /**
     * Post a WRITE.
     * \param qp a queue pair of this NIC; in state ERROR the request is flushed at once
     * \param request what to write
     */
    void Post(Ptr<QueuePair> qp, const WorkRequest& request);

    /**
     * \param qpn a number
     * \return the queue pair, or nullptr
     */
    Ptr<QueuePair> Find(uint32_t qpn) const;

    /** \return all queue pairs that are not destroyed, in order of their numbers */
    std::vector<Ptr<QueuePair>> GetQueuePairs() const;

    /** \return what the NIC has counted */
    const NicCounters& GetCounters() const
    {
        return m_counters;
    }

    /** \return work requests that have neither completed nor failed */
    uint64_t GetOpenRequests() const;

    /** \return the notification point */
    Ptr<CnpGenerator> GetCnpGenerator() const;

    /**
     * \param sizes bytes frames occupy; for queue pairs made from now on
     */
    void SetFrameSizes(const FrameSizes& sizes);

    /**
     * \param factory makes the congestion control of queue pairs made from now on
     */
    void SetCongestionControl(const ObjectFactory& factory);

    /** TracedCallback signature. \param [in] completion what has ended */
    typedef void (*CompletionTracedCallback)(const Completion& completion);

    /** TracedCallback signature. \param [in] qpn queue pair here \param [in] request what to do */
    typedef void (*PostedTracedCallback)(uint32_t qpn, const WorkRequest& request);

    /** TracedCallback signature. \param [in] qpn queue pair here \param [in] now present tick */
    typedef void (*CnpTracedCallback)(uint32_t qpn, Tick now);

    /** TracedCallback signature. \param [in] qpn queue pair here \param [in] rtt in ticks */
    typedef void (*RttTracedCallback)(uint32_t qpn, Tick rtt);

    // for the ports and the events of this NIC
    void Receive(Frame* frame, uint32_t port, Tick now) override;
    bool Pull(uint32_t port, Tick now) override;
    void Discarded(Frame* frame, uint32_t port, Tick now) override;

  private:
    friend class PaceEvent;
    friend class RetransmitTimers;
    friend class CnpDelay;

    struct Lane;

    void DoDispose() override;
    void NotifyNewAggregate() override;

    EventCore* GetCore() const
    {
        return PeekPointer(m_core);
    }

    QueuePair* Lookup(uint32_t qpn) const
    {
        const uint32_t index = qpn - FIRST_QPN;
        return index < m_qps.size() ? PeekPointer(m_qps[index]) : nullptr;
    }

    void CheckConfig(const QueuePairConfig& config) const;
    EventPhase GetServicePhase(uint32_t port) const;
    void Wake(uint32_t port, Tick now);
    void SendData(Lane& lane, QueuePair* qp, Tick now);
    void Dequeue(Lane& lane, QueuePair* qp);
    Tick NextSlot(const Transmitter& tx, QueuePair* qp, uint32_t bytes, Tick now);
    void Activate(QueuePair* qp, Tick now);
    void PrefetchFor(Lane& lane) const;
    void ReceivePacket(Frame* frame, uint32_t port);
    void ReceiveRequest(Frame* frame, Tick now);
    void Answer(QueuePair* qp, Frame* frame, const Responder::Result& result, Tick now);
    void ReceiveAck(Frame* frame, Tick now);
    void ReceiveNak(QueuePair* qp, const Frame& frame, Tick now);
    void ReceiveCnp(Frame* frame, Tick now);
    void HandleCnp(Frame* frame, Tick now);
    void SendCnp(QueuePair* qp, Frame* cause, Tick now);
    void SendControl(Frame* frame, Tick now);
    void NoteArrival(QueuePair* qp, Tick now);
    void Retire(QueuePair* qp, Tick now);
    void Complete(QueuePair* qp,
                  const Requester::OpenRequest& open,
                  CompletionStatus status,
                  Tick now);
    void Fail(QueuePair* qp, CompletionStatus status, Tick now);
    void SetDeadline(QueuePair* qp, Tick now);
    void CheckTimer(QueuePair* qp, Tick now);

    /** Numbers 0 and 1 are special (IBTA 3.9); small ones are left to management. */
    static constexpr uint32_t FIRST_QPN = 0x11;

    Ptr<EventCore> m_core;
    std::vector<Lane> m_lanes;
    std::vector<Ptr<QueuePair>> m_qps;
    std::vector<Ptr<QueuePair>> m_retired; //!< destroyed, but still in an arbiter
    NicCounters m_counters;
    FrameSizes m_sizes;
    std::unique_ptr<RetransmitTimers> m_timers;
    std::unique_ptr<CnpDelay> m_cnpOut;
    std::unique_ptr<CnpDelay> m_cnpIn;
    ObjectFactory m_control;
    Ptr<CnpGenerator> m_cnpGenerator;
    uint32_t m_nodeId{0};

    uint32_t m_mtu;
    uint8_t m_priority;
    uint8_t m_controlPriority;
    uint8_t m_controlQueue;
    uint32_t m_ackInterval;
    Time m_ackTimeout;
    uint32_t m_retryLimit;
    bool m_ecnCapable;
    bool m_sameSourcePort;
    Time m_cnpHandling;

    TracedCallback<uint32_t, const WorkRequest&> m_posted;
    TracedCallback<const Completion&> m_completed;
    TracedCallback<const Completion&> m_arrived;
    TracedCallback<uint32_t, Tick> m_cnpSent;
    TracedCallback<uint32_t, Tick> m_cnpReceived;
    TracedCallback<uint32_t, Tick> m_rtt;
    TracedCallback<uint32_t, Tick> m_timeout;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NIC_H
