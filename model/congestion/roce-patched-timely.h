/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PATCHED_TIMELY_H
#define ROCE_PATCHED_TIMELY_H

#include "roce-timely.h"

namespace ns3
{
namespace roce
{

/**
 * TIMELY with the patch that gives it a fixed point.
 *
 * Models: Timely, with another law between the two thresholds. With w = clamp(2 gradient + 1/2, 0,
 * 1) and q' = LowThreshold: rate = delta (1 - w) + rate (1 - Beta w (rtt - q') / q'). No
 * hyperactive increase.
 *
 * Source: Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT
 * 2016, Algorithm 2 and its equation of w; Beta 0.008, segments of 16 KB, all else as in TIMELY.
 *
 * Invariants: those of Timely. N flows on one link of rate C settle at equal rates and, as rtt is
 * the whole round trip, at rtt = LowThreshold (1 + N delta / (Beta C)).
 *
 * Leaves out: what Timely leaves out. Delta at its published 10 Mb/s makes N delta / (Beta C) small
 * on fast links, so the queue hardly tells N; RateReferenceBps scales it.
 */
class PatchedTimely : public Timely
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PatchedTimely();
    ~PatchedTimely() override;

  private:
    double PublishedBeta() const override;
    double Between(double rtt, double gradient, double rate) override;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PATCHED_TIMELY_H
