/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The readers, routing and the baseline on files that other simulators use. The files are not part
 * of the project: environment variable ROCE_SHARED names their folder, default is the folder
 * "shared" beside the project. Without it these tests say so and pass.
 */

#include "roce-shared-file.h"

#include "ns3/roce-address-plan.h"
#include "ns3/roce-artifact-baseline.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-fct-writer.h"
#include "ns3/roce-flow-reader.h"
#include "ns3/roce-hpcc-config-reader.h"
#include "ns3/roce-hpcc-hash.h"
#include "ns3/roce-path-tracer.h"
#include "ns3/roce-pfc-writer.h"
#include "ns3/roce-routing.h"
#include "ns3/roce-topology-reader.h"

#include <catch2/catch.hpp>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return the number of lines with so many words, the first two of them digits alone. */
uint32_t
CountRows(const std::string& path, size_t words)
{
    std::ifstream in(path);
    uint32_t rows = 0;
    for (std::string line; std::getline(in, line);)
    {
        std::istringstream split(line);
        std::vector<std::string> found;
        for (std::string word; split >> word;)
        {
            found.push_back(word);
        }
        rows += found.size() == words && std::isdigit(found[0][0]) && std::isdigit(found[1][0]);
    }
    return rows;
}

/** \return the numbers of the first line; words that are none count as 0. */
std::vector<uint64_t>
Header(const std::string& path)
{
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    std::istringstream split(line);
    std::vector<uint64_t> numbers;
    for (std::string word; split >> word;)
    {
        numbers.push_back(std::strtoull(word.c_str(), nullptr, 10));
    }
    return numbers;
}

