/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ADMITTED_CHANNEL_H
#define ROCE_ADMITTED_CHANNEL_H

#include "roce-receiver-admission.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/roce-completion-queue.h"
#include "ns3/roce-nic.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * A directed connection of two hosts on which the sender waits for the receiver.
 *
 * Models: the two-stage copy of NCCL's net transport. For each chunk that ReceiverAdmission grants
 * the receiver writes a clear-to-send (CTS: size and address) into the memory of the sender, an RC
 * WRITE of CtsBytes on a queue pair of its own in a class of its own. ProxyDelay after it has
 * arrived the sender may post the WRITE of that chunk. The k-th message sent is the k-th expected.
 *
 * Source: A. Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM
 * 2024; NCCL, src/transport/net_ib.cc: the receiver writes entries of struct ncclIbSendFifo, 64
 * bytes each, into a ring of the sender; NCCL_IB_FIFO_TC is their traffic class.
 *
 * Invariants: bytes posted <= bytes whose CTS has arrived <= bytes granted; each message is sent
 * and received once, in order; its callbacks come when all of its chunks are acknowledged, or in.
 *
 * Leaves out: the copy out of the buffer of the channel (a chunk that is in frees its slot at
 * once), a proxy that serves many channels one after the other, receives longer than what is sent.
 * Within the NIC of the receiver a CTS takes its turn among queue pairs of all classes; priority
 * counts from the first switch on.
 */
