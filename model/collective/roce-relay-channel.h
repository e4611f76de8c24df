/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RELAY_CHANNEL_H
#define ROCE_RELAY_CHANNEL_H

#include "roce-message-channel.h"

namespace ns3
{
namespace roce
{

/**
 * Messages that go over a relay.
 *
 * Models: PXN: a GPU whose NIC is not on the rail of the receiver writes over NVLink to the GPU of
 * its server whose NIC is, and that NIC sends to the receiver. A message is relayed when it is in
 * at the relay, and acknowledged when the second way has acknowledged it.
 *
 * Source: NVIDIA, Doubling all2all Performance with NCCL 2.12, 2022.
 *
 * Invariants: each message goes over the first way, then over the second, in order.
 *
 * Leaves out: joining messages of several GPUs of a server into one (the second gain of PXN).
 */
class RelayChannel : public MessageChannel
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~RelayChannel() override;

    /** \param first from the sender to the relay; nobody else uses it
     *  \param second from the relay to the receiver; nobody else uses it */
    void Connect(Ptr<MessageChannel> first, Ptr<MessageChannel> second);

  private:
    void DoDispose() override;
    void DoSend(uint64_t number, uint64_t bytes, uint64_t remoteAddress) override;
    void DoExpect(uint64_t bytes) override;
    void Shut();

    Ptr<MessageChannel> m_first;
    Ptr<MessageChannel> m_second;
    std::deque<std::pair<Tick, uint64_t>> m_sent; //!< begin and address of messages on their way
    std::size_t m_relayed{0};                     //!< of them, those that are past the relay
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RELAY_CHANNEL_H
