/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCHEDULE_FORMULAS_H
#define ROCE_SCHEDULE_FORMULAS_H

#include "roce-schedule-plans.h"

#include <functional>
#include <vector>

namespace ns3
{
namespace roce
{

/** Bytes that each rank i sends, from the published descriptions alone; indices mod n. */
class ScheduleFormulas
{
  public:
    explicit ScheduleFormulas(const CollectivePlan& plan)
        : m_plan(plan),
          m_n(plan.ranks)
    {
    }

    /** \return bytes that rank i sends */
    uint64_t Sent(uint32_t i) const
    {
        const std::string& operation = m_plan.operation;
        if (m_n == 1 || operation == "barrier")
        {
            return 0;
        }
        if (operation == "all-reduce")
        {
            return AllReduce(i);
        }
        if (operation == "broadcast" || operation == "reduce")
        {
            return Rooted(i);
        }
        if (m_plan.algorithm == "bruck")
        {
            return Bruck(i);
        }
        if (operation == "all-gather")
        {
            // ring: all slices but the one that the neighbor owns; direct: the own one to all
            return m_plan.algorithm == "ring" ? m_plan.bytes - Own(i + 1) : (m_n - 1) * Own(i);
        }
        // send-recv: all; reduce-scatter, all-to-all: all but the own part leaves once
        return m_plan.bytes - (operation == "send-recv" ? 0 : Own(i));
    }

  private:
    /** Part i mod n of the buffer. */
    uint64_t Own(uint32_t i) const
    {
        return PlainPart(m_plan.bytes, m_n, i % m_n);
    }

    /** Sum over the pieces. \param parts channels \param of bytes for a piece of a channel */
    uint64_t OverPieces(uint32_t parts,
                        const std::function<uint64_t(uint64_t bytes, uint32_t channel)>& of) const
    {
        uint64_t sum = 0;
        for (uint32_t channel = 0; channel < parts; ++channel)
        {
            const uint64_t bytes = PlainPart(m_plan.bytes, parts, channel);
            for (uint32_t chunk = 0; chunk < m_plan.chunks; ++chunk)
            {
                sum += of(PlainPart(bytes, m_plan.chunks, chunk), channel);
            }
        }
        return sum;
    }

    uint64_t AllReduce(uint32_t i) const
    {
        const std::string& algorithm = m_plan.algorithm;
        if (algorithm == "direct")
        {
            // each other part leaves once, then the own sum to n - 1 ranks
            return m_plan.bytes - Own(i) + (m_n - 1) * Own(i);
        }
        if (algorithm == "tree")
        {
            return OverPieces(2 * m_plan.channels, [this, i](uint64_t p, uint32_t channel) {
                return p * TreeNeighbors(channel % 2, i);
            });
        }
        return OverPieces(m_plan.channels, [this, i, &algorithm](uint64_t p, uint32_t) {
            return algorithm == "ring"               ? Ring(p, m_n, i)
                   : algorithm == "halving-doubling" ? Halving(p, i)
                   : m_plan.mapping == "rail"        ? Rail(p, m_plan.levels, i)
                                                     : Leader(p, i);
        });
    }

    /** Of P bytes, in the reduce-scatter all slices but i+1, in the all-gather all but i+2. */
    static uint64_t Ring(uint64_t p, uint32_t n, uint32_t i)
    {
        return 2 * p - PlainPart(p, n, (i + 1) % n) - PlainPart(p, n, (i + 2) % n);
    }

    /**
     * With q = 2^L ranks, number v: in the halving everything leaves once but the slice that v ends
     * with, whose number is v with its L bits in reverse. In the doubling it sends what it holds:
     * the aligned groups of 1, 2, .. q/2 slices around that one. Extra ranks (even and below 2 r)
     * send P, their partners P more.
     */
    uint64_t Halving(uint64_t p, uint32_t i) const
    {
        uint32_t bits = 0;
        while ((2U << bits) <= m_n)
        {
            ++bits;
        }
        const uint32_t q = 1U << bits;
        const uint32_t r = m_n - q;
        if (i < 2 * r && i % 2 == 0)
        {
            return p;
        }
        const uint32_t v = i < 2 * r ? i / 2 : i - r;
        uint32_t slice = 0;
        for (uint32_t b = 0; b < bits; ++b)
        {
            slice = slice * 2 + (v >> b) % 2;
        }
        uint64_t sum = p - PlainPart(p, q, slice) + (i < 2 * r ? p : 0);
        for (uint32_t group = 1; group < q; group *= 2)
        {
            for (uint32_t k = slice / group * group; k < slice / group * group + group; ++k)
            {
                sum += PlainPart(p, q, k);
            }
        }
        return sum;
    }

