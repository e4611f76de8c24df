/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-deadlock-report.h"

#include "ns3/nstime.h"

#include <sstream>

namespace ns3
{
namespace roce
{

std::string
DeadlockReport::GetCycleText() const
{
    std::ostringstream text;
    for (const WaitingQueue& queue : cycle)
    {
        text << "switch " << queue.node << " port " << queue.port << " -> ";
    }
    if (!cycle.empty())
    {
        text << "switch " << cycle.front().node;
    }
    return text.str();
}

std::string
DeadlockReport::GetText() const
{
    std::ostringstream text;
    uint64_t bytes = 0;
    for (const WaitingQueue& queue : cycle)
    {
        bytes += queue.bytes;
    }
    text << "deadlock: all wait in a ring since " << FromTick(frozen).As(Time::US) << ", priority "
         << (cycle.empty() ? 0 : cycle.front().priority) << ": " << GetCycleText() << "; " << bytes
         << " bytes are stuck";
    return text.str();
}

} // namespace roce
} // namespace ns3
