/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The same transfers by RoCE and by TCP through the same switches: N hosts send to one, message
// after message. How long do the data take, and how much does that vary?
//
// build/bin/roce-tcp-beside --seeds=3 --json=out/tcp-beside.json

#include "roce-tcp-beside-table.h"

#include "ns3/core-module.h"

#include <cstdio>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Name what may be chosen. */
void
AddFlags(ExperimentHelper& experiment, BesideSettings& settings)
{
    experiment.AddFlag(
        "runs",
        "labels, with commas: hcc dcqcn pfc pfc-cap tcp-dctcp tcp-cubic tcp-cubic-ns3 "
        "tcp-reno mixed mixed-dwrr",
        settings.runs);
    experiment.AddFlag("senders", "hosts that send, 1 to 28", settings.senders);
    experiment.AddFlag("size", "bytes of each message", settings.size);
    experiment.AddFlag("messages",
                       "messages of each sender at line rate, length of the window",
                       settings.messages);
    experiment.AddFlag("warmup", "the same before the window", settings.warmup);
    experiment.AddFlag("seeds", "runs of each, with other hosts and begins", settings.seeds);
    experiment.AddFlag("first-seed", "the first of them", settings.first);
    experiment.AddFlag("mss", "payload bytes of a full TCP segment", settings.mss);
    experiment.AddFlag("min-rto", "least retransmission timeout of TCP", settings.minRto);
    experiment.AddFlag("ack-every", "TCP segments an ACK", settings.ackEvery);
    experiment.AddFlag("mark", "queue from which DCTCP's packets are marked", settings.mark);
    experiment.AddFlag("buffer", "of switches, for each 100 Gb/s of ports", settings.buffer);
    experiment.AddFlag("lossy-pool", "part of the shared buffer for TCP", settings.lossyPool);
}

/** Run a label with a seed. \return whether no connection was given up */
bool
RunOne(ExperimentHelper& experiment,
       const BesideSettings& settings,
       const BesideSetup& setup,
       const std::string& label,
       uint32_t seed,
       BesideTable& table)
{
    bool good = true;
    Ptr<Fabric> fabric = setup.Build(label, experiment.GetLb());
    ExperimentRun& run = experiment.Begin(label + "-" + std::to_string(seed), fabric);
    {
        BesideLoad load(settings, setup, label, seed, fabric);
        load.Start();
        run.Run();
        run.GetExtra()["lossy_pool_bytes"] = load.GetLossyPool();
        for (const BesideFigures& figures : load.Measure(run))
        {
            run.GetExtra()["beside"][figures.row] = BesideTable::ToJson(figures);
            table.Add(figures);
            good = good && !figures.failed;
        }
    }
    experiment.End();
    return good;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        BesideSettings settings;
        ExperimentHelper experiment("roce-tcp-beside",
                                    "N hosts send to one, by RoCE and by TCP, message by message");
        AddFlags(experiment, settings);
        experiment.SetDefaults("none");
        experiment.Parse(argc, argv);
        const BesideSetup setup(settings);
        BesideTable table;
        bool good = true;
        if (!experiment.IsQuiet())
        {
            std::printf("first RoCE alone, for each run; RoCE and TCP in one table at the end\n\n");
        }
        for (const std::string& label : setup.GetLabels())
        {
            for (uint32_t i = 0; i < settings.seeds; ++i)
            {
                good =
                    RunOne(experiment, settings, setup, label, settings.first + i, table) && good;
            }
        }
        if (!experiment.IsQuiet())
        {
            table.Print();
        }
        experiment.AddKey("summary", table.GetJson());
        const int code = experiment.Finish();
        if (!good)
        {
            std::cerr << "roce-tcp-beside: a TCP connection was given up\n";
        }
        return code == 0 && !good ? 1 : code;
    });
}
