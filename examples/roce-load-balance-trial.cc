/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-load-balance-trial.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-quantity.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t ENDLESS = 1ULL << 30;     //!< bytes of a message that outlasts the run
constexpr uint64_t PAIR_WINDOW = 512 * 1024; //!< bytes of all queue pairs of two hosts
constexpr uint64_t LEAST_WINDOW = 16 * 1024; //!< bytes of one queue pair
constexpr uint64_t MOST_WINDOW = 128 * 1024; //!< bytes of one queue pair
constexpr uint32_t REORDER = 4096;           //!< packets; no loss is expected

/** \return the time. \param flag its flag \param text of the user */
Time
ParseTime(const std::string& flag, const std::string& text)
{
    const int64_t ps = Quantity::DelayPs(text);
    if (ps < 0)
    {
        throw std::invalid_argument(flag + text + ": no time is negative");
    }
    return PicoSeconds(ps);
}

} // namespace

LoadBalanceTrial::LoadBalanceTrial(const LoadBalanceSettings& settings)
    : m_settings(settings),
      m_warmup(ParseTime("--warmup=", settings.warmup)),
      m_measure(ParseTime("--measure=", settings.measure))
{
    if (settings.leaves < 2)
    {
        throw std::invalid_argument("--leaves=" + std::to_string(settings.leaves) +
                                    ": hosts of different leaves need at least 2");
    }
    if (settings.entropy != "port" && settings.entropy != "none")
    {
        throw std::invalid_argument("--entropy=" + settings.entropy + ": choose port or none");
    }
    if (m_measure.IsZero())
    {
        throw std::invalid_argument("--measure=" + settings.measure + ": more than 0 is needed");
    }
}

Ptr<Fabric>
LoadBalanceTrial::Install(RoceHelper& roce,
                          const std::string& lb,
                          uint32_t seed,
                          const std::string& recovery) const
{
    roce.SetLoadBalancer(lb);
    if (lb == "ecmp" || lb == "e-ecmp")
    {
        roce.SetLoadBalancerAttribute("Seed", UintegerValue(seed));
    }
    roce.SetLoadBalancerAttribute("CountShares", BooleanValue(true));
    roce.SetNicAttribute("PathMtu", UintegerValue(m_settings.mtu));
    roce.SetNicAttribute("SameSourcePort", BooleanValue(m_settings.entropy == "none"));
    if (recovery.empty())
    {
        // sprayed packets overtake each other: take none of that for a loss
        roce.SetLossRecovery("irn");
        roce.SetLossRecoveryAttribute("BdpCap", BooleanValue(false));
        roce.SetLossRecoveryAttribute("ReorderThreshold", UintegerValue(REORDER));
        roce.SetLossRecoveryAttribute("RtoLow", TimeValue(MilliSeconds(10)));
        roce.SetLossRecoveryAttribute("RtoHigh", TimeValue(MilliSeconds(10)));
    }
    ClosHelper clos(m_settings.leaves, m_settings.spines, m_settings.hosts);
    clos.SetHostLinks(m_settings.rate, m_settings.delay);
    clos.SetFabricLinks(m_settings.rate, m_settings.delay);
    return clos.Install(roce);
}

uint64_t
LoadBalanceTrial::GetWindow(uint32_t qps) const
{
    return m_settings.window ? m_settings.window
                             : std::clamp(PAIR_WINDOW / qps, LEAST_WINDOW, MOST_WINDOW);
}

void
LoadBalanceTrial::Start(Ptr<Fabric> fabric, uint32_t qps, uint32_t seed)
{
    if (qps == 0)
    {
        throw std::invalid_argument("--qps: at least 1 queue pair is needed");
    }
    const uint32_t shift = 1 + seed % (m_settings.leaves - 1);
    std::mt19937 engine(seed + 1);
    std::vector<uint32_t> order(m_settings.hosts);
    for (uint32_t leaf = 0; leaf < m_settings.leaves; ++leaf)
    {
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t i = m_settings.hosts; i > 1; --i)
        {
            std::swap(order[i - 1], order[engine() % i]);
        }
        const uint32_t to = (leaf + shift) % m_settings.leaves * m_settings.hosts;
        for (uint32_t host = 0; host < m_settings.hosts; ++host)
        {
            for (uint32_t i = 0; i < qps; ++i)
            {
                ConnectionOptions options;
                options.windowBytes = GetWindow(qps);
                const Connection connection =
                    fabric->Connect(leaf * m_settings.hosts + host, to + order[host], options);
                WorkRequest request;
                request.bytes = ENDLESS;
                connection.nic->Post(connection.qp, request);
            }
        }
    }
    Simulator::Schedule(m_warmup, &LoadBalanceTrial::Note, this, fabric);
}

} // namespace roce
} // namespace ns3
