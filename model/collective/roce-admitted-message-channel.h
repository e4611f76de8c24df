/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ADMITTED_MESSAGE_CHANNEL_H
#define ROCE_ADMITTED_MESSAGE_CHANNEL_H

#include "roce-admitted-channel.h"
#include "roce-message-channel.h"

namespace ns3
{
namespace roce
{

/**
 * Messages over an AdmittedChannel, as collectives want them.
 *
 * Models: nothing of its own: it gives a channel with clear-to-sends the face of the others.
 *
 * Source: see AdmittedChannel.
 *
 * Invariants: those of both.
 *
 * Leaves out: remote addresses, which the CTS carries.
 */
class AdmittedMessageChannel : public MessageChannel
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~AdmittedMessageChannel() override;

    /** \param channel a connected channel that nobody else uses; its callbacks are set */
    void SetChannel(Ptr<AdmittedChannel> channel);

    /** \return the channel */
    Ptr<AdmittedChannel> GetChannel() const
    {
        return m_channel;
    }

  private:
    void DoDispose() override;
    void DoSend(uint64_t number, uint64_t bytes, uint64_t remoteAddress) override;
    void DoExpect(uint64_t bytes) override;
    void OnSent(uint64_t number, uint64_t bytes);
    void OnReceived(uint64_t number, uint64_t bytes);

    Ptr<AdmittedChannel> m_channel;
    std::deque<Tick> m_begun; //!< of messages that are not in at the receiver, or acknowledged
    uint64_t m_first{0};      //!< number of the first of them
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ADMITTED_MESSAGE_CHANNEL_H
