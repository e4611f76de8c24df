/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CATCH_INT_H
#define ROCE_CATCH_INT_H

#include "ns3/roce-congestion-control.h"
#include "ns3/roce-int-record.h"

#include <cstdint>
#include <vector>

/**
 * \file
 * What the tests of laws that hear telemetry share: the numbers of their tables.
 *
 * Tables: 100 Gb/s is 12.5 B/ns, so with T = 8192 ns the product is 102400 B = 800 units of 128 B =
 * 1280 units of 80 B, and a full link sends 800 units in T.
 */

namespace ns3
{
namespace roce
{

inline constexpr uint64_t INT_LINE = 100000000000; //!< 100 Gb/s
inline constexpr Tick INT_RTT = 8192;              //!< T, ns
inline constexpr double INT_BDP = 102400;          //!< bytes in T
inline constexpr uint32_t FULL_UNITS = 800;        //!< units of 128 B in T
inline constexpr uint32_t BDP_UNITS = 1280;        //!< units of 80 B of one product

/** \param rtt base RTT, ns \return facts of a queue pair whose frames have no overhead */
inline FlowParameters
IntFlow(Tick rtt = INT_RTT)
{
    FlowParameters flow;
    flow.lineRate = INT_LINE;
    flow.baseRtt = rtt;
    flow.mtu = 1000;
    flow.frameBytes = 1000;
    flow.qpn = 17;
    return flow;
}

/** \return a hop of 100 Gb/s. \param time ns \param bytes 128 B units \param queue 80 B units */
inline HpccIntHop
IntHop(uint32_t time, uint32_t bytes, uint32_t queue)
{
    HpccIntHop hop;
    hop.rate = 100000;
    hop.time = time;
    hop.bytes = bytes;
    hop.queue = queue;
    return hop;
}

/** \param hops what the switches say, the first one first \return a record in layout HPCC */
inline IntRecord
IntOf(const std::vector<HpccIntHop>& hops)
{
    IntRecord record;
    for (const HpccIntHop& hop : hops)
    {
        record.hpcc.Push(hop);
    }
    return record;
}

/** \return a hop that was full for n times T. \param n count \param queue 80 B units */
inline HpccIntHop
Full(uint32_t n, uint32_t queue)
{
    return IntHop(n * INT_RTT, n * FULL_UNITS, queue);
}

/** 1.9 = 2 x eta with a full link: a queue of 0.9 x 1280 units. */
inline constexpr uint32_t DOUBLE_QUEUE = 1152;

/** \return a record in layout INT_MD. \param node the switch \param time ns
 * \param bytes sent \param queue bytes */
inline IntRecord
IntMdOf(uint32_t node, uint64_t time, uint32_t bytes, uint32_t queue)
{
    IntRecord record;
    record.layout = IntRecord::INT_MD;
    record.md.domainId = IntRecord::MD_DOMAIN_ID;
    IntMdHop hop;
    hop.nodeId = node;
    hop.egressPort = 1;
    hop.egressTime = time;
    hop.queueOccupancy = queue;
    hop.domain = {100000, bytes};
    record.md.hops.push_back(hop);
    return record;
}

/** \return a law that has started */
template <class Law>
Ptr<Law>
Started()
{
    auto cc = CreateObject<Law>();
    cc->Start(IntFlow(), 0);
    return cc;
}

/** An ACK arrives. \param cc the law \param record its telemetry \param now ns
 * \param acked payload bytes \param inflight payload bytes that remain */
inline void
IntAck(Ptr<CongestionControl> cc,
       const IntRecord& record,
       Tick now,
       uint64_t acked,
       uint64_t inflight)
{
    AckInfo ack;
    ack.ackedBytes = acked;
    ack.inflight = inflight;
    ack.record = &record;
    cc->OnAck(ack, now);
}

} // namespace roce
} // namespace ns3

#endif // ROCE_CATCH_INT_H
