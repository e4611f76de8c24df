/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAUSE_STATE_H
#define ROCE_PAUSE_STATE_H

#include "ns3/roce-constants.h"
#include "ns3/roce-tick.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What received pause frames have done to the priorities of a port.
 *
 * Models: the receiving side of priority-based flow control (IEEE 802.1Q 36). A pause lasts the
 * given quanta of 512 bit times; a frame with time 0 ends it; priorities whose enable bit is
 * clear are left alone. Sans-IO.
 *
 * Invariants: a priority is paused exactly while now < its end; the paused times add up; frames
 * that change nothing change only counters.
 *
 * Leaves out: the response time, which the port adds before it calls.
 */
class PauseState
{
  public:
    /**
     * \param rate of the port, bit/s
     * \param expires whether pauses end by themselves; if not they last until a time of 0
     * \param ticksPerSecond resolution
     */
    void Configure(uint64_t rate, bool expires, int64_t ticksPerSecond);

    /**
     * A pause frame takes effect.
     * \param enable class-enable vector, bit p for priority p
     * \param quanta eight times
     * \param now present tick
     * \return bit p: priority p is paused now
     */
    uint8_t Receive(uint8_t enable, const uint16_t* quanta, Tick now);

    /**
     * Let pauses end whose time is over.
     * \param now present tick
     * \return bit p: priority p is paused now
     */
    uint8_t Expire(Tick now);

    /**
     * End all pauses (link down).
     * \param now present tick
     */
    void Reset(Tick now);

    /** \return tick of the next end of a pause; NEVER if none */
    Tick GetDeadline() const;

    /** \return bit p: priority p is paused */
    uint8_t GetMask() const
    {
        return m_mask;
    }

    /**
     * \param priority 0..7
     * \return frames received that paused it (enable bit set, time not 0)
     */
    uint64_t GetXoffs(unsigned priority) const
    {
        return m_xoffs[priority];
    }

    /**
     * \param priority 0..7
     * \return frames received that ended its pause (enable bit set, time 0)
     */
    uint64_t GetXons(unsigned priority) const
    {
        return m_xons[priority];
    }

    /** \return tick since which it is paused without a break; NEVER if not \param priority 0..7 */
    Tick GetSince(unsigned priority) const
    {
        return (m_mask >> priority) & 1 ? m_since[priority] : NEVER;
    }

    /** \return pause frames received */
    uint64_t GetFrames() const
    {
        return m_frames;
    }

    /**
     * \param priority 0..7
     * \param now present tick
     * \return ticks it has been paused so far
     */
    Tick GetPaused(unsigned priority, Tick now) const;

    /**
     * \param priority 0..7
     * \param now present tick
     * \return ticks of its longest pause without a break so far
     */
    Tick GetLongest(unsigned priority, Tick now) const;

    /**
     * \param quanta a time
     * \return its ticks, rounded down
     */
    Tick QuantaToTicks(uint16_t quanta) const;

  private:
    void End(unsigned priority, Tick at);

    uint64_t m_rate{1};
    int64_t m_ticksPerSecond{1};
    bool m_expires{true};
    uint8_t m_mask{0};
    uint64_t m_frames{0};
    std::array<Tick, NUM_PRIORITIES> m_until{};
    std::array<Tick, NUM_PRIORITIES> m_since{};
    std::array<Tick, NUM_PRIORITIES> m_total{};
    std::array<Tick, NUM_PRIORITIES> m_longest{};
    std::array<uint64_t, NUM_PRIORITIES> m_xoffs{};
    std::array<uint64_t, NUM_PRIORITIES> m_xons{};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PAUSE_STATE_H
