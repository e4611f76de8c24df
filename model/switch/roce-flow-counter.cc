/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-flow-counter.h"

namespace ns3
{
namespace roce
{

FlowCounter::FlowCounter(Tick shortSpan, Tick longSpan)
    : m_short(shortSpan),
      m_long(longSpan)
{
}

FlowCounter::Flow&
FlowCounter::Touch(uint64_t key, Tick now)
{
    Expire(now);
    const auto [place, isNew] = m_flows.try_emplace(key);
    Flow& flow = place->second;
    if (isNew)
    {
        flow.key = key;
    }
    else
    {
        Unlink(flow);
    }
    flow.seen = now;
    flow.newer = nullptr;
    flow.older = m_newest;
    if (m_newest)
    {
        m_newest->newer = &flow;
    }
    m_newest = &flow;
    m_oldest = m_oldest ? m_oldest : &flow;
    m_oldestRecent = m_oldestRecent ? m_oldestRecent : &flow;
    m_recent += !flow.recent;
    flow.recent = true;
    return flow;
}

void
FlowCounter::Unlink(Flow& flow)
{
    if (m_oldestRecent == &flow)
    {
        m_oldestRecent = flow.newer;
    }
    (flow.newer ? flow.newer->older : m_newest) = flow.older;
    (flow.older ? flow.older->newer : m_oldest) = flow.newer;
}

void
FlowCounter::Expire(Tick now)
{
    while (m_oldestRecent && now - m_oldestRecent->seen > m_short)
    {
        m_oldestRecent->recent = false;
        --m_recent;
        m_oldestRecent = m_oldestRecent->newer;
    }
    while (m_oldest && now - m_oldest->seen > m_long)
    {
        const uint64_t key = m_oldest->key;
        Unlink(*m_oldest);
        m_flows.erase(key);
    }
}

uint32_t
FlowCounter::GetRecent(Tick now)
{
    Expire(now);
    return m_recent;
}

uint32_t
FlowCounter::GetAll(Tick now)
{
    Expire(now);
    return static_cast<uint32_t>(m_flows.size());
}

} // namespace roce
} // namespace ns3
