/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_PATH_H
#define ROCE_INT_PATH_H

#include "ns3/roce-int-record.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What the hops of a path did between two telemetry records.
 *
 * Models: the state a sender keeps of its path: the last record of each hop, and from the next one
 * the rate at which the hop sent, its queue then and now, and the time between.
 *
 * Source: HPCC (Li et al., SIGCOMM 2019, section 3.2 and 4): L[i]; units and widths as HpccIntHop
 * and, for INT_MD, as IntStamper writes them.
 *
 * Invariants: differences are modulo the width of the counter. A record is a sample only if they
 * are certain: another number of hops, another port or rate, or a gap in which a counter may have
 * gone more than half round (time) or all round (bytes) makes it a new reference. A record older
 * than the reference (its time is behind) is never used. A hop whose time did not move keeps its
 * reference and is no sample. No allocation unless the number of hops grows.
 *
 * Leaves out: another path of as many hops of the same rates in the layouts of HPCC, which have
 * no room for a path ID: its first sample is wrong, or it counts as older. INT_MD names the ports.
 */
class IntPath
{
  public:
    /** What a record was good for. */
    enum Result
    {
        UNUSABLE,  //!< no hops, or a field that is needed is missing
        OLDER,     //!< made before the reference
        REFERENCE, //!< the first one of this path, or after too long a gap
        SAMPLES,   //!< GetSample tells what happened since the reference
    };

    /** One hop between two records. */
    struct Sample
    {
        bool fresh{false};     //!< whether the hop has something new; else the rest is old
        double rate{0};        //!< bit/s of the port
        double nanoseconds{0}; //!< between the records
        double sentBytes{0};   //!< by the port between the records
        double queue{0};       //!< bytes waiting, newer record
        double oldQueue{0};    //!< bytes waiting, older record
        double txRate{0};      //!< bit/s that the port sent
    };

    /**
     * Forget the path.
     * \param ticksPerSecond resolution of the ticks given to Update
     */
    void Start(int64_t ticksPerSecond);

    /**
     * \param record what came back with an ACK
     * \param now present tick
     * \param skipEmpty leave hops without a queue alone, their reference too
     * \return what it was good for
     */
    Result Update(const IntRecord& record, Tick now, bool skipEmpty = false);

    /** \return hops of the path */
    unsigned GetHops() const
    {
        return static_cast<unsigned>(m_hops.size());
    }

    /** \param i a hop, the first switch being 0 \return the last sample of it */
    const Sample& GetSample(unsigned i) const
    {
        return m_samples[i];
    }

    /** \return records that became a new reference though there was one */
    uint64_t GetResets() const
    {
        return m_resets;
    }

    /** \return records without use: UNUSABLE or OLDER */
    uint64_t GetUnused() const
    {
        return m_unused;
    }

  private:
    /** A hop as it was written, in one form for all layouts. */
    struct Hop
    {
        uint64_t port{0};     //!< which port, 0 if the layout does not say
        uint64_t time{0};     //!< ns of its clock, cut to the width
        uint64_t counter{0};  //!< units sent, cut to the width
        double queue{0};      //!< bytes
        uint32_t rateMbps{0}; //!< Mb/s
        Tick at{0};           //!< when the record came
    };

    /** Widths and unit of a layout. */
    struct Format
    {
        uint64_t timeMask;    //!< of the time
        uint64_t counterMask; //!< of the counter
        uint64_t unit;        //!< bytes that the counter counts
    };

    static Format FormatOf(const IntRecord& record);
    bool Read(const IntRecord& record, Tick now);
    bool IsSamePath(const IntRecord& record) const;
    bool IsLongGap(const Format& format, Tick now) const;
    bool IsOlder(const Format& format) const;
    void Measure(unsigned i, const Format& format);

    std::vector<Hop> m_hops;  //!< the reference
    std::vector<Hop> m_newer; //!< the record at hand
    std::vector<Sample> m_samples;
    double m_nsPerTick{1};
    IntRecord::Layout m_layout{IntRecord::HPCC};
    uint32_t m_multi{1};
    uint64_t m_resets{0};
    uint64_t m_unused{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_PATH_H
