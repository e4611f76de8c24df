/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRONT_END_HELPER_H
#define ROCE_FRONT_END_HELPER_H

#include "roce-fabric.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/nstime.h"

#include <string>

namespace ns3
{
namespace roce
{

/** A built front end; its containers are in the order of Fabric::GetHosts. */
struct FrontEnd
{
    Ptr<Node> router;                 //!< in the middle
    NetDeviceContainer hostDevices;   //!< PointToPointNetDevice of each host
    NetDeviceContainer routerDevices; //!< the other end of each
    Ipv4InterfaceContainer hosts;     //!< interface and address of each host

    /** \return front-end address of a host. \param index place in Fabric::GetHosts */
    Ipv4Address GetAddress(uint32_t index) const
    {
        return hosts.GetAddress(index);
    }
};

/**
 * Joins the hosts of a fabric by a second network, for TCP/IP alone.
 *
 * Models: the front end of a cluster (storage, control, users) beside its back end: each host has
 * one more device, a point-to-point link to one router, all of it stock parts of ns-3: PointToPoint
 * and InternetStackHelper. Routes are static: a host sends what is for the front-end subnet to the
 * router, and nothing else.
 *
 * Source: the split in front end and back end of Gangidi et al., RDMA over Ethernet for Distributed
 * Training at Meta Scale, SIGCOMM 2024; rate and delay are settings.
 *
 * Invariants: no packet of one network travels in the other, and none delays one of the other; the
 * ports of the fabric keep their places on the nodes.
 *
 * Leaves out: tiers of front-end switches: the router does not block; IPv6; what the two networks
 * share inside a host (PCIe, CPU).
 */
class FrontEndHelper
{
  public:
    FrontEndHelper();

    /** \param rate of each link, such as "25Gbps" (default); std::invalid_argument if it is none */
    void SetRate(const std::string& rate);

    /** \param delay one way, of each link, such as "1us" (default); std::invalid_argument if it is
     *  none or negative */
    void SetDelay(const std::string& delay);

    /**
     * Where addresses come from: each link takes four of them. Default: 10.0.0.0, 255.0.0.0.
     * \param network its first address
     * \param mask of it; std::invalid_argument if the two do not fit, or meet the 11.0.0.0/8 that
     *        AddressPlan gives to the fabric
     */
    void SetSubnet(const std::string& network, const std::string& mask);

    /**
     * Build it; RoceHelper::InstallInternet may come before, after, or not at all. Throws
     * std::invalid_argument if the subnet is too small.
     * \param fabric whose hosts
     * \return devices and addresses
     */
    FrontEnd Install(Ptr<Fabric> fabric) const;

  private:
    void Join(FrontEnd& made, Ptr<Node> host, uint32_t index) const;

    uint64_t m_rateBps;
    Time m_delay;
    Ipv4Address m_network;
    Ipv4Mask m_mask;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FRONT_END_HELPER_H