    /** Up, each slice but the own one; down, each but that of the neighbor. In between what the
     *  ranks of the levels above do with the own slice. */
    static uint64_t Rail(uint64_t p, std::vector<uint32_t> levels, uint32_t i)
    {
        if (levels.empty())
        {
            return 0;
        }
        const uint32_t g = levels.front();
        const uint32_t own = i % g;
        levels.erase(levels.begin());
        const uint64_t here = PlainPart(p, g, own);
        return p - here + p - PlainPart(p, g, (own + 1) % g) + Rail(here, levels, i / g);
    }

    /** Along the chain all but the leader send P inwards, all but the last P outwards. */
    uint64_t Leader(uint64_t p, uint32_t i) const
    {
        const uint32_t g = m_plan.levels.front();
        const uint32_t own = i % g;
        const std::vector<uint32_t> above(m_plan.levels.begin() + 1, m_plan.levels.end());
        return (own > 0 ? p : 0) + (own + 1 < g ? p : 0) + (own == 0 ? Rail(p, above, i / g) : 0);
    }

    /** Ranks below in the chain or binary tree of places (i - root) mod n; one above. */
    uint64_t Rooted(uint32_t i) const
    {
        const uint32_t place = (i + m_n - m_plan.root) % m_n;
        if (m_plan.operation == "reduce")
        {
            return place > 0 ? m_plan.bytes : 0;
        }
        const uint32_t below = m_plan.algorithm == "ring"
                                   ? (place + 1 < m_n ? 1 : 0)
                                   : (2 * place + 1 < m_n) + (2 * place + 2 < m_n);
        return m_plan.bytes * below;
    }

    /** Blocks by their sender and receiver: one that goes j ranks is sent by rank i in the round of
     *  each bit of j, if it is there then: after the hops of the lower bits. */
    uint64_t Bruck(uint32_t i) const
    {
        uint64_t sum = 0;
        for (uint32_t from = 0; from < m_n; ++from)
        {
            for (uint32_t j = 1; j < m_n; ++j)
            {
                uint32_t at = from;
                for (uint32_t bit = 1; bit <= j; bit *= 2)
                {
                    if (j & bit)
                    {
                        sum += at == i ? Own(from + j) : 0;
                        at = (at + bit) % m_n;
                    }
                }
            }
        }
        return sum;
    }

    /** Parent by place of the tree whose in-order walk is base+1 .. base+width-1, cut off at n. */
    static void Hang(std::vector<uint32_t>& parent, uint32_t base, uint32_t width, uint32_t above)
    {
        const uint32_t half = width / 2;
        if (half == 0)
        {
            return;
        }
        if (base + half >= parent.size())
        {
            Hang(parent, base, half, above);
            return;
        }
        parent[base + half] = above;
        Hang(parent, base, half, base + half);
        Hang(parent, base + half, half, base + half);
    }

    /** Ranks next to rank i in a tree: mirrored places if n is even, else shifted by one. */
    uint64_t TreeNeighbors(uint32_t tree, uint32_t i) const
    {
        uint32_t width = 1;
        while (width < m_n)
        {
            width *= 2;
        }
        std::vector<uint32_t> parent(m_n, 0);
        Hang(parent, 0, width, 0);
        const uint32_t place = tree == 0 ? i : m_n % 2 == 0 ? m_n - 1 - i : (i + m_n - 1) % m_n;
        uint64_t count = place > 0 ? 1 : 0;
        for (uint32_t other = 1; other < m_n; ++other)
        {
            count += parent[other] == place ? 1 : 0;
        }
        return count;
    }

    const CollectivePlan m_plan;
    const uint32_t m_n;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCHEDULE_FORMULAS_H
