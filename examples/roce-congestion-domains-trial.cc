/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-domains-trial.h"

#include "roce-long-flows.h"

#include "ns3/roce-clos-helper.h"
#include "ns3/roce-hcc-helper.h"
#include "ns3/roce-path-pin-helper.h"
#include "ns3/string.h"

#include <algorithm>
#include <random>

namespace ns3
{
namespace roce
{

namespace
{
constexpr uint32_t LEAVES = 4;
constexpr int64_t START_NS = 50000; //!< flows begin within it
} // namespace

CongestionDomainsTrial::CongestionDomainsTrial(ExperimentHelper& experiment,
                                               const CongestionDomainsOptions& options)
    : m_experiment(experiment),
      m_options(options),
      m_warmup(LongFlows::ParseTime("warmup", options.warmup)),
      m_measure(LongFlows::ParseTime("measure", options.measure))
{
}

Ptr<Fabric>
CongestionDomainsTrial::Install(const CongestionDomainsWay& way) const
{
    RoceHelper roce;
    m_experiment.Configure(roce, way.cc);
    roce.SetLoadBalancer("pinned");
    if (!way.domains.empty())
    {
        HccHelper hcc;
        hcc.SetDomains(way.domains);
        hcc.SetAttribute("RateKey", StringValue("Domain"));
        hcc.SetAttribute("DomainScope", StringValue("All"));
        hcc.Configure(roce);
    }
    // a spine for the congestion and one for the bystanders of each host
    ClosHelper clos(LEAVES, 1 + m_options.senders / m_options.sharers, m_options.senders);
    clos.SetHostLinks(m_options.rate, m_options.delay);
    clos.SetFabricLinks(m_options.rate, m_options.delay);
    return clos.Install(roce);
}

void
CongestionDomainsTrial::AddFlow(Ptr<Fabric> fabric,
                                LongFlows& flows,
                                uint32_t sender,
                                bool hot,
                                Time start) const
{
    const uint32_t hosts = m_options.senders; // of a leaf
    const uint32_t group = sender % (m_options.senders / m_options.sharers);
    const uint32_t fromLeaf = sender < m_options.senders / 2 ? 1 : 2;
    const uint32_t toLeaf = hot ? 0 : 3;
    const uint32_t source = fromLeaf * hosts + sender;
    const uint32_t destination = toLeaf * hosts + (hot ? sender : group);
    const uint32_t firstLeaf = LEAVES * hosts;
    const uint32_t spine = firstLeaf + LEAVES + (hot ? 0 : 1 + group);
    const uint32_t flow = flows.Add(source, destination, start);
    PathPinHelper(fabric).PinPath(flows.Get(flow),
                                  {firstLeaf + fromLeaf, spine, firstLeaf + toLeaf});
}

double
CongestionDomainsTrial::RunOnce(const CongestionDomainsWay& way, uint32_t seed, double alone)
{
    Ptr<Fabric> fabric = Install(way);
    const bool hot = alone > 0;
    ExperimentRun& run =
        m_experiment.Begin(way.name + (hot ? "/" : " alone/") + std::to_string(seed), fabric);
    Ptr<QueueMonitor> queues = run.EnableQueueMonitor(MicroSeconds(1));
    LongFlows flows(fabric, m_warmup, m_measure);
    std::mt19937 engine(seed);
    for (uint32_t i = 0; i < m_options.senders; ++i)
    {
        AddFlow(fabric, flows, i, false, NanoSeconds(1 + int64_t(engine() % START_NS)));
    }
    for (uint32_t i = 0; hot && i < m_options.senders; ++i)
    {
        AddFlow(fabric, flows, i, true, NanoSeconds(1 + int64_t(engine() % START_NS)));
    }
    run.Run(flows.GetStop());
    const double full = LongFlows::GetFullRate(fabric, 0);
    const double mean = flows.GetSum(0, m_options.senders) / m_options.senders;
    const double change = hot ? mean / alone - 1 : 0;
    const double congested = hot ? flows.GetSum(m_options.senders) / full : 0;
    run.GetExtra()["bystander_bps"] = mean;
    run.GetExtra()["bystander_change"] = change;
    run.GetExtra()["least_bystander_bps"] = flows.GetLeast(0, m_options.senders);
    run.GetExtra()["congested_share"] = congested;
    run.GetExtra()["steady_xoff"] = flows.GetXoffs();
    if (hot)
    {
        Row& row = m_rows[way.name];
        row.bystander.Add(mean / full);
        row.change.Add(change * 100);
        row.worst.Add(flows.GetLeast(0, m_options.senders) / full);
        row.congested.Add(congested);
        row.xoff.Add(double(flows.GetXoffs()));
        row.peakKb.Add(double(LongFlows::GetPeak(queues, m_warmup)) / 1e3);
    }
    m_experiment.End();
    return mean;
}

void
CongestionDomainsTrial::Run(const CongestionDomainsWay& way, uint32_t seed)
{
    if (std::find(m_names.begin(), m_names.end(), way.name) == m_names.end())
    {
        m_names.push_back(way.name);
    }
    RunOnce(way, seed, RunOnce(way, seed, 0));
}

} // namespace roce
} // namespace ns3
