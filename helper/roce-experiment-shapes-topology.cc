/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-rows.h"
#include "roce-experiment-shapes.h"

namespace ns3
{
namespace roce
{

namespace
{

using Key = ExperimentKey;
using Rows = ExperimentRows;

/** \return a number of things that must be there. \param name of the key \param help for people
 *  \param example for people \param least smallest */
ExperimentKey
Size(const std::string& name, const std::string& help, uint32_t example, uint32_t least = 1)
{
    return Rows::Within(Rows::Must(Rows::Row(Key::WHOLE, name, help, nullptr, example)),
                        least,
                        1 << 24);
}

/** \return a number of things with a default. \param name of the key \param help for people
 *  \param fallback default \param least smallest */
ExperimentKey
Count(const std::string& name, const std::string& help, uint32_t fallback, uint32_t least = 1)
{
    return Rows::Within(Rows::Row(Key::WHOLE, name, help, fallback), least, 1 << 24);
}

/** \return a rate. \param name of the key \param help for people \param fallback default */
ExperimentKey
Rate(const std::string& name, const std::string& help, const char* fallback = "100Gbps")
{
    return Rows::Row(Key::RATE, name, help, fallback);
}

/** \return a delay of a cable. \param name of the key \param help for people */
ExperimentKey
Delay(const std::string& name, const std::string& help)
{
    return Rows::Row(Key::TIME, name, help, "1us");
}

/** \return a length of a cable. \param name of the key \param help for people
 *  \param fallback metres */
ExperimentKey
Metres(const std::string& name, const std::string& help, double fallback)
{
    return Rows::Within(Rows::Row(Key::NUMBER, name, help + ", m (5 ns/m)", fallback), 0, 1e6);
}

/** \return ports of a switch. \param name of the key \param help whose \param fallback default */
ExperimentKey
Radix(const std::string& name, const std::string& help, uint32_t fallback = 0)
{
    return Count(name, "Ports of " + help + "; 0: no limit", fallback, 0);
}

/** \return a ratio that sets parallel links. \param name of the key \param help whose */
ExperimentKey
Ratio(const std::string& name, const std::string& help)
{
    return Rows::Within(
        Rows::Row(Key::NUMBER,
                  name,
                  "Oversubscription of " + help + ", sets parallel links; 0: those given",
                  0),
        0,
        1000);
}

/** \return the shape of a leaf-spine fabric */
ExperimentShape
Clos()
{
    return {"clos",
            "Leaves and spines (ClosHelper)",
            {Size("leaves", "Leaf switches", 4),
             Size("spines", "Spine switches; 0 with one leaf", 4, 0),
             Size("hosts_per_leaf", "Hosts on each leaf", 4),
             Rate("host_rate", "Of links of hosts"),
             Rate("fabric_rate", "Of links between leaf and spine"),
             Delay("host_delay", "Of links of hosts, one way"),
             Delay("fabric_delay", "Of links between leaf and spine, one way"),
             Count("links_per_pair", "Parallel links between leaf and spine", 1),
             Ratio("oversubscription", "leaves"),
             Radix("leaf_radix", "a leaf"),
             Radix("spine_radix", "a spine")},
            {}};
}

/** \return the shape of a fabric of three tiers */
ExperimentShape
ThreeTier()
{
    return {"three_tier",
            "Pods of leaves and spines, planes of super-spines (ClosHelper)",
            {Size("pods", "Pods", 2),
             Size("leaves_per_pod", "Leaf switches of a pod", 2),
             Size("pod_spines", "Spine switches of a pod", 2),
             Size("super_spines", "In all, a multiple of pod_spines", 4),
             Size("hosts_per_leaf", "Hosts on each leaf", 4),
             Rate("host_rate", "Of links of hosts"),
             Rate("fabric_rate", "Of links between leaf and pod spine"),
             Rate("core_rate", "Of links between pod spine and super-spine"),
             Delay("host_delay", "Of links of hosts, one way"),
             Delay("fabric_delay", "Of links between leaf and pod spine, one way"),
             Delay("core_delay", "Of links between pod spine and super-spine, one way"),
             Count("links_per_pair", "Parallel links between leaf and pod spine", 1),
             Count("core_links_per_pair", "Parallel links between pod spine and super-spine", 1),
             Ratio("leaf_oversubscription", "leaves"),
             Ratio("pod_oversubscription", "pod spines"),
             Radix("leaf_radix", "a leaf"),
             Radix("spine_radix", "a pod spine"),
             Radix("super_radix", "a super-spine")},
            {}};
}

/** \return the shape of pods */
ExperimentShape
Pods()
{
    return {"pods",
            "Racks in pods under super-spines, which meet all pod spines (PodHelper)",
            {Size("pods", "Pods", 2),
             Size("racks_per_pod", "Racks of a pod, a leaf each", 4),
             Size("gpus_per_rack", "Hosts of a rack", 8),
             Size("pod_spines", "Spines of a pod", 8),
             Size("super_spines", "In all; 0 with one pod", 8, 0),
             Count("pod_links", "Parallel links between leaf and pod spine", 1),
             Count("core_links", "Parallel links between pod spine and super-spine", 1),
             Rate("host_rate", "Of links of hosts"),
             Rate("pod_rate", "Of links between leaf and pod spine"),
             Rate("core_rate", "Of links between pod spine and super-spine", "400Gbps"),
             Metres("host_metres", "Cables in the rack", 2),
             Metres("pod_metres", "Cables between leaf and pod spine", 50),
             Metres("core_metres", "Cables between pod spine and super-spine", 450),
             Radix("leaf_radix", "a leaf"),
             Radix("spine_radix", "a pod spine", 128),
             Radix("super_radix", "a super-spine", 128)},
            {}};
}

/** \return the shape of rails */
ExperimentShape
Rails()
{
    return {"rails",
            "Servers with a NIC a rail, a leaf a rail (RailHelper)",
            {Size("groups", "Units of servers that share their leaves", 2),
             Size("nodes_per_group", "Servers of a unit", 4),
             Size("rails", "NICs of a server, leaves of a unit", 8),
             Size("spines", "In all; 0 with one unit", 4, 0),
             Count("links_per_pair", "Parallel links between leaf and spine", 1),
             Rows::Row(Key::BOOL,
                       "gpus_as_hosts",
                       "Each NIC is a host of its own, not a port of its server",
                       false,
                       true),
             Rows::Row(Key::BOOL, "separate_rails", "Spines belong to one rail each", false, true),
             Rate("host_rate", "Of links of hosts", "400Gbps"),
             Rate("fabric_rate", "Of links between leaf and spine", "400Gbps"),
             Metres("host_metres", "Cables between servers and leaves", 3),
             Metres("fabric_metres", "Cables between leaf and spine", 30),
             Radix("leaf_radix", "a leaf", 64),
             Radix("spine_radix", "a spine", 64)},
            {}};
}

/** \return the shape of hosts with two ports */
ExperimentShape
DualPlane()
{
    return {"dual_plane",
            "Hosts with two ports, two leaves a rack (DualPlaneHelper)",
            {Size("racks", "Racks", 4),
             Size("hosts_per_rack", "Hosts of a rack", 8),
             Size("spines", "In all; even with separate planes", 4, 0),
             Rows::Row(Key::BOOL,
                       "separate_planes",
                       "Spines belong to a plane, half of them each; false: dual-ToR",
                       true,
                       false),
             Count("links_per_pair", "Parallel links between leaf and spine", 1),
             Rate("host_rate", "Of one port of a host", "200Gbps"),
             Rate("fabric_rate", "Of links between leaf and spine", "400Gbps"),
             Metres("host_metres", "Cables between hosts and leaves", 3),
             Metres("fabric_metres", "Cables between leaf and spine", 30),
             Radix("leaf_radix", "a leaf"),
             Radix("spine_radix", "a spine")},
            {}};
}

/** \return the keys of which a document has one */
ExperimentShape
Topology()
{
    const auto object = [](const char* name, const char* help, const ExperimentKey::Json& example) {
        return Rows::Object(Key::OBJECT, name, help, name, example);
    };
    return {"topology",
            "The fabric; one of its keys",
            {Rows::Row(Key::TEXT, "preset", "Name of a preset", nullptr, "homelab"),
             Rows::Row(Key::TEXT,
                       "file",
                       "A topology file, relative to the experiment's",
                       nullptr,
                       "fabric.json"),
             Rows::Object(Key::INLINE,
                          "fabric",
                          "The object of a topology file",
                          "roce-topology/1",
                          {{"schema", "roce-topology/1"}}),
             object("star", "Hosts on one switch", {{"hosts", 9}}),
             object("clos", "Two tiers", {{"leaves", 2}, {"spines", 2}, {"hosts_per_leaf", 4}}),
             object("three_tier",
                    "Three tiers",
                    {{"pods", 2},
                     {"leaves_per_pod", 2},
                     {"pod_spines", 2},
                     {"super_spines", 4},
                     {"hosts_per_leaf", 4}}),
             object("fat_tree", "A k-ary fat tree", {{"k", 4}}),
             object("pods",
                    "Racks, pods, super-spines",
                    {{"pods", 2},
                     {"racks_per_pod", 2},
                     {"gpus_per_rack", 4},
                     {"pod_spines", 2},
                     {"super_spines", 2}}),
             object("rails",
                    "A leaf a rail",
                    {{"groups", 1}, {"nodes_per_group", 4}, {"rails", 8}, {"spines", 0}}),
             object("dual_plane",
                    "Hosts with two ports",
                    {{"racks", 2}, {"hosts_per_rack", 4}, {"spines", 2}})},
            {}};
}

} // namespace

void
ExperimentShapes::AddTopology(std::vector<ExperimentShape>& shapes)
{
    ExperimentShape topology = Topology();
    topology.choices = {{topology.GetNames(), true}};
    shapes.push_back(topology);
    shapes.push_back({"star",
                      "Hosts 0, 1, ... on one switch",
                      {Size("hosts", "Hosts", 9),
                       Rate("rate", "Of all links"),
                       Delay("delay", "Of all links, one way")},
                      {}});
    shapes.push_back(Clos());
    shapes.push_back(ThreeTier());
    shapes.push_back({"fat_tree",
                      "A k-ary fat tree (FatTreeHelper)",
                      {Size("k", "Pods, even", 4, 2),
                       Count("oversubscription", "Hosts on an edge switch are k / 2 times this", 1),
                       Rate("host_rate", "Of links of hosts"),
                       Rate("fabric_rate", "Of links between switches"),
                       Delay("host_delay", "Of links of hosts, one way"),
                       Delay("fabric_delay", "Of links between switches, one way")},
                      {}});
    shapes.push_back(Pods());
    shapes.push_back(Rails());
    shapes.push_back(DualPlane());
}

} // namespace roce
} // namespace ns3
