/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWIFT_H
#define ROCE_SWIFT_H

#include "roce-congestion-control.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace roce
{

/**
 * Swift, the part of it that watches the fabric.
 *
 * Models: a congestion window cwnd in packets, which may be below 1, and a target delay. Target =
 * BaseTarget + hops x HopScale + max(0, min(a / sqrt(cwnd) + b, FlowScaleRange)), with
 * a = FlowScaleRange / (1 / sqrt(FlowScaleMinCwnd) - 1 / sqrt(FlowScaleMaxCwnd)) and
 * b = -a / sqrt(FlowScaleMaxCwnd). An ACK of n packets whose round trip is below the target adds
 * AdditiveIncrease n / cwnd (cwnd >= 1) or AdditiveIncrease n (below). Else, if the last decrease
 * is a round trip ago, cwnd is multiplied by max(1 - Beta (rtt - target) / rtt, 1 - MaxMdf). A loss
 * multiplies by 1 - MaxMdf, likewise at most once a round trip; from the ResetThreshold-th timeout
 * in a row on cwnd is MinCwnd. At cwnd >= 1 the window is whole packets and the rate the line rate;
 * below, the window is one packet and the rate is cwnd packets a round trip.
 *
 * Source: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter", SIGCOMM 2020, Algorithm 1 and section 3.1. The paper leaves most numbers to the
 * operator; the defaults are those of csg-htsim (swift.cpp), whose comments call them guesses:
 * AdditiveIncrease 1, Beta 0.8, MaxMdf 0.5, BaseTarget 20 us, HopScale = BaseTarget / 6.55,
 * FlowScaleRange = 5 BaseTarget, flow scaling from 0.1 to 100 packets, ResetThreshold 5. MinCwnd:
 * its 10 bytes are about 0.01 packet.
 *
 * Invariants: MinCwnd <= cwnd <= max; 1 <= rate <= line rate; window >= one packet; two decreases
 * are at least the round trip of the later one apart, save the reset by timeouts; a round trip of 0
 * (unknown) moves nothing.
 *
 * Leaves out: the endpoint delay and its own window (our hosts take no time, so the round trip is
 * fabric delay), PLB, per-packet pacing at cwnd >= 1. A hop count of 0 (unknown) adds no hop term.
 * With base RTT 0 (unknown) a flow starts with the greatest window. ACKs that cover several packets
 * may stall a flow whose window is smaller than that: use an ACK interval of 1.
 */
class Swift : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Swift();
    ~Swift() override;

    /** \return congestion window, packets */
    double GetCwnd() const
    {
        return m_cwnd;
    }

    /** \return greatest congestion window, packets */
    double GetMaxCwnd() const
    {
        return m_max;
    }

    /**
     * \param cwnd congestion window, packets, > 0
     * \return target delay at this window, ticks
     */
    double GetTarget(double cwnd) const;

    /** \return decreases so far */
    uint64_t GetDecreases() const
    {
        return m_decreases;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
    void DoLoss(bool timeout, Tick now) override;

    /** Add the attributes about the window. \param tid the type \return the type */
    static TypeId AddWindow(TypeId tid);
    /** Refuse parameters that cannot work. */
    void Check() const;
    /** Refuse a target that not even a lone flow can meet. */
    void CheckTarget() const;
    /** \return packets that line rate carries in a time \param ticks that time */
    double PacketsIn(double ticks) const;
    /** \return the window of a lone flow whose delay is its target, packets */
    double LoneCwnd() const;
    /** \return whether the last decrease is a round trip ago \param now present tick */
    bool CanDecrease(Tick now) const;
    /** Set, clamp and show the window. \param cwnd packets \param now present tick */
    void SetCwnd(double cwnd, Tick now);

    Time m_baseTarget;         //!< attribute BaseTarget
    Time m_hopScale;           //!< attribute HopScale
    Time m_flowScaleRange;     //!< attribute FlowScaleRange
    double m_flowScaleMin;     //!< attribute FlowScaleMinCwnd
    double m_flowScaleMax;     //!< attribute FlowScaleMaxCwnd
    double m_increase;         //!< attribute AdditiveIncrease
    double m_beta;             //!< attribute Beta
    double m_maxMdf;           //!< attribute MaxMdf
    double m_minCwnd;          //!< attribute MinCwnd
    double m_maxCwnd;          //!< attribute MaxCwnd
    double m_initialCwnd;      //!< attribute InitialCwnd
    uint32_t m_resetThreshold; //!< attribute ResetThreshold

    double m_cwnd{1};        //!< congestion window, packets
    double m_max{1};         //!< greatest one, packets
    double m_fixedTarget{0}; //!< target without flow scaling, ticks
    double m_range{0};       //!< FlowScaleRange, ticks
    double m_scaleA{0};      //!< a of flow scaling, ticks
    double m_scaleB{0};      //!< b of flow scaling, ticks
    double m_frameBits{0};   //!< bits a full packet occupies on the link
    Tick m_rtt{0};           //!< last round trip, or the base RTT; 0 if unknown
    Tick m_decreasedAt{0};   //!< last decrease
    bool m_decreased{false}; //!< there was one
    uint32_t m_timeouts{0};  //!< timeouts in a row
    uint64_t m_decreases{0}; //!< decreases
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWIFT_H
