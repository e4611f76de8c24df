/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGA_TABLES_H
#define ROCE_CONGA_TABLES_H

#include "ns3/roce-tick.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What a CONGA leaf knows of congestion further on.
 *
 * Models: the Congestion-To-Leaf table (metric of the path over each of its own uplinks to each
 * leaf, learnt by feedback) and the Congestion-From-Leaf table (metric of the path by which each
 * leaf was heard over each of that leaf's uplinks, to be fed back). Feedback goes round the uplinks
 * and prefers values that changed since they were fed back.
 *
 * Clause: Alizadeh et al., CONGA, SIGCOMM 2014, 3.3. A value that was not renewed for a while falls
 * "gradually to zero" there. Here it loses 1 after each Aging time. Values to feed back age alike:
 * else a path that nobody takes would be reported as congested for ever.
 *
 * Invariants: a value is what was last set less one for each whole Aging time since, at least 0; a
 * value that was never set is 0 and is not fed back.
 *
 * Leaves out: forgetting leaves: memory grows with the leaves and uplinks heard of (16 bytes each).
 */
class CongaTables
{
  public:
    /** A value to feed back. */
    struct Feedback
    {
        uint8_t tag;    //!< uplink of the other leaf, or CongaHeader::NO_TAG
        uint8_t metric; //!< how congested its path is
    };

    /** Forget all. \param aging ticks after which a value falls by 1, at least 1; NEVER: it does
     *  not */
    void Configure(Tick aging);

    /** Feedback came. \param leaf who sent it \param tag own uplink \param metric value \param now
     *  present tick */
    void SetTo(uint32_t leaf, uint8_t tag, uint8_t metric, Tick now);

    /** \return congestion towards a leaf. \param leaf the leaf \param tag own uplink \param now
     *  present tick */
    uint8_t GetTo(uint32_t leaf, uint8_t tag, Tick now) const;

    /** A frame came. \param leaf whence \param tag over which of its uplinks \param metric value
     *  \param now present tick */
    void SetFrom(uint32_t leaf, uint8_t tag, uint8_t metric, Tick now);

    /** \return congestion from a leaf. \param leaf the leaf \param tag its uplink \param now
     * present tick */
    uint8_t GetFrom(uint32_t leaf, uint8_t tag, Tick now) const;

    /** \return what to tell a leaf with a frame to it. \param leaf the leaf \param now present tick
     */
    Feedback NextFeedback(uint32_t leaf, Tick now);

  private:
    /** A value and its age. */
    struct Entry
    {
        Tick set{NEVER};   //!< when; NEVER: not yet
        uint8_t metric{0}; //!< what
        uint8_t told{NOT}; //!< what was fed back last
    };

    /** A value that was never fed back. */
    static constexpr uint8_t NOT = 0xff;

    /** Values of one leaf. */
    struct Row
    {
        std::vector<Entry> entries; //!< by tag
        uint8_t turn{0};            //!< tag at which feedback goes on
    };

    typedef std::vector<Row> Table; //!< by leaf

    static void Set(Table& table, uint32_t leaf, uint8_t tag, uint8_t metric, Tick now);
    uint8_t Get(const Table& table, uint32_t leaf, uint8_t tag, Tick now) const;
    uint8_t Aged(const Entry& entry, Tick now) const;

    Table m_to;
    Table m_from;
    Tick m_aging{NEVER};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGA_TABLES_H
