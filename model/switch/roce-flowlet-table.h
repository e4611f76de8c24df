/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FLOWLET_TABLE_H
#define ROCE_FLOWLET_TABLE_H

#include "ns3/roce-tick.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The flowlet table of a switch.
 *
 * Models: a fixed number of entries, chosen by the hash of the flow, without the flow's name: flows
 * that meet in an entry are one flowlet. An entry holds the output port and when it was last used.
 *
 * Clause: Alizadeh et al., CONGA, SIGCOMM 2014, 3.4; Vanini et al., LetFlow, NSDI 2017, 3.2.
 *
 * Invariants: a frame less than the gap after the one before it, in the same entry, goes to the
 * same port while that is a member; memory does not grow with flows (none is used before the first
 * frame).
 *
 * Leaves out: aging by a bit and a timer, as ASICs do; times are exact here.
 */
class FlowletTable
{
  public:
    /** A flow that is under way. */
    struct Entry
    {
        Tick last{NEVER};          //!< tick of its last frame; NEVER: unused
        uint16_t port{UINT16_MAX}; //!< where it goes
    };

    /** \param entries their number, made a power of two \param gap ticks, or NEVER */
    void Configure(uint32_t entries, Tick gap)
    {
        m_size = 1;
        while (m_size < entries)
        {
            m_size *= 2;
        }
        m_gap = gap;
        m_entries.clear();
    }

    /**
     * Find the entry of a flow and note its use.
     * \param hash of the flow
     * \param members ports to choose from
     * \param count their number
     * \param now present tick
     * \param start set to whether a flowlet begins; its port is to be set then
     * \return the entry
     */
    Entry& Use(uint32_t hash, const uint16_t* members, uint32_t count, Tick now, bool& start)
    {
        if (__builtin_expect(m_entries.empty(), 0))
        {
            m_entries.resize(m_size);
        }
        Entry& entry = m_entries[hash & (m_size - 1)];
        start = entry.last == NEVER || now - entry.last >= m_gap ||
                std::find(members, members + count, entry.port) == members + count;
        entry.last = now;
        return entry;
    }

    /** \return the gap in ticks */
    Tick GetGap() const
    {
        return m_gap;
    }

    /** \return entries in use or to be used */
    uint32_t GetSize() const
    {
        return m_size;
    }

  private:
    uint32_t m_size{1};
    Tick m_gap{0};
    std::vector<Entry> m_entries;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOWLET_TABLE_H
