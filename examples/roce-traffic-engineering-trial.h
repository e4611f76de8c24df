/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_ENGINEERING_TRIAL_H
#define ROCE_TRAFFIC_ENGINEERING_TRIAL_H

#include "roce-long-flows.h"

#include "ns3/roce-helper.h"
#include "ns3/roce-traffic-engineer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What roce-traffic-engineering is asked for. */
struct EngineeringSettings
{
    uint32_t leaves{4};            //!< leaf switches
    uint32_t spines{8};            //!< spine switches
    uint32_t hosts{8};             //!< hosts on each leaf
    std::string rate{"100Gbps"};   //!< of all links
    std::string delay{"500ns"};    //!< one way, of each cable
    std::string failAt{"0us"};     //!< when uplinks fail; 0: before the flows begin
    std::string reaction{"100us"}; //!< from then to new pins
    std::string warmup{"200us"};   //!< before bytes are counted
    std::string measure{"400us"};  //!< while they are
};

/** Shares of line rate: of the slowest pair of hosts, and of all. */
struct EngineeringShares
{
    double slowest{0}; //!< least
    double mean{0};    //!< mean
};

/**
 * One permutation on a leaf-spine fabric without some of its uplinks.
 *
 * Models: each host of leaf i writes without end to one host of leaf i + s; s, the order of the
 * hosts and the uplinks that fail, as many of each leaf, come from the seed. With load balancer
 * "te" a TrafficEngineer pins each queue pair; it is told that a queue pair wants its part of line
 * rate. Equal windows, not a congestion control, share the links.
 *
 * Invariants: a host sends to one host and receives from one; any two leaves share a spine.
 *
 * Leaves out: messages that end. It must outlive the simulation.
 */
class EngineeringTrial
{
  public:
    /** \param settings sizes and times; std::invalid_argument names the flag that is impossible
     *  \param failed uplinks of each leaf that fail \param qps queue pairs of two hosts */
    EngineeringTrial(const EngineeringSettings& settings, uint32_t failed, uint32_t qps);

    /** \return the fabric. \param roce makes its parts \param balancer name of a load balancer, or
     *  te, or te-keep \param seed of its hash and of all that is drawn */
    Ptr<Fabric> Install(RoceHelper& roce, const std::string& balancer, uint32_t seed);

    /** Fail links, connect, post, pin. \param fabric from Install */
    void Start(Ptr<Fabric> fabric);

    /** \return when the simulation is to end; after Start */
    Time GetStop() const;

    /** \return what the pairs got: payload over the payload a full link carries; after the run */
    EngineeringShares GetShares() const;

    /** \return the same if the traffic of a leaf is spread evenly over the spines that it and its
     *  destination both reach: S usable ones for H hosts give min(1, S / H); after Start */
    EngineeringShares GetRoofline() const;

    /** \return the controller; nullptr without te */
    const TrafficEngineer* GetEngineer() const
    {
        return m_engineer.get();
    }

  private:
    void DrawFailures();
    void Fail(Ptr<Fabric> fabric) const;
    void AddFlows();
    void Pin(Ptr<Fabric> fabric);

    EngineeringSettings m_settings;
    uint32_t m_failed;
    uint32_t m_qps;
    Time m_failAt;
    Time m_reaction;
    uint32_t m_seed{0};
    bool m_pins{false};
    bool m_keeps{false};
    double m_fullRate{0};
    std::vector<std::vector<bool>> m_down; //!< by leaf and spine
    std::unique_ptr<LongFlows> m_flows;
    std::unique_ptr<TrafficEngineer> m_engineer;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAFFIC_ENGINEERING_TRIAL_H
