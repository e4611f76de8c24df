/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_JOB_HELPER_H
#define ROCE_JOB_HELPER_H

#include "roce-gpu-network.h"

#include "ns3/roce-collective-catalog.h"
#include "ns3/roce-job.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Puts jobs on GPUs of a fabric.
 *
 * Models: ns-3's helper pattern: how collectives are cut and which algorithm they take, then
 * Install. A collective of S bytes of n ranks is cut into channels, and each channel into chunks so
 * that a message of a ring has ChunkBytes at most, but into no more than MaxChunks. An all-reduce
 * without an algorithm takes the one chosen here; with "auto" that is hierarchical if the ranks of
 * the group are the same number (2 or more) of consecutive ranks on each of 2 or more servers, else
 * ring.
 *
 * Source: NCCL's choice: NVLink within a server, then rings or trees between servers.
 *
 * Invariants: channels are made by Install, in the order of tasks; jobs on one network share its
 * NVLink domains and NICs, and no queue pairs.
 *
 * Leaves out: a tuner that chooses by size.
 */
class JobHelper
{
  public:
    JobHelper();

    /** \param channels of a collective, 1 to CollectiveHelper::MAX_CHANNELS, else
     *  std::invalid_argument */
    void SetChannels(uint32_t channels);

    /** \param bytes longest message of a ring, at least 1; std::invalid_argument if 0
     *  \param maxChunks pieces of a channel at most, at least 1 */
    void SetChunks(uint64_t bytes, uint32_t maxChunks);

    /** \param algorithm of all-reduces that name none: auto, or as in CollectiveCatalog */
    void SetAllReduce(const std::string& algorithm);

    /** \param mapping of hierarchical ones: rail or leader */
    void SetMapping(const std::string& mapping);

    /**
     * Install a job. Throws std::invalid_argument if the graph is not valid or does not fit the
     * GPUs, std::runtime_error if two ranks have no path.
     * \param network how GPUs reach each other
     * \param gpus by rank of the job
     * \param graph what it does
     * \param start when it starts, from now on
     * \return the job; keep it while the simulation runs
     */
    Ptr<Job> Install(Ptr<GpuNetwork> network,
                     const std::vector<uint32_t>& gpus,
                     Ptr<const TaskGraph> graph,
                     Time start = Time(0)) const;

    /** \return the plan of a collective. \param task a collective \param servers of the ranks of
     *  its group, in order */
    CollectivePlan MakePlan(const Task& task, const std::vector<uint32_t>& servers) const;

  private:
    uint32_t m_channels{1};
    uint64_t m_chunkBytes{524288};
    uint32_t m_maxChunks{16};
    std::string m_allReduce{"auto"};
    std::string m_mapping{"rail"};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_JOB_HELPER_H
