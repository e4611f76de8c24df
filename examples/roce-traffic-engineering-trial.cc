/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-engineering-trial.h"

#include "ns3/roce-clos-helper.h"
#include "ns3/roce-quantity.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return the time. \param flag its flag \param text of the user */
Time
ParseTime(const std::string& flag, const std::string& text)
{
    const int64_t ps = Quantity::DelayPs(text);
    if (ps < 0)
    {
        throw std::invalid_argument("--" + flag + "=" + text + ": no time is negative");
    }
    return PicoSeconds(ps);
}

} // namespace

EngineeringTrial::EngineeringTrial(const EngineeringSettings& settings,
                                   uint32_t failed,
                                   uint32_t qps)
    : m_settings(settings),
      m_failed(failed),
      m_qps(qps),
      m_failAt(ParseTime("fail-at", settings.failAt)),
      m_reaction(ParseTime("reaction", settings.reaction))
{
    LongFlows::ParseTime("warmup", settings.warmup);
    LongFlows::ParseTime("measure", settings.measure);
    if (settings.leaves < 2)
    {
        throw std::invalid_argument("--leaves=" + std::to_string(settings.leaves) +
                                    ": hosts of different leaves need at least 2");
    }
    if (2 * uint64_t(failed) >= settings.spines)
    {
        throw std::invalid_argument(
            "--failed=" + std::to_string(failed) + ": two leaves may share none of " +
            std::to_string(settings.spines) + " spines then; less than half of them can fail");
    }
    if (qps == 0)
    {
        throw std::invalid_argument("--qps=0: at least 1 queue pair is needed");
    }
}

Ptr<Fabric>
EngineeringTrial::Install(RoceHelper& roce, const std::string& balancer, uint32_t seed)
{
    m_seed = seed;
    m_keeps = balancer == "te-keep";
    m_pins = m_keeps || balancer == "te";
    roce.SetLoadBalancer(m_pins ? "pinned" : balancer);
    if (balancer == "ecmp" || balancer == "e-ecmp")
    {
        roce.SetLoadBalancerAttribute("Seed", UintegerValue(seed));
    }
    ClosHelper clos(m_settings.leaves, m_settings.spines, m_settings.hosts);
    clos.SetHostLinks(m_settings.rate, m_settings.delay);
    clos.SetFabricLinks(m_settings.rate, m_settings.delay);
    return clos.Install(roce);
}

void
EngineeringTrial::Start(Ptr<Fabric> fabric)
{
    DrawFailures();
    if (m_failAt.IsZero())
    {
        Fail(fabric);
    }
    else
    {
        Simulator::Schedule(m_failAt, &EngineeringTrial::Fail, this, fabric);
    }
    m_fullRate = LongFlows::GetFullRate(fabric, 0);
    m_flows = std::make_unique<LongFlows>(fabric,
                                          LongFlows::ParseTime("warmup", m_settings.warmup),
                                          LongFlows::ParseTime("measure", m_settings.measure));
    AddFlows();
    if (m_pins)
    {
        Pin(fabric);
    }
}

Time
EngineeringTrial::GetStop() const
{
    return m_flows->GetStop();
}

EngineeringShares
EngineeringTrial::GetShares() const
{
    const uint32_t pairs = m_settings.leaves * m_settings.hosts;
    EngineeringShares shares{1e9, 0};
    for (uint32_t pair = 0; pair < pairs; ++pair)
    {
        const double share = m_flows->GetSum(pair * m_qps, m_qps) / m_fullRate;
        shares.slowest = std::min(shares.slowest, share);
        shares.mean += share / pairs;
    }
    return shares;
}

EngineeringShares
EngineeringTrial::GetRoofline() const
{
    const uint32_t shift = 1 + m_seed % (m_settings.leaves - 1);
    EngineeringShares shares{1, 0};
    for (uint32_t leaf = 0; leaf < m_settings.leaves; ++leaf)
    {
        const std::vector<bool>& far = m_down[(leaf + shift) % m_settings.leaves];
        uint32_t usable = 0;
        for (uint32_t spine = 0; spine < m_settings.spines; ++spine)
        {
            usable += !m_down[leaf][spine] && !far[spine];
        }
        const double share = std::min(1.0, double(usable) / m_settings.hosts);
        shares.slowest = std::min(shares.slowest, share);
        shares.mean += share / m_settings.leaves;
    }
    return shares;
}

} // namespace roce
} // namespace ns3
