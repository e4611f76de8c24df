/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double MEMORY_STEPS = 20e3; //!< how long rates are kept: the longest wait in the queue

} // namespace

DcqcnStepModel::DcqcnStepModel(const DcqcnFixedPoint::Input& input, const Link& link)
    : m_input(input),
      m_link(link),
      m_flows(static_cast<std::size_t>(input.flows)),
      m_random(link.seed)
{
    for (Flow& flow : m_flows)
    {
        flow.rate = input.linkBps;
        flow.target = input.linkBps;
    }
}

double
DcqcnStepModel::Uniform()
{
    return double(m_random() >> 11) * 0x1p-53;
}

void
DcqcnStepModel::Run(double fromS, double toS)
{
    for (int64_t now = 0; now < Steps(toS); ++now)
    {
        m_counting = now >= Steps(fromS);
        Step(now);
    }
}

void
DcqcnStepModel::Step(int64_t now)
{
    Join(now);
    std::vector<double> rates;
    for (Flow& flow : m_flows)
    {
        while (!flow.cnps.empty() && flow.cnps.front() <= now)
        {
            flow.cnps.pop_front();
            Cut(flow, now);
        }
        RunTimers(flow, now);
        rates.push_back(flow.rate);
    }
    m_leads.push_back(
        (rates.back() * m_input.flows - std::accumulate(rates.begin(), rates.end(), 0.0)) /
        (m_input.flows - 1) * m_input.flows / m_input.linkBps);
    m_rates.push_back(rates);
    const int64_t sent = now - Steps(m_link.loopS / 4);
    double bits = 0;
    if (sent >= 0)
    {
        for (double rate : m_rates[sent])
        {
            bits += rate * STEP_S;
        }
        if (double(sent) > MEMORY_STEPS)
        {
            m_rates[sent - int64_t(MEMORY_STEPS)] = {};
        }
    }
    m_arrived.push_back((m_arrived.empty() ? 0 : m_arrived.back()) + bits);
    m_queue += bits;
    const double leave = std::min(m_queue, m_input.linkBps * STEP_S);
    m_queue -= leave;
    m_left += leave;
    MarkOutput(now, leave);
    if (m_counting)
    {
        m_series.Add(m_queue / 8);
    }
}

void
DcqcnStepModel::MarkOutput(int64_t now, double bits)
{
    const double packets = bits / 8 / m_input.packetBytes;
    m_packets += m_counting ? packets : 0;
    while (m_leaving + 1 < m_arrived.size() && m_arrived[m_leaving] < m_left)
    {
        ++m_leaving;
    }
    const int64_t sent = int64_t(m_leaving) - Steps(m_link.loopS / 4);
    if (sent < 0 || m_rates[sent].empty())
    {
        return;
    }
    const double bytes = m_queue / 8;
    double p = std::max(0.0, (bytes - m_link.kmin) / (m_link.kmax - m_link.kmin)) * m_link.pmax;
    p = bytes > m_link.kmax ? 1 : p;
    const std::vector<double>& rates = m_rates[sent];
    const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
    m_marks += m_counting ? p * packets : 0;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        Flow& flow = m_flows[i];
        const bool marked = p > 0 && Uniform() < -std::expm1(-p * packets * rates[i] / sum);
        Notify(flow, marked, now);
    }
}

const ValidateSeries&
DcqcnStepModel::GetQueue() const
{
    return m_series;
}

double
DcqcnStepModel::GetMarking() const
{
    return m_marks / m_packets;
}

} // namespace roce
} // namespace ns3
