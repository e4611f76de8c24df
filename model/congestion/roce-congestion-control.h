/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_CONTROL_H
#define ROCE_CONGESTION_CONTROL_H

#include "roce-congestion-info.h"

#include "ns3/object.h"
#include "ns3/roce-tick.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <limits>

namespace ns3
{
namespace roce
{

/**
 * The seam between a queue pair and the law that limits it.
 *
 * Models: a reaction point. The queue pair asks for a rate and a window, and tells what it sends
 * and hears. One object a queue pair. Sans-IO: time is an argument, the next deadline an answer;
 * timers advance lazily when the queue pair sends or hears, so they cost no event. What it says
 * changes only within its calls, or it tells its listener: the NIC keeps a copy and leaves the
 * object alone in between.
 *
 * What may be sent: below the window, packets paced by the rate; at the window none, or, if there
 * is a guarantee, packets paced by that until its own window is full.
 *
 * Invariants: GetRate() is in [1, lineRate]; GetGuarantee() <= GetRate(); GetWindow() >= one
 * packet without a guarantee, >= 1 byte with one; after Advance(now) GetDeadline() > now.
 *
 * Leaves out: pacing and window enforcement, which belong to the NIC.
 */
class CongestionControl : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** A window that never limits. */
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    /**
     * Begin to control a queue pair.
     * \param flow the queue pair's facts; lineRate must not be 0
     * \param now present tick
     */
    void Start(const FlowParameters& flow, Tick now);

    /**
     * \return the rate at which the queue pair may send, bit/s on the link
     */
    uint64_t GetRate() const
    {
        return m_rate;
    }

    /** \return payload bytes that may be unacknowledged */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /**
     * \return the rate at which it may send although the window is full, bit/s; 0: it may not
     */
    uint64_t GetGuarantee() const
    {
        return m_guarantee;
    }

    /** \return payload bytes that may be unacknowledged when the guarantee is used */
    uint64_t GetGuaranteeWindow() const
    {
        return m_guaranteeWindow;
    }

    /**
     * \return a new object that all laws of this type at one NIC share, or nullptr if they do not
     *         need one; they get it in FlowParameters
     */
    virtual Ptr<Object> MakeShared() const;

    /**
     * \param listener called when what the law says has changed outside of its calls
     */
    void SetListener(std::function<void()> listener)
    {
        m_listener = std::move(listener);
    }

    /**
     * \return the tick at which a timer of the law expires next; NEVER if none runs
     */
    Tick GetDeadline() const
    {
        return m_deadline;
    }

    /**
     * Run the timers that have expired.
     * \param now present tick
     */
    void Advance(Tick now)
    {
        if (__builtin_expect(now >= m_deadline, 0))
        {
            const uint64_t old = m_rate;
            DoAdvance(now);
            NoteRate(old);
        }
    }

    /**
     * A packet leaves.
     * \param bytes what it occupies on the link
     * \param now present tick
     */
    void OnSent(uint32_t bytes, Tick now)
    {
        Advance(now);
        if (m_hearsSent)
        {
            const uint64_t old = m_rate;
            DoSent(bytes, now);
            NoteRate(old);
        }
    }

    /**
     * An acknowledgement arrived.
     * \param ack what it tells
     * \param now present tick
     */
    void OnAck(const AckInfo& ack, Tick now)
    {
        if (m_hearsAck)
        {
            const uint64_t old = m_rate;
            DoAck(ack, now);
            NoteRate(old);
        }
    }

    /**
     * A congestion notification arrived. The law runs its own timers up to now, as it alone knows
     * which of them go before the notification if both fall on one tick.
     * \param cnp what it tells
     * \param now present tick
     */
    void OnCnp(const CnpInfo& cnp, Tick now);

    /**
     * Packets were lost and will be sent again.
     * \param timeout whether the retransmission timer told so (else a NAK did)
     * \param now present tick
     */
    void OnLoss(bool timeout, Tick now);

    /**
     * TracedCallback signature for rate changes.
     * \param [in] qpn queue pair number
     * \param [in] oldRate bit/s before
     * \param [in] newRate bit/s after
     */
    typedef void (*RateTracedCallback)(uint32_t qpn, uint64_t oldRate, uint64_t newRate);

    /** \return the facts given to Start */
    const FlowParameters& GetFlow() const
    {
        return m_flow;
    }

    /** \return whether OnSent does more than run timers */
    bool HearsSent() const
    {
        return m_hearsSent;
    }

    /** \return whether OnAck does anything */
    bool HearsAck() const
    {
        return m_hearsAck;
    }

    /** \return rate changes so far */
    uint64_t GetRateChanges() const
    {
        return m_rateChanges;
    }

    /** \return window changes so far */
    uint64_t GetWindowChanges() const
    {
        return m_windowChanges;
    }

  protected:
    uint64_t m_rate{0};                    //!< present rate, bit/s; the law sets it
    uint64_t m_window{UNLIMITED};          //!< present window, payload bytes; the law sets it
    uint64_t m_guarantee{0};               //!< rate at a full window, bit/s; the law sets it
    uint64_t m_guaranteeWindow{UNLIMITED}; //!< bytes that ends it; the law sets it
    Tick m_deadline{NEVER};                //!< next timer; the law sets it
    bool m_hearsSent{false};               //!< the law wants DoSent now
    bool m_hearsAck{false};                //!< the law wants DoAck now

    /** The rate was another one before a change that did not come by a call of the base class:
     * count and trace it, and tell the listener. \param old bit/s */
    void Changed(uint64_t old);

  private:
    virtual void DoStart(Tick now) = 0;
    virtual void DoAdvance(Tick now);
    virtual void DoSent(uint32_t bytes, Tick now);
    virtual void DoAck(const AckInfo& ack, Tick now);
    virtual void DoCnp(const CnpInfo& cnp, Tick now);
    virtual void DoLoss(bool timeout, Tick now);

    void NoteRate(uint64_t old)
    {
        m_windowChanges += m_window != m_oldWindow;
        m_oldWindow = m_window;
        if (__builtin_expect(old != m_rate, 0))
        {
            ++m_rateChanges;
            m_rateTrace(m_flow.qpn, old, m_rate);
        }
    }

    FlowParameters m_flow;
    uint64_t m_rateChanges{0};
    uint64_t m_windowChanges{0};
    uint64_t m_oldWindow{UNLIMITED}; //!< window after the last call
    std::function<void()> m_listener;
    TracedCallback<uint32_t, uint64_t, uint64_t> m_rateTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_CONTROL_H
