/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fixed workloads, CPU seconds. A speed means something beside the cost of one ns-3 event that was
// measured in the same run (ratio); quote the least of several runs.
//
// build/bin/roce-bench --workload=a --json=out/bench-a.json

#include "roce-bench-run.h"

#include "ns3/core-module.h"
#include "ns3/roce-experiment-helper.h"

#include <fstream>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return the cheapest of several runs */
BenchCost
RunBest(const BenchWorkload& workload, bool monitors, uint32_t repeat)
{
    BenchCost best = BenchRun::Run(workload, monitors);
    for (uint32_t i = 1; i < repeat; ++i)
    {
        const BenchCost cost = BenchRun::Run(workload, monitors);
        if (cost.cpuSeconds < best.cpuSeconds)
        {
            best = cost;
        }
    }
    return best;
}

ResultWriter::Json
Describe(const BenchCost& cost, double eventNs)
{
    const auto hops = double(cost.frameHops);
    ResultWriter::Json json;
    json["cpu_s"] = cost.cpuSeconds;
    json["frame_hops"] = cost.frameHops;
    json["ns_per_frame_hop"] = cost.cpuSeconds * 1e9 / hops;
    json["ns_per_packet"] = cost.cpuSeconds * 1e9 / double(cost.packets);
    json["frame_hops_per_cpu_s"] = hops / cost.cpuSeconds;
    json["events_per_frame_hop"] = double(cost.events) / hops;
    json["ns3_events_per_frame_hop"] = double(cost.stockEvents) / hops;
    json["ns_per_event_reference"] = eventNs;
    json["ratio"] = cost.cpuSeconds * 1e9 / hops / eventNs;
    json["completed"] = cost.completed;
    json["drops"] = cost.drops;
    json["bytes_per_queue_pair"] = cost.queuePairBytes;
    return json;
}

void
Print(const std::string& name, const ResultWriter::Json& json)
{
    std::cout << std::fixed << std::setprecision(1) << name << ": "
              << json["ns_per_frame_hop"].get<double>() << " ns a frame-hop, "
              << json["frame_hops_per_cpu_s"].get<double>() / 1e6 << " M frame-hops a CPU second, "
              << std::setprecision(2) << json["ratio"].get<double>() << " of one ns-3 event ("
              << json["ns_per_event_reference"].get<double>() << " ns), "
              << json["events_per_frame_hop"].get<double>() << " events and "
              << json["ns3_events_per_frame_hop"].get<double>() << " ns-3 events a frame-hop, "
              << json["bytes_per_queue_pair"] << " bytes a queue pair, " << json["frame_hops"]
              << " frame-hops\n";
}

/** Workload e: the cost of a packet with 10 and with 10,000 queue pairs. */
ResultWriter::Json
RunManyQueuePairs(bool monitors, uint32_t repeat, double eventNs)
{
    constexpr uint64_t packets = 400000;
    const auto few =
        Describe(RunBest(BenchWorkloads::MakeManyQueuePairs(10, packets), monitors, repeat),
                 eventNs);
    auto many =
        Describe(RunBest(BenchWorkloads::MakeManyQueuePairs(10000, packets), monitors, repeat),
                 eventNs);
    many["ns_per_packet_10_qps"] = few["ns_per_packet"];
    many["qp_ratio"] = many["ns_per_packet"].get<double>() / few["ns_per_packet"].get<double>();
    std::cout << "e: " << std::fixed << std::setprecision(1) << few["ns_per_packet"].get<double>()
              << " ns a packet with 10 queue pairs, " << many["ns_per_packet"].get<double>()
              << " with 10000, ratio " << std::setprecision(2) << many["qp_ratio"].get<double>()
              << "\n";
    return many;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string workload = "a";
        std::string json;
        bool monitors = false;
        uint32_t repeat = 3;
        CommandLine cmd(__FILE__);
        cmd.AddValue("workload", "a, b, c, d or e", workload);
        cmd.AddValue("monitors", "whether monitors watch", monitors);
        cmd.AddValue("repeat", "runs; the cheapest counts", repeat);
        cmd.AddValue("json", "gets the result", json);
        cmd.Parse(argc, argv);
        std::ofstream out(json);
        if (!json.empty() && !out)
        {
            throw std::runtime_error(json + " cannot be written; does its folder exist?");
        }
        ResultWriter::Json result;
        if (workload == "e")
        {
            result = RunManyQueuePairs(monitors, repeat, BenchRun::MeasureEventNs());
        }
        else
        {
            const BenchCost cost = RunBest(BenchWorkloads::Make(workload), monitors, repeat);
            result = Describe(cost, BenchRun::MeasureEventNs());
        }
        result["workload"] = workload;
        result["monitors"] = monitors;
        result["peak_rss_bytes"] = BenchRun::GetPeakRss();
        Print(workload, result);
        std::cout << "largest resident set " << BenchRun::GetPeakRss() / 1000000 << " MB\n";
        out << result.dump(1) << "\n";
        return 0;
    });
}
