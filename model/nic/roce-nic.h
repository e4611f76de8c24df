/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_H
#define ROCE_NIC_H

#include "roce-nic-counters.h"
#include "roce-nic-events.h"
#include "roce-qp-arbiter.h"
#include "roce-queue-pair-factory.h"

#include "ns3/roce-cnp-generator.h"
#include "ns3/roce-port-owner.h"
#include "ns3/roce-port.h"
#include "ns3/roce-transport-options.h"

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
 * port, the demultiplexer of what arrives, notification point, retransmission and RNR timers.
 * Aggregate it to a Node. ACKs, NAKs and CNPs go in a class of their own, before data. What must
 * stay in order goes with data: READ responses, paced by the congestion control of the responder's
 * queue pair, ATOMIC acknowledges, and NAKs that end a queue pair.
 *
 * Invariants: requests posted = completed + failed + open; each posted request completes once;
 * payload bytes delivered, on either side, = bytes of completed RC requests; the cost of a packet
 * is O(log n) in the number of active queue pairs.
 *
 * Leaves out: PCIe and the host; windows for READ responses, which nothing acknowledges.
 */
class Nic : public Object, public PortOwner
{
  public:
    /** \return the object TypeId */
    static TypeId GetTypeId();
    Nic();
    ~Nic() override;

    /** \return its index at the NIC. \param port a port of this host */
    uint32_t AddPort(Ptr<Port> port);
    /** \return number of ports */
    uint32_t GetNPorts() const;
    /** \return the port. \param index 0..GetNPorts()-1 */
    Ptr<Port> GetPort(uint32_t index) const;
    /** \return a configuration filled from the attributes of this NIC */
    QueuePairConfig GetDefaults() const;

    /** Make a queue pair in state RESET. Throws std::invalid_argument naming the value and the
     *  limit if the configuration is impossible. \param config what it needs to know; remoteQpn
     *  may still be 0 \return the queue pair */
    Ptr<QueuePair> CreateQueuePair(const QueuePairConfig& config);

    /** Bring a queue pair into service: RESET, INIT, RTR, RTS. \param qp a queue pair of this NIC
     *  in state RESET \param remoteQpn queue pair at the other side; UD: ignored */
    void Connect(Ptr<QueuePair> qp, uint32_t remoteQpn);

    /**
     * Change the state of a queue pair (IBTA 11.2.5.2). ERROR flushes its requests; RESET forgets
     * them without completions and starts again with the PSNs of its configuration; SQD lets what
     * has begun end, then the trace source Drained fires. Throws std::invalid_argument naming both
     * states if the step is not legal, or if RTR comes without a remote queue pair.
     * \param qp a queue pair of this NIC
     * \param state the new one
     * \param remoteQpn for the step to RTR: queue pair at the other side; 0: as configured
     */
    void Modify(Ptr<QueuePair> qp, QueuePairState state, uint32_t remoteQpn = 0);

    /**
     * Give a queue pair another path, as software does when a port fails, with what it has open: it
     * goes on from its oldest unacknowledged packet, with a new congestion control and all retries.
     * Both sides have to do it. Not from a handler of completions. Throws std::invalid_argument
     * naming the fault if the service is UD, or the NIC has no such port.
     * \param qp a queue pair of this NIC \param path the new one
     */
    void Migrate(Ptr<QueuePair> qp, const QueuePairPath& path);

    /** Remove a queue pair. Open requests are dropped without completion; frames that come for it
     *  later are counted and ignored. Its number is not used again. \param qp of this NIC */
    void Destroy(Ptr<QueuePair> qp);

    /** Post a request. Throws std::invalid_argument naming the fault if the service does not have
     *  the operation or inline data is too long; a wrong local segment is told in the completion.
     *  \param qp of this NIC in state RTS or SQD; in ERROR the request is flushed at once
     *  \param request what to do */
    void Post(Ptr<QueuePair> qp, const WorkRequest& request);

    /** Post a receive request. A queue pair with a shared receive queue has none of its own: post
     *  to that queue (refused here).
     *  \param qp a queue pair of this NIC, in any state but RESET; in ERROR it is flushed at once
     *  \param request room for one message */
    void PostReceive(Ptr<QueuePair> qp, const ReceiveRequest& request);

    /** \return the queue pair, or nullptr. \param qpn a number */
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
    /** \param sizes bytes frames occupy; for queue pairs made from now on */
    void SetFrameSizes(const FrameSizes& sizes);

    /** \param factory makes the congestion control of queue pairs made from now on */
    void SetCongestionControl(const ObjectFactory& factory);

    /** \param factory makes the loss recovery of queue pairs made from now on */
    void SetLossRecovery(const ObjectFactory& factory);

    /** TracedCallback signature. \param [in] completion what has ended */
    typedef void (*CompletionTracedCallback)(const Completion& completion);

    /** TracedCallback signature. \param [in] qpn queue pair here \param [in] request what to do */
    typedef void (*PostedTracedCallback)(uint32_t qpn, const WorkRequest& request);

    /** TracedCallback signature. \param [in] qpn queue pair here \param [in] tick time or span */
    typedef void (*TickTracedCallback)(uint32_t qpn, Tick tick);

