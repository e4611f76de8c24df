/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WINDOW_CONTROL_H
#define ROCE_WINDOW_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What laws have in common that hold a window of rate x base RTT.
 *
 * Models: a window W in bytes on the link, with pacing at W / T, T being the base RTT, and rounds:
 * a round ends with the first ACK of a packet that was sent after it began.
 *
 * Source: HPCC (Li et al., SIGCOMM 2019, Algorithm 1: R = W / T, lastUpdateSeq) and PowerTCP
 * (Addanki et al., NSDI 2022, Algorithm 1: rate = cwnd / tau). For sequence numbers stand the
 * payload bytes acknowledged so far, and those plus the unacknowledged ones for what was sent.
 *
 * Invariants: MinRateBps x T <= W <= line rate x T; GetRate() = W / T; GetWindow() is the payload
 * of full packets in W, and at least one packet; the window in the beginning is line rate x T.
 *
 * Leaves out: the law.
 */
class WindowControl : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    WindowControl();
    ~WindowControl() override;

    /** \return W, bytes on the link */
    double GetLinkWindow() const
    {
        return m_linkWindow;
    }

    /** \return T in ns */
    double GetBaseRttNs() const
    {
        return m_rttNs;
    }

    /** \return line rate x T, bytes on the link */
    double GetBdpBytes() const
    {
        return m_bdp;
    }

    /** \return ACKs that did not say what the law needs */
    uint64_t GetUnknown() const
    {
        return m_unknown;
    }

    /** \return rounds that ended */
    uint64_t GetRounds() const
    {
        return m_rounds;
    }

  protected:
    /**
     * Check flow and attributes, set the window to line rate x T and forget what was.
     * \throw std::invalid_argument if T is not known or the least rate is above the line rate
     */
    void StartWindow();

    /** An ACK did not say what the law needs. */
    void CountUnknown()
    {
        ++m_unknown;
    }

    /** Count what an ACK acknowledges; to be called for each one. \param ack the ACK */
    void CountAcked(const AckInfo& ack)
    {
        m_acked += ack.ackedBytes;
        m_sent = m_acked + ack.inflight;
    }

    /** \return whether the last ACK counted was of a packet sent after the round began */
    bool IsRoundOver() const
    {
        return m_acked > m_roundEnd;
    }

    /** Begin a round with the next packet sent. */
    void BeginRound()
    {
        m_rounds += m_roundEnd != 0 ? 1 : 0;
        m_roundEnd = m_sent;
    }

    /** Set W, and rate and window by it. \param bytes W on the link \return W as limited */
    double SetLinkWindow(double bytes);

    /** \return W within its limits. \param bytes W on the link */
    double Limit(double bytes) const;

    /** \return payload bytes acknowledged so far */
    uint64_t GetAcked() const
    {
        return m_acked;
    }

    /** \return payload bytes sent so far, as of the last ACK */
    uint64_t GetSent() const
    {
        return m_sent;
    }

  private:
    double m_linkWindow{0};   //!< W
    double m_rttNs{1};        //!< T
    double m_bdp{0};          //!< line rate x T
    double m_least{0};        //!< MinRateBps x T
    double m_payloadShare{1}; //!< payload in a byte on the link
    uint64_t m_acked{0};      //!< payload bytes
    uint64_t m_sent{0};       //!< payload bytes
    uint64_t m_roundEnd{0};   //!< payload bytes that had been sent when the round began
    uint64_t m_rounds{0};     //!< rounds that ended
    uint64_t m_unknown{0};    //!< ACKs

    Time m_baseRtt;        //!< attribute
    uint64_t m_minRateBps; //!< attribute
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WINDOW_CONTROL_H
