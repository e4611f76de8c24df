/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-front-end-helper.h"

#include "ns3/data-rate.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/node.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/roce-quantity.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t LINK_ADDRESSES = 4;           //!< of a link: a subnet of 30 bits
constexpr uint32_t FABRIC_MASK = 0xff000000;     //!< of 11.0.0.0/8, see AddressPlan
const char* const LINK_MASK = "255.255.255.252"; //!< of a link

/** \return a number from "10.0.0.0". \param text four numbers with dots; else refused */
uint32_t
ParseDotted(const std::string& text)
{
    std::istringstream in(text);
    uint32_t address = 0;
    for (int i = 0; i < 4; ++i)
    {
        unsigned part = 256;
        char dot = '.';
        if ((i > 0 && !(in >> dot)) || !(in >> part) || dot != '.' || part > 255)
        {
            throw std::invalid_argument("front end: " + Quantity::Shown(text) +
                                        ", expected four numbers up to 255, such as 10.0.0.0");
        }
        address = address << 8 | part;
    }
    if (in.get() != std::istringstream::traits_type::eof())
    {
        throw std::invalid_argument("front end: " + Quantity::Shown(text) +
                                    " goes on after four numbers");
    }
    return address;
}

} // namespace

FrontEndHelper::FrontEndHelper()
    : m_rateBps(25000000000ULL),
      m_delay(MicroSeconds(1)),
      m_network("10.0.0.0"),
      m_mask("255.0.0.0")
{
}

void
FrontEndHelper::SetRate(const std::string& rate)
{
    m_rateBps = Quantity::RateBps(rate);
}

void
FrontEndHelper::SetDelay(const std::string& delay)
{
    const int64_t ps = Quantity::DelayPs(delay);
    if (ps < 0)
    {
        throw std::invalid_argument("front end: a delay of " + Quantity::Shown(delay) +
                                    ", it cannot be negative");
    }
    m_delay = PicoSeconds(ps);
}

void
FrontEndHelper::SetSubnet(const std::string& network, const std::string& mask)
{
    const uint32_t first = ParseDotted(network);
    const uint32_t bits = ParseDotted(mask);
    const uint32_t host = ~bits;
    if ((host & (host + 1)) != 0 || (first & host) != 0)
    {
        throw std::invalid_argument("front end: " + network + " with mask " + mask +
                                    " is no subnet; the mask is ones, then zeros, and the address "
                                    "has zeros where the mask has");
    }
    if ((first & FABRIC_MASK & bits) == (AddressPlan::BASE & FABRIC_MASK & bits))
    {
        throw std::invalid_argument("front end: " + network + " with mask " + mask +
                                    " meets 11.0.0.0/8, which the fabric has; take another one, "
                                    "such as 10.0.0.0");
    }
    m_network = Ipv4Address(first);
    m_mask = Ipv4Mask(bits);
}

FrontEnd
FrontEndHelper::Install(Ptr<Fabric> fabric) const
{
    const NodeContainer& hosts = fabric->GetHosts();
    const uint64_t room = (uint64_t(~m_mask.Get()) + 1) / LINK_ADDRESSES;
    if (hosts.GetN() > room)
    {
        throw std::invalid_argument("front end: a subnet with room for " + std::to_string(room) +
                                    " links of " + std::to_string(LINK_ADDRESSES) +
                                    " addresses, the fabric has " + std::to_string(hosts.GetN()) +
                                    " hosts; give SetSubnet a shorter mask");
    }
    FrontEnd made;
    made.router = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(made.router);
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        if (!hosts.Get(i)->GetObject<Ipv4>())
        {
            stack.Install(hosts.Get(i));
        }
        Join(made, hosts.Get(i), i);
    }
    return made;
}

void
FrontEndHelper::Join(FrontEnd& made, Ptr<Node> host, uint32_t index) const
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(m_rateBps)));
    link.SetChannelAttribute("Delay", TimeValue(m_delay));
    const NetDeviceContainer ends = link.Install(host, made.router);
    made.hostDevices.Add(ends.Get(0));
    made.routerDevices.Add(ends.Get(1));
    Ipv4AddressHelper addresses;
    addresses.SetBase(Ipv4Address(m_network.Get() + index * LINK_ADDRESSES), LINK_MASK);
    const Ipv4InterfaceContainer interfaces = addresses.Assign(ends);
    made.hosts.Add(interfaces.Get(0));
    Ptr<Ipv4StaticRouting> routes =
        Ipv4StaticRoutingHelper().GetStaticRouting(host->GetObject<Ipv4>());
    if (!routes)
    {
        throw std::runtime_error("front end: host " + std::to_string(index) +
                                 " has an IPv4 stack without static routing; add "
                                 "Ipv4StaticRoutingHelper to its routing");
    }
    routes->AddNetworkRouteTo(m_network,
                              m_mask,
                              interfaces.GetAddress(1),
                              interfaces.Get(0).second);
}

} // namespace roce
} // namespace ns3
