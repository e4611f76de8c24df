/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HIERARCHICAL_SCHEDULE_H
#define ROCE_HIERARCHICAL_SCHEDULE_H

#include "roce-round-schedule.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * AllReduce in stages over a hierarchy of groups, as nodes, pods and the fabric between pods.
 *
 * Models: level 0 has groups of g0 ranks (the GPUs of a node), level 1 groups of g1 of those (the
 * nodes of a pod), and so on; rank = (.. c2 g1 + c1) g0 + c0. Each piece of the buffer goes through
 * the stages by itself, so that pieces are in different stages at a time.
 * - Rail mapping: on the way up, the ranks of a level that differ in its coordinate alone reduce
 *   and scatter over a ring what the level before has left them, so that a rank of the next level
 *   has 1/g of it; on the way down they gather it again. On the highest level this is the
 *   all-reduce of the smallest shard.
 * - Leader mapping: in a group of level 0 the ranks add up their buffers along a chain to the one
 *   with c0 = 0, the leader. Leaders do as above on the higher levels with the whole piece; then
 *   the chain takes the result back.
 * In both a send waits for all that the piece was to receive before. All steps of a chunk come
 * before those of the next. Each level has connections of its own for each way.
 *
 * Source: the three-stage AllReduce of HCC (inside the node, inside the pod, between pods) with its
 * two mappings; rings as in RingSchedule.
 *
 * Invariants: with rail mapping and sizes that divide, a rank sends 2 (g-1)/g of a shard on each
 * level, 2 (n-1)/n S in all; with leader mapping a leader sends S to its chain and 2 (m-1)/m S to
 * other leaders, m = n/g0; others send at most 2 S, inside the group.
 *
 * Leaves out: which links a level uses (see GetLevel); the overlap of chunks inside a stage: a
 * connection serves one chunk after the other; channels run side by side.
 */
class HierarchicalSchedule : public RoundSchedule
{
  public:
    /** What of a group goes on to the next level. */
    enum class Mapping
    {
        RAIL,   //!< each rank, with its shard
        LEADER, //!< the first rank, with all
    };

    /**
     * Throws std::invalid_argument if a count or a level is 0, there is no level, or ranks or steps
     * do not fit in 32 bits.
     * \param levels sizes of groups, innermost first; their product is the number of ranks
     * \param mapping what goes on to the next level
     * \param bytes bytes of the buffer of a rank
     * \param channels parts with connections of their own
     * \param chunks pieces of a channel that follow each other through the stages
     */
    HierarchicalSchedule(const std::vector<uint32_t>& levels,
                         Mapping mapping,
                         uint64_t bytes,
                         uint32_t channels = 1,
                         uint32_t chunks = 1);

    /** \return level whose ranks a connection joins. \param channel channel of a step */
    uint32_t GetLevel(uint32_t channel) const;

    /** \return whether a connection carries the way down. \param channel channel of a step */
    bool IsDown(uint32_t channel) const;

  private:
    /** Some rounds on one level. */
    struct Stage
    {
        uint32_t level;  //!< which level
        bool down;       //!< gather or hand out; else reduce
        bool chain;      //!< along the chain; else over the ring
        uint32_t rounds; //!< how many
    };

    uint32_t GetRounds(uint32_t rank) const override;
    CollectiveStep MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const override;
    uint32_t GetRoundConnection(uint32_t channel, uint32_t rank, uint32_t round) const override;

    const std::vector<Stage>& GetStages(uint32_t rank) const;
    const Stage& FindStage(uint32_t rank, uint32_t& round) const;
    ByteRange GetShard(uint32_t rank, const ByteRange& range, uint32_t level) const;
    CollectiveStep MakeRing(uint32_t rank,
                            const ByteRange& range,
                            const Stage& stage,
                            uint32_t round) const;
    CollectiveStep MakeChain(uint32_t rank,
                             const ByteRange& range,
                             const Stage& stage,
                             uint32_t round) const;

    uint32_t GetCoordinate(uint32_t rank, uint32_t level) const;
    uint32_t GetNeighbor(uint32_t rank, uint32_t level, uint32_t coordinate) const;

    std::vector<uint32_t> m_levels;
    std::vector<uint32_t> m_strides;   //!< ranks between neighbors of a level
    uint32_t m_firstRing;              //!< lowest level with rings
    std::vector<Stage> m_stages;       //!< of ranks that take part in all
    std::vector<Stage> m_memberStages; //!< of ranks that are not leaders
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HIERARCHICAL_SCHEDULE_H
