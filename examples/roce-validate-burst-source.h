/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_BURST_SOURCE_H
#define ROCE_VALIDATE_BURST_SOURCE_H

#include "ns3/nstime.h"
#include "ns3/roce-fabric.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace roce
{

/**
 * A host of a burst.
 *
 * Models: small messages, some under way at a time, posted for some time.
 *
 * Invariants: none is posted after the end.
 *
 * Leaves out: what becomes of them.
 */
class BurstSource
{
  public:
    /** \param connection its queue pairs \param bytes of each message \param until when it posts
     * its last one */
    BurstSource(const Connection& connection, uint64_t bytes, Time until)
        : m_connection(connection),
          m_bytes(bytes),
          m_until(until)
    {
    }

    /** Begin. \param ahead messages under way */
    void Start(uint32_t ahead)
    {
        for (uint32_t i = 0; i < ahead; ++i)
        {
            Post();
        }
    }

    /** A message is whole at the receiver. */
    void Completed(const Completion&)
    {
        if (Simulator::Now() < m_until)
        {
            Post();
        }
    }

  private:
    void Post()
    {
        WorkRequest request;
        request.bytes = m_bytes;
        m_connection.nic->Post(m_connection.qp, request);
    }

    Connection m_connection;
    uint64_t m_bytes;
    Time m_until;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_BURST_SOURCE_H
