/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_CHANNEL_H
#define ROCE_QUEUE_PAIR_CHANNEL_H

#include "roce-message-channel.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/roce-completion-queue.h"
#include "ns3/roce-nic.h"

#include <deque>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Messages over one or more queue pairs between two hosts.
 *
 * Models: RDMA WRITEs of a rank to another. With several queue pairs, each with a path of its own,
 * a message is cut into as many parts (Split), or messages take turns (RoundRobin). Parts differ by
 * one byte at most; a part of 0 bytes is not sent, but a message of 0 bytes is one WRITE.
 * ProxyDelay is the time a proxy thread needs from the order of the GPU until it has posted the
 * WRITE.
 *
 * Source: A. Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM
 * 2024 (QP scaling, its two policies); NCCL_IB_QPS_PER_CONNECTION, NCCL_IB_SPLIT_DATA_ON_QPS.
 *
 * Invariants: the parts of a message sum to its length; WRITEs of a queue pair leave in the order
 * of the messages; a message is in when its last part is.
 *
 * Leaves out: a proxy that serves its channels one after the other.
 */
class QueuePairChannel : public MessageChannel
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** How messages use several queue pairs. */
    enum Policy
    {
        SPLIT,      //!< each message over all
        ROUND_ROBIN //!< each message over one
    };

    QueuePairChannel();
    ~QueuePairChannel() override;

    /**
     * Add a queue pair, before the first message. Throws std::invalid_argument if it comes later,
     * or if the NICs are not those of the others.
     * \param nic NIC of the sender, at a node
     * \param qp queue pair of the sender; its send queue is set
     * \param peerNic NIC of the receiver, at a node
     * \param peerQp queue pair of the receiver, connected to qp; its receive queue is set
     */
    void Add(Ptr<Nic> nic, Ptr<QueuePair> qp, Ptr<Nic> peerNic, Ptr<QueuePair> peerQp);

    /** \return number of queue pairs */
    std::size_t GetQueuePairs() const
    {
        return m_lanes.size();
    }

    /** \return bytes given to a queue pair so far. \param index which, in the order of Add */
    uint64_t GetBytes(std::size_t index) const
    {
        return m_lanes.at(index).bytes;
    }

  private:
    /** One queue pair. */
    struct Lane
    {
        Ptr<QueuePair> qp;
        Ptr<CompletionQueue> sent;
        Ptr<CompletionQueue> arrived;
        std::deque<uint64_t> posted; //!< messages of WRITEs that are not acknowledged
        std::deque<uint64_t> coming; //!< messages of WRITEs that are not in
        uint64_t bytes{0};
    };

    /** A message of which not all parts have ended at both sides. */
    struct Message
    {
        MessageEnd sent;
        MessageEnd received;
        uint32_t unsent{0};    //!< parts
        uint32_t unarrived{0}; //!< parts
    };

    void DoDispose() override;
    void DoSend(uint64_t number, uint64_t bytes, uint64_t remoteAddress) override;
    void Post(uint64_t number, uint64_t bytes, uint64_t remoteAddress);
    void PostPart(Lane& lane, uint64_t number, uint64_t bytes, uint64_t remoteAddress);
    void OnSent(std::size_t index, const Completion& completion);
    void OnArrival(std::size_t index, const Completion& completion);
    void Forget();
    void Shut();

    Policy m_policy;
    Time m_proxyDelay;
    Ptr<Nic> m_nic;
    Ptr<Nic> m_peerNic;
    std::vector<Lane> m_lanes;
    std::deque<Message> m_messages; //!< from number m_first on
    uint64_t m_first{0};
    std::deque<EventId> m_proxy; //!< posts to come
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_CHANNEL_H
