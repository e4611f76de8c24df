/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_ORACLE_BENCH_H
#define ROCE_INT_ORACLE_BENCH_H

#include "ns3/double.h"
#include "ns3/roce-int-oracle.h"
#include "ns3/roce-int-record.h"

#include <cstdint>
#include <vector>

/**
 * \file
 * What the tests of IntOracle share.
 *
 * Ports of 100 Gb/s send 12.5 B/ns, so 250000 B in a sample of 20 us, and 125000 B in QueueTime
 * (10 us): that queue costs 1. Ticks are ns.
 */

namespace ns3
{
namespace roce
{
namespace oracle
{

inline constexpr uint32_t DESTINATION = 0x0a000001;
inline constexpr uint32_t UPLINK = 100;  //!< node of the first hop of most tests
inline constexpr uint32_t LAST = 300;    //!< node of the hop to the destination
inline constexpr Tick SAMPLE = 20000;    //!< 20 us
inline constexpr uint32_t ROOM = 250000; //!< bytes of a full port in it
inline constexpr Tick MAX_AGE = 1000000; //!< 1 ms

/** \return what a switch writes. \param node it \param time ns \param sent bytes so far
 *  \param queue bytes */
inline IntMdHop
HopOf(uint32_t node, uint64_t time, uint32_t sent, uint32_t queue = 0)
{
    IntMdHop hop;
    hop.nodeId = node;
    hop.egressPort = 5;
    hop.egressTime = time;
    hop.queueOccupancy = queue;
    hop.domain = {100000, sent};
    return hop;
}

/** \return telemetry. \param hops the last switch first, as on the wire */
inline IntRecord
RecordOf(const std::vector<IntMdHop>& hops)
{
    IntRecord record;
    record.layout = IntRecord::INT_MD;
    record.md.domainId = IntRecord::MD_DOMAIN_ID;
    record.md.domainWords = IntRecord::MD_DOMAIN_WORDS;
    record.md.hops = hops;
    return record;
}

/** \return telemetry of one uplink and an idle port to the destination. \param node of the uplink
 *  \param time ns \param sent bytes of the uplink \param queue bytes of it */
inline IntRecord
PathRecord(uint32_t node, uint64_t time, uint32_t sent, uint32_t queue = 0)
{
    return RecordOf({HopOf(LAST, time, 0), HopOf(node, time, sent, queue)});
}

/** An oracle that hears and is asked. */
struct Bench
{
    Ptr<IntOracle> oracle{CreateObject<IntOracle>()};

    Bench()
    {
        oracle->AssignStreams(7);
        oracle->SetAttribute("MoveProbability", DoubleValue(1));
    }

    /** An ACK. \param port UDP source port \param record telemetry \param bytes newly acknowledged
     *  \param now tick */
    void Hear(uint16_t port, const IntRecord& record, uint64_t bytes, Tick now) const
    {
        oracle->Observe({DESTINATION, port, 17}, bytes, &record, now);
    }

    /** A sample of a path, from tick 0 to SAMPLE. \param port UDP source port \param node of its
     *  uplink \param sent bytes of that \param own of those \param queue bytes in the end */
    void Sample(uint16_t port, uint32_t node, uint32_t sent, uint64_t own, uint32_t queue = 0) const
    {
        Hear(port, PathRecord(node, 0, 1000), 4000, 0);
        Hear(port, PathRecord(node, SAMPLE, 1000 + sent, queue), own, SAMPLE);
    }

    double Cost(uint16_t port, Tick now = SAMPLE) const
    {
        return oracle->GetCost(DESTINATION, port, now);
    }

    uint16_t Ask(uint16_t port, Tick now = SAMPLE, uint32_t qpn = 17) const
    {
        return oracle->Choose({DESTINATION, port, qpn}, now);
    }

    static uint16_t Candidate(uint32_t index)
    {
        return IntOracle::GetCandidate(DESTINATION, index);
    }
};

inline constexpr uint16_t PORT = 50000; //!< of the tests; no candidate of DESTINATION

} // namespace oracle
} // namespace roce
} // namespace ns3

#endif // ROCE_INT_ORACLE_BENCH_H
