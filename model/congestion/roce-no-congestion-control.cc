/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-no-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);

TypeId
NoCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::NoCongestionControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("Roce")
                            .AddConstructor<NoCongestionControl>()
                            .AddAttribute("WindowBytes",
                                          "Payload bytes that may be unacknowledged; 0 = unlimited",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&NoCongestionControl::m_windowBytes),
                                          MakeUintegerChecker<uint64_t>());
    return tid;
}

NoCongestionControl::NoCongestionControl() = default;
NoCongestionControl::~NoCongestionControl() = default;

void
NoCongestionControl::DoStart(Tick)
{
    const FlowParameters& flow = GetFlow();
    NS_ABORT_MSG_IF(m_windowBytes != 0 && m_windowBytes < flow.mtu,
                    "NoCongestionControl of QP " << flow.qpn << ": WindowBytes is " << m_windowBytes
                                                 << " but one full packet has " << flow.mtu
                                                 << " payload bytes; use 0 (unlimited) or at least "
                                                 << flow.mtu);
    if (m_windowBytes != 0)
    {
        m_window = m_windowBytes;
    }
}

} // namespace roce
} // namespace ns3
