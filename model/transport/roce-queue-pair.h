/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "roce-completer.h"
#include "roce-completion-queue.h"
#include "roce-queue-pair-config.h"
#include "roce-queue-pair-path.h"
#include "roce-queue-pair-state.h"
#include "roce-requester.h"
#include "roce-responder.h"

#include "ns3/simple-ref-count.h"

namespace ns3
{
namespace roce
{

/**
 * One end of a connection, or of datagrams.
 *
 * Models: a queue pair of service RC, UC or UD: requester, completer, responder, congestion
 * control, loss recovery and the bookkeeping by which a NIC paces it. Plain state; the NIC drives
 * it.
 *
 * Invariants: in states RESET and ERROR nothing is open; it is in the arbiter of its NIC port at
 * most once.
 *
 * Leaves out: an alternate path of its own (IBTA 17.2.8); software gives one, to Nic::Migrate.
 */
class alignas(64) QueuePair : public SimpleRefCount<QueuePair>
{
  public:
    /** Aligned to a cache line. \param size bytes \return the place; else std::bad_alloc */
    [[gnu::noinline]] static void* operator new(std::size_t size);
    /** \param place what operator new gave, or nullptr */
    [[gnu::noinline]] static void operator delete(void* place);

    /**
     * \param qpn its number
     * \param config facts
     * \param sizes bytes frames occupy
     * \param control its congestion control, started
     * \param recovery its loss recovery, started
     */
    QueuePair(uint32_t qpn,
              const QueuePairConfig& config,
              const FrameSizes& sizes,
              Ptr<CongestionControl> control,
              Ptr<LossRecovery> recovery);
    ~QueuePair();

    /** \return its number */
    uint32_t GetQpn() const
    {
        return m_qpn;
    }

    /** \return its state */
    QueuePairState GetState() const
    {
        return m_state;
    }

    /** \return facts given when it was made or connected */
    const QueuePairConfig& GetConfig() const
    {
        return m_config;
    }

    /** \return its congestion control */
    Ptr<CongestionControl> GetCongestionControl() const
    {
        return m_control;
    }

    /** \return its loss recovery */
    Ptr<LossRecovery> GetLossRecovery() const
    {
        return m_recovery;
    }

    /** \return what takes answers */
    const Completer& GetCompleter() const
    {
        return m_completer;
    }

    /** \return its sending side */
    const Requester& GetRequester() const
    {
        return m_requester;
    }

    /** \return its receiving side */
    const Responder& GetResponder() const
    {
        return m_responder;
    }

    /** \return whether a packet may be built now */
    bool CanSend() const
    {
        return m_answering || CanRequest();
    }

    /** \return payload bytes that may be unacknowledged now */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /** \return timeouts so far */
    uint64_t GetTimeouts() const
    {
        return m_timeouts;
    }

    /**
     * \param queue where completions of requests go; nullptr: nowhere
     */
    void SetSendQueue(Ptr<CompletionQueue> queue)
    {
        m_sendQueue = queue;
    }

    /**
     * \param queue where notices of whole messages go; nullptr: nowhere
     */
    void SetReceiveQueue(Ptr<CompletionQueue> queue)
    {
        m_receiveQueue = queue;
    }

    /** Ask for the memory that an arriving request needs. */
    void PrefetchForRequest() const
    {
        __builtin_prefetch(this);
        __builtin_prefetch(&m_requester.GetAddress());
        __builtin_prefetch(&m_responder);
    }

    /** Ask for the memory that an arriving ACK needs. */
    void PrefetchForAck() const
    {
        __builtin_prefetch(this);
        __builtin_prefetch(&m_requester);
    }

  private:
    friend class Nic;

    bool CanRequest() const
    {
        return m_maySend && m_requester.CanSend(m_window);
    }

    /** \return whether one packet could be sent beyond the window, by the guarantee */
    bool MayGrant() const
    {
        return m_maySend && m_requester.CanSend(m_grantWindow);
    }

    /** Let one packet go although the window is full; Refresh ends it. */
    void Grant()
    {
        m_window = m_grantWindow;
    }

    void SetRemoteQpn(uint32_t qpn);

    /** Take another path; nothing may be open. \param port UDP source port */
    void SetSourcePort(uint16_t port);

    /** Take another path, in mid-flow too. \param path it */
    void SetPath(const QueuePairPath& path);

    /** \param control congestion control from now on, started */
    void SetControl(Ptr<CongestionControl> control);

    /** \return the path of what it sends */
    PathKey GetPath() const
    {
        return {m_config.remoteAddress, m_config.sourcePort, m_qpn};
    }

    void SetState(QueuePairState state);
    void Configure();

    /** Take over what the congestion control says; after each call of it that may change it. */
    void Refresh();

    // first cache line: what each packet and each ACK need
    QueuePairState m_state{QueuePairState::RESET};
    bool m_maySend{false};    //!< state RTS or SQD: requests are sent
    bool m_receiving{false};  //!< IsReceiving(m_state)
    bool m_answering{false};  //!< READ responses wait to be sent
    bool m_answered{false};   //!< the last packet sent was a response
    bool m_queued{false};     //!< in the arbiter
    bool m_echo{false};       //!< CE to be echoed in the next ACK
    bool m_hearsSent{false};  //!< congestion control wants to hear of each packet
    bool m_hearsAck{false};   //!< congestion control wants to hear of each ACK
    bool m_unreliable{false}; //!< UC or UD: nothing is acknowledged
    bool m_timerSet{false};   //!< in the timer heap of the NIC
    bool m_ownTimeout{false}; //!< the loss recovery has timers of its own
    uint16_t m_slotFraction{0};
    uint16_t m_retries{0}; //!< timeouts in a row
    uint32_t m_qpn;
    bool m_guaranteed{false};      //!< may send, at a rate, although its window is full
    uint16_t m_slotPhase{0};       //!< ticks added to each slot
    Tick m_nextSlot{0};            //!< earliest start of its next packet
    Tick m_deadline{NEVER};        //!< retransmission or RNR timer
    uint64_t m_rate{0};            //!< of the congestion control
    uint64_t m_window{0};          //!< of the congestion control and the configuration
    Tick m_controlDeadline{NEVER}; //!< of the congestion control
    alignas(64) Requester m_requester;
    alignas(64) Responder m_responder;
    Tick m_lastCnp; //!< when the notification point last told the other side
    Completer m_completer;
    Ptr<CongestionControl> m_control;
    Ptr<LossRecovery> m_recovery;
    QueuePairConfig m_config;
    uint64_t m_grantWindow{0}; //!< window of the guarantee
    Tick m_grantAt{NEVER};     //!< when the NIC looks at it for the next packet of the guarantee
    Tick m_lastSent{0};        //!< m_guaranteed: start of its last packet
    uint32_t m_lastBytes{0};   //!< m_guaranteed: bytes of that on the link
    bool m_draining{false};    //!< in SQD, and not told so yet
    uint64_t m_timeouts{0};
    Tick m_timerAt{NEVER};  //!< when the timers of the NIC look at it, if m_timerSet
    Tick m_waitingSince{0}; //!< m_ownTimeout: start of the present timer
    FrameSizes m_sizes;
    Ptr<ReceiveQueue> m_receiveRequests; //!< own or shared; made when the first one is posted
    Ptr<CompletionQueue> m_sendQueue;
    Ptr<CompletionQueue> m_receiveQueue;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_H
