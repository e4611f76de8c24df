/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-load-balance-trial.h"

#include <algorithm>

// what LoadBalanceTrial measures; its set-up is in roce-load-balance-trial.cc

namespace ns3
{
namespace roce
{

void
LoadBalanceTrial::Note(Ptr<Fabric> fabric)
{
    m_before.clear();
    for (uint32_t host = 0; host < m_settings.leaves * m_settings.hosts; ++host)
    {
        m_before.push_back(fabric->GetNic(host)->GetCounters().bytesDelivered);
    }
}

Time
LoadBalanceTrial::GetStop() const
{
    return m_warmup + m_measure;
}

std::vector<double>
LoadBalanceTrial::GetShares(Ptr<Fabric> fabric) const
{
    const Ptr<Port> port = fabric->GetPort(0, 0);
    const double frame = FrameSizes().DataBytes(m_settings.mtu, false) + port->GetGap();
    const double bytes =
        double(port->GetRate()) / 8 * m_measure.GetSeconds() * m_settings.mtu / frame;
    std::vector<double> shares;
    for (uint32_t host = 0; host < m_before.size(); ++host)
    {
        const uint64_t after = fabric->GetNic(host)->GetCounters().bytesDelivered;
        shares.push_back(double(after - m_before[host]) / bytes);
    }
    std::sort(shares.begin(), shares.end());
    return shares;
}

double
LoadBalanceTrial::GetImbalance(Ptr<Fabric> fabric)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
    {
        Ptr<Switch> device = fabric->GetSwitches().Get(i)->GetObject<Switch>();
        const MemberShares* shares = device->GetLoadBalancer()->GetShares();
        if (shares && !shares->GetGroups().empty())
        {
            sum += shares->GetByteImbalance(0);
            ++count;
        }
    }
    return count ? sum / count : 0;
}

} // namespace roce
} // namespace ns3
