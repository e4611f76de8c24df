/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_LANE_H
#define ROCE_NIC_LANE_H

#include "roce-nic.h"

namespace ns3
{
namespace roce
{

/** A port of a NIC with its arbiter and pacing timer. */
struct Nic::Lane
{
    /**
     * \param nic the NIC
     * \param ownPort the port
     * \param index its index at the NIC
     */
    Lane(Nic* nic, Ptr<Port> ownPort, uint32_t index)
        : port(ownPort),
          tx(&ownPort->GetTransmitter()),
          pace(std::make_unique<PaceEvent>(nic, index))
    {
    }

    Ptr<Port> port;                    //!< the port
    Transmitter* tx;                   //!< its sending half
    const InFlight* received{nullptr}; //!< frames on their way here; set by the first that came
    QpArbiter arbiter;                 //!< who sends next
    std::unique_ptr<PaceEvent> pace;   //!< wakes the port for a slot
};

inline QueuePair*
Nic::Lookup(uint32_t qpn) const
{
    const uint32_t index = qpn - FIRST_QPN;
    return index < m_qps.size() ? PeekPointer(m_qps[index]) : nullptr;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_NIC_LANE_H
