/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-control.h"

#include "ns3/abort.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CongestionControl")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddTraceSource("Rate",
                            "The rate changed (queue pair, old bit/s, new bit/s)",
                            MakeTraceSourceAccessor(&CongestionControl::m_rateTrace),
                            "ns3::roce::CongestionControl::RateTracedCallback");
    return tid;
}

void
CongestionControl::Start(const FlowParameters& flow, Tick now)
{
    NS_ABORT_MSG_IF(flow.lineRate == 0,
                    "congestion control of QP " << flow.qpn
                                                << ": line rate is 0 bit/s, must be > 0");
    m_flow = flow;
    m_rate = flow.lineRate;
    m_window = UNLIMITED;
    m_guarantee = 0;
    m_guaranteeWindow = UNLIMITED;
    m_deadline = NEVER;
    m_rateChanges = 0;
    m_windowChanges = 0;
    DoStart(now);
    m_oldWindow = m_window;
}

void
CongestionControl::OnCnp(const CnpInfo& cnp, Tick now)
{
    const uint64_t old = m_rate;
    DoCnp(cnp, now);
    NoteRate(old);
}

void
CongestionControl::OnLoss(bool timeout, Tick now)
{
    const uint64_t old = m_rate;
    DoLoss(timeout, now);
    NoteRate(old);
}

Ptr<Object>
CongestionControl::MakeShared() const
{
    return nullptr;
}

void
CongestionControl::Changed(uint64_t old)
{
    NoteRate(old);
    if (m_listener)
    {
        m_listener();
    }
}

void
CongestionControl::DoAdvance(Tick)
{
}

void
CongestionControl::DoSent(uint32_t, Tick)
{
}

void
CongestionControl::DoAck(const AckInfo&, Tick)
{
}

void
CongestionControl::DoCnp(const CnpInfo&, Tick)
{
}

void
CongestionControl::DoLoss(bool, Tick)
{
}

} // namespace roce
} // namespace ns3
