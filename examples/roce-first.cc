/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The first program to read: two hosts on one switch, one WRITE, and a line for each frame that
// leaves a port or arrives at one.
//
//     host 0 ---- switch 2 ---- host 1        100 Gb/s, 1 us a cable
//
// build/bin/roce-first --size=10000 --mtu=4096 --pcap=out/first

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-opcode-table.h"
#include "ns3/roce-quantity.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Print one frame: when, where, what. */
void
Print(std::string what, uint32_t node, uint32_t port, const Frame& frame)
{
    const double now = FromTick(EventCore::Get()->Now()).ToDouble(Time::NS);
    std::cout << std::setw(9) << std::fixed << std::setprecision(0) << now << " ns  node " << node
              << " port " << port << "  " << what << "  " << std::left << std::setw(16)
              << OpcodeTable::Get(static_cast<uint8_t>(frame.opcode)).name << std::right << " PSN "
              << frame.psn << "  QP 0x" << std::hex << frame.destinationQp << std::dec << "  "
              << frame.size << " bytes\n";
}

/** Print what an application hears. */
void
Tell(uint32_t node, const Completion& completion)
{
    std::cout << std::setw(9) << FromTick(completion.completed).GetNanoSeconds() << " ns  node "
              << node
              << (completion.kind == CompletionKind::WRITE ? "  WRITE complete, "
                                                           : "  message arrived, ")
              << completion.bytes << " bytes, " << CompletionStatusName(completion.status) << "\n";
}

/** Watch all ports and both queue pairs. */
void
Watch(Ptr<Fabric> fabric, const Connection& connection)
{
    for (uint32_t node : {0, 1, 2})
    {
        for (uint32_t port = 0; port < fabric->GetGraph().PortCount(node); ++port)
        {
            for (const std::string what : {"sent", "received"})
            {
                Callback<void, std::string, uint32_t, uint32_t, const Frame&> sink(&Print);
                fabric->GetPort(node, port)
                    ->TraceConnectWithoutContext(
                        what == "sent" ? "FrameSent" : "FrameReceived",
                        sink.Bind(std::string(what == "sent" ? "sends   " : "receives"),
                                  node,
                                  port));
            }
        }
    }
    auto writes = CreateObject<CompletionQueue>();
    writes->SetHandler(0, MakeCallback(&Tell).Bind(uint32_t(0)));
    connection.qp->SetSendQueue(writes);
    auto arrivals = CreateObject<CompletionQueue>();
    arrivals->SetHandler(1, MakeCallback(&Tell).Bind(uint32_t(1)));
    connection.peerQp->SetReceiveQueue(arrivals);
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string size = "10000";
        uint32_t mtu = 4096;
        ExperimentHelper experiment("roce-first", "Two hosts, one switch, one WRITE, all frames");
        experiment.AddFlag("size", "bytes of the message, such as 10000 or 1MB", size);
        experiment.AddFlag("mtu", "payload bytes of a full packet", mtu);
        experiment.Parse(argc, argv);

        FabricGraph graph;
        graph.AddHost(0, "alice");
        graph.AddHost(1, "bob");
        graph.AddSwitch(2, "leaf");
        graph.AddLink(0, 2, Quantity::RateBps("100Gbps"), Quantity::DelayPs("1us"));
        graph.AddLink(1, 2, Quantity::RateBps("100Gbps"), Quantity::DelayPs("1us"));

        RoceHelper roce;
        experiment.Configure(roce);
        roce.SetNicAttribute("PathMtu", UintegerValue(mtu));
        Ptr<Fabric> fabric = roce.Install(graph);
        ExperimentRun& run = experiment.Begin("first", fabric);

        Connection connection = fabric->Connect(0, 1);
        if (!experiment.IsQuiet())
        {
            Watch(fabric, connection);
        }
        WorkRequest request;
        request.bytes = ParseBytes(size);
        connection.nic->Post(connection.qp, request);
        run.Run();
        if (!experiment.IsQuiet())
        {
            std::cout << "a lone message needs "
                      << fabric->GetIdealCompletionNs(0, 1, request.bytes)
                      << " ns store and forward\n";
        }
        return experiment.Finish();
    });
}
