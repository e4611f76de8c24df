/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fabric-check.h"

#include "roce-fabric-graph-storage.h"

#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/// Faults of a fabric, found one kind after the other.
class Finder
{
  public:
    /** \param fabric what to look at */
    explicit Finder(const FabricDocument& fabric)
        : m_fabric(fabric),
          m_graph(fabric.graph)
    {
    }

    /** \return the faults. \param partition whether partitions are one */
    std::vector<std::string> Find(PartitionPolicy partition)
    {
        if (m_graph.HostCount() == 0)
        {
            m_faults.push_back("the fabric has no host among its " +
                               std::to_string(m_graph.NodeCount()) +
                               " nodes; expected at least one");
        }
        CheckTiers();
        CheckNodes();
        CheckIslands();
        if (partition == PartitionPolicy::Refuse && m_faults.empty())
        {
            CheckPaths();
        }
        return std::move(m_faults);
    }

  private:
    /** \return "switch 5 (leaf0, tier leaf)". \param node the node */
    static std::string Called(const FabricNode& node)
    {
        const std::string name = node.name.empty() ? "" : node.name + ", ";
        return (node.kind == NodeKind::Host ? "host " : "switch ") + std::to_string(node.id) +
               " (" + name + "tier '" + node.tier + "')";
    }

    /// Refuse a radix for a tier that no node has.
    void CheckTiers()
    {
        std::set<std::string> tiers;
        for (uint32_t i = 0; i < m_graph.NodeCount(); i++)
        {
            tiers.insert(m_graph.GetStorage()[i].tier);
        }
        for (const auto& [tier, ports] : m_fabric.radix)
        {
            if (tiers.count(tier) == 0)
            {
                std::string known;
                for (const std::string& name : tiers)
                {
                    known += (known.empty() ? "'" : ", '") + name + "'";
                }
                m_faults.push_back("radix " + std::to_string(ports) + " for tier '" + tier +
                                   "', which no node has; tiers are " + known);
            }
        }
    }

    /// Refuse nodes without links and with too many.
    void CheckNodes()
    {
        for (uint32_t i = 0; i < m_graph.NodeCount(); i++)
        {
            const FabricNode& node = m_graph.GetStorage()[i];
            const uint32_t ports = m_graph.PortCount(node.id);
            if (ports == 0)
            {
                m_faults.push_back(Called(node) + " has no link; cable it or remove it");
            }
            const auto radix = m_fabric.radix.find(node.tier);
            if (radix != m_fabric.radix.end() && ports > radix->second)
            {
                m_faults.push_back(Called(node) + " needs " + std::to_string(ports) +
                                   " ports, its limit is " + std::to_string(radix->second) +
                                   "; remove links or raise the radix of the tier");
            }
        }
    }

    /// Refuse switches that no host reaches.
    void CheckIslands()
    {
        std::vector<bool> seen(m_graph.NodeCount());
        std::vector<uint32_t> queue = m_graph.Hosts();
        for (uint32_t host : queue)
        {
            seen[m_graph.IndexOf(host)] = true;
        }
        for (size_t head = 0; head < queue.size(); head++)
        {
            for (const FabricNeighbour& n : m_graph.Neighbours(queue[head]))
            {
                const uint32_t index = m_graph.IndexOf(n.peer);
                if (!seen[index])
                {
                    seen[index] = true;
                    queue.push_back(n.peer);
                }
            }
        }
        for (uint32_t i = 0; i < m_graph.NodeCount(); i++)
        {
            const FabricNode& node = m_graph.GetStorage()[i];
            if (!seen[i] && m_graph.PortCount(node.id) != 0)
            {
                m_faults.push_back(Called(node) +
                                   " cannot be reached from any host; cable it or remove it");
            }
        }
    }

    /// Refuse hosts without a path between them.
    void CheckPaths()
    {
        try
        {
            m_graph.Validate(PartitionPolicy::Refuse);
        }
        catch (const std::invalid_argument& e)
        {
            m_faults.emplace_back(e.what());
        }
    }

    const FabricDocument& m_fabric;    //!< the fabric
    const FabricGraph& m_graph;        //!< its graph
    std::vector<std::string> m_faults; //!< found so far
};

} // namespace

constexpr size_t FabricCheck::MAX_FAULTS;

std::vector<std::string>
FabricCheck::Faults(const FabricDocument& fabric, PartitionPolicy partition)
{
    return Finder(fabric).Find(partition);
}

void
FabricCheck::Require(const FabricDocument& fabric, PartitionPolicy partition)
{
    const std::vector<std::string> faults = Faults(fabric, partition);
    if (faults.empty())
    {
        return;
    }
    std::string message = fabric.name.empty() ? "" : fabric.name + ": ";
    for (size_t i = 0; i < faults.size() && i < MAX_FAULTS; i++)
    {
        message += (i == 0 ? "" : "\n") + faults[i];
    }
    if (faults.size() > MAX_FAULTS)
    {
        message += "\nand " + std::to_string(faults.size() - MAX_FAULTS) + " more";
    }
    throw std::invalid_argument(message);
}

} // namespace roce
} // namespace ns3
