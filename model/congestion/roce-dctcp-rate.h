/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DCTCP_RATE_H
#define ROCE_DCTCP_RATE_H

#include "roce-congestion-control.h"

namespace ns3
{
namespace roce
{

/**
 * DCTCP as a rate.
 *
 * Models: the share F of bytes acknowledged with CE, measured over one window of ACKs, and its
 * moving average alpha = (1 - g) alpha + g F. An ACK with CE cuts the rate by alpha / 2, once a
 * window. A window without a cut adds RateAiBps. A window ends with the first ACK of a packet sent
 * after the window began; it begins with the bytes then in flight. CE is heard by
 * AckInfo::congestion, so the notification point must echo CE in ACKs (CnpGenerator::EchoInAck).
 *
 * Source: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3 (g, alpha, cut); RFC
 * 8257 section 3.3 (bytes, end of the window, alpha starts at 1). As a rate: the HPCC artifact
 * (alibaba-edu/High-Precision-Congestion-Control), whose order of steps is kept: alpha, end of the
 * reduced state, cut, increase. RateAiBps is 615 Mb/s in its run.py, which is 1000 bytes in 13 us,
 * at all link rates; 1000 Mb/s is the default of its class. The window is rate x base RTT, as in
 * that run.py (HAS_WIN, VAR_WIN): it makes the rate act as DCTCP's own window. Without it cuts come
 * a queue too late: two flows on an ideal queue use 91 % of the link, with it all.
 *
 * Invariants: MinRateBps <= rate <= line rate; 0 <= alpha <= 1; at most one cut a window; without
 * CE the rate never falls; the window is at least one packet.
 *
 * Leaves out: slow start (a flow starts at line rate), reaction to loss (the artifact has none),
 * delayed ACKs' two-state echo: an ACK that covers several packets counts as marked or not as a
 * whole. With base RTT 0 (unknown) there is no window, and RateAiBps must not be 0.
 */
class DctcpRate : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    DctcpRate();
    ~DctcpRate() override;

    /** \return the rate, bit/s */
    double GetCurrentRate() const
    {
        return m_current;
    }

    /** \return moving average of the share of marked bytes */
    double GetAlpha() const
    {
        return m_alpha;
    }

    /** \return what a window without a cut adds, bit/s */
    double GetStep() const
    {
        return m_step;
    }

    /** \return rate cuts so far */
    uint64_t GetCuts() const
    {
        return m_cuts;
    }

    /** \return windows of ACKs that ended so far */
    uint64_t GetWindows() const
    {
        return m_windows;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;

    /** Refuse parameters that cannot work. */
    void Check() const;
    /** A window of ACKs ended: move alpha. \param inflight bytes of the next window */
    void EndWindow(uint64_t inflight);
    /** Show rate and window. */
    void Publish();

    double m_gain;               //!< attribute Gain
    double m_initialAlpha;       //!< attribute InitialAlpha
    uint64_t m_rateAiBps;        //!< attribute RateAiBps
    uint64_t m_rateReferenceBps; //!< attribute RateReferenceBps
    uint64_t m_minRateBps;       //!< attribute MinRateBps
    bool m_limitWindow;          //!< attribute LimitWindow
    bool m_windowFollowsRate;    //!< attribute WindowFollowsRate

    double m_current{0};       //!< rate, bit/s
    double m_alpha{1};         //!< share of marked bytes
    double m_step{0};          //!< additive increase, bit/s
    uint64_t m_bdp{0};         //!< line rate x base RTT in bytes; 0: no window
    uint64_t m_acked{0};       //!< bytes acknowledged since the start
    uint64_t m_windowStart{0}; //!< m_acked when the window of ACKs began
    uint64_t m_windowEnd{0};   //!< beyond it the window of ACKs has ended
    uint64_t m_marked{0};      //!< bytes of this window acknowledged with CE
    uint64_t m_reducedEnd{0};  //!< beyond it a further cut may come
    bool m_reduced{false};     //!< the rate was cut in this window
    uint64_t m_cuts{0};        //!< rate cuts
    uint64_t m_windows{0};     //!< windows of ACKs that ended
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DCTCP_RATE_H
