/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-path-bound-dcqcn.h"

#include "ns3/roce-flow-key.h"
#include "ns3/roce-int-record.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PathBoundDcqcn);

TypeId
PathBoundDcqcn::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::PathBoundDcqcn")
                            .SetParent<Dcqcn>()
                            .SetGroupName("Roce")
                            .AddConstructor<PathBoundDcqcn>();
    return tid;
}

PathBoundDcqcn::PathBoundDcqcn() = default;
PathBoundDcqcn::~PathBoundDcqcn() = default;

void
PathBoundDcqcn::DoStart(Tick now)
{
    Dcqcn::DoStart(now);
    m_hearsAck = true;
    m_path = 0;
    m_cut = 0;
}

void
PathBoundDcqcn::DoAck(const AckInfo& ack, Tick now)
{
    if (!ack.record || ack.record->layout != IntRecord::INT_MD || ack.record->md.hops.empty())
    {
        return;
    }
    uint64_t path = 0;
    for (const IntMdHop& hop : ack.record->md.hops)
    {
        path = FlowKey::Mix(path + (uint64_t(hop.nodeId) << 16 | hop.egressPort) + 1);
    }
    m_path = path;
    if (m_cut != 0 && m_cut != path)
    {
        Dcqcn::DoStart(now);
        m_hearsAck = true;
        m_cut = 0;
        ++m_restarts;
    }
}

void
PathBoundDcqcn::DoCnp(const CnpInfo& cnp, Tick now)
{
    m_cut = m_path;
    Dcqcn::DoCnp(cnp, now);
}

} // namespace roce
} // namespace ns3
