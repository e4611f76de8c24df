/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pfc-watchdog-core.h"

namespace ns3
{
namespace roce
{

const char*
PfcWatchdogStateName(PfcWatchdogState state)
{
    switch (state)
    {
    case PfcWatchdogState::OPERATIONAL:
        return "operational";
    case PfcWatchdogState::WATCHING:
        return "watching";
    case PfcWatchdogState::STORMED:
        return "stormed";
    case PfcWatchdogState::CLEARING:
        return "clearing";
    }
    return "unknown";
}

void
PfcWatchdogCore::Configure(Tick detection, Tick restoration)
{
    m_detection = detection;
    m_restoration = restoration;
}

void
PfcWatchdogCore::Begin(const PfcWatchdogSample& sample)
{
    m_last = sample;
    if (m_state == PfcWatchdogState::WATCHING)
    {
        m_state = PfcWatchdogState::OPERATIONAL; // nobody looked meanwhile
    }
}

PfcWatchdogVerdict
PfcWatchdogCore::Poll(const PfcWatchdogSample& sample)
{
    const PfcWatchdogVerdict verdict = IsStormed() ? Restore(sample) : Detect(sample);
    m_last = sample;
    return verdict;
}

PfcWatchdogVerdict
PfcWatchdogCore::Detect(const PfcWatchdogSample& sample)
{
    const bool held = sample.linkUp && sample.queued > 0;
    const bool stuck = held && m_last.linkUp && m_last.queued > 0 && sample.sent == m_last.sent &&
                       sample.pausedTotal - m_last.pausedTotal == sample.now - m_last.now;
    if (!stuck)
    {
        m_state =
            held && sample.paused ? PfcWatchdogState::WATCHING : PfcWatchdogState::OPERATIONAL;
        m_since = sample.now;
        return PfcWatchdogVerdict::NONE;
    }
    if (m_state == PfcWatchdogState::OPERATIONAL)
    {
        m_since = m_last.now;
    }
    m_state = PfcWatchdogState::WATCHING;
    if (sample.now - m_since < m_detection)
    {
        return PfcWatchdogVerdict::NONE;
    }
    m_state = PfcWatchdogState::STORMED;
    return PfcWatchdogVerdict::STORM;
}

PfcWatchdogVerdict
PfcWatchdogCore::Restore(const PfcWatchdogSample& sample)
{
    if (!sample.linkUp)
    {
        m_state = PfcWatchdogState::OPERATIONAL; // no link, no pauses
        return PfcWatchdogVerdict::RESTORE;
    }
    if (sample.paused)
    {
        m_state = PfcWatchdogState::STORMED;
        return PfcWatchdogVerdict::NONE;
    }
    if (sample.pausedTotal != m_last.pausedTotal)
    {
        m_since = sample.now; // there was a pause since the last poll, it ended in between
    }
    else if (m_state == PfcWatchdogState::STORMED)
    {
        m_since = m_last.now;
    }
    m_state = PfcWatchdogState::CLEARING;
    if (sample.now - m_since < m_restoration)
    {
        return PfcWatchdogVerdict::NONE;
    }
    m_state = PfcWatchdogState::OPERATIONAL;
    return PfcWatchdogVerdict::RESTORE;
}

} // namespace roce
} // namespace ns3
