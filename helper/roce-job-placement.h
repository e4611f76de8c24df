/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_JOB_PLACEMENT_H
#define ROCE_JOB_PLACEMENT_H

#include "roce-gpu-map.h"

#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Gives jobs free GPUs.
 *
 * Models: the scheduler of a cluster. Packed takes the free GPUs with the lowest numbers, so that a
 * job has whole servers side by side. Fragmented takes one GPU of each server in turn, as in a
 * cluster where little is free anywhere. Random takes any.
 *
 * Source: placements of the fragmented jobs in A. Gangidi et al., RDMA over Ethernet for
 * Distributed AI Training at Meta Scale, SIGCOMM 2024.
 *
 * Invariants: no GPU is given twice until it is freed; packed and fragmented use no random numbers.
 *
 * Leaves out: queues of jobs that do not fit.
 */
class JobPlacement
{
  public:
    /** \param gpus of the fabric; all are free */
    explicit JobPlacement(const GpuMap& gpus);

    /** \param stream number of the random stream \return streams used, 1 */
    int64_t AssignStreams(int64_t stream);

    /**
     * Give a job GPUs.
     * \param count how many; std::invalid_argument naming how many are free if that is fewer
     * \param policy "packed", "fragmented" or "random"; std::invalid_argument if not
     * \return GPUs by rank
     */
    std::vector<uint32_t> Place(uint32_t count, const std::string& policy);

    /** \param gpus to be free again */
    void Free(const std::vector<uint32_t>& gpus);

    /** \return number of free GPUs */
    uint32_t GetFree() const;

  private:
    std::vector<uint32_t> Order(const std::string& policy);

    GpuMap m_gpus;
    std::vector<bool> m_used; //!< by GPU
    Ptr<UniformRandomVariable> m_random;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_JOB_PLACEMENT_H
