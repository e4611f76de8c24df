/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hierarchical-schedule.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Number of ranks, or the reason why there is none. */
uint32_t
Product(const std::vector<uint32_t>& levels)
{
    uint64_t ranks = 1;
    if (levels.empty())
    {
        throw std::invalid_argument("hierarchical all-reduce: no levels, expected the sizes of "
                                    "groups, innermost first, such as 8,4,4");
    }
    for (std::size_t level = 0; level < levels.size(); ++level)
    {
        ranks *= levels[level];
        if (ranks == 0 || ranks >= CollectiveStep::NONE)
        {
            throw std::invalid_argument(
                "hierarchical all-reduce: level " + std::to_string(level) + " has groups of " +
                std::to_string(levels[level]) + " and makes " + std::to_string(ranks) +
                " ranks, expected 1.." + std::to_string(CollectiveStep::NONE - 1));
        }
    }
    return static_cast<uint32_t>(ranks);
}

/** The most rounds of a rank. */
uint64_t
CountRounds(const std::vector<uint32_t>& levels)
{
    uint64_t rounds = 4; // of chains
    for (const uint32_t size : levels)
    {
        rounds += 2 * (uint64_t(size) - 1);
    }
    return rounds;
}

} // namespace

HierarchicalSchedule::HierarchicalSchedule(const std::vector<uint32_t>& levels,
                                           Mapping mapping,
                                           uint64_t bytes,
                                           uint32_t channels,
                                           uint32_t chunks)
    : RoundSchedule("hierarchical all-reduce",
                    Counts{Product(levels), bytes, channels, chunks},
                    bytes,
                    CountRounds(levels),
                    Order::PIECE_FIRST),
      m_levels(levels),
      m_firstRing(mapping == Mapping::LEADER ? 1 : 0)
{
    if (uint64_t(channels) * 2 * levels.size() > CollectiveStep::NONE)
    {
        throw std::invalid_argument("hierarchical all-reduce: " + std::to_string(channels) +
                                    " channels and " + std::to_string(levels.size()) +
                                    " levels need more than 2^32 - 1 connections");
    }
    uint32_t stride = 1;
    for (const uint32_t size : levels)
    {
        m_strides.push_back(stride);
        stride *= size;
    }
    const auto count = static_cast<uint32_t>(levels.size());
    if (mapping == Mapping::LEADER && levels[0] > 1)
    {
        m_stages.push_back(Stage{0, false, true, 2});
    }
    for (uint32_t level = m_firstRing; level < count; ++level)
    {
        m_stages.push_back(Stage{level, false, false, levels[level] - 1});
    }
    for (uint32_t level = count; level > m_firstRing; --level)
    {
        m_stages.push_back(Stage{level - 1, true, false, levels[level - 1] - 1});
    }
    if (mapping == Mapping::LEADER && levels[0] > 1)
    {
        m_stages.push_back(Stage{0, true, true, 2});
        m_memberStages = {m_stages.front(), m_stages.back()};
    }
}

uint32_t
HierarchicalSchedule::GetLevel(uint32_t channel) const
{
    return channel % (2 * static_cast<uint32_t>(m_levels.size())) / 2;
}

bool
HierarchicalSchedule::IsDown(uint32_t channel) const
{
    return channel % 2 == 1;
}

const std::vector<HierarchicalSchedule::Stage>&
HierarchicalSchedule::GetStages(uint32_t rank) const
{
    return m_firstRing == 1 && GetCoordinate(rank, 0) != 0 ? m_memberStages : m_stages;
}

uint32_t
HierarchicalSchedule::GetRounds(uint32_t rank) const
{
    uint32_t rounds = 0;
    for (const Stage& stage : GetStages(rank))
    {
        rounds += stage.rounds;
    }
    return rounds;
}

const HierarchicalSchedule::Stage&
HierarchicalSchedule::FindStage(uint32_t rank, uint32_t& round) const
{
    const auto& stages = GetStages(rank);
    auto stage = stages.begin();
    while (round >= stage->rounds)
    {
        round -= stage->rounds;
        ++stage;
    }
    return *stage;
}

uint32_t
HierarchicalSchedule::GetRoundConnection(uint32_t channel, uint32_t rank, uint32_t round) const
{
    const Stage& stage = FindStage(rank, round);
    const auto ways = static_cast<uint32_t>(2 * m_levels.size());
    return channel * ways + 2 * stage.level + (stage.down ? 1 : 0);
}

uint32_t
HierarchicalSchedule::GetCoordinate(uint32_t rank, uint32_t level) const
{
    return rank / m_strides[level] % m_levels[level];
}

uint32_t
HierarchicalSchedule::GetNeighbor(uint32_t rank, uint32_t level, uint32_t coordinate) const
{
    // the sum first, as the difference may be below 0
    return rank + coordinate * m_strides[level] - GetCoordinate(rank, level) * m_strides[level];
}

ByteRange
HierarchicalSchedule::GetShard(uint32_t rank, const ByteRange& range, uint32_t level) const
{
    ByteRange shard = range;
    for (uint32_t below = m_firstRing; below < level; ++below)
    {
        shard = shard.Part(m_levels[below], GetCoordinate(rank, below));
    }
    return shard;
}

CollectiveStep
HierarchicalSchedule::MakeRing(uint32_t rank,
                               const ByteRange& range,
                               const Stage& stage,
                               uint32_t round) const
{
    const uint64_t size = m_levels[stage.level];
    const uint64_t own = GetCoordinate(rank, stage.level);
    // on the way up the own slice comes last, on the way down it goes first
    const uint64_t sent = (own + 2 * size - round - (stage.down ? 0 : 1)) % size;
    const uint64_t received = (sent + size - 1) % size;
    const ByteRange shard = GetShard(rank, range, stage.level);
    const auto next = static_cast<uint32_t>((own + 1) % size);
    const auto last = static_cast<uint32_t>((own + size - 1) % size);
    const ByteRange out = shard.Part(size, sent);
    CollectiveStep step;
    SetSend(step, GetNeighbor(rank, stage.level, next), out, out.offset);
    SetReceive(step, GetNeighbor(rank, stage.level, last), shard.Part(size, received), !stage.down);
    return step;
}

CollectiveStep
HierarchicalSchedule::MakeChain(uint32_t rank,
                                const ByteRange& range,
                                const Stage& stage,
                                uint32_t round) const
{
    const uint32_t own = GetCoordinate(rank, 0);
    const bool sends = round == 1;
    // what is farther from the leader sends on the way up and receives on the way down
    const bool outer = sends == stage.down;
    CollectiveStep step;
    if (outer ? own + 1 >= m_levels[0] : own == 0)
    {
        return step;
    }
    const uint32_t peer = GetNeighbor(rank, 0, outer ? own + 1 : own - 1);
    if (sends)
    {
        SetSend(step, peer, range, range.offset);
    }
    else
    {
        SetReceive(step, peer, range, !stage.down);
    }
    return step;
}

CollectiveStep
HierarchicalSchedule::MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const
{
    const Stage& stage = FindStage(rank, round);
    const ByteRange range = GetPiece(GetBuffer(), piece);
    return stage.chain ? MakeChain(rank, range, stage, round) : MakeRing(rank, range, stage, round);
}

} // namespace roce
} // namespace ns3
