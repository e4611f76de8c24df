/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-go-back-n.h"

#include "roce-send-queue.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(GoBackN);

TypeId
GoBackN::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::GoBackN")
                            .SetParent<LossRecovery>()
                            .SetGroupName("Roce")
                            .AddConstructor<GoBackN>();
    return tid;
}

EarlyPolicy
GoBackN::GetEarlyPolicy() const
{
    return EarlyPolicy::DISCARD;
}

void
GoBackN::OnNak(SendQueue& queue, uint64_t expected, uint64_t)
{
    // a READ whose responses are on their way keeps una back, but its request has arrived
    const uint64_t from = std::max(expected, queue.GetUnacknowledged());
    if (queue.GetNext() > from)
    {
        queue.Seek(from);
    }
}

void
GoBackN::OnTimeout(SendQueue& queue)
{
    queue.Seek(queue.GetUnacknowledged());
}

} // namespace roce
} // namespace ns3
