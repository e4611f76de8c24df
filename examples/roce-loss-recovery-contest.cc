/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-loss-recovery-contest.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{
namespace roce
{

namespace
{

/** What counts as about the same. */
constexpr double ABOUT = 0.05;

} // namespace

LossRecoveryContest::LossRecoveryContest(const std::string& recovery)
    : m_ways({{"irn", "irn", false},
              {"irn-pfc", "irn", true},
              {"roce-pfc", recovery, true},
              {"roce", recovery, false}}),
      m_sums(m_ways.size())
{
}

const std::vector<LossRecoveryWay>&
LossRecoveryContest::GetWays() const
{
    return m_ways;
}

void
LossRecoveryContest::Add(std::size_t index, const RunResult& result)
{
    Sum& sum = m_sums[index];
    ++sum.runs;
    sum.complete = sum.complete && result.completed == result.posted;
    sum.slowdown += result.slowdown.GetMean();
    sum.fctUs += result.fctNs.GetMean() / 1e3;
    sum.tailUs += result.fctNs.GetPercentile(99) / 1e3;
    sum.dropsLossless += result.GetDrops(DropReason::LOSSLESS_BUFFER);
    sum.drops += result.GetDrops(DropReason::LOSSY_BUFFER);
    sum.xoff += result.xoff;
    sum.resent += result.retransmitted;
    sum.timeouts += result.timeouts;
}

double
LossRecoveryContest::GetSlowdown(std::size_t index) const
{
    return m_sums[index].slowdown / m_sums[index].runs;
}

double
LossRecoveryContest::GetFctUs(std::size_t index) const
{
    return m_sums[index].fctUs / m_sums[index].runs;
}

double
LossRecoveryContest::Ratio(std::size_t a, std::size_t b, bool worst) const
{
    const double slowdown = GetSlowdown(a) / GetSlowdown(b);
    const double fct = GetFctUs(a) / GetFctUs(b);
    return worst ? std::max(slowdown, fct) : std::min(slowdown, fct);
}

std::vector<std::string>
LossRecoveryContest::GetMissing() const
{
    std::vector<std::string> missing;
    if (Ratio(IRN, ROCE_PFC, true) >= 1)
    {
        missing.emplace_back("IRN without PFC is better than RoCE with PFC");
    }
    if (Ratio(IRN, IRN_PFC, true) > 1 + ABOUT)
    {
        missing.emplace_back("IRN does not need PFC");
    }
    if (Ratio(ROCE, ROCE_PFC, false) < 1 + ABOUT)
    {
        missing.emplace_back("RoCE needs PFC");
    }
    for (std::size_t i = 0; i < m_ways.size(); ++i)
    {
        if (!m_sums[i].complete || m_sums[i].dropsLossless > 0)
        {
            missing.push_back(m_ways[i].name + ": all messages complete, no lossless drop");
        }
    }
    return missing;
}

void
LossRecoveryContest::Print() const
{
    std::printf("\n%-10s %9s %10s %10s %9s %8s %9s %9s\n",
                "mean of",
                "slowdown",
                "FCT (us)",
                "p99 (us)",
                "drops",
                "XOFF",
                "resent",
                "timeouts");
    for (std::size_t i = 0; i < m_ways.size(); ++i)
    {
        const Sum& sum = m_sums[i];
        std::printf("%-10s %9.2f %10.2f %10.2f %9.0f %8.0f %9.0f %9.0f\n",
                    m_ways[i].name.c_str(),
                    GetSlowdown(i),
                    GetFctUs(i),
                    sum.tailUs / sum.runs,
                    double(sum.drops) / sum.runs,
                    double(sum.xoff) / sum.runs,
                    double(sum.resent) / sum.runs,
                    double(sum.timeouts) / sum.runs);
    }
    for (const std::string& what : GetMissing())
    {
        std::printf("not found: %s\n", what.c_str());
    }
}

} // namespace roce
} // namespace ns3
