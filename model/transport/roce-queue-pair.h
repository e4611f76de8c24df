/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_H
#define ROCE_QUEUE_PAIR_H

#include "roce-completion-queue.h"
#include "roce-requester.h"
#include "roce-responder.h"

#include "ns3/roce-congestion-control.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

/** What a queue pair needs to know of itself and its peer. */
struct QueuePairConfig
{
    uint32_t localAddress{0};  //!< IPv4, host order
    uint32_t remoteAddress{0}; //!< IPv4, host order
    uint16_t sourcePort{0};    //!< UDP source port of what this side sends; 0: by the NIC
    uint16_t destinationPort{ROCE_UDP_PORT}; //!< UDP destination port of what this side sends
    uint32_t localPort{0};                   //!< port of the NIC it sends by
    uint32_t remoteQpn{0};                   //!< queue pair at the other side
    uint32_t sendPsn{0};                     //!< PSN of the first packet sent
    uint32_t receivePsn{0};                  //!< PSN of the first packet received
    uint8_t priority{3};                     //!< priority of its data, 0..7
    uint32_t mtu{4096};                      //!< payload bytes of a full packet
    uint32_t ackInterval{1};                 //!< packets between AckReq bits
    Tick ackTimeout{0};                      //!< retransmission timer in ticks; 0: none
    uint32_t retryLimit{7};                  //!< timeouts in a row before it gives up
    bool ecnCapable{true};                   //!< data is sent as ECT(0)
    uint64_t windowBytes{CongestionControl::UNLIMITED}; //!< cap on unacknowledged payload bytes
    bool windowFollowsRate{false}; //!< the cap shrinks as the rate does below the line rate
    Tick baseRtt{0};               //!< unloaded round trip, told to congestion control
};

/** States of a queue pair (IBTA 10.3.1), as far as they are in use. */
enum class QueuePairState : uint8_t
{
    RESET, //!< made, not connected
    RTS,   //!< ready to send and to receive
    ERROR, //!< failed; its requests are flushed
};

/**
 * A reliable connection.
 *
 * Models: an RC queue pair: requester, responder, congestion control and the bookkeeping by which
 * a NIC paces it. Plain state; the NIC drives it.
 *
 * Invariants: in state ERROR nothing is open; it is in the arbiter of its NIC port at most once.
 *
 * Leaves out: the states INIT, RTR and SQD; UC and UD.
 */
class alignas(64) QueuePair : public SimpleRefCount<QueuePair>
{
  public:
    [[gnu::noinline]] static void* operator new(std::size_t size);
    [[gnu::noinline]] static void operator delete(void* place);

    /**
     * \param qpn its number
     * \param config facts
     * \param sizes bytes frames occupy
     * \param control its congestion control
     */
    QueuePair(uint32_t qpn,
              const QueuePairConfig& config,
              const FrameSizes& sizes,
              Ptr<CongestionControl> control);

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
        return m_state == QueuePairState::RTS && m_requester.CanSend(GetWindow());
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

    void SetRemoteQpn(uint32_t qpn);

    /** Take over what the congestion control says; after each call of it that may change it. */
    void Refresh();

    // first cache line: what each packet and each ACK need
    QueuePairState m_state{QueuePairState::RESET};
    bool m_queued{false};    //!< in the arbiter
    bool m_echo{false};      //!< CE to be echoed in the next ACK
    bool m_timerSet{false};  //!< in the timer heap of the NIC
    bool m_hearsSent{false}; //!< congestion control wants to hear of each packet
    bool m_hearsAck{false};  //!< congestion control wants to hear of each ACK
    uint16_t m_slotFraction{0};
    uint32_t m_qpn;
    uint32_t m_retries{0};
    Tick m_nextSlot{0};            //!< earliest start of its next packet
    Tick m_deadline{NEVER};        //!< retransmission timer
    uint64_t m_rate{0};            //!< of the congestion control
    uint64_t m_window{0};          //!< of the congestion control and the configuration
    Tick m_controlDeadline{NEVER}; //!< of the congestion control
    alignas(64) Requester m_requester;
    alignas(64) Responder m_responder;
    Tick m_lastCnp; //!< when the notification point last told the other side
    Ptr<CongestionControl> m_control;
    QueuePairConfig m_config;
    uint64_t m_timeouts{0};
    Ptr<CompletionQueue> m_sendQueue;
    Ptr<CompletionQueue> m_receiveQueue;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_H
