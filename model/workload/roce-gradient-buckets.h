/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_GRADIENT_BUCKETS_H
#define ROCE_GRADIENT_BUCKETS_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Cuts gradients into buckets that are reduced together.
 *
 * Models: one flat buffer of gradients, filled in the order in which they come, and cut every so
 * many bytes. A bucket is ready when it is full; Finish gives what is left.
 *
 * Source: buckets of PyTorch's DistributedDataParallel, S. Li et al., VLDB 2020, section 3.2.
 *
 * Invariants: bytes of the buckets sum to those added; all but the last have the size exactly.
 *
 * Leaves out: buckets that end where a parameter ends.
 */
class GradientBuckets
{
  public:
    /** \param bytes of a bucket; 0: no limit */
    explicit GradientBuckets(uint64_t bytes)
        : m_limit(bytes)
    {
    }

    /** \return bytes of each bucket that is full now. \param bytes of gradients that are there */
    std::vector<uint64_t> Add(uint64_t bytes)
    {
        m_held += bytes;
        std::vector<uint64_t> full;
        while (m_limit > 0 && m_held >= m_limit)
        {
            full.push_back(m_limit);
            m_held -= m_limit;
        }
        return full;
    }

    /** \return bytes that are left, for the last bucket; 0: none */
    uint64_t Finish()
    {
        const uint64_t left = m_held;
        m_held = 0;
        return left;
    }

  private:
    uint64_t m_limit;
    uint64_t m_held{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_GRADIENT_BUCKETS_H
