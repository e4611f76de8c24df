/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A host breaks and sends pause frames without end. What its switch has for it fills the buffer,
// the sender is paused, and a message to a third host that has nothing to do with it stands still,
// until the PFC watchdog finds the storm.
//
//     host 0 ---- switch 3 ---- host 1 (broken for a while)
//                     \-------- host 2
//
// build/bin/roce-watchdog --storm=20ms --detection=2ms --poll=1ms --action=drop

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-pause-storm.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-watchdog-helper.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return a time. \param text such as 2ms */
Time
ParseTime(const std::string& text)
{
    const int64_t ns = Quantity::DelayPs(text) / 1000;
    if (ns < 1)
    {
        throw std::invalid_argument("a time of \"" + text + "\" is below 1 ns");
    }
    return NanoSeconds(ns);
}

/** Print a line of the timeline. */
void
Tell(const std::string& what)
{
    std::cout << std::setw(9) << std::fixed << std::setprecision(3)
              << Simulator::Now().ToDouble(Time::MS) << " ms  " << what << "\n";
}

void
OnStorm(uint32_t port, uint32_t priority, bool begins)
{
    Tell("switch 3 port " + std::to_string(port) + " priority " + std::to_string(priority) +
         (begins ? ": storm found" : ": storm over, queue restored"));
}

void
OnPfc(uint32_t port, uint32_t, bool xoff)
{
    Tell("switch 3 " + std::string(xoff ? "stops" : "releases") + " host " + std::to_string(port));
}

void
OnDone(uint32_t to, const Completion& completion)
{
    Tell("message to host " + std::to_string(to) + ": " + CompletionStatusName(completion.status));
}

/** Post one message and tell of its end. */
void
Post(Ptr<Fabric> fabric, uint32_t to, uint64_t bytes, bool quiet)
{
    Connection connection = fabric->Connect(0, to);
    auto queue = CreateObject<CompletionQueue>();
    if (!quiet)
    {
        queue->SetHandler(0, MakeCallback(&OnDone).Bind(to));
    }
    connection.qp->SetSendQueue(queue);
    WorkRequest request;
    request.bytes = bytes;
    connection.nic->Post(connection.qp, request);
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string size = "100MB";
        std::string action = "drop";
        std::string storm = "20ms";
        std::string detection = "2ms";
        std::string poll = "1ms";
        ExperimentHelper experiment("roce-watchdog", "A PFC storm, its victim and the watchdog");
        experiment.AddFlag("size", "bytes of each of the two messages", size);
        experiment.AddFlag("storm", "how long host 1 sends pause frames, from 1 ms on", storm);
        experiment.AddFlag("detection",
                           "detection and restoration time of the watchdog",
                           detection);
        experiment.AddFlag("poll", "poll interval of the watchdog", poll);
        experiment.AddFlag("action", "drop, forward, alert, or none: no watchdog", action);
        experiment.Parse(argc, argv);

        ClosHelper star(1, 0, 3);
        star.SetHostLinks("100Gbps", "1us");
        RoceHelper roce;
        experiment.Configure(roce);
        roce.SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(4)));
        roce.SetNicAttribute("RetryLimit", UintegerValue(100));
        Ptr<Fabric> fabric = star.Install(roce);
        WatchdogHelper helper;
        helper.SetAttribute("DetectionTime", TimeValue(ParseTime(detection)));
        helper.SetAttribute("RestorationTime", TimeValue(ParseTime(detection)));
        helper.SetAttribute("PollInterval", TimeValue(ParseTime(poll)));
        if (action != "none")
        {
            helper.SetAttribute("Action", StringValue(action));
            Ptr<PfcWatchdog> watchdog = helper.Install(fabric).front();
            if (!experiment.IsQuiet())
            {
                watchdog->TraceConnectWithoutContext("Storm", MakeCallback(&OnStorm));
            }
        }
        if (!experiment.IsQuiet())
        {
            fabric->GetSwitch(3)->TraceConnectWithoutContext("PfcState", MakeCallback(&OnPfc));
        }
        Ptr<PauseTreeMonitor> tree = WatchdogHelper::InstallPauseTree(fabric);
        ExperimentRun& run = experiment.Begin(action, fabric);
        Post(fabric, 1, ParseBytes(size), experiment.IsQuiet());
        Post(fabric, 2, ParseBytes(size), experiment.IsQuiet());
        auto broken = CreateObject<PauseStorm>();
        broken->Start(fabric->GetPort(1, 0), 0x08, MilliSeconds(1), ParseTime(storm));
        run.Run();
        run.GetExtra()["pause_tree"] = tree->GetTree().GetJson()["roots"];
        if (!experiment.IsQuiet())
        {
            std::cout << tree->GetTree().GetText();
        }
        return experiment.Finish();
    });
}
