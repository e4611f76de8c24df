/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOSS_RECOVERY_H
#define ROCE_LOSS_RECOVERY_H

#include "ns3/object.h"
#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

class SendQueue;

/** What a responder does with a packet whose predecessor is missing. */
enum class EarlyPolicy : uint8_t
{
    DISCARD, //!< drop it; one NAK a gap (IBTA 9.7.5.1.4)
    REWIND,  //!< drop it and what the message has so far; one NAK a gap, for the message's start
    KEEP,    //!< keep it until the gap is filled; a NAK for each
};

/** What a loss recovery is told of its queue pair. */
struct RecoveryParameters
{
    uint64_t lineRate{0}; //!< bit/s of the port
    Tick baseRtt{0};      //!< unloaded round trip, 0 if not known
    uint32_t mtu{0};      //!< payload bytes of a full packet
    Tick ackTimeout{0};   //!< retransmission timer of the queue pair, 0: none
};

/**
 * How a queue pair mends losses; both sides of a connection use the same one.
 *
 * Models: the requester's reaction to a PSN sequence NAK, to missing READ responses and to the
 * retransmission timer, and what the responder does with packets that come too early. One object
 * a queue pair. Sans-IO.
 *
 * Invariants: nothing is picked for resending that is acknowledged.
 *
 * Leaves out: losses of READ responses, which the requester mends by asking again whatever the
 * family (IBTA 9.7.5.2.7 knows nothing else).
 */
class LossRecovery : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~LossRecovery() override;

    /** \param parameters of the queue pair */
    void Start(const RecoveryParameters& parameters);

    /** \return what the responder does with an early packet */
    virtual EarlyPolicy GetEarlyPolicy() const = 0;

    /** \return payload bytes that may be outstanding; ~0: no limit of its own */
    virtual uint64_t GetWindow() const;

    /** \return whether GetTimeout is to be asked instead of the configuration */
    virtual bool HasTimeout() const;

    /** \return ticks until the timer expires. \param queue what is outstanding */
    virtual Tick GetTimeout(const SendQueue& queue) const;

    /** \return whether AckReq is set inside messages too */
    virtual bool AsksInsideMessages() const;

    /**
     * A sequence NAK came; what it acknowledges is acknowledged.
     * \param queue open requests
     * \param expected number of the packet the responder waits for
     * \param seen number of the packet that made it notice; expected if it does not say
     */
    virtual void OnNak(SendQueue& queue, uint64_t expected, uint64_t seen) = 0;

    /**
     * Responses of a READ are missing.
     * \param queue open requests
     * \param number of the first one missing
     */
    virtual void OnReadGap(SendQueue& queue, uint64_t number);

    /** The timer expired. \param queue open requests */
    virtual void OnTimeout(SendQueue& queue) = 0;

    /** Packets were acknowledged. \param queue open requests */
    virtual void OnAck(SendQueue& queue);

    /** \return whether OnAck is to be called */
    virtual bool HearsAcks() const;

    /** \return number of the packet to send again; called only while SendQueue::RESEND is set */
    virtual uint64_t GetLost() const;

    /** The packet of GetLost was sent. \param queue open requests \param after the number behind */
    virtual void OnResent(SendQueue& queue, uint64_t after);

  protected:
    /** \return what Start was told */
    const RecoveryParameters& GetParameters() const
    {
        return m_parameters;
    }

  private:
    /** A subclass takes over the parameters. */
    virtual void DoStart();

    RecoveryParameters m_parameters;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOSS_RECOVERY_H
