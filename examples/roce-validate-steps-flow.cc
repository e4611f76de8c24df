/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-steps.h"

#include <algorithm>

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

} // namespace roce
} // namespace ns3
