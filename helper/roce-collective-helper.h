/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_HELPER_H
#define ROCE_COLLECTIVE_HELPER_H

#include "roce-collective-run.h"
#include "roce-gpu-network.h"

#include "ns3/object-factory.h"
#include "ns3/roce-collective-catalog.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Installs collectives on GPUs of a fabric.
 *
 * Models: ns-3's helper pattern: what to do, a factory for the application of each rank, Install.
 * Ranks are GPUs of a GpuNetwork, or in the short form hosts with one GPU each.
 *
 * Invariants: rank r runs on the r-th GPU of the list; connections are made in the order of rank,
 * peer and channel, so the same call gives the same paths.
 *
 * Leaves out: reuse of connections by a later collective (Communicator, JobHelper).
 */
class CollectiveHelper
{
  public:
    static constexpr uint32_t MAX_CHANNELS = 1024;   //!< NCCL has 64
    static constexpr uint64_t MAX_STEPS = 500000000; //!< of all ranks; checking them takes memory

    CollectiveHelper();

    /**
     * Choose what to do. Throws std::invalid_argument naming what is known.
     * \param operation as in CollectiveCatalog: all-reduce, all-gather, ...
     * \param algorithm of it: ring, tree, ...; empty: the first one of the operation
     */
    void SetOperation(const std::string& operation, const std::string& algorithm = "");

    /** \param bytes of the buffer of a rank; 0 is legal */
    void SetBytes(uint64_t bytes);

    /** \param chunks pieces that follow each other through the ring, at least 1 */
    void SetChunks(uint32_t chunks);

    /** \param channels rings side by side, each with connections of its own, 1 to MAX_CHANNELS,
     * else std::invalid_argument */
    void SetChannels(uint32_t channels);

    /** \param root rank from which a broadcast goes out, or to which a reduce goes */
    void SetRoot(uint32_t root);

    /**
     * Sizes of groups for the hierarchical algorithm.
     * \param levels from the innermost outwards, such as 8 GPUs a server, 4 servers a pod, 4 pods;
     *        empty: GPUs of a server, then all servers
     * \param mapping "rail" or "leader"
     */
    void SetLevels(const std::vector<uint32_t>& levels, const std::string& mapping = "rail");

    /** \param name attribute of CollectiveApplication, such as InFlight, ReceiveDelay, StartTime
     *  \param value its value */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** \param options of the queue pairs; a GpuNetwork has its own */
    void SetConnectionOptions(const ConnectionOptions& options);

    /**
     * Connect and install on hosts with a GPU each. Throws std::invalid_argument if a host is
     * unknown or named twice, or a count is 0; std::runtime_error if two peers have no path.
     * \param fabric where
     * \param hosts ids of hosts in the graph, by rank
     * \return the collective; keep it while the simulation runs
     */
    Ptr<CollectiveRun> Install(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const;

    /** The same on GPUs. \param network how they reach each other \param gpus by rank
     *  \return the collective */
    Ptr<CollectiveRun> Install(Ptr<GpuNetwork> network, const std::vector<uint32_t>& gpus) const;

    /**
     * The same for a schedule of your own, which is validated.
     * \param network how they reach each other
     * \param gpus by rank; as many as the schedule has ranks
     * \param schedule what to do
     * \param busFactor busbw / algbw
     * \return the collective
     */
    Ptr<CollectiveRun> Install(Ptr<GpuNetwork> network,
                               const std::vector<uint32_t>& gpus,
                               Ptr<const CollectiveSchedule> schedule,
                               double busFactor) const;

    /** \return the schedule Install would run. \param network for the levels \param ranks number
     *  of them */
    Ptr<CollectiveSchedule> MakeSchedule(Ptr<GpuNetwork> network, uint32_t ranks) const;

  private:
    ObjectFactory m_application;
    ConnectionOptions m_options;
    CollectivePlan m_plan;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_HELPER_H
