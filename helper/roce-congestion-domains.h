/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_DOMAINS_H
#define ROCE_CONGESTION_DOMAINS_H

#include "ns3/roce-congestion-point.h"
#include "ns3/roce-fabric-graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Where each switch port of a fabric belongs, for hierarchical congestion control.
 *
 * Models: tiers, pods, stages and congestion domains, from the graph alone. The tier of a switch is
 * its distance from hosts: 1 if a host hangs on it, else one more than that of its nearest
 * neighbour. Pods are what is connected after the switches of tier 3 and above are taken away. The
 * stage of a port is 3 if one end of its link is of tier 3 or above, 1 if one is an NvSwitch, else
 * 2. Policies:
 * - PER_PORT: each port;
 * - PER_SPINE: both directions of a link between switches belong to the end that is further from
 *   hosts, so all racks hung on one spine are a domain, and above it all pods hung on one
 *   super-spine; all other ports belong to their own switch, so the host ports of a leaf are one;
 * - PER_POD: a pod with all links that end in it; what lies above pods is one domain;
 * - PER_SWITCH: the ports of a switch;
 * - PER_TIER: the ports of all switches of a tier;
 * - a rule of the user.
 *
 * Source: hierarchical congestion control (doc/hcc.rst); a domain is a spine with its racks there.
 *
 * Invariants: domains are numbered from 0 in the order of switches and ports, without gaps, but not
 * by a rule of the user; ids of points are unique in the fabric; links that are down count.
 *
 * Leaves out: hosts, which forward nothing; changes of the graph later on.
 */
class CongestionDomains
{
  public:
    /** What makes a domain. */
    enum Policy : uint8_t
    {
        PER_PORT,   //!< a port
        PER_SPINE,  //!< a spine and the racks that hang on it
        PER_POD,    //!< a pod
        PER_SWITCH, //!< a switch
        PER_TIER,   //!< a tier
    };

    /** A rule of the user: the domain of a port (3rd) of a switch (2nd) of a graph. */
    typedef std::function<uint16_t(const FabricGraph&, uint32_t, uint32_t)> Rule;

    /**
     * Throws std::invalid_argument naming both numbers if there are more points or domains than 16
     * bits can name.
     * \param graph the plan
     * \param policy what makes a domain
     * \param classes congestion points a port: priorities of data
     */
    CongestionDomains(const FabricGraph& graph, Policy policy, uint32_t classes = 1);

    /** \param graph the plan \param rule gives the domain \param classes points a port */
    CongestionDomains(const FabricGraph& graph, const Rule& rule, uint32_t classes = 1);

    /** \return the policy; throws std::invalid_argument naming the known ones. \param name port,
     *  spine, pod, switch or tier */
    static Policy PolicyOf(const std::string& name);

    /** \return where a port belongs. \param id of a switch \param port its index there */
    const CongestionPoint::Place& GetPlace(uint32_t id, uint32_t port) const;

    /** \return id of the first congestion point of a switch. \param id of the switch */
    uint16_t GetFirstPoint(uint32_t id) const;

    /** \return tier of a switch; 1 if no host can be reached from it. \param id of the switch */
    uint8_t GetTier(uint32_t id) const;

    /** \return pod of a switch, from 0; NO_POD above pods. \param id of the switch */
    uint32_t GetPod(uint32_t id) const;

    /** \return number of pods */
    uint32_t GetNumPods() const;

    /** \return congestion points of all switches */
    uint32_t GetNumPoints() const;

    /** \return number of domains */
    uint32_t GetNumDomains() const;

    /** \return name for people, such as "spine 12" or "leaf 3"; empty if unknown. \param domain its
     *  number */
    std::string GetLabel(uint16_t domain) const;

    static constexpr uint32_t NO_POD = UINT32_MAX; //!< of switches above pods

  private:
    /** A switch. */
    struct Member
    {
        uint8_t tier{0};
        uint32_t pod{NO_POD};
        uint32_t firstPoint{0};
        std::vector<CongestionPoint::Place> places; //!< by port
    };

    /** What the domain of a port is called, before it has a number. */
    typedef std::function<std::string(const FabricGraph&, uint32_t, const FabricNeighbour&)> Namer;

    const Member& MemberOf(uint32_t id) const;
    void FindTiers(const FabricGraph& graph);
    void FindPods(const FabricGraph& graph);
    void Number(const FabricGraph& graph, uint32_t classes);
    void Assign(const FabricGraph& graph, const Namer& namer);
    std::string NameOf(const FabricGraph& graph,
                       Policy policy,
                       uint32_t id,
                       const FabricNeighbour& port) const;
    std::string SwitchName(uint32_t id) const;

    std::map<uint32_t, Member> m_switches; //!< by id
    std::map<uint16_t, std::string> m_labels;
    uint32_t m_pods{0};
    uint32_t m_points{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_DOMAINS_H
