/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Topology files of other simulators and our own small ones, against counts that awk makes of the
 * same text: nodes, links, distance, number of shortest paths, width of ECMP. The files of others
 * are not part of the project: environment variable ROCE_SHARED names their folder, default is the
 * folder "shared" beside the project. Without it these say so and pass; those of test/data remain.
 */

#include "roce-shared-file.h"

#include "ns3/roce-path-list.h"
#include "ns3/roce-stage-census.h"
#include "ns3/roce-topology-json-reader.h"
#include "ns3/roce-topology-json-writer.h"
#include "ns3/roce-topology-loader.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

using namespace ns3::roce;

namespace
{

/** \return path of a file of test/data. */
std::string
Data(const std::string& name)
{
    return std::string(NS_TEST_SOURCEDIR) + "/data/" + name;
}

/** \return the numbers that a program for awk prints; empty, with a warning, if there is no awk. */
std::vector<uint64_t>
Awk(const std::string& program, const std::string& file, const std::string& variables = "")
{
    const std::string command =
        "awk " + variables + " '" + program + "' '" + file + "' 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::vector<uint64_t> numbers;
    unsigned long long number = 0;
    while (pipe && std::fscanf(pipe.get(), "%llu", &number) == 1)
    {
        numbers.push_back(number);
    }
    if (numbers.empty())
    {
        WARN("skipped, awk printed nothing for " << file);
    }
    return numbers;
}

/**
 * Reads the files of the HPCC family by itself and searches from host D back to host S. Prints
 * hosts, nodes, links, links of a shortest path from S to D, shortest paths, and at the first
 * switch of S how many links begin one.
 */
const char* const SEARCH = R"(
{ sub(/\r$/, "") }
NR == 1 { nodes = $1; links = (NF == 6 ? $5 : $NF) + 0; switches = (NF == 6 ? $3 + $4 : $2) + 0; next }
ids < switches { for (i = 1; i <= NF; i++) { isSwitch[$i] = 1; ids++ }; next }
NF >= 5 && rows < links {
  rows++
  to[$1, n[$1]++] = $2; to[$2, n[$2]++] = $1
}
END {
  dist[D] = 0; count[D] = 1; queue[0] = D; tail = 1
  for (head = 0; head < tail; head++) {
    now = queue[head]
    if (!isSwitch[now] && now != D) continue
    for (i = 0; i < n[now]; i++) {
      peer = to[now, i]
      if (!(peer in dist)) { dist[peer] = dist[now] + 1; queue[tail++] = peer }
      if (dist[peer] == dist[now] + 1) count[peer] += count[now]
    }
  }
  first = -1
  for (i = 0; i < n[S]; i++) {
    peer = to[S, i]
    if (isSwitch[peer] && dist[peer] == dist[S] - 1 && (first < 0 || peer + 0 < first)) first = peer + 0
  }
  if (first >= 0) for (i = 0; i < n[first]; i++) wide += dist[to[first, i]] == dist[first] - 1
  print nodes - switches, nodes, rows, dist[S], count[S], wide + 0
})";

/** Sums of the numbers in a .topo file of htsim: hosts, switches, links. */
const char* const HTSIM = R"(
{ key = tolower($1) }
key == "nodes" { hosts = $2 }
key == "podsize" { pod = $2 }
key == "tier" { t = $2 }
key == "radix_down" { down[t] = $2 }
key == "radix_up" { up[t] = $2 }
key == "bundle" { bundle[t] = $2 }
END {
  tors = hosts / down[0]
  aggs = up[0] / (1 in bundle ? bundle[1] : 1) * hosts / pod
  cores = down[2] ? aggs * up[1] / down[2] : 0
  print hosts, tors + aggs + cores, hosts + tors * up[0] + (cores ? aggs * up[1] : 0)
})";

/** Compare what we say of two hosts with what awk found. */
void
CheckFile(const std::string& path)
{
    INFO(path);
    const FabricDocument fabric = TopologyLoader::Load(path);
    const FabricGraph& g = fabric.graph;
    const std::vector<uint32_t> hosts = g.Hosts();
    const uint32_t s = hosts.front();
    const uint32_t d = hosts.back();
    const auto seen = Awk(SEARCH, path, "-v S=" + std::to_string(s) + " -v D=" + std::to_string(d));
    if (seen.empty())
    {
        return;
    }
    REQUIRE(seen.size() == 6);
    CHECK(g.HostCount() == seen[0]);
    CHECK(g.NodeCount() == seen[1]);
    CHECK(g.LinkCount() == seen[2]);
    const Routing routing(g);
    const PathList paths(g, routing, s, d);
    REQUIRE(paths.Complete());
    CHECK(paths.Paths().size() == seen[4]);
    const TracedPath& path0 = paths.Paths()[0];
    CHECK(path0.links.size() == seen[3]);
    // the row of the census that has this pair covers what was found of it
    const StageCensus census(g);
    for (const StageRow& row : census.Rows())
    {
        if (row.links == seen[3])
        {
            CHECK(row.minPaths <= seen[4]);
            CHECK(row.maxPaths >= seen[4]);
            CHECK((row.minNextHops <= seen[5] || seen[5] == 0));
            CHECK(row.maxNextHops >= seen[5]);
        }
    }
    // the first switch: its table to the leaf of d
    if (seen[5] > 0 && path0.nodes.size() > 3)
    {
        const SwitchRoutes& routes = routing.At(path0.nodes[1]);
        const uint32_t leaf = routing.At(path0.nodes[path0.nodes.size() - 2]).leaf;
        CHECK(routes.groups[leaf].count == seen[5]);
    }
    // and it survives our own format
    const std::string text = TopologyJsonWriter::Format(fabric);
    CHECK((TopologyJsonWriter::Format(TopologyJsonReader::Read("again", text)) == text));
}

/** Compare the counts of a .topo file with those of awk. */
void
CheckHtsim(const std::string& path)
{
    INFO(path);
    const FabricDocument fabric = TopologyLoader::Load(path);
    fabric.graph.Validate();
    const auto seen = Awk(HTSIM, path);
    if (!seen.empty())
    {
        REQUIRE(seen.size() == 3);
        CHECK(fabric.graph.HostCount() == seen[0]);
        CHECK(fabric.graph.SwitchCount() == seen[1]);
        CHECK(fabric.graph.LinkCount() == seen[2]);
    }
}

} // namespace

TEST_CASE("Topology inputs: our own small files, counted by awk", "[topology-inputs]")
{
    for (const char* name : {"topology-hpcc.txt",
                             "topology-inet.txt",
                             "topology-ring.txt",
                             "topology-simai.txt",
                             "replay-topology.txt"})
    {
        CheckFile(Data(name));
    }
    CheckHtsim(Data("topology-htsim.topo"));
}

TEST_CASE("Topology inputs: files of other simulators, counted by awk", "[topology-inputs]")
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
        if (!path.empty())
        {
            CheckFile(path);
        }
    }
    for (const char* name :
         {"inputs/htsim/fat_tree_1024.topo", "inputs/htsim/leaf_spine_tiny.topo"})
    {
        const std::string path = Shared(name);
        if (!path.empty())
        {
            CheckHtsim(path);
        }
    }
}