    /** TracedCallback signature. \param [in] qpn queue pair here \param [in] state its new one */
    typedef void (*StateTracedCallback)(uint32_t qpn, QueuePairState state);

    // for ports and events
    void Receive(Frame* frame, uint32_t port, Tick now) override;
    bool Pull(uint32_t port, Tick now) override;
    void Discarded(Frame* frame, uint32_t port, Tick now) override;

  private:
    friend class PaceEvent;
    friend class QueuePairTimers;
    friend class CnpDelay;

    struct Lane;

    void DoDispose() override;
    void NotifyNewAggregate() override;

    EventCore* GetCore() const
    {
        return PeekPointer(m_core);
    }

    QueuePair* Lookup(uint32_t qpn) const;
    QueuePairOwner GetOwner(uint32_t port, uint8_t priority) const;
    void ChangeState(QueuePair* qp, QueuePairState state);
    void NoteDrained(QueuePair* qp, Tick now);
    void DropState(QueuePair* qp);
    void Restart(QueuePair* qp);
    void Begin(QueuePair* qp, Tick now);
    EventPhase GetServicePhase(uint32_t port) const;
    void Wake(uint32_t port, Tick now);
    void SendNext(Lane& lane, QueuePair* qp, Tick now);
    bool BuildRequest(QueuePair* qp, Frame* frame, Tick now);
    bool BuildResponse(QueuePair* qp, Frame* frame, Tick now);
    void Dequeue(Lane& lane, QueuePair* qp);
    Tick NextSlot(const Transmitter& tx, QueuePair* qp, uint32_t bytes, Tick now);
    void Activate(QueuePair* qp, Tick now);
    Tick GrantSlot(const QueuePair* qp, Tick now) const;
    void ArmGrant(QueuePair* qp, Tick now);
    void CheckGrant(QueuePair* qp, Tick deadline, Tick now);
    void PrefetchFor(Lane& lane) const;
    void ReceivePacket(Frame* frame, uint32_t port);
    void NoteMark(QueuePair* qp, const Frame& frame, Tick now);
    void HandleRequest(Frame* frame, Tick now);
    void Account(QueuePair* qp, const Frame& frame, const Responder::Result& result, Tick now);
    Responder::Result ReceiveKept(QueuePair* qp, Responder::Result result, Tick now);
    void Answer(QueuePair* qp, Frame* frame, const Responder::Result& result, Tick now);
    void AnswerAnew(QueuePair* qp, const Responder::Result& result, uint32_t stamp, Tick now);
    void SendDeferred(QueuePair* qp, Tick now);
    void FormAck(QueuePair* qp, Frame* frame, uint32_t psn, uint32_t aeth, Tick now);
    void SendAnswer(QueuePair* qp, Frame* frame, const PendingAnswer& answer, Tick now);
    void ReceiveAnswer(Frame* frame, Tick now);
    void HandleAnswer(QueuePair* qp, const Frame& frame, Tick now);
    void TellAck(QueuePair* qp, const Frame& frame, uint64_t acked, Tick rtt, Tick now);
    void ReceiveCnp(Frame* frame, Tick now);
    void HandleCnp(Frame* frame, Tick now);
    void SendCnp(QueuePair* qp, uint16_t fraction, const CnpBody* body, Tick now);
    void CheckCnp(QueuePair* qp, Tick deadline, Tick now);
    void SendControl(Frame* frame, Tick now);
    void NoteArrival(QueuePair* qp, bool received, Tick now);
    void NoteReceived(QueuePair* qp, Completion completion, Tick now);
    void Retire(QueuePair* qp, Tick now);
    void Complete(QueuePair* qp,
                  const SendQueue::OpenRequest& open,
                  CompletionStatus status,
                  Tick now);
    void Fail(QueuePair* qp, CompletionStatus status, uint64_t number, Tick now);
    void FlushReceives(QueuePair* qp, Tick now);
    void SetDeadline(QueuePair* qp, Tick now);
    void ArmTimer(QueuePair* qp);
    void CheckTimer(QueuePair* qp, Tick deadline, Tick now);
    void Expire(QueuePair* qp, Tick now);

    static constexpr uint32_t FIRST_QPN = 0x11; //!< below: for management (IBTA 3.9)

    Ptr<EventCore> m_core;
    std::vector<Lane> m_lanes;
    std::vector<Ptr<QueuePair>> m_qps;
    std::vector<Ptr<QueuePair>> m_retired; //!< destroyed, but still in an arbiter
    NicCounters m_counters;
    QueuePairFactory m_factory;
    std::unique_ptr<QueuePairTimers> m_timers;
    std::unique_ptr<QueuePairTimers> m_grants;
    std::unique_ptr<QueuePairTimers> m_cnpChecks;
    std::unique_ptr<CnpDelay> m_cnpOut;
    std::unique_ptr<CnpDelay> m_cnpIn;
    Ptr<CnpGenerator> m_cnpGenerator;
    Ptr<TransportOptions> m_transport;
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
    TracedCallback<uint32_t, Tick> m_drained;
    TracedCallback<uint32_t, QueuePairState> m_stateChange;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NIC_H
