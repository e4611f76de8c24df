/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-run.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

CollectiveRun::CollectiveRun(Ptr<const CollectiveSchedule> schedule, double busFactor)
    : m_schedule(schedule),
      m_busFactor(busFactor)
{
}

CollectiveRun::~CollectiveRun()
{
    for (const auto& rank : m_ranks)
    {
        rank->SetDoneCallback(CollectiveApplication::DoneCallback());
    }
}

void
CollectiveRun::Add(Ptr<CollectiveApplication> rank)
{
    rank->SetDoneCallback(MakeCallback(&CollectiveRun::NoteDone, this));
    m_ranks.push_back(rank);
}

void
CollectiveRun::SetDoneCallback(DoneCallback done)
{
    m_done = done;
}

void
CollectiveRun::NoteDone(Ptr<CollectiveApplication>)
{
    if (++m_finished == m_ranks.size() && !m_done.IsNull())
    {
        m_done();
    }
}

Ptr<const CollectiveSchedule>
CollectiveRun::GetSchedule() const
{
    return m_schedule;
}

Ptr<CollectiveApplication>
CollectiveRun::GetRank(uint32_t rank) const
{
    return m_ranks.at(rank);
}

bool
CollectiveRun::IsFinished() const
{
    return m_finished == m_ranks.size();
}

Time
CollectiveRun::GetFinishTime() const
{
    if (!IsFinished())
    {
        throw std::runtime_error("the collective is not finished:\n" + Describe());
    }
    Tick last = 0;
    for (const auto& rank : m_ranks)
    {
        last = std::max(last, rank->GetFinished());
    }
    return FromTick(last);
}

Time
CollectiveRun::GetDuration() const
{
    const Time finish = GetFinishTime();
    Tick first = NEVER;
    for (const auto& rank : m_ranks)
    {
        first = std::min(first, rank->GetStarted());
    }
    return finish - FromTick(first);
}

uint64_t
CollectiveRun::GetBytesSent(uint32_t rank) const
{
    return m_ranks.at(rank)->GetBytesSent();
}

uint64_t
CollectiveRun::GetBytesSent() const
{
    uint64_t bytes = 0;
    for (const auto& rank : m_ranks)
    {
        bytes += rank->GetBytesSent();
    }
    return bytes;
}

double
CollectiveRun::GetAlgorithmBandwidth() const
{
    const double seconds = GetDuration().GetSeconds();
    return seconds > 0 ? static_cast<double>(m_schedule->GetBytes()) / seconds : 0;
}

double
CollectiveRun::GetBusBandwidth() const
{
    return GetAlgorithmBandwidth() * m_busFactor;
}

std::string
CollectiveRun::Describe() const
{
    std::string text;
    for (const auto& rank : m_ranks)
    {
        if (!rank->IsFinished())
        {
            text += (text.empty() ? "" : "\n") + rank->Describe();
        }
    }
    return text;
}

} // namespace roce
} // namespace ns3
