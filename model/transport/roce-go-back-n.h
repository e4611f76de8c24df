/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_GO_BACK_N_H
#define ROCE_GO_BACK_N_H

#include "roce-loss-recovery.h"

namespace ns3
{
namespace roce
{

/**
 * Go-back-N, what RC prescribes and NICs do by default.
 *
 * Models: IBTA 9.7.5.1.4 and 9.7.7: the responder drops what comes behind a gap and sends one NAK;
 * the requester sends again from the packet that the NAK names, or from the oldest unacknowledged
 * one when the timer expires.
 *
 * Invariants: one NAK a gap; each packet behind the first missing one is sent again.
 *
 * Leaves out: nothing.
 */
class GoBackN : public LossRecovery
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    EarlyPolicy GetEarlyPolicy() const override;
    void OnNak(SendQueue& queue, uint64_t expected, uint64_t seen) override;
    void OnTimeout(SendQueue& queue) override;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_GO_BACK_N_H
