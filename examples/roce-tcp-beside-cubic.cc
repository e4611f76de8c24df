/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-cubic.h"

#include "ns3/tcp-socket-state.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double BETA = 0.7;                         //!< RFC 8312 section 4.5, and ns-3's default
constexpr double STEP = 3 * (1 - BETA) / (1 + BETA); //!< segments a round trip, section 4.2

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FriendlyCubic);

TypeId
FriendlyCubic::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::FriendlyCubic")
                            .SetParent<TcpCubic>()
                            .SetGroupName("Roce")
                            .AddConstructor<FriendlyCubic>();
    return tid;
}

std::string
FriendlyCubic::GetName() const
{
    return "FriendlyCubic";
}

void
FriendlyCubic::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    const double before = tcb->m_cWnd.Get() / segment;
    const bool starting = tcb->m_cWnd < tcb->m_ssThresh;
    TcpCubic::IncreaseWindow(tcb, segmentsAcked);
    if (starting || m_estimate == 0)
    {
        m_estimate = tcb->m_cWnd.Get() / segment;
        return;
    }
    m_estimate += STEP * segmentsAcked / before;
    const double most = before + segmentsAcked / 2.0;
    const double target = std::min(m_estimate, most);
    if (target * segment > tcb->m_cWnd.Get())
    {
        tcb->m_cWnd = static_cast<uint32_t>(target * segment);
    }
}

uint32_t
FriendlyCubic::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    const uint32_t threshold = TcpCubic::GetSsThresh(tcb, bytesInFlight);
    m_estimate = double(threshold) / tcb->m_segmentSize;
    return threshold;
}

Ptr<TcpCongestionOps>
FriendlyCubic::Fork()
{
    return CopyObject<FriendlyCubic>(this);
}

} // namespace roce
} // namespace ns3
