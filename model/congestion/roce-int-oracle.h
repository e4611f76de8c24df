/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_ORACLE_H
#define ROCE_INT_ORACLE_H

#include "roce-path-chooser.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

struct IntMdHop;

/**
 * Picks the path of the next message from the telemetry of recent ones.
 *
 * Models: for each destination, Candidates source ports. Telemetry tells which switch ports a
 * source port leads through, how full they are and what waits there; what this NIC sent there
 * itself is taken off. The port to the destination is on every path and costs nothing. The cost of
 * a path is that of its worst other hop: 1 if that is full (FullLoad, own load included) and others
 * have more than Margin of it, as they would take what is left; else the load of others, as a share
 * of the rate, and the queue, in units of what the rate sends in QueueTime, up to 1.
 *
 * A message has a reason to move if its path costs more than Margin and a hop of it is full or has
 * a queue that costs more than Margin, unless the port to the destination is full: no path helps
 * against that. If the queue pair moved for its last message, it moves on; if not, with
 * MoveProbability. So of two that meet the one that came last goes, and the other stays. It goes to
 * one of the paths that are cheaper by more than Margin; if none is, to a port of which nothing is
 * known.
 *
 * Source: the idea is the outlook of the article ("route around trouble before sending"); the rules
 * are ours. Layout: INT-MD as IntStamper writes it (IntRecord::INT_MD), which names ports.
 *
 * Invariants: without telemetry not older than MaxAge it stays, as ECMP would; costs are >= 0; a
 * load is measured over at least SampleTime of the clock of the hop, and never over so long that
 * the counter of the hop may have gone all round.
 *
 * Leaves out: hashes that look at more than the 5-tuple, to which a port is not a path; telemetry
 * of other NICs; resent packets, which count as load of others; the telemetry that later hops
 * added, and what a last packet lacks to a full one: own load is that much too high.
 */
class IntOracle : public PathChooser
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    IntOracle();
    ~IntOracle() override;

    int64_t AssignStreams(int64_t stream) override;

    /** Cost of a path that is not known. */
    static constexpr double UNKNOWN = -1;

    /** \return cost, or UNKNOWN. \param destination IPv4, host order \param port UDP source port
     *  \param now present tick */
    double GetCost(uint32_t destination, uint16_t port, Tick now) const;

    /** \return a source port it tries. \param destination IPv4, host order \param index below
     *  Candidates */
    static uint16_t GetCandidate(uint32_t destination, uint32_t index);

    /** \return acknowledgements without telemetry that names ports */
    uint64_t GetBlind() const
    {
        return m_blind;
    }

  private:
    /** What is known of a switch port. */
    struct Hop
    {
        uint64_t begin{0};    //!< of the sample, ns of its clock
        uint64_t latest{0};   //!< newest record, ns of its clock
        uint32_t counter{0};  //!< bytes sent at the begin, low 32 bits
        uint32_t rateMbps{0}; //!< of the port
        double own{0};        //!< bytes of this NIC since the begin
        double load{0};       //!< share of the rate in the last sample
        double others{0};     //!< of that, not of this NIC
        double queue{0};      //!< bytes waiting, newest record
        bool measured{false}; //!< whether there was a sample
        Tick at{0};           //!< when it was last heard of
    };

    /** What is known of a path. */
    struct Path
    {
        std::vector<uint64_t> hops; //!< keys of m_hops that depend on the source port
        uint64_t last{0};           //!< key of the port to the destination
        bool whole{false};          //!< whether that is known: no switch had to leave the record
    };

    void DoDispose() override;
    void DoObserve(const PathKey& path, uint64_t bytes, const IntRecord* record, Tick now) override;
    uint16_t DoChoose(const PathKey& path, Tick now) override;
    bool IsOld(Tick at, Tick now) const;
    static bool IsUsable(const IntRecord* record);
    void Measure(Hop& hop, const IntMdHop& told, uint64_t bytes, Tick now) const;
    const Path* FindPath(uint32_t destination, uint16_t port) const;
    const Hop* FindHop(uint64_t key, Tick now) const;
    double GetQueueCost(const Hop& hop) const;
    double CostOf(const Hop& hop) const;
    double CostOf(const Path& path, Tick now) const;
    bool HasReason(const Path& path, Tick now) const;
    uint16_t Pick(const PathKey& path, double most);

    static uint64_t KeyOf(uint32_t destination, uint16_t port)
    {
        return uint64_t(destination) << 16 | port; // as many bits as node and port of a hop
    }

    uint32_t m_candidates;
    Time m_maxAge;
    Time m_sampleTime;
    Time m_queueTime;
    double m_margin;
    double m_fullLoad;
    double m_moveProbability;
    Ptr<UniformRandomVariable> m_random;
    std::unordered_map<uint64_t, Path> m_paths;  //!< only looked up, so order does not matter
    std::unordered_map<uint64_t, Hop> m_hops;    //!< "
    std::unordered_map<uint32_t, bool> m_guests; //!< queue pairs that moved for their last message
    std::vector<double> m_costs;                 //!< of the candidates, while it chooses
    uint64_t m_blind{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_ORACLE_H
