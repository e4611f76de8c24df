/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NO_CONGESTION_CONTROL_H
#define ROCE_NO_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

namespace ns3
{
namespace roce
{

/**
 * No congestion control: line rate, and a static window if one is wanted.
 *
 * Models: a queue pair that PFC alone holds back, as in "PFC only" baselines.
 *
 * Source: none; the window is a plain limit on unacknowledged bytes.
 *
 * Invariants: GetRate() equals the line rate at all times; GetWindow() never changes after Start;
 * no notification, loss or acknowledgement has an effect.
 *
 * Leaves out: everything that reacts.
 */
class NoCongestionControl : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    NoCongestionControl();
    ~NoCongestionControl() override;

  private:
    void DoStart(Tick now) override;

    uint64_t m_windowBytes; //!< attribute WindowBytes, 0 = unlimited
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NO_CONGESTION_CONTROL_H
