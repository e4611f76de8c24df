/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOAD_BALANCE_TRIAL_H
#define ROCE_LOAD_BALANCE_TRIAL_H

#include "ns3/nstime.h"
#include "ns3/roce-helper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What roce-load-balance is asked for. */
struct LoadBalanceSettings
{
    uint32_t leaves{8};           //!< leaf switches
    uint32_t spines{16};          //!< spine switches
    uint32_t hosts{16};           //!< hosts on each leaf
    std::string rate{"100Gbps"};  //!< of all links
    std::string delay{"500ns"};   //!< one way, of each cable
    std::string entropy{"port"};  //!< port: a UDP source port a queue pair; none: one a host
    uint32_t mtu{4096};           //!< payload of a full packet
    uint64_t window{0};           //!< bytes a queue pair may have outstanding; 0: by their number
    std::string warmup{"400us"};  //!< before bytes are counted
    std::string measure{"400us"}; //!< while they are
};

/**
 * One permutation on one fabric: the rate of each pair of hosts in the steady state.
 *
 * Models: each host of leaf i writes without end to one host of leaf i + s; s and the order of the
 * hosts come from the seed. Windows, not a congestion control, share the links: full queues of
 * equal windows give each queue pair of a link about the same rate.
 *
 * Invariants: a host sends to one host and receives from one.
 *
 * Leaves out: messages that end.
 */
class LoadBalanceTrial
{
  public:
    /** \param settings sizes; std::invalid_argument if there is no other leaf */
    explicit LoadBalanceTrial(const LoadBalanceSettings& settings);

    /** \return the fabric. \param roce makes its parts \param lb load balancer \param seed of its
     *  hash \param recovery loss recovery the user asked for, or empty */
    Ptr<Fabric> Install(RoceHelper& roce,
                        const std::string& lb,
                        uint32_t seed,
                        const std::string& recovery) const;

    /** Connect and post. \param fabric the fabric \param qps queue pairs a pair of hosts \param
     * seed of the permutation */
    void Start(Ptr<Fabric> fabric, uint32_t qps, uint32_t seed);

    /** \return when the simulation is to end */
    Time GetStop() const;

    /** \return share of line rate of each host as a receiver, least first, after the simulation
     * ended: payload over the payload a full link carries. \param fabric the fabric */
    std::vector<double> GetShares(Ptr<Fabric> fabric) const;

    /** \return mean over leaves of the bytes of the busiest uplink over the mean. \param fabric a
     *  fabric that has run */
    static double GetImbalance(Ptr<Fabric> fabric);

  private:
    void Note(Ptr<Fabric> fabric);
    uint64_t GetWindow(uint32_t qps) const;

    LoadBalanceSettings m_settings;
    Time m_warmup{0};
    Time m_measure{0};
    std::vector<uint64_t> m_before; //!< bytes each host had received after the warm-up
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOAD_BALANCE_TRIAL_H