class AdmittedChannel : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    AdmittedChannel();
    ~AdmittedChannel() override;

    /** A function called with the number of a message, from 0 on, and its bytes. */
    typedef Callback<void, uint64_t, uint64_t> MessageCallback;

    /**
     * Make it work, once; attributes are read now. Makes the queue pairs of CTSs. Throws
     * std::invalid_argument naming the fault if something is missing or does not belong together.
     * \param admission accounting of the receiver, shared by all its channels
     * \param nic NIC of the sender
     * \param qp queue pair of the sender, service RC; nobody else posts on it
     * \param peerNic NIC of the receiver; another one
     * \param peerQp queue pair of the receiver, connected to qp
     */
    void Connect(Ptr<ReceiverAdmission> admission,
                 Ptr<Nic> nic,
                 Ptr<QueuePair> qp,
                 Ptr<Nic> peerNic,
                 Ptr<QueuePair> peerQp);

    /**
     * Send the next message, as CTSs allow. Throws std::invalid_argument if the receiver expects
     * another length, or without Connect.
     * \param bytes length; 0 is legal
     */
    void Send(uint64_t bytes);

    /**
     * Expect the next message. Throws std::invalid_argument if the sender sends another length, or
     * without Connect.
     * \param bytes length; 0 is legal
     */
    void Expect(uint64_t bytes);

    /** \param sent called at the sender when a message is acknowledged to the last byte */
    void SetSentCallback(MessageCallback sent);

    /** \param received called at the receiver when a message is in */
    void SetReceivedCallback(MessageCallback received);

    /** \return the queue pair of data at the sender; its peer is at the receiver */
    Ptr<QueuePair> GetDataQueuePair() const
    {
        return m_qp;
    }

    /** \return the queue pair of CTSs at the receiver */
    Ptr<QueuePair> GetCtsQueuePair() const
    {
        return m_ctsQp;
    }

    /** \return accounting of the receiver */
    Ptr<ReceiverAdmission> GetAdmission() const
    {
        return m_admission;
    }

    /** \return its number there */
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /** \return messages acknowledged at the sender */
    uint64_t GetMessagesSent() const
    {
        return m_sent;
    }

    /** \return messages that are in at the receiver */
    uint64_t GetMessagesReceived() const
    {
        return m_received;
    }

    /** \return bytes that are in at the receiver, of whole chunks */
    uint64_t GetBytesReceived() const
    {
        return m_bytesReceived;
    }

    /** \return CTSs posted by the receiver, one a chunk */
    uint64_t GetCtsSent() const
    {
        return m_ctsSent;
    }

    /** \return CTSs that have arrived at the sender */
    uint64_t GetCtsReceived() const
    {
        return m_ctsReceived;
    }

    /** \return whether a WRITE has failed; it sends and grants nothing more then */
    bool HasFailed() const
    {
        return m_failed;
    }

    /** \return what it waits for, in words; empty if nothing */
    std::string Describe() const;

    /** TracedCallback signature. \param [in] number of the CTS, from 0 on \param [in] bytes of its
     *  chunk */
    typedef void (*CtsTracedCallback)(uint64_t number, uint64_t bytes);

    /** TracedCallback signature. \param [in] bytes of the chunk \param [in] inFlight bytes in
     * flight to the receiver on all of its channels, with these */
    typedef void (*GrantedTracedCallback)(uint64_t bytes, uint64_t inFlight);

  private:
    /** A message that is not both acknowledged and in. */
    struct Message
    {
        uint64_t bytes;
        uint64_t posted{0};  //!< bytes
        uint64_t acked{0};   //!< bytes
        uint64_t arrived{0}; //!< bytes
    };

    void DoDispose() override;
    void Shut();
    void CheckPair(Ptr<Nic> nic, Ptr<QueuePair> qp, Ptr<Nic> peerNic, Ptr<QueuePair> peerQp) const;
    uint8_t ChoosePriority() const;
    void ConnectCts(Ptr<QueuePair> qp, Ptr<QueuePair> peerQp);
    Ptr<CompletionQueue> Listen(Ptr<Nic> nic, void (AdmittedChannel::*handler)(const Completion&));
    Message& At(uint64_t number);
    void Name(uint64_t number, uint64_t bytes, const char* call, const char* other);
    void OnGrant(uint64_t bytes);
    void OnCtsEnded(const Completion& completion);
    void OnCtsArrival(const Completion& completion);
    void OnProxy();
    void PostChunks();
    void OnSent(const Completion& completion);
    void OnArrival(const Completion& completion);
    void Forget();
    void Fail(const char* what, const Completion& completion);

    uint64_t m_chunkBytes;
    uint32_t m_slots;
    uint32_t m_ctsBytes;
    uint8_t m_priority;
    Time m_proxyDelay;

    Ptr<ReceiverAdmission> m_admission;
    uint32_t m_index{0};
    Ptr<Nic> m_nic;
    Ptr<Nic> m_peerNic;
    Ptr<QueuePair> m_qp;
    Ptr<QueuePair> m_ctsQp;
    std::vector<Ptr<CompletionQueue>> m_queues;
    MessageCallback m_sentCallback;
    MessageCallback m_receivedCallback;

    std::deque<Message> m_messages; //!< from number m_first on
    uint64_t m_first{0};
    uint64_t m_sends{0};          //!< calls of Send
    uint64_t m_expects{0};        //!< calls of Expect
    uint64_t m_posting{0};        //!< message of the next WRITE
    uint64_t m_sent{0};           //!< messages acknowledged
    uint64_t m_received{0};       //!< messages that are in
    uint64_t m_bytesReceived{0};  //!< of chunks that are in
    std::deque<uint64_t> m_cts;   //!< bytes of CTSs that have been sent and not used
    uint64_t m_ctsSent{0};        //!< CTSs
    uint64_t m_ctsReceived{0};    //!< CTSs
    uint64_t m_usable{0};         //!< CTSs that the proxy has seen and not used
    std::deque<EventId> m_seeing; //!< CTSs that the proxy has not seen yet
    bool m_failed{false};

    TracedCallback<uint64_t, uint64_t> m_ctsSentTrace;
    TracedCallback<uint64_t, uint64_t> m_ctsReceivedTrace;
    TracedCallback<uint64_t, uint64_t> m_grantedTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ADMITTED_CHANNEL_H
