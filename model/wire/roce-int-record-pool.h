/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_RECORD_POOL_H
#define ROCE_INT_RECORD_POOL_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

struct IntRecord;

/**
 * Where telemetry records come from and go back to.
 *
 * Models: nothing of the wire; a free list. Part of the FramePool, so that it lasts as long as
 * frames do.
 *
 * Invariants: a run without telemetry makes no record; when no frame is alive GetLive() is 0.
 *
 * Leaves out: shrinking.
 */
class IntRecordPool
{
  public:
    IntRecordPool();
    ~IntRecordPool();
    IntRecordPool(const IntRecordPool&) = delete;
    IntRecordPool& operator=(const IntRecordPool&) = delete;

    /** \return a record without hops */
    IntRecord* Get();

    /** \param record one that no frame has any more */
    static void Free(IntRecord* record);

    /** \return IntRecord::counted. \param record a record */
    static uint16_t CountedBytes(const IntRecord* record);

    /** \return records in use */
    uint64_t GetLive() const
    {
        return m_live;
    }

    /** \return records made so far */
    uint64_t GetAllocated() const
    {
        return m_all.size();
    }

  private:
    IntRecord* m_free{nullptr};
    uint64_t m_live{0};
    std::vector<std::unique_ptr<IntRecord>> m_all;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_RECORD_POOL_H
