/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-load-balancer.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::LoadBalancer")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddAttribute(
                "CountShares",
                "Whether to count flows and bytes of each member of each group",
                BooleanValue(false),
                MakeBooleanAccessor(&LoadBalancer::SetCounting, &LoadBalancer::IsCounting),
                MakeBooleanChecker());
    return tid;
}

void
LoadBalancer::Assemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    DoAssemble(id, transmitters);
}

void
LoadBalancer::SetCounting(bool counting)
{
    if (counting != IsCounting())
    {
        m_shares = counting ? std::make_unique<MemberShares>() : nullptr;
    }
}

bool
LoadBalancer::IsCounting() const
{
    return m_shares != nullptr;
}

int64_t
LoadBalancer::AssignStreams(int64_t stream)
{
    return DoAssignStreams(stream);
}

bool
LoadBalancer::SetMoveListener(MoveListener listener)
{
    LoadBalancer* mover = GetMover();
    if (mover)
    {
        NS_ABORT_MSG_IF(mover->m_moved, "a load balancer tells only one of its moves");
        mover->m_moved = std::move(listener);
    }
    return mover != nullptr;
}

LoadBalancer*
LoadBalancer::GetMover()
{
    return nullptr;
}

int64_t
LoadBalancer::DoAssignStreams(int64_t)
{
    return 0;
}

void
LoadBalancer::DoRatesChanged()
{
}

} // namespace roce
} // namespace ns3
