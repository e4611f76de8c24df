/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TIMELY_H
#define ROCE_TIMELY_H

#include "roce-congestion-control.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace roce
{

/**
 * TIMELY as published.
 *
 * Models: one rate a queue pair, moved by round trip times. A segment is SegmentBytes acknowledged;
 * its sample is the round trip of the packet whose ACK completes it. A sample moves the gradient:
 * diff = (1 - EwmaWeight) diff + EwmaWeight (rtt - rtt before), gradient = diff / MinRtt. Then, in
 * this order: rtt < LowThreshold adds delta; rtt > HighThreshold multiplies by
 * 1 - Beta (1 - HighThreshold / rtt); gradient <= 0 adds delta, or 5 delta from the HaiEvents-th
 * such event in a row on; else the rate is multiplied by 1 - Beta gradient, never below 0.
 *
 * Source: Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015,
 * Algorithm 1 (EwmaWeight 0.875, LowThreshold 50 us, HighThreshold 500 us, Beta 0.8, delta
 * 10 Mb/s, 5 delta after 5 events). MinRtt 20 us, and a time of max(segment / rate, MinRtt) between
 * updates: Zhu et al., "ECN or Delay", CoNEXT 2016, table 2 and fluid model of TIMELY. SegmentBytes
 * 16000: same, patched TIMELY, the segment that gives its convergence time of 76.7 ms. MinRateBps:
 * HPCC artifact (config.txt MIN_RATE), not in the paper. delta is 10 Mb/s at any link rate, as
 * published; RateReferenceBps = 10 Gb/s scales it as the HPCC artifact's run.py does.
 *
 * Choices where the sources are silent: a packet of unknown round trip gives no sample, the next
 * known one does; the first sample has no gradient, so it moves the rate only outside of the two
 * thresholds; a sample below LowThreshold or above HighThreshold ends a row of HAI events.
 *
 * Invariants: MinRateBps <= rate <= line rate; an ACK moves the rate at most once, and never before
 * a segment is complete; no window; AckInfo::rtt 0 never counts as a round trip.
 *
 * Leaves out: bursts of whole segments (packets are paced one by one), reaction to loss, the start
 * at line rate / (flows + 1): a flow starts at StartRateBps, by default line rate; a message end
 * inside a segment gives no sample. With base RTT 0 (unknown) MinRtt must not be 0.
 */
class Timely : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Timely();
    ~Timely() override;

    /** \return the rate, bit/s */
    double GetCurrentRate() const
    {
        return m_current;
    }

    /** \return moving average of the difference of round trips / MinRtt */
    double GetGradient() const
    {
        return m_diff / m_minRttTicks;
    }

    /** \return additive step delta, bit/s */
    double GetDelta() const
    {
        return m_delta;
    }

    /** \return the decrease factor that counts */
    double GetBeta() const
    {
        return m_betaUsed;
    }

    /** \return events with a falling round trip in a row */
    uint32_t GetHaiRow() const
    {
        return m_haiRow;
    }

    /** \return samples that were used */
    uint64_t GetUpdates() const
    {
        return m_updates;
    }

  protected:
    /** \return Low threshold in ticks */
    double GetLowTicks() const
    {
        return m_lowTicks;
    }

  private:
    /** \return Beta unless the attribute gives one */
    virtual double PublishedBeta() const;

    /**
     * The law between the two thresholds.
     * \param rtt round trip, ticks
     * \param gradient normalised gradient
     * \param rate present rate, bit/s
     * \return the new rate, bit/s, not yet clamped
     */
    virtual double Between(double rtt, double gradient, double rate);

    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;

    /** Add the attributes about rates. \param tid the type \return the type */
    static TypeId AddRates(TypeId tid);
    /** Refuse parameters that cannot work. */
    void Check() const;
    /** Use a sample. \param rtt round trip, ticks */
    void Update(double rtt);
    /** Clamp and show the rate. */
    void Publish();

    double m_ewmaWeight;         //!< attribute EwmaWeight
    double m_beta;               //!< attribute Beta
    Time m_low;                  //!< attribute LowThreshold
    Time m_high;                 //!< attribute HighThreshold
    Time m_minRtt;               //!< attribute MinRtt
    bool m_limitUpdates;         //!< attribute LimitUpdates
    uint64_t m_segmentBytes;     //!< attribute SegmentBytes
    uint32_t m_haiEvents;        //!< attribute HaiEvents
    uint64_t m_rateAiBps;        //!< attribute RateAiBps
    uint64_t m_rateReferenceBps; //!< attribute RateReferenceBps
    uint64_t m_minRateBps;       //!< attribute MinRateBps
    uint64_t m_startRateBps;     //!< attribute StartRateBps

    double m_current{0};     //!< rate, bit/s
    double m_delta{0};       //!< additive step, bit/s
    double m_betaUsed{0};    //!< decrease factor
    double m_lowTicks{0};    //!< LowThreshold
    double m_highTicks{0};   //!< HighThreshold
    double m_minRttTicks{1}; //!< MinRtt, or the base RTT
    double m_lastRtt{0};     //!< sample before, ticks; 0: none
    double m_diff{0};        //!< moving average of differences, ticks
    Tick m_gap{0};           //!< least time between two updates
    Tick m_lastUpdate{0};    //!< when the last sample was used
    uint64_t m_acked{0};     //!< bytes acknowledged of the present segment
    uint32_t m_haiRow{0};    //!< events with gradient <= 0 in a row
    uint64_t m_updates{0};   //!< samples used
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TIMELY_H
