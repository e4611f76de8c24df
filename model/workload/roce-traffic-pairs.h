/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_PAIRS_H
#define ROCE_TRAFFIC_PAIRS_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/** Who sends to whom. */
enum class TrafficPattern : uint8_t
{
    UNIFORM,     //!< any host to any other one
    PERMUTATION, //!< each host to one other host, which no other one sends to
    ALL_TO_ALL,  //!< each host to each other one equally often
    HOTSPOT,     //!< a fraction of the flows goes to few hosts
};

/**
 * Draws the ends of flows.
 *
 * Models: for n hosts, numbered 0..n-1:
 * - UNIFORM: each of the n (n-1) ordered pairs has the same chance each time;
 * - PERMUTATION: one permutation without fixed points, each of those has the same chance, is drawn
 *   at the first flow; then the source is any host;
 * - ALL_TO_ALL: rounds; each ordered pair comes once in a round, in a random order;
 * - HOTSPOT: the source is any host; with chance `hotFraction` the destination is any of the first
 *   `hotHosts` hosts of a random order, else any host; never the source (if the source is the only
 *   hot host, any other host).
 *
 * Source: none for the rules; the patterns are usual in studies of fabrics.
 *
 * Invariants: source and destination differ; GetChance sums up to 1 over all pairs and is what
 * Next does, for ALL_TO_ALL over whole rounds.
 *
 * Leaves out: which host has which id.
 */
class TrafficPairs
{
  public:
    /**
     * \param pattern who sends to whom
     * \param hosts how many there are, 2 or more
     * \param hotHosts of HOTSPOT, 1..hosts
     * \param hotFraction of HOTSPOT, 0..1
     *
     * std::invalid_argument names what is out of range.
     */
    TrafficPairs(TrafficPattern pattern,
                 uint32_t hosts,
                 uint32_t hotHosts = 1,
                 double hotFraction = 0.5);

    /** \return random streams used, 2. \param stream the first; to be called before the rest */
    int64_t AssignStreams(int64_t stream);

    /** \return numbers of source and destination of the next flow */
    std::pair<uint32_t, uint32_t> Next();

    /** \return chance of a pair. \param source number \param destination number */
    double GetChance(uint32_t source, uint32_t destination);

    /** \return UNIFORM for "uniform", and so on: permutation, all-to-all, hotspot;
     *  std::invalid_argument lists them. \param name one of them */
    static TrafficPattern Parse(const std::string& name);

  private:
    void Prepare();
    void Shuffle(std::vector<uint32_t>& numbers);
    uint32_t Other(uint32_t host);
    bool IsOnlyHot(uint32_t source) const;
    double HotChance(uint32_t source, uint32_t destination) const;

    TrafficPattern m_pattern;
    uint32_t m_hosts;
    uint32_t m_hotHosts;
    double m_hotFraction;
    Ptr<UniformRandomVariable> m_choice; //!< of each flow
    Ptr<UniformRandomVariable> m_order;  //!< of permutations and rounds
    std::vector<uint32_t> m_target;      //!< PERMUTATION: by source
    std::vector<uint32_t> m_hot;         //!< HOTSPOT: all hosts, hot ones first
    std::vector<uint32_t> m_place;       //!< HOTSPOT: by host, where it is in m_hot
    std::vector<uint32_t> m_round;       //!< ALL_TO_ALL: pairs still to come
    bool m_prepared{false};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAFFIC_PAIRS_H
