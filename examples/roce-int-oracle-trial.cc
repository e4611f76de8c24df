/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-trial.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-name-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

// how IntOracleTrial is set up and runs; its pairs are in roce-int-oracle-traffic.cc, what it
// measures in roce-int-oracle-figures.cc

namespace ns3
{
namespace roce
{

void
IntOracleTrial::Writer::Post()
{
    pair.nic->Post(pair.qp, request);
}

void
IntOracleTrial::Writer::Done(const Completion& completion)
{
    if (completion.status == CompletionStatus::SUCCESS)
    {
        Post();
    }
}

IntOracleTrial::IntOracleTrial(const IntOracleSettings& settings, uint32_t seed)
    : m_settings(settings),
      m_engine(seed)
{
}

Ptr<Fabric>
IntOracleTrial::Install(RoceHelper& roce, const std::string& how, bool windowed)
{
    m_windowed = windowed;
    m_pinned = how == "pinned";
    const bool chosen = how == "int-oracle";
    roce.SetPathChooser(chosen ? how : "ecmp");
    const std::string balancer = chosen || m_pinned ? "ecmp" : how;
    if (m_settings.IsHot() || m_pinned)
    {
        const std::string type = NameTable::LoadBalancer(balancer).GetTypeId().GetName();
        roce.SetLoadBalancer("pinned");
        roce.SetLoadBalancerAttribute("Fallback", StringValue(type));
    }
    else
    {
        roce.SetLoadBalancer(balancer);
    }
    roce.SetNicAttribute("PathMtu", UintegerValue(m_settings.mtu));
    ClosHelper clos(m_settings.leaves,
                    m_settings.spines,
                    m_settings.GetHosts() + (m_settings.IsHot() ? 1 : 0));
    clos.SetHostLinks(m_settings.rate, m_settings.delay);
    clos.SetFabricLinks(m_settings.rate, m_settings.delay);
    m_fabric = clos.Install(roce);
    return m_fabric;
}

void
IntOracleTrial::Run(ExperimentRun& run)
{
    m_queues = run.EnableQueueMonitor(MicroSeconds(1));
    const std::vector<uint32_t> pairs = DrawPairs(m_settings, m_engine);
    const double alone =
        m_fabric->GetIdealCompletionNs(HostId(0), HostId(pairs[0]), ParseBytes(m_settings.message));
    m_slice = NanoSeconds(
        static_cast<int64_t>(alone * m_settings.qps * m_settings.messages / SLICES) + 1);
    m_background = std::make_unique<LongFlows>(m_fabric,
                                               m_slice * int64_t(SLICES / 2),
                                               m_slice * int64_t(SLICES / 2));
    if (m_settings.IsHot())
    {
        AddBackground();
    }
    for (uint32_t source = 0; source < pairs.size(); ++source)
    {
        for (uint32_t i = 0; i < m_settings.qps; ++i)
        {
            Connect(source, pairs[source]);
            if (m_pinned)
            {
                Pin(source, pairs[source], i);
            }
        }
    }
    for (Writer& writer : m_writers)
    {
        writer.Post();
    }
    for (uint32_t i = 0; i <= SLICES; ++i)
    {
        Simulator::Schedule(m_slice * int64_t(i), &IntOracleTrial::Note, this);
    }
    run.Run(m_slice * int64_t(SLICES) + NanoSeconds(1));
}

void
IntOracleTrial::Note()
{
    if (m_delivered.size() == SLICES / 2)
    {
        m_earlyMoves = CountMoves();
    }
    m_delivered.emplace_back();
    for (uint32_t i = 0; i < m_settings.leaves * m_settings.GetHosts(); ++i)
    {
        const NicCounters& counters = m_fabric->GetNic(HostId(i))->GetCounters();
        m_delivered.back().push_back(counters.bytesDelivered);
    }
}

} // namespace roce
} // namespace ns3