/** Check that each hop of each path in a file is what hash and order predict. */
void
CheckPaths(const std::string& topologyPath, const std::string& pathsPath, uint32_t expectedHops)
{
    const Topology t = TopologyReader::Read(TextSource::FromFile(topologyPath));
    const Routing routing(t.graph, MemberOrder::DescendingPeerId);
    const PathTracer tracer(t.graph, routing);
    const AddressPlan plan(t.graph);
    std::ifstream in(pathsPath);
    uint32_t hops = 0;
    uint32_t wrong = 0;
    for (std::string line; std::getline(in, line);)
    {
        std::istringstream split(line);
        std::string kind;
        uint32_t src = 0;
        uint32_t dst = 0;
        std::string nodes;
        if (!(split >> kind >> src >> dst >> nodes) || kind == "#")
        {
            continue;
        }
        std::vector<uint32_t> expected;
        std::istringstream list(nodes);
        for (std::string node; std::getline(list, node, ',');)
        {
            expected.push_back(static_cast<uint32_t>(std::stoul(node)));
        }
        const bool data = kind == "data"; // flows of the file: ports 10000 and 100
        const TracedPath path = tracer.Trace(src, 0, dst, 0, [&](uint32_t id, uint32_t n) {
            return HpccHash::Choose(plan.Address(src),
                                    plan.Address(dst),
                                    data ? 10000 : 100,
                                    data ? 100 : 10000,
                                    id,
                                    n);
        });
        REQUIRE(path.nodes.size() == expected.size());
        for (size_t i = 2; i < expected.size(); i++) // choices of switches
        {
            hops++;
            wrong += path.nodes[i] == expected[i] ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(hops == expectedHops);
}

/** Check the last column of an fct file and that we write each row byte for byte. */
void
CheckFct(const std::string& topologyPath, const std::string& fctPath)
{
    const Topology t = TopologyReader::Read(TextSource::FromFile(topologyPath));
    const AddressPlan plan(t.graph);
    ArtifactBaseline baseline(t.graph, 1000);
    std::ifstream in(fctPath);
    uint32_t rows = 0;
    for (std::string line; std::getline(in, line); rows++)
    {
        std::istringstream split(line);
        std::string sip;
        std::string dip;
        FctRecord r;
        split >> sip >> dip >> r.sourcePort >> r.destinationPort >> r.sizeBytes >> r.startNs >>
            r.fctNs >> r.standaloneNs;
        r.sourceAddress = static_cast<uint32_t>(std::stoul(sip, nullptr, 16));
        r.destinationAddress = static_cast<uint32_t>(std::stoul(dip, nullptr, 16));
        const auto src = plan.Find(r.sourceAddress);
        const auto dst = plan.Find(r.destinationAddress);
        REQUIRE(src);
        REQUIRE(dst);
        REQUIRE(baseline.StandaloneNs(src->host, dst->host, r.sizeBytes) == r.standaloneNs);
        REQUIRE(FctWriter::Format(r) == line);
    }
    CHECK(rows > 0);
}

} // namespace

TEST_CASE("Peer files: every topology has the nodes and links it says", "[peer-files]")
{
    for (const char* name : {"inputs/hpcc/fat.txt",
                             "inputs/hpcc/ali_32host_10rack.txt",
                             "inputs/hpcc/topology.txt",
                             "inputs/conweave/fat_k4_100G_OS2.txt",
                             "inputs/conweave/fat_k8_100G_OS2.txt",
                             "inputs/conweave/leaf_spine_128_100G_OS2.txt",
                             "inputs/astra/128_nodes_16_switch_topology.txt",
                             "inputs/astra/8_nodes_1_switch_topology.txt",
                             "inputs/astra/8nodes_ring_topology.txt",
                             "inputs/powertcp/topology.txt",
                             "crosscheck/ft_k8.topo",
                             "crosscheck/ft_k16.topo",
                             "crosscheck/star17.topo"})
    {
        const std::string path = Shared(name);
        if (path.empty())
        {
            continue;
        }
        INFO(name);
        const Topology t = TopologyReader::Read(TextSource::FromFile(path));
        const std::vector<uint64_t> header = Header(path);
        CHECK(t.graph.NodeCount() == header[0]);
        CHECK(t.graph.SwitchCount() == header[1]);
        CHECK(t.graph.LinkCount() == header.back());
        CHECK(t.graph.LinkCount() + t.ignoredLinkRows == CountRows(path, 5));
        const bool ring = std::string(name).find("ring") != std::string::npos;
        if (ring)
        {
            CHECK_THROWS_WITH(t.graph.Validate(), Contains("no path from host 0 to host 2"));
        }
        else
        {
            CHECK_NOTHROW(t.graph.Validate());
        }
    }
}

TEST_CASE("Peer files: flows and configs", "[peer-files]")
{
    for (const char* name : {"inputs/hpcc/flow.txt",
                             "inputs/powertcp/flow-burstExp-10.txt",
                             "inputs/powertcp/flow-fairnessExp.txt",
                             "crosscheck/a_perm_k8_4MB.flow",
                             "crosscheck/d_perm_k16_1MB.flow",
                             "crosscheck/a_staggered.flow"})
    {
        const std::string path = Shared(name);
        if (!path.empty())
        {
            INFO(name);
            const FlowList list = FlowReader::Read(TextSource::FromFile(path));
            CHECK(list.flows.size() == Header(path)[0]);
            CHECK(list.flows.size() + list.ignoredRows == CountRows(path, 6));
            CHECK(list.sorted);
        }
    }
    if (const std::string path = Shared("inputs/powertcp/flow-fairnessExp.txt"); !path.empty())
    {
        CHECK(FlowReader::Read(TextSource::FromFile(path)).flows[0].sizeBytes == 1000000000000);
    }
    for (const char* name : {"inputs/hpcc/config.txt",
                             "inputs/astra/config.txt",
                             "inputs/simai/SimAI.conf",
                             "crosscheck/conf/a_perm_k8_4MB.dcqcn.txt",
                             "crosscheck/conf/bpfc_incast16_2MB.hpcc.txt"})
    {
        const std::string path = Shared(name);
        if (!path.empty())
        {
            INFO(name);
            const HpccConfig c = HpccConfigReader::Read(TextSource::FromFile(path));
            CHECK(c.kminKb.at(100000000000) == 400); // all five
            CHECK(c.ignored.size() >= 5);            // three of traces, two of PINT
        }
    }
}

TEST_CASE("Peer files: our fat tree is the k=8 tree, link for link", "[peer-files]")
{
    const std::string path = Shared("crosscheck/ft_k8.topo");
    if (path.empty())
    {
        return;
    }
    const Topology t = TopologyReader::Read(TextSource::FromFile(path));
    FatTreePlan plan;
    plan.k = 8;
    const FabricGraph g = FatTreeBuilder::Build(plan);
    REQUIRE(g.LinkCount() == t.graph.LinkCount());
    for (uint32_t id = 0; id < g.NodeCount(); id++)
    {
        const auto ours = g.Neighbours(id);
        const auto theirs = t.graph.Neighbours(id);
        REQUIRE(ours.size() == theirs.size());
        for (size_t i = 0; i < ours.size(); i++)
        {
            CHECK(ours[i].peer == theirs[i].peer);
        }
    }
}

TEST_CASE("Peer files: all next hops of the HPCC artifact are predicted", "[peer-files]")
{
    const std::string topologyA = Shared("crosscheck/ft_k8.topo");
    const std::string pathsA = Shared("crosscheck/a.paths");
    if (!topologyA.empty() && !pathsA.empty())
    {
        CheckPaths(topologyA, pathsA, 1220); // the number in the comparison notes
    }
    const std::string topologyD = Shared("crosscheck/ft_k16.topo");
    const std::string pathsD = Shared("crosscheck/d.paths");
    if (!topologyD.empty() && !pathsD.empty())
    {
        CheckPaths(topologyD, pathsD, 9992);
    }
}

TEST_CASE("Peer files: rows of fct.txt and pfc.txt, stand-alone times included", "[peer-files]")
{
    const std::map<std::string, std::string> topologies = {
        {"a_perm_k8_4MB.dcqcn", "ft_k8"},
        {"a_step_staggered.dcqcn", "ft_k8"},
        {"b_incast16_2MB.hpcc", "star17"},
        {"bpfc_step_staggered.dcqcn", "star17"},
        {"c_ring_k8_4MB.dcqcn", "ft_k8"},
        {"d_perm_k16_1MB.dcqcn", "ft_k16"},
    };
    for (const auto& [run, topology] : topologies)
    {
        const std::string fct = Shared("crosscheck/fct/hpcc317." + run + ".fct");
        const std::string topo = Shared("crosscheck/" + topology + ".topo");
        if (!fct.empty() && !topo.empty())
        {
            INFO(run);
            CheckFct(topo, fct);
        }
    }
    const std::string pfc = Shared("crosscheck/fct/hpcc317.bpfc_step_staggered.dcqcn.pfc");
    if (!pfc.empty())
    {
        std::ifstream in(pfc);
        uint32_t rows = 0;
        for (std::string line; std::getline(in, line); rows++)
        {
            std::istringstream split(line);
            PfcRecord r;
            uint32_t kind = 0;
            uint32_t interface = 0;
            uint32_t type = 0;
            split >> r.timeNs >> r.node >> kind >> interface >> type;
            r.isSwitch = kind == 1;
            r.port = interface - 1;
            r.pause = type == 1;
            REQUIRE(PfcWriter::Format(r) == line);
        }
        CHECK(rows > 0);
    }
}
