/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pause-state.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
PauseState::Configure(uint64_t rate, bool expires, int64_t ticksPerSecond)
{
    m_rate = rate;
    m_expires = expires;
    m_ticksPerSecond = ticksPerSecond;
}

Tick
PauseState::QuantaToTicks(uint16_t quanta) const
{
    const __uint128_t bits = static_cast<__uint128_t>(quanta) * PAUSE_QUANTUM_BITS;
    return static_cast<Tick>(bits * static_cast<uint64_t>(m_ticksPerSecond) / m_rate);
}

void
PauseState::End(unsigned priority, Tick at)
{
    const Tick span = at - m_since[priority];
    m_total[priority] += span;
    m_longest[priority] = std::max(m_longest[priority], span);
    m_mask &= ~(1u << priority);
}

uint8_t
PauseState::Receive(uint8_t enable, const uint16_t* quanta, Tick now)
{
    ++m_frames;
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (!((enable >> p) & 1))
        {
            continue;
        }
        const bool paused = (m_mask >> p) & 1;
        if (quanta[p] == 0)
        {
            ++m_xons[p];
            if (paused)
            {
                End(p, now);
            }
            continue;
        }
        ++m_xoffs[p];
        m_until[p] = m_expires ? now + QuantaToTicks(quanta[p]) : NEVER;
        if (!paused)
        {
            m_since[p] = now;
            m_mask |= 1u << p;
        }
    }
    return m_mask;
}

uint8_t
PauseState::Expire(Tick now)
{
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (((m_mask >> p) & 1) && m_until[p] <= now)
        {
            End(p, m_until[p]);
        }
    }
    return m_mask;
}

void
PauseState::Reset(Tick now)
{
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if ((m_mask >> p) & 1)
        {
            End(p, now);
        }
    }
}

Tick
PauseState::GetDeadline() const
{
    Tick deadline = NEVER;
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if ((m_mask >> p) & 1)
        {
            deadline = std::min(deadline, m_until[p]);
        }
    }
    return deadline;
}

Tick
PauseState::GetPaused(unsigned priority, Tick now) const
{
    const bool paused = (m_mask >> priority) & 1;
    return m_total[priority] + (paused ? now - m_since[priority] : 0);
}

Tick
PauseState::GetLongest(unsigned priority, Tick now) const
{
    const bool paused = (m_mask >> priority) & 1;
    return std::max(m_longest[priority], paused ? now - m_since[priority] : 0);
}

} // namespace roce
} // namespace ns3
