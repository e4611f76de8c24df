/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-steps.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double GAIN = 1.0 / 256;     //!< g
constexpr double HYPER_BPS = 200e6;    //!< R_HAI
constexpr double MIN_RATE_BPS = 100e6; //!< floor

} // namespace

void
DcqcnStepModel::Cut(Flow& flow, int64_t now) const
{
    flow.target = flow.rate;
    flow.rate = std::max(MIN_RATE_BPS, flow.rate * (1 - flow.alpha / 2));
    flow.alpha = (1 - GAIN) * flow.alpha + GAIN;
    flow.alphaAt = now + Steps(m_input.alphaS);
    flow.increaseAt = now + Steps(m_input.timerS);
    flow.counter = 0;
    flow.timerStage = 0;
    flow.counterStage = 0;
}

void
DcqcnStepModel::Increase(Flow& flow, bool byTimer) const
{
    const auto steps = static_cast<unsigned>(m_input.steps);
    if (std::min(flow.timerStage, flow.counterStage) > steps)
    {
        flow.target += HYPER_BPS;
    }
    else if (std::max(flow.timerStage, flow.counterStage) >= steps)
    {
        flow.target += m_input.rateAiBps;
    }
    flow.target = std::min(flow.target, m_input.linkBps);
    flow.rate = (flow.rate + flow.target) / 2;
    ++(byTimer ? flow.timerStage : flow.counterStage);
}

void
DcqcnStepModel::RunTimers(Flow& flow, int64_t now) const
{
    if (flow.alphaAt < 0)
    {
        return;
    }
    if (now >= flow.alphaAt)
    {
        flow.alpha *= 1 - GAIN;
        flow.alphaAt += Steps(m_input.alphaS);
    }
    if (now >= flow.increaseAt)
    {
        flow.increaseAt += Steps(m_input.timerS);
        Increase(flow, true);
    }
    flow.counter += flow.rate / 8 * STEP_S;
    if (flow.counter >= m_input.counterBytes)
    {
        flow.counter -= m_input.counterBytes;
        Increase(flow, false);
    }
}

void
DcqcnStepModel::Notify(Flow& flow, bool marked, int64_t now) const
{
    const int64_t interval = Steps(m_input.cnpS);
    const bool first = flow.lastCnp < 0;
    flow.marked = flow.marked || marked;
    const bool due = flow.marked && (first || now - flow.lastCnp >= interval);
    if (due)
    {
        flow.cnps.push_back(now + Steps(m_link.loopS * 3 / 4));
    }
    if (m_link.periodic && !first && now - flow.lastCnp >= interval)
    {
        flow.lastCnp += interval;
    }
    else if (due)
    {
        flow.lastCnp = now;
    }
    // an interval keeps its mark until its end; without such intervals nothing is owed
    flow.marked = m_link.periodic && flow.marked && !due;
}

void
DcqcnStepModel::Join(int64_t now)
{
    Flow& late = m_flows.back();
    if (now < Steps(m_link.joinS))
    {
        late.rate = 0;
    }
    else if (now == Steps(m_link.joinS) && now > 0)
    {
        late = Flow();
        late.rate = m_input.linkBps;
        late.target = m_input.linkBps;
        double sum = -late.alpha;
        for (const Flow& flow : m_flows)
        {
            sum += flow.alpha;
        }
        late.alpha = m_link.joinAlike ? sum / (m_input.flows - 1) : late.alpha;
    }
}

double
DcqcnStepModel::GetLead(double fromS, double toS) const
{
    const auto first = m_leads.begin() + Steps(fromS);
    const auto last = m_leads.begin() + Steps(toS);
    return std::accumulate(first, last, 0.0) / double(last - first);
}

} // namespace roce
} // namespace ns3
