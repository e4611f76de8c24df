/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PFC_WATCHDOG_CORE_H
#define ROCE_PFC_WATCHDOG_CORE_H

#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** What a watchdog reads of one queue. */
struct PfcWatchdogSample
{
    Tick now{0};         //!< present tick
    bool linkUp{true};   //!< whether the link works
    bool paused{false};  //!< whether a received pause holds now
    Tick pausedTotal{0}; //!< ticks paused so far; runs on whatever the watchdog does
    uint64_t queued{0};  //!< bytes that wait
    uint64_t sent{0};    //!< frames that have left so far
};

/** Where a queue stands. */
enum class PfcWatchdogState : uint8_t
{
    OPERATIONAL, //!< nothing to see
    WATCHING,    //!< paused with a backlog: the detection time runs
    STORMED,     //!< a storm was found and pauses go on
    CLEARING,    //!< a storm was found, pauses have ended: the restoration time runs
};

/** \return its name in lower case. \param state a state */
const char* PfcWatchdogStateName(PfcWatchdogState state);

/** What a poll came to. */
enum class PfcWatchdogVerdict : uint8_t
{
    NONE,    //!< nothing new
    STORM,   //!< a storm begins
    RESTORE, //!< it is over
};

/**
 * The watchdog of one queue: a port and a priority.
 *
 * Models: the detection and restoration of SONiC's PFC watchdog, polled. A queue is stuck between
 * two polls if it was paused all that time, held bytes at both, sent nothing, and the link works.
 * Stuck for the detection time it is stormed. Without any pause for the restoration time, or with
 * the link down, it is operational again. Sans-IO.
 *
 * Clause: PFC watchdog of SONiC, with the rule of its later releases that an empty queue is no
 * storm.
 *
 * Invariants: STORM and RESTORE alternate; with polls every P and detection time D a queue that
 * is stuck from t on is stormed in [t + D, t + D + P]; the same for restoration; an empty queue, a
 * pause shorter than D, or a break in it, is never a storm.
 *
 * Leaves out: what to do about a storm (PfcWatchdog).
 */
class PfcWatchdogCore
{
  public:
    /** \param detection time until a storm, ticks \param restoration time without pause until it
     *  is over, ticks */
    void Configure(Tick detection, Tick restoration);

    /** Polls begin, or begin again after a quiet time. \param sample what is so now */
    void Begin(const PfcWatchdogSample& sample);

    /** \return whether something begins or ends. \param sample what is so now, after the last */
    PfcWatchdogVerdict Poll(const PfcWatchdogSample& sample);

    /** \return where it stands */
    PfcWatchdogState GetState() const
    {
        return m_state;
    }

    /** \return whether it is in a storm */
    bool IsStormed() const
    {
        return m_state >= PfcWatchdogState::STORMED;
    }

  private:
    PfcWatchdogVerdict Detect(const PfcWatchdogSample& sample);
    PfcWatchdogVerdict Restore(const PfcWatchdogSample& sample);

    Tick m_detection{NEVER};
    Tick m_restoration{NEVER};
    Tick m_since{0}; //!< when WATCHING or CLEARING began
    PfcWatchdogState m_state{PfcWatchdogState::OPERATIONAL};
    PfcWatchdogSample m_last;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PFC_WATCHDOG_CORE_H
