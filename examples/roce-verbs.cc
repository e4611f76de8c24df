/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Each verb once, without loss and then with loss, on memory that is real: the pcap files show
// every opcode.
//
//     host 0 --100 Gb/s-- switch 2 --25 Gb/s-- host 1        1 us a cable
//
// build/bin/roce-verbs --pcap=out/v
// tshark -r out/v-clean-0-0.pcap

#include "roce-verbs-run.h"

#include "ns3/core-module.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-quantity.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return the fabric; its switch marks and pauses the long message only */
Ptr<Fabric>
Build(RoceHelper& roce)
{
    FabricGraph graph;
    graph.AddHost(0, "alice");
    graph.AddHost(1, "bob");
    graph.AddSwitch(2, "leaf");
    graph.AddLink(0, 2, Quantity::RateBps("100Gbps"), Quantity::DelayPs("1us"));
    graph.AddLink(1, 2, Quantity::RateBps("25Gbps"), Quantity::DelayPs("1us"));
    roce.SetNicAttribute("PathMtu", UintegerValue(VerbsCase::MTU));
    roce.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
    roce.SetTransportAttribute("RnrTimer", UintegerValue(5)); // 60 us (IBTA table 45)
    roce.SetSwitchAttribute("BufferSize", UintegerValue(512 << 10));
    roce.SetEcnAttribute("KminBytes", UintegerValue(64 << 10)); // a quarter of it at 25 Gb/s
    roce.SetEcnAttribute("KmaxBytes", UintegerValue(64 << 10));
    return roce.Install(graph);
}

/** Print the table of a run. */
void
Print(const ResultWriter::Json& rows)
{
    std::printf("%-30s %7s %-19s %-9s %-6s %10s %6s %6s\n",
                "operation",
                "bytes",
                "status",
                "delivered",
                "memory",
                "time (us)",
                "sent",
                "back");
    for (const auto& row : rows)
    {
        std::printf("%-30s %7u %-19s %-9s %-6s %10.3f %6u %6u%s\n",
                    row["name"].get<std::string>().c_str(),
                    row["bytes"].get<unsigned>(),
                    row["status"].get<std::string>().c_str(),
                    row["delivered"].get<bool>() ? "yes" : "no",
                    row["memory_ok"].get<bool>() ? "right" : "WRONG",
                    row["time_ns"].get<double>() / 1e3,
                    row["sent"].get<unsigned>(),
                    row["answered"].get<unsigned>(),
                    row["ok"].get<bool>() ? "" : "  NOT AS EXPECTED");
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        ExperimentHelper experiment("roce-verbs", "Each verb once, without loss and with loss");
        experiment.Parse(argc, argv);
        uint64_t wrong = 0;
        for (const std::string label : {"clean", "lossy"})
        {
            RoceHelper roce;
            experiment.Configure(roce);
            Ptr<Fabric> fabric = Build(roce);
            ExperimentRun& run = experiment.Begin(label, fabric);
            run.SetExpectedFailures(1); // the remote access error
            VerbsRun verbs(fabric, label == "lossy");
            run.Run();
            const ResultWriter::Json rows = verbs.Collect();
            run.GetExtra()["operations"] = rows;
            wrong += std::count_if(rows.begin(), rows.end(), [](const auto& row) {
                return !row["ok"].template get<bool>();
            });
            for (const std::string& missing : verbs.FindMissing(experiment.GetCcs()[0] != "none"))
            {
                std::cerr << "roce-verbs: " << label << ": no " << missing << "\n";
                ++wrong;
            }
            if (!experiment.IsQuiet())
            {
                Print(rows);
                std::cout << verbs.GetOpcodeCount() << " opcodes sent\n";
            }
            experiment.End();
        }
        const int code = experiment.Finish();
        if (wrong)
        {
            std::cerr << "roce-verbs: " << wrong << " things are not as expected\n";
        }
        return code ? code : wrong ? 1 : 0;
    });
}
