/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-domains.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <unordered_map>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint8_t TOP_OF_POD = 2; //!< highest tier in a pod
constexpr uint32_t IDS = 65536;   //!< 16 bits

} // namespace

CongestionDomains::CongestionDomains(const FabricGraph& graph, Policy policy, uint32_t classes)
{
    Number(graph, classes);
    FindTiers(graph);
    FindPods(graph);
    Assign(graph, [this, policy](const FabricGraph& g, uint32_t id, const FabricNeighbour& port) {
        return NameOf(g, policy, id, port);
    });
}

CongestionDomains::CongestionDomains(const FabricGraph& graph, const Rule& rule, uint32_t classes)
{
    Number(graph, classes);
    FindTiers(graph);
    FindPods(graph);
    Assign(graph, nullptr);
    for (auto& [id, member] : m_switches)
    {
        for (uint32_t port = 0; port < member.places.size(); ++port)
        {
            const uint16_t domain = rule(graph, id, port);
            member.places[port].domain = domain;
            m_labels.emplace(domain, "domain " + std::to_string(domain));
        }
    }
}

CongestionDomains::Policy
CongestionDomains::PolicyOf(const std::string& name)
{
    const std::pair<const char*, Policy> known[] = {{"port", PER_PORT},
                                                    {"spine", PER_SPINE},
                                                    {"pod", PER_POD},
                                                    {"switch", PER_SWITCH},
                                                    {"tier", PER_TIER}};
    for (const auto& policy : known)
    {
        if (name == policy.first)
        {
            return policy.second;
        }
    }
    throw std::invalid_argument("congestion domains \"" + name +
                                "\" are not known; choose port, spine, pod, switch or tier");
}

const CongestionDomains::Member&
CongestionDomains::MemberOf(uint32_t id) const
{
    const auto found = m_switches.find(id);
    if (found == m_switches.end())
    {
        throw std::invalid_argument("node " + std::to_string(id) +
                                    " is no switch of the graph of these congestion domains");
    }
    return found->second;
}

const CongestionPoint::Place&
CongestionDomains::GetPlace(uint32_t id, uint32_t port) const
{
    const Member& member = MemberOf(id);
    if (port >= member.places.size())
    {
        throw std::invalid_argument("switch " + std::to_string(id) + " has " +
                                    std::to_string(member.places.size()) + " ports, not port " +
                                    std::to_string(port));
    }
    return member.places[port];
}

uint16_t
CongestionDomains::GetFirstPoint(uint32_t id) const
{
    return static_cast<uint16_t>(MemberOf(id).firstPoint);
}

uint8_t
CongestionDomains::GetTier(uint32_t id) const
{
    return MemberOf(id).tier;
}

uint32_t
CongestionDomains::GetPod(uint32_t id) const
{
    return MemberOf(id).pod;
}

uint32_t
CongestionDomains::GetNumPods() const
{
    return m_pods;
}

uint32_t
CongestionDomains::GetNumPoints() const
{
    return m_points;
}

uint32_t
CongestionDomains::GetNumDomains() const
{
    return static_cast<uint32_t>(m_labels.size());
}

std::string
CongestionDomains::GetLabel(uint16_t domain) const
{
    const auto found = m_labels.find(domain);
    return found == m_labels.end() ? "" : found->second;
}

void
CongestionDomains::Number(const FabricGraph& graph, uint32_t classes)
{
    uint64_t ports = 0;
    for (uint32_t id : graph.Switches())
    {
        Member& member = m_switches[id];
        member.firstPoint = static_cast<uint32_t>(ports * classes);
        member.places.resize(graph.PortCount(id));
        ports += member.places.size();
    }
    if (ports * classes > IDS)
    {
        throw std::invalid_argument(
            "the fabric has " + std::to_string(ports * classes) + " congestion points (" +
            std::to_string(ports) + " switch ports, " + std::to_string(classes) +
            " priorities), but their ids have 16 bits, " + std::to_string(IDS) +
            "; use fewer priorities or a smaller fabric");
    }
    m_points = static_cast<uint32_t>(ports * classes);
}

