/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_HELPER_H
#define ROCE_COLLECTIVE_HELPER_H

#include "roce-collective-run.h"
#include "roce-fabric.h"

#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Installs collectives on hosts of a fabric.
 *
 * Models: ns-3's helper pattern: what to do, a factory for the application of each rank, Install.
 * Each sender, receiver and channel of the schedule gets a pair of queue pairs of its own.
 *
 * Invariants: rank r runs on the r-th host of the list; connections are made in the order of rank,
 * peer and channel, so the same call gives the same paths.
 *
 * Leaves out: several ranks on one host (a NIC does not talk to itself), and reuse of connections.
 */
class CollectiveHelper
{
  public:
    CollectiveHelper();

    /**
     * Choose what to do. Throws std::invalid_argument naming what is known.
     * \param operation "all-reduce"
     * \param algorithm "ring"
     */
    void SetOperation(const std::string& operation, const std::string& algorithm = "ring");

    /** \param bytes of the buffer of a rank; 0 is legal */
    void SetBytes(uint64_t bytes);

    /** \param chunks pieces that follow each other through the ring, at least 1 */
    void SetChunks(uint32_t chunks);

    /** \param channels rings side by side, each with connections of its own, at least 1 */
    void SetChannels(uint32_t channels);

    /** \param name attribute of CollectiveApplication, such as InFlight, ReceiveDelay, StartTime
     *  \param value its value */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** \param options of the queue pairs */
    void SetConnectionOptions(const ConnectionOptions& options);

    /**
     * Connect and install. Throws std::invalid_argument if a host is unknown or named twice, or a
     * count is 0; std::runtime_error if two neighbors have no path.
     * \param fabric where
     * \param hosts ids of hosts in the graph, by rank
     * \return the collective; keep it while the simulation runs
     */
    Ptr<CollectiveRun> Install(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const;

    /**
     * The same for a schedule of your own, which is validated.
     * \param fabric where
     * \param hosts ids of hosts in the graph, by rank; as many as the schedule has ranks
     * \param schedule what to do
     * \param busFactor busbw / algbw
     * \return the collective
     */
    Ptr<CollectiveRun> Install(Ptr<Fabric> fabric,
                               const std::vector<uint32_t>& hosts,
                               Ptr<const CollectiveSchedule> schedule,
                               double busFactor) const;

  private:
    void CheckHosts(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const;

    ObjectFactory m_application;
    ConnectionOptions m_options;
    uint64_t m_bytes{0};
    uint32_t m_chunks{1};
    uint32_t m_channels{1};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_HELPER_H
