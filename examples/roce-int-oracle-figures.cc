/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-trial.h"

#include "ns3/roce-int-stamper.h"

#include <algorithm>
#include <numeric>

// what IntOracleTrial measures

namespace ns3
{
namespace roce
{

namespace
{

/** \return mean. \param values at least one */
double
Mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

} // namespace

uint64_t
IntOracleTrial::CountMoves() const
{
    uint64_t moves = 0;
    for (uint32_t i = 0; i < m_fabric->GetHosts().GetN(); ++i)
    {
        const auto paths = m_fabric->GetHosts().Get(i)->GetObject<Nic>()->GetDefaults().paths;
        moves += paths ? paths->GetMoves() : 0;
    }
    return moves;
}

double
IntOracleTrial::GetTelemetryBytes() const
{
    // at the last hop of a data frame; INT-MD: 16 bytes and 28 a switch
    uint64_t stamps = 0;
    uint64_t frames = 0;
    for (uint32_t i = 0; i < m_fabric->GetSwitches().GetN(); ++i)
    {
        const Ptr<Switch> device = m_fabric->GetSwitches().Get(i)->GetObject<Switch>();
        for (const auto& stage : device->GetStages())
        {
            const auto stamper = DynamicCast<IntStamper>(stage);
            stamps += stamper ? stamper->GetStamps() : 0;
        }
    }
    for (uint32_t i = 0; i < m_fabric->GetHosts().GetN(); ++i)
    {
        frames += m_fabric->GetHosts().Get(i)->GetObject<Nic>()->GetCounters().dataSent;
    }
    return stamps ? 16 + 28 * double(stamps) / double(frames) : 0;
}

std::vector<double>
IntOracleTrial::GetShares(uint32_t first, uint32_t last) const
{
    const double full =
        LongFlows::GetFullRate(m_fabric, 0) / 8 * (m_slice * int64_t(last - first)).GetSeconds();
    std::vector<double> shares;
    for (std::size_t i = 0; i < m_delivered[0].size(); ++i)
    {
        shares.push_back(double(m_delivered[last][i] - m_delivered[first][i]) / full);
    }
    return shares;
}

ScenarioFigures
IntOracleTrial::Measure(const ExperimentRun& run) const
{
    const std::vector<double> shares = GetShares(SLICES / 2, SLICES);
    const RunResult& result = run.GetResult();
    ScenarioFigures figures{
        {"mean_share", Mean(shares)},
        {"slowest_share", *std::min_element(shares.begin(), shares.end())},
        {"moves", double(CountMoves())},
        {"late_moves", double(CountMoves() - m_earlyMoves)},
        {"worst_queue_bytes", double(LongFlows::GetPeak(m_queues, m_slice * int64_t(SLICES / 2)))},
        {"resends", double(result.retransmitted)},
        {"telemetry_bytes", GetTelemetryBytes()}};
    if (m_settings.IsHot())
    {
        const double full = LongFlows::GetFullRate(m_fabric, 0);
        figures.emplace_back("background_share", m_background->GetSum() / full / m_settings.leaves);
    }
    return figures;
}

ResultWriter::Json
IntOracleTrial::GetSeries() const
{
    ResultWriter::Json json = ResultWriter::Json::array();
    for (uint32_t i = 0; i < SLICES; ++i)
    {
        const std::vector<double> shares = GetShares(i, i + 1);
        json.push_back({{"begin_us", m_slice.GetSeconds() * 1e6 * i},
                        {"mean_share", Mean(shares)},
                        {"slowest_share", *std::min_element(shares.begin(), shares.end())}});
    }
    return json;
}

} // namespace roce
} // namespace ns3
