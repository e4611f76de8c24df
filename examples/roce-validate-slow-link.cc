/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A33: a fast link into a slow one
#include "roce-validate-cases.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t FAST = 100000000000; //!< bit/s
constexpr uint64_t SLOW = 25000000000;  //!< bit/s
constexpr uint64_t CELL = 208;          //!< bytes; thresholds of A33 are in cells
constexpr double ALPHA = 1.0 / 8;       //!< of the switch's dynamic threshold, its default
constexpr uint32_t MTU = 4096;

/** What a run of A33 differs in. */
struct SlowLink
{
    std::string label;
    std::string law;
    Time delay;           //!< of the notification point
    uint64_t bufferBytes; //!< of the switch
};

/** Pauses come exactly when the queue is long enough. \param bench has run \param label of the run
 *  \param idle dynamic threshold of the empty switch, bytes \param peak of the queue, bytes */
void
CheckPauses(ValidateBench& bench, const std::string& label, double idle, double peak)
{
    ValidateReport& report = bench.GetReport();
    // alone on the switch, s bytes of an ingress port reach alpha (P - s) at alpha P / (1 + alpha)
    const double threshold = idle / (1 + ALPHA);
    const auto xoff = double(bench.GetResult().xoff);
    report.Tell("XOFF threshold, KB, " + label, 0, threshold / 1000);
    if (peak > threshold)
    {
        report.AtLeast("XOFF, " + label, 1, xoff);
    }
    else
    {
        report.AtMost("XOFF, " + label, 0, xoff);
    }
}

/** Run one. \param bench runs \param run which \return peak of the queue, bytes */
double
RunSlowLink(ValidateBench& bench, const SlowLink& run)
{
    ValidatePlan plan;
    plan.label = "a33-" + run.label;
    plan.law = run.law;
    plan.graph.AddHost(0);
    plan.graph.AddHost(1);
    plan.graph.AddSwitch(2);
    plan.graph.AddLink(0, 2, FAST, 1000000);
    plan.graph.AddLink(1, 2, SLOW, 1000000);
    plan.node = 2;
    plan.port = 1;
    plan.mtu = MTU;
    plan.interval = NanoSeconds(500);
    // The first CNPs halve 100 Gb/s four times or more, to 6 Gb/s or less; DCQCN comes back by R_AI
    // = 40 Mb/s in 55 us, 0.73 Gb/s in 1 ms: 26 ms or more until 25 Gb/s.
    plan.end = MilliSeconds(100);
    plan.flows.push_back({0, 1, Time(0), 0});
    plan.setUp = [&run](RoceHelper& roce) {
        if (run.law == "dcqcn")
        {
            roce.SetEcnThresholds(SLOW, 400 * CELL, 1625 * CELL, 0.2);
        }
        roce.SetCnpAttribute("ProcessingDelay", TimeValue(run.delay));
        roce.SetSwitchAttribute("BufferSize", UintegerValue(run.bufferBytes));
    };
    double idle = 0;
    plan.also = [&idle](Ptr<Fabric> fabric) {
        idle = double(fabric->GetSwitch(2)->GetMmu().GetThreshold(0, 3));
    };
    const ValidateProbe& probe = bench.Run(plan);
    const Time from = MilliSeconds(60);
    const double line =
        double(SLOW) * MTU / (bench.GetFrameBytes() + ETHERNET_PREAMBLE_BYTES + ETHERNET_GAP_BYTES);
    const double share = probe.GetGoodput(from, plan.end) / line;
    const double peak = probe.GetQueue(Time(0), plan.end).GetMax();
    ValidateReport& report = bench.GetReport();
    if (run.law == "dcqcn" || run.law == "hcc")
    {
        report.AtLeast("goodput / line rate, " + run.label, 0.9, share);
    }
    else
    {
        report.Tell("goodput / line rate, " + run.label, 1, share);
    }
    report.AtMost("goodput / line rate, most, " + run.label, 1.001, share);
    report.Tell("peak queue, KB, " + run.label, 0, peak / 1000);
    report.AtMost("lossless drops, " + run.label,
                  0,
                  double(bench.GetResult().GetDrops(DropReason::LOSSLESS_BUFFER)));
    CheckPauses(bench, run.label, idle, peak);
    return peak;
}

} // namespace

void
ValidateSlowLink(ValidateBench& bench, bool quick)
{
    constexpr uint64_t large = 32 << 20;
    const double soon = RunSlowLink(bench, {"dcqcn", "dcqcn", Time(0), large});
    const double late = RunSlowLink(bench, {"dcqcn-55us", "dcqcn", MicroSeconds(55), large});
    // what comes in excess of what leaves until the first reaction
    const double excess = double(FAST - SLOW) / 8 * 55e-6;
    bench.GetReport().Near("peak queue, more by 55 us, KB",
                           excess / 1000,
                           (late - soon) / 1000,
                           0.2);
    RunSlowLink(bench, {"dcqcn-55us-4MB", "dcqcn", MicroSeconds(55), 4 << 20});
    for (const std::string& law : GetValidateLaws(quick))
    {
        if (law != "dcqcn")
        {
            RunSlowLink(bench, {law, law, Time(0), large});
        }
    }
}

} // namespace roce
} // namespace ns3
