/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair.h"

namespace ns3
{
namespace roce
{

QueuePair::QueuePair(uint32_t qpn,
                     const QueuePairConfig& config,
                     const FrameSizes& sizes,
                     Ptr<CongestionControl> control)
    : m_qpn(qpn),
      m_lastCnp(-1),
      m_control(control),
      m_config(config)
{
    m_requester.Configure(config.mtu, config.ackInterval, config.sendPsn, sizes);
    m_responder.Configure(config.receivePsn);
}

} // namespace roce
} // namespace ns3
