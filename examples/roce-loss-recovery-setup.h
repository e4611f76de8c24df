/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOSS_RECOVERY_SETUP_H
#define ROCE_LOSS_RECOVERY_SETUP_H

#include "ns3/roce-helper.h"

#include <string>

namespace ns3
{
namespace roce
{

/** One way to run. */
struct LossRecoveryWay
{
    std::string name;     //!< in the table
    std::string recovery; //!< short name
    bool pfc;             //!< whether data is lossless
};

/**
 * Buffers, timers and recovery of a run.
 *
 * Models: the switch buffers of Mittal et al., SIGCOMM 2018, section 4.1: 240 kB at each ingress
 * port, pause at 220 kB.
 *
 * Invariants: a port never uses the bytes of another but for a small pool from which the pause
 * threshold is computed.
 *
 * Leaves out: ECN, which is as the switch has it.
 */
class LossRecoverySetup
{
  public:
    /**
     * Set buffers, timers and recovery.
     * \param roce builds the fabric
     * \param way what to set
     * \param ports of each switch
     */
    static void Configure(RoceHelper& roce, const LossRecoveryWay& way, uint32_t ports);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOSS_RECOVERY_SETUP_H
