/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_GO_BACK_ZERO_H
#define ROCE_GO_BACK_ZERO_H

#include "roce-go-back-n.h"

namespace ns3
{
namespace roce
{

/**
 * Go-back-0: a loss restarts the whole message.
 *
 * Models: the firmware of early RoCE NICs as Guo et al. describe it (RDMA over Commodity Ethernet
 * at Scale, SIGCOMM 2016, section 4.1): after a loss the message is sent again from its first
 * packet and the receiver forgets what it had of it. With messages of thousands of packets and a
 * loss in each pass nothing ever completes: the livelock of that section. An oddity for
 * comparison, not for use.
 *
 * Invariants: only whole messages are acknowledged; the NAK names the first packet of the message.
 *
 * Leaves out: nothing.
 */
class GoBackZero : public GoBackN
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    EarlyPolicy GetEarlyPolicy() const override;
    bool AsksInsideMessages() const override;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_GO_BACK_ZERO_H
