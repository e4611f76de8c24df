/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_POOL_H
#define ROCE_FRAME_POOL_H

#include "roce-frame.h"
#include "roce-int-record-pool.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Where frames come from and go back to.
 *
 * Models: nothing of the wire; a free list (last in, first out) over chunks of 2 MiB, so that
 * no frame costs an allocation. One pool a simulation, owned by the EventCore.
 *
 * Invariants: GetAllocated() - free frames == GetLive(); at the end of a run in which each frame
 * was delivered or dropped GetLive() is 0; Free gives back an attached packet's reference
 * and an attached telemetry record.
 *
 * Leaves out: shrinking. Chunks are kept until the simulation ends.
 */
class FramePool
{
  public:
    FramePool() = default;
    ~FramePool();
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    /**
     * \return a frame whose flags are 0 and whose other fields are unset
     */
    Frame* Get()
    {
        if (__builtin_expect(m_free == nullptr, 0))
        {
            Grow();
        }
        Frame* frame = m_free;
        m_free = frame->next;
        ++m_live;
        frame->flags = 0;
        frame->hops = 0;
        frame->fraction = 0;
        return frame;
    }

    /**
     * \param frame a frame that nothing refers to any more
     */
    void Free(Frame* frame)
    {
        if (__builtin_expect(frame->flags & (FRAME_PACKET | FRAME_INT), 0))
        {
            ReleaseExtras(frame);
        }
        frame->next = m_free;
        m_free = frame;
        --m_live;
    }

    /**
     * Give back the attached packet's reference.
     * \param frame with FRAME_PACKET set, which is cleared
     */
    static void ReleasePacket(Frame* frame);

    /** Give back what is attached to a frame. \param frame with FRAME_PACKET or FRAME_INT set */
    static void ReleaseExtras(Frame* frame);

    /** \return where telemetry records come from */
    IntRecordPool& GetRecords()
    {
        return m_records;
    }

    /**
     * \return frames in use now
     */
    uint64_t GetLive() const
    {
        return m_live;
    }

    /**
     * \return frames made so far
     */
    uint64_t GetAllocated() const
    {
        return m_allocated;
    }

  private:
    struct Release
    {
        void operator()(void* chunk) const;
    };

    void Grow();

    Frame* m_free{nullptr};
    uint64_t m_live{0};
    uint64_t m_allocated{0};
    std::vector<std::unique_ptr<void, Release>> m_chunks;
    IntRecordPool m_records;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FRAME_POOL_H
