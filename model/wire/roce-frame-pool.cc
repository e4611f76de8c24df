/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame-pool.h"

#include "ns3/packet.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace ns3
{
namespace roce
{

namespace
{
/** A chunk is one huge page where the system has them: frames are touched in no order. */
constexpr std::size_t CHUNK_BYTES = 2u << 20;
} // namespace

void
FramePool::Release::operator()(void* chunk) const
{
    std::free(chunk);
}

FramePool::~FramePool() = default;

void
FramePool::Grow()
{
    void* raw = std::aligned_alloc(CHUNK_BYTES, CHUNK_BYTES);
    if (raw == nullptr)
    {
        throw std::bad_alloc();
    }
#ifdef MADV_HUGEPAGE
    madvise(raw, CHUNK_BYTES, MADV_HUGEPAGE); // a wish; small pages do as well
#endif
    m_chunks.emplace_back(raw);
    auto frames = static_cast<Frame*>(raw);
    const std::size_t count = CHUNK_BYTES / sizeof(Frame);
    for (std::size_t i = count; i-- > 0;)
    {
        frames[i].next = m_free;
        m_free = &frames[i];
    }
    m_allocated += count;
}

void
FramePool::ReleasePacket(Frame* frame)
{
    frame->packet->Unref();
    frame->packet = nullptr;
    frame->flags &= ~FRAME_PACKET;
}

void
FramePool::ReleaseExtras(Frame* frame)
{
    if (frame->flags & FRAME_PACKET)
    {
        ReleasePacket(frame);
    }
    if (frame->flags & FRAME_INT)
    {
        IntRecordPool::Free(frame->record);
        frame->flags &= ~FRAME_INT;
    }
}

} // namespace roce
} // namespace ns3
