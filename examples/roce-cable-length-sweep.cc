/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cable-length-sweep.h"

#include "roce-long-flows.h"

#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-hcc-tuning.h"
#include "ns3/roce-quantity.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace ns3
{
namespace roce
{

namespace
{
constexpr double FIXED_KAPPA = 0.001; //!< a us of T: the step of an expiry is the same for each T
constexpr double KAPPA = 0.03;        //!< of the default profile, at T 30 us
constexpr double KAPPA_US = 30;
constexpr int64_t CNP_NS = 4000;    //!< CNP interval of the default profile
constexpr int64_t START_NS = 10000; //!< flows begin within it
} // namespace

CableLengthSweep::CableLengthSweep(ExperimentHelper& experiment, const CableLengthOptions& options)
    : m_experiment(experiment),
      m_options(options),
      m_warmup(LongFlows::ParseTime("warmup", options.warmup)),
      m_measure(LongFlows::ParseTime("measure", options.measure))
{
}

FabricGraph
CableLengthSweep::MakeGraph(const CableLengthPoint& point) const
{
    const uint64_t rate = Quantity::RateBps(m_options.rate);
    FabricGraph graph;
    for (uint32_t i = 0; i <= m_options.flows; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(m_options.flows + 1, "leaf");
    for (uint32_t i = 0; i <= m_options.flows; ++i)
    {
        // the cable of the receiver is the first kind
        const std::size_t kind = i < m_options.flows ? i % point.delays.size() : 0;
        graph.AddLink(i, m_options.flows + 1, rate, point.delays[kind].GetPicoSeconds());
    }
    return graph;
}

void
CableLengthSweep::Configure(RoceHelper& roce, const CableLengthPoint& point) const
{
    m_experiment.Configure(roce, "hcc");
    const double us = double(point.recovery.GetNanoSeconds()) / 1e3;
    const bool fixed = point.sweep == "fixed-step";
    const double kappa = fixed ? FIXED_KAPPA * us : KAPPA * us / KAPPA_US * us / KAPPA_US;
    Ptr<HccTuning> tuning = CreateObject<HccTuning>();
    tuning->SetAttribute("RecoveryTime2", TimeValue(point.recovery));
    tuning->SetAttribute("Slope2", DoubleValue(m_options.slope * kappa));
    tuning->SetAttribute("Acceleration", IntegerValue(fixed ? 32 : 1));
    const int64_t half = (point.recovery.GetNanoSeconds() - 1) / 2;
    tuning->SetAttribute("CnpInterval2", TimeValue(NanoSeconds(std::min(CNP_NS, half))));
    roce.SetCongestionControlAttribute("Tuning", PointerValue(tuning));
    roce.SetCongestionControlAttribute("CableFactor", DoubleValue(point.factor));
    roce.SetCongestionControlAttribute("Enforce", StringValue(m_options.enforce));
    if (m_options.enforce == "Pacing")
    {
        roce.SetCongestionControlAttribute("CapBdp", DoubleValue(0));
    }
    roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(m_options.buffer)));
}

void
CableLengthSweep::Run(const CableLengthPoint& point, uint32_t seed)
{
    RoceHelper roce;
    Configure(roce, point);
    Ptr<Fabric> fabric = roce.Install(MakeGraph(point));
    const int64_t ns = point.recovery.GetNanoSeconds();
    const std::string label = point.sweep + " T=" + std::to_string(ns) + "ns " + point.cables +
                              "/" + std::to_string(seed);
    ExperimentRun& run = m_experiment.Begin(label, fabric);
    Ptr<QueueMonitor> queues = run.EnableQueueMonitor(MicroSeconds(1));
    LongFlows flows(fabric, m_warmup, m_measure, 20);
    std::mt19937 engine(seed);
    int64_t rtt = 0;
    for (uint32_t i = 0; i < m_options.flows; ++i)
    {
        flows.Add(i, m_options.flows, NanoSeconds(int64_t(engine() % START_NS)));
        rtt = std::max(rtt, fabric->GetBaseRtt(i, m_options.flows).GetNanoSeconds());
    }
    run.Run(flows.GetStop());
    const uint64_t peak = LongFlows::GetPeak(queues, m_warmup);
    const double share = flows.GetSum() / LongFlows::GetFullRate(fabric, m_options.flows);
    run.GetExtra()["recovery_ns"] = ns;
    run.GetExtra()["longest_rtt_ns"] = rtt;
    run.GetExtra()["peak_queue_bytes"] = peak;
    run.GetExtra()["steady_xoff"] = flows.GetXoffs();
    run.GetExtra()["rate_std_over_mean"] = flows.GetUnsteadiness();
    run.GetExtra()["share"] = share;
    const std::string column = point.cables + " (" + std::to_string(rtt) + " ns)";
    if (std::find(m_columns.begin(), m_columns.end(), column) == m_columns.end())
    {
        m_columns.push_back(column);
    }
    Cell& cell = m_cells[point.sweep][ns][column];
    cell.xoff.Add(double(flows.GetXoffs()));
    cell.peakKb.Add(double(peak) / 1e3);
    cell.unsteady.Add(flows.GetUnsteadiness());
    cell.share.Add(share);
    m_experiment.End();
}

} // namespace roce
} // namespace ns3
