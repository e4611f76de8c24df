/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HPCC_INT_HOP_H
#define ROCE_HPCC_INT_HOP_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** How the hops of an HPCC INT header are packed. */
enum class HpccIntLayout : uint8_t
{
    ARTIFACT, //!< 8 bytes a hop, rate as a code of 3 bits: 25, 50, 100, 200 or 400 Gb/s
    EXTENDED, //!< ours: 12 bytes a hop, rate as a 32-bit number of Mb/s
};

/**
 * What one switch port writes into the INT header of HPCC.
 *
 * Models: the state of the egress port when the packet leaves: rate, local time, bytes sent so far
 * and bytes queued, in the widths and units of the wire. A factor, here multi, scales both units;
 * it belongs to the run, not to the packet.
 *
 * Clause: HPCC (Li et al., SIGCOMM 2019, section 4) and its published simulator: time 24 bits
 * of ns, bytes 20 bits of 128 B x multi, queue 17 bits of 80 B x multi.
 *
 * Invariants: all fields fit their widths after Make; a queue too long for its field reads as the
 * longest (the simulator wraps it); TimeDelta is the true difference if that is less than 2^24 ns
 * (16.8 ms); BytesDelta is the true difference to within one unit if that is less than 2^20 units.
 *
 * Leaves out: the path ID of the paper, for which the simulator's layout has no room.
 */
struct HpccIntHop
{
    static constexpr unsigned TIME_BITS = 24;      //!< of ns: wraps after 16,777,216 ns
    static constexpr unsigned BYTES_BITS = 20;     //!< of units: wraps after 134,217,728 B x multi
    static constexpr unsigned QUEUE_BITS = 17;     //!< of units: at most 10,485,680 B x multi
    static constexpr uint32_t BYTES_UNIT = 128;    //!< bytes
    static constexpr uint32_t QUEUE_UNIT = 80;     //!< bytes
    static constexpr uint64_t RATE_UNIT = 1000000; //!< bit/s in a unit of rate

    uint32_t rate{0};  //!< Mb/s of the egress port
    uint32_t time{0};  //!< ns of the local clock, low 24 bits
    uint32_t bytes{0}; //!< bytes sent so far in units of 128 B x multi, low 20 bits
    uint32_t queue{0}; //!< bytes waiting in units of 80 B x multi, at most 2^17 - 1

    /**
     * \param rateMbps Mb/s of the port; HpccInt::RateOf makes it from bit/s and checks it
     * \param nanoseconds local time
     * \param sentBytes bytes the port has sent so far
     * \param queueBytes bytes that wait in its queue
     * \param multi factor of both units, at least 1
     * \return the hop as it goes on the wire, rounded down to units
     */
    static HpccIntHop Make(uint32_t rateMbps,
                           uint64_t nanoseconds,
                           uint64_t sentBytes,
                           uint64_t queueBytes,
                           uint32_t multi)
    {
        const uint64_t queue = queueBytes / (uint64_t(QUEUE_UNIT) * multi);
        const uint64_t longest = (1u << QUEUE_BITS) - 1;
        HpccIntHop hop;
        hop.rate = rateMbps;
        hop.time = nanoseconds & ((1u << TIME_BITS) - 1);
        hop.bytes = sentBytes / (uint64_t(BYTES_UNIT) * multi) & ((1u << BYTES_BITS) - 1);
        hop.queue = static_cast<uint32_t>(queue < longest ? queue : longest);
        return hop;
    }

    /** \return bit/s of the port */
    uint64_t GetRate() const
    {
        return rate * RATE_UNIT;
    }

    /** \param multi factor of the units \return bytes queued, rounded down to units */
    uint64_t GetQueueBytes(uint32_t multi) const
    {
        return uint64_t(queue) * QUEUE_UNIT * multi;
    }

    /** \param older what the same port wrote before \return ns between them, 0 to 2^24 - 1 */
    uint32_t TimeDelta(const HpccIntHop& older) const
    {
        return (time - older.time) & ((1u << TIME_BITS) - 1);
    }

    /**
     * \param older what the same port wrote before
     * \param multi factor of the units
     * \return bytes sent between them, a multiple of the unit
     */
    uint64_t BytesDelta(const HpccIntHop& older, uint32_t multi) const
    {
        const uint32_t units = (bytes - older.bytes) & ((1u << BYTES_BITS) - 1);
        return uint64_t(units) * BYTES_UNIT * multi;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HPCC_INT_HOP_H
