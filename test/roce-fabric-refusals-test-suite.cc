/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"
#include "roce-test-refusal.h"

#include "ns3/double.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr int64_t US = 1000000; //!< ps

/** Settings that cannot work are refused before the run, with numbers. */
class RefusalTest : public TestCase
{
  public:
    RefusalTest()
        : TestCase("A9: buffers and options that cannot work")
    {
    }

  private:
    void Expect(const std::string& message, const std::vector<std::string>& parts)
    {
        for (const std::string& part : parts)
        {
            NS_TEST_EXPECT_MSG_NE(message.find(part),
                                  std::string::npos,
                                  "\"" << part << "\" in: " << message);
        }
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }

    void DoRun() override
    {
        // 16 ports, 2 lossless priorities, 100000 bytes each: 3.2 MB do not fit into 3 MB
        RoceHelper small;
        small.SetSwitchAttribute("BufferSize", UintegerValue(3000000));
        small.SetSwitchAttribute("HeadroomBytes", UintegerValue(100000));
        Expect(
            Refusal<std::exception>([&small]() { small.Install(StarGraph(16, 100 * GBPS, 1000)); }),
            {"switch 16", "headroom of 3200000", "3000000"});
        Simulator::Destroy();

        SwitchMmuConfig none;
        none.numPorts = 2;
        none.bufferBytes = 1000000;
        none.losslessMask = 0x08;
        none.headroomBytes = {50000, 0};
        Expect(Refusal<std::exception>([&none]() { SwitchMmu().Configure(none); }),
               {"headroom of port 1 is 0 bytes", "mask 8"});

        FabricGraph parts;
        for (uint32_t i : {1u, 2u})
        {
            parts.AddHost(i);
            parts.AddSwitch(10 + i);
            parts.AddLink(i, 10 + i, 100 * GBPS, US);
        }
        Expect(Refusal<std::exception>([&parts]() { RoceHelper().Install(parts); }),
               {"1", "2", "path"});
        Ptr<Fabric> fabric = RoceHelper().Install(parts, PartitionPolicy::Allow);
        Expect(Refusal<std::exception>([&fabric]() { fabric->Connect(1, 2); }), {"1", "2", "path"});
        Expect(Refusal<std::exception>([&fabric]() { fabric->Connect(1, 1); }),
               {"host 1", "itself"});
        Expect(Refusal<std::exception>([&fabric]() { fabric->Connect(1, 11); }), {"11", "switch"});
        Expect(Refusal<std::exception>([&fabric]() { fabric->GetSwitch(1); }), {"1", "host"});
        Expect(Refusal<std::exception>([&fabric]() { fabric->GetNic(99); }), {"99"});
        Expect(Refusal<std::exception>([&fabric]() { fabric->GetPort(1, 3); }),
               {"1 ports", "port 3"});
        Expect(Refusal<std::exception>([&fabric]() { fabric->SetLinkUp(7, false); }), {"7"});
        ConnectionOptions options;
        options.priority = 9;
        Expect(Refusal<std::exception>([&]() { fabric->Connect(1, 2, options); }), {"1", "2"});
        Expect(Refusal<std::exception>([]() { RoceHelper().SetCongestionControl("hcc2"); }),
               {"hcc2", "none", "dcqcn"});
        Expect(Refusal<std::exception>([]() { RoceHelper().SetLoadBalancer("x"); }),
               {"\"x\"", "ecmp", "hpcc"});
        Limits();
        Attributes();
    }

    /** What a cable and a switch cannot hold. */
    void Limits()
    {
        FabricGraph graph;
        graph.AddHost(1);
        graph.AddHost(2);
        graph.AddSwitch(3);
        graph.AddLink(1, 3, 100 * GBPS, 4294967295000); // 2^32 - 1 ns
        graph.AddLink(2, 3, 100 * GBPS, 4294967296000);
        Expect(Refusal<std::exception>([&graph]() { RoceHelper().Install(graph); }),
               {"link 2-3", "4294967296ns", "2^32 - 1"});
        FabricGraph wide;
        wide.AddHost(1);
        wide.AddSwitch(2);
        for (uint32_t i = 0; i <= 65536; ++i)
        {
            wide.AddLink(1, 2, 100 * GBPS, US);
        }
        Expect(Refusal<std::exception>([&wide]() { RoceHelper().Install(wide); }),
               {"switch 2", "65537", "65536"});
    }

    /** Where ns-3 would abort. */
    void Attributes()
    {
        RoceHelper helper;
        Expect(Refusal<std::exception>(
                   [&]() { helper.SetSwitchAttribute("BufferSize", UintegerValue(0)); }),
               {"ns3::roce::Switch::BufferSize", "uint64_t 1:", "'0'"});
        Expect(Refusal<std::exception>([&]() { helper.SetNicAttribute("Mtu", UintegerValue(1)); }),
               {"ns3::roce::Nic", "'Mtu'"});
        Expect(Refusal<std::exception>(
                   [&]() { helper.SetLoadBalancerAttribute("Weights", StringValue("speed")); }),
               {"Weights", "none|rate", "\"speed\""});
        const StringValue bad("often");
        Expect(Refusal<std::exception>([&]() { helper.SetCnpAttribute("Timing", bad); }),
               {"ns3::roce::CnpGenerator::Timing", "AtMark|Periodic", "\"often\""});
        Expect(Refusal<std::exception>([&]() { helper.SetPfcAttribute("Quanta", bad); }),
               {"PfcController"});
        Expect(Refusal<std::exception>([&]() { helper.SetBufferAttribute("CellBytes", bad); }),
               {"\"often\""});
        Expect(Refusal<std::exception>([&]() { helper.SetEcnAttribute("Pmax", DoubleValue(2)); }),
               {"ns3::roce::EcnMarker::Pmax", "'2'"});
        Expect(Refusal<std::exception>([&]() { helper.SetTransportAttribute("Pacing", bad); }),
               {"TransportOptions::Pacing", "\"often\""});
    }
};

/** Suite roce-fabric-refusals. */
class FabricRefusalsTestSuite : public TestSuite
{
  public:
    FabricRefusalsTestSuite()
        : TestSuite("roce-fabric-refusals", TestSuite::Type::UNIT)
    {
        AddTestCase(new RefusalTest, D::QUICK);
    }
};

FabricRefusalsTestSuite g_fabricRefusalsTestSuite;

} // namespace