void
CongestionDomains::FindTiers(const FabricGraph& graph)
{
    std::deque<uint32_t> next;
    for (auto& [id, member] : m_switches)
    {
        for (const FabricNeighbour& port : graph.Neighbours(id))
        {
            if (graph.IsHost(port.peer) && member.tier == 0)
            {
                member.tier = 1;
                next.push_back(id);
            }
        }
    }
    while (!next.empty())
    {
        const uint32_t id = next.front();
        next.pop_front();
        const auto tier = static_cast<uint8_t>(std::min(255, m_switches[id].tier + 1));
        for (const FabricNeighbour& port : graph.Neighbours(id))
        {
            const auto peer = m_switches.find(port.peer);
            if (peer != m_switches.end() && peer->second.tier == 0)
            {
                peer->second.tier = tier;
                next.push_back(port.peer);
            }
        }
    }
    for (auto& [id, member] : m_switches)
    {
        member.tier = std::max<uint8_t>(1, member.tier);
    }
}

void
CongestionDomains::FindPods(const FabricGraph& graph)
{
    for (uint32_t first : graph.Switches())
    {
        if (m_switches[first].tier > TOP_OF_POD || m_switches[first].pod != NO_POD)
        {
            continue;
        }
        const uint32_t pod = m_pods++;
        std::deque<uint32_t> next{first};
        m_switches[first].pod = pod;
        while (!next.empty())
        {
            const uint32_t id = next.front();
            next.pop_front();
            for (const FabricNeighbour& port : graph.Neighbours(id))
            {
                const auto peer = m_switches.find(port.peer);
                if (peer != m_switches.end() && peer->second.tier <= TOP_OF_POD &&
                    peer->second.pod == NO_POD)
                {
                    peer->second.pod = pod;
                    next.push_back(port.peer);
                }
            }
        }
    }
}

void
CongestionDomains::Assign(const FabricGraph& graph, const Namer& namer)
{
    std::unordered_map<std::string, uint16_t> numbers;
    for (uint32_t id : graph.Switches())
    {
        Member& member = m_switches[id];
        const bool nvSwitch = graph.Node(id).kind == NodeKind::NvSwitch;
        for (const FabricNeighbour& port : graph.Neighbours(id))
        {
            CongestionPoint::Place& place = member.places[port.port];
            const auto peer = m_switches.find(port.peer);
            const bool host = peer == m_switches.end();
            const uint8_t highest = host ? member.tier : std::max(member.tier, peer->second.tier);
            const bool inNode =
                nvSwitch || (!host && graph.Node(port.peer).kind == NodeKind::NvSwitch);
            place.tier = member.tier;
            place.stage = inNode ? 1 : (highest > TOP_OF_POD ? 3 : 2);
            place.last = host;
            if (namer)
            {
                const std::string name = namer(graph, id, port);
                const auto number = static_cast<uint16_t>(numbers.size());
                place.domain = numbers.emplace(name, number).first->second;
                m_labels.emplace(place.domain, name);
            }
        }
    }
}

std::string
CongestionDomains::SwitchName(uint32_t id) const
{
    const uint8_t tier = MemberOf(id).tier;
    const std::string kind = tier == 1 ? "leaf " : tier == TOP_OF_POD ? "spine " : "super-spine ";
    return kind + std::to_string(id);
}

std::string
CongestionDomains::NameOf(const FabricGraph& graph,
                          Policy policy,
                          uint32_t id,
                          const FabricNeighbour& port) const
{
    const Member& member = MemberOf(id);
    const bool host = graph.IsHost(port.peer);
    switch (policy)
    {
    case PER_PORT:
        return "port " + std::to_string(port.port) + " of " + SwitchName(id);
    case PER_SPINE:
        return SwitchName(!host && MemberOf(port.peer).tier > member.tier ? port.peer : id);
    case PER_POD: {
        const uint32_t other = host ? NO_POD : MemberOf(port.peer).pod;
        const uint32_t pod = std::min(member.pod, other);
        return pod == NO_POD ? "above pods" : "pod " + std::to_string(pod);
    }
    case PER_SWITCH:
        return SwitchName(id);
    default:
        return "tier " + std::to_string(member.tier);
    }
}

} // namespace roce
} // namespace ns3
