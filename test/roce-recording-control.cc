/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-recording-control.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(RecordingControl);

TypeId
RecordingControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::RecordingControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("Roce")
                            .AddConstructor<RecordingControl>();
    return tid;
}

void
RecordingControl::DoStart(Tick)
{
    m_hearsAck = true;
}

void
RecordingControl::DoCnp(const CnpInfo& cnp, Tick)
{
    CnpBody body;
    if (CnpBody::Decode(cnp.body, body))
    {
        bodies.push_back(body);
    }
    else
    {
        ++plain;
    }
}

void
RecordingControl::DoAck(const AckInfo& ack, Tick)
{
    ++acks;
    if (!ack.record)
    {
        return;
    }
    if (!keep)
    {
        records.clear();
    }
    records.push_back(*ack.record);
}

} // namespace roce
} // namespace ns3
