/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// N hosts write to one at the same time over one switch: what PFC alone does, and what a
// congestion control makes of it.
//
// build/bin/roce-incast --senders=127 --size=1MB --cc=none,dcqcn --json=out/incast.json

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-helper.h"

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        uint32_t senders = 127;
        uint32_t mtu = 4096;
        std::string size = "1MB";
        std::string rate = "100Gbps";
        std::string delay = "1us";
        std::string buffer = "32MiB";
        ExperimentHelper experiment("roce-incast", "N hosts write to one over one switch");
        experiment.SetDefaults("none,dcqcn");
        experiment.AddFlag("senders", "hosts that send, at least 1", senders);
        experiment.AddFlag("size", "bytes of each message", size);
        experiment.AddFlag("rate", "rate of all links", rate);
        experiment.AddFlag("delay", "one-way delay of each cable", delay);
        experiment.AddFlag("buffer", "packet buffer of the switch", buffer);
        experiment.AddFlag("mtu", "payload bytes of a full packet", mtu);
        experiment.Parse(argc, argv);
        if (senders == 0)
        {
            throw std::invalid_argument("--senders=0: an incast needs at least 1 sender");
        }
        ClosHelper star(1, 0, senders + 1); // hosts 0..senders on one leaf, the last receives
        star.SetHostLinks(rate, delay);
        for (const std::string& cc : experiment.GetCcs())
        {
            RoceHelper roce;
            experiment.Configure(roce, cc);
            roce.SetNicAttribute("PathMtu", UintegerValue(mtu));
            roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(buffer)));
            Ptr<Fabric> fabric = star.Install(roce);
            ExperimentRun& run = experiment.Begin(cc, fabric);
            for (uint32_t i = 0; i < senders; ++i)
            {
                Connection connection = fabric->Connect(i, senders);
                WorkRequest request;
                request.id = i;
                request.bytes = ParseBytes(size);
                connection.nic->Post(connection.qp, request);
            }
            run.Run();
            const SwitchMmu& mmu = fabric->GetSwitch(senders + 1)->GetMmu();
            run.GetExtra()["peak_buffer_bytes"] = mmu.GetTotal().peak;
            experiment.End();
        }
        return experiment.Finish();
    });
}
