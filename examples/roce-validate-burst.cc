/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-burst-source.h"
#include "roce-validate-cases.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/roce-no-congestion-control.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <deque>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t RATE = 40000000000;  //!< of all links
constexpr uint32_t SENDERS = 15;        //!< of the burst, H3..H17
constexpr uint64_t SMALL_BYTES = 4000;  //!< of each of their messages
constexpr uint32_t AHEAD = 32;          //!< messages each has under way
constexpr uint32_t PAUSE_BYTES = 50000; //!< of an ingress port, from which on it is paused
constexpr uint32_t R1 = 2;              //!< hosts: H1, H2, R1, R2, then the burst's
constexpr uint32_t R2 = 3;
constexpr uint32_t LEFT = 4 + SENDERS; //!< switch of H1 and H2
constexpr uint32_t RIGHT = LEFT + 1;   //!< switch of all others

/** \return the two switches and their hosts */
FabricGraph
MakeGraph()
{
    FabricGraph graph;
    const int64_t delayPs = 1000000;
    for (uint32_t i = 0; i < LEFT; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(LEFT);
    graph.AddSwitch(RIGHT);
    for (uint32_t i = 0; i < LEFT; ++i)
    {
        graph.AddLink(i, i < R1 ? LEFT : RIGHT, RATE, delayPs);
    }
    graph.AddLink(LEFT, RIGHT, RATE, delayPs);
    return graph;
}

/** Numbers of the source. */
void
SetUp(RoceHelper& roce)
{
    roce.SetEcnAttribute("ReferenceRate", DataRateValue(DataRate(0)));
    roce.SetEcnAttribute("KminBytes", UintegerValue(5000));
    roce.SetEcnAttribute("KmaxBytes", UintegerValue(100000));
    roce.SetEcnAttribute("Pmax", DoubleValue(0.01));
    // each ingress port has its reserve and next to nothing of the pool
    roce.SetSwitchAttribute("ReserveBytes", UintegerValue(PAUSE_BYTES));
    roce.SetSwitchAttribute("Alpha", DoubleValue(0.0001));
    roce.SetSwitchAttribute("BufferSize", UintegerValue(64 << 20));
    roce.SetCongestionControlAttribute("Preset", StringValue("paper"));
    roce.SetCongestionControlAttribute("IncreaseInterval", TimeValue(MicroSeconds(50)));
}

} // namespace

void
ValidateInnocentFlow(ValidateBench& bench, bool)
{
    const Time begin = MilliSeconds(3);
    const Time end = MilliSeconds(60);
    std::deque<BurstSource> sources;
    ValidatePlan plan;
    plan.label = "d9";
    plan.law = "dcqcn";
    plan.graph = MakeGraph();
    plan.setUp = SetUp;
    plan.flows = {{0, R1, Time(0), 0}, {1, R2, Time(0), 0}};
    plan.node = LEFT;
    plan.port = 2;
    plan.end = end;
    plan.also = [&sources, begin](Ptr<Fabric> fabric) {
        // messages of four packets are over before a CNP could come, so no law acts on them
        ObjectFactory none("ns3::roce::NoCongestionControl");
        for (uint32_t i = R2 + 1; i < LEFT; ++i)
        {
            fabric->GetNic(i)->SetCongestionControl(none);
            const Connection connection = fabric->Connect(i, R2);
            sources.emplace_back(connection, SMALL_BYTES, begin + MilliSeconds(1));
            auto queue = CreateObject<CompletionQueue>();
            queue->SetHandler(fabric->GetNode(i)->GetId(),
                              MakeCallback(&BurstSource::Completed, &sources.back()));
            connection.qp->SetSendQueue(queue);
            Simulator::ScheduleWithContext(fabric->GetNode(i)->GetId(),
                                           begin,
                                           &BurstSource::Start,
                                           &sources.back(),
                                           AHEAD);
        }
    };
    const ValidateProbe& probe = bench.Run(plan);
    ValidateReport& report = bench.GetReport();
    const Time before = begin - MilliSeconds(1);
    double least = RATE;
    for (Time t = begin; t < end; t += plan.interval)
    {
        least = std::min(least, probe.GetLawRate(0, t, t));
    }
    const Time window = MilliSeconds(1);
    Time full = begin + MilliSeconds(1); // the end of the burst
    while (full + window <= end &&
           probe.GetRate(0, full, full + window) + probe.GetRate(1, full, full + window) <
               0.95 * RATE)
    {
        full += plan.interval;
    }
    report.AtLeast("use of the link before, Gb/s",
                   38,
                   (probe.GetRate(0, before, begin) + probe.GetRate(1, before, begin)) / 1e9);
    report.AtMost("lowest rate of F1, as a part of that before",
                  0.5,
                  least / probe.GetLawRate(0, before, begin));
    // the source tells neither where PFC pauses nor how much of the burst waits: a factor of two
    const double ms = (full - begin).GetSeconds() * 1e3;
    report.AtLeast("ms of under-utilization", 16.0 / 2, ms);
    report.AtMost("ms of under-utilization", 16.0 * 2, ms);
    report.Known("ms of under-utilization", 16, ms, 0.25);
    report.AtLeast("pauses", 1, double(bench.GetResult().xoff));
}

} // namespace roce
} // namespace ns3
