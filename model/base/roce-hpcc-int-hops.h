/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HPCC_INT_HOPS_H
#define ROCE_HPCC_INT_HOPS_H

#include "roce-hpcc-int-hop.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What up to five switches say of the ports a packet went through.
 *
 * Models: the decoded INT header of HPCC; HpccInt adds its bytes.
 *
 * Clause: HPCC (Li et al., SIGCOMM 2019, section 4); five hops as in its published simulator.
 *
 * Invariants: hops after the fifth are counted, not kept, and the first five stay (the simulator
 * overwrites them); the count stops at 65535.
 *
 * Leaves out: the layout, which is of the wire.
 */
class HpccIntHops
{
  public:
    static constexpr unsigned MAX_HOPS = 5; //!< hops that are kept

    /**
     * Add what the next switch says.
     *
     * \param hop the port the packet leaves by
     * \return whether it was kept; the sixth and later ones are only counted
     */
    bool Push(const HpccIntHop& hop)
    {
        const bool kept = m_count < MAX_HOPS;
        if (kept)
        {
            m_hops[m_count] = hop;
        }
        m_count += m_count < 0xffff;
        return kept;
    }

    /** \return hops that are kept, 0 to 5 */
    unsigned GetSize() const
    {
        return m_count < MAX_HOPS ? m_count : MAX_HOPS;
    }

    /** \return hops the packet made, 0 to 65535; more than five mean that some were not kept */
    uint16_t GetCount() const
    {
        return m_count;
    }

    /** \param i 0 for the first switch, less than GetSize() \return what it said */
    const HpccIntHop& GetHop(unsigned i) const
    {
        return m_hops[i];
    }

    /** Forget all hops. */
    void Clear()
    {
        m_count = 0;
    }

  protected:
    std::array<HpccIntHop, MAX_HOPS> m_hops{}; //!< what was kept
    uint16_t m_count{0};                       //!< hops the packet made
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HPCC_INT_HOPS_H
