/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MESSAGE_CHANNEL_H
#define ROCE_MESSAGE_CHANNEL_H

#include "ns3/object.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace ns3
{
namespace roce
{

/** One end of a message, as a channel tells it. */
struct MessageEnd
{
    uint64_t number{0}; //!< of the message on its channel, from 0 on
    uint64_t bytes{0};  //!< its length
    Tick begun{0};      //!< sender: when it was sent; receiver: arrival of the first byte
    Tick ended{0};      //!< sender: all acknowledged; receiver: all in
    bool failed{false}; //!< sender: it could not be sent
};

/**
 * A directed way for messages from one rank to another.
 *
 * Models: what a collective needs of a transport: messages without a word about themselves that
 * come in order, so that both sides match them by counting. How they travel is up to the class:
 * queue pairs, NVLink, over a relay. Public functions count and keep the order, DoX does the way.
 *
 * Source: the send and receive of NCCL's transports.
 *
 * Invariants: the k-th message told as received is the k-th sent, and so at the sender; each is
 * told once to each side; what ends before a handler is set is told when it is.
 *
 * Leaves out: data; a message is its length.
 */
class MessageChannel : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~MessageChannel() override;

    /** A function told of each message. */
    using Handler = std::function<void(const MessageEnd&)>;

    /**
     * Send the next message.
     * \param bytes length; 0 is legal
     * \param remoteAddress where it goes to at the receiver
     */
    void Send(uint64_t bytes, uint64_t remoteAddress = 0);

    /** The receiver is ready for the next message. Most ways do not need it.
     *  \param bytes length it expects */
    void Expect(uint64_t bytes);

    /** \param handler told at the sender when a message is acknowledged; empty: none */
    void SetSentHandler(Handler handler);

    /** \param handler told at the receiver when a message is in; empty: none */
    void SetReceivedHandler(Handler handler);

    /** \return messages sent so far, acknowledged or not */
    uint64_t GetPosted() const
    {
        return m_posted;
    }

    /** \return messages told to the sender as acknowledged */
    uint64_t GetAcknowledged() const
    {
        return m_sent.told;
    }

    /** \return messages told to the receiver as in */
    uint64_t GetReceived() const
    {
        return m_received.told;
    }

  protected:
    /** A message has been acknowledged, or has failed. \param record it, in any order */
    void TellSent(const MessageEnd& record);

    /** A message is in. \param record it, in any order */
    void TellReceived(const MessageEnd& record);

    /** Forgets the handlers; a channel that derives calls this last. */
    void DoDispose() override;

  private:
    /** What one side is told. */
    struct Side
    {
        Handler handler;
        std::deque<std::pair<bool, MessageEnd>> ended; //!< from number `told` on; whether ended
        uint64_t told{0};
        bool telling{false};
    };

    /** Send. \param number of the message \param bytes length \param remoteAddress where to */
    virtual void DoSend(uint64_t number, uint64_t bytes, uint64_t remoteAddress) = 0;

    /** The receiver is ready. \param bytes length */
    virtual void DoExpect(uint64_t bytes);

    static void Note(Side& side, const MessageEnd& record);
    static void Tell(Side& side);

    Side m_sent;
    Side m_received;
    uint64_t m_posted{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MESSAGE_CHANNEL_H
