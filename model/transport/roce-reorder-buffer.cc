/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-reorder-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace roce
{

bool
ReorderBuffer::Keep(uint64_t ahead, Frame* frame)
{
    if (ahead > MAX_AHEAD)
    {
        return false;
    }
    if (ahead >= m_frames.size())
    {
        if (ahead >= m_frames.capacity())
        {
            m_frames.set_capacity(std::max<std::size_t>(ahead + 1, 2 * m_frames.capacity()));
        }
        m_frames.resize(ahead + 1, nullptr);
    }
    if (m_frames[ahead])
    {
        return false;
    }
    m_frames[ahead] = frame;
    ++m_held;
    return true;
}

bool
ReorderBuffer::HasBefore(uint64_t count) const
{
    for (uint64_t ahead = 1; ahead < std::min<uint64_t>(count, m_frames.size()); ++ahead)
    {
        if (m_frames[ahead])
        {
            return true;
        }
    }
    return false;
}

void
ReorderBuffer::Advance(uint64_t count)
{
    for (; count > 0 && !m_frames.empty(); --count)
    {
        m_frames.pop_front();
    }
}

Frame*
ReorderBuffer::TakeExpected()
{
    if (m_frames.empty() || !m_frames.front())
    {
        return nullptr;
    }
    --m_held;
    return std::exchange(m_frames.front(), nullptr);
}

Frame*
ReorderBuffer::TakeAny()
{
    for (; !m_frames.empty(); m_frames.pop_front())
    {
        if (Frame* frame = TakeExpected())
        {
            return frame;
        }
    }
    return nullptr;
}

} // namespace roce
} // namespace ns3
