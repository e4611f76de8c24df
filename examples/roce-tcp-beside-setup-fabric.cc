/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-setup.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

// what BesideSetup builds; what it checks is in roce-tcp-beside-setup.cc

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t RACKS = 8;
constexpr uint32_t SPINES = 8;
constexpr uint32_t HOSTS = 8;              //!< a rack
constexpr uint32_t PORTS = SPINES + HOSTS; //!< of a leaf, the largest switch
constexpr uint32_t HEADERS = 20 + 20 + 12; //!< IPv4, TCP, and the options most stacks send
constexpr uint32_t ETHERNET = 14 + 4;      //!< Ethernet header and FCS
constexpr uint32_t ETHERNET_MTU = 1500;    //!< IEEE 802.3
constexpr uint32_t ROCE_FRAME = 4174;      //!< Switch's default: a full packet of 4096 bytes
constexpr uint64_t RATE = 100000000000;    //!< bit/s

} // namespace

void
BesideSetup::SetRoce(RoceHelper& roce, const std::string& label) const
{
    if (label == "hcc" || label.rfind("mixed", 0) == 0)
    {
        roce.SetCongestionControl("hcc");
        roce.SetCongestionControlAttribute("Profile", StringValue("steady"));
    }
    else if (label == "dcqcn")
    {
        // as dcqcn-paper of the headline scenarios
        roce.SetCongestionControl("dcqcn");
        roce.SetCongestionControlAttribute("Preset", StringValue("paper"));
        roce.SetEcnThresholds(RATE, 100000, 400000, 0.2);
    }
    else
    {
        roce.SetCongestionControl("none");
        roce.SetNicAttribute("EcnCapable", BooleanValue(false));
    }
    if (label == "tcp-dctcp")
    {
        // Alizadeh et al., SIGCOMM 2010, 3.1: CE on what arrives at a queue longer than K
        roce.SetEcnAttribute("Mode", StringValue("step"));
        roce.SetEcnAttribute("MarkAt", StringValue("enqueue"));
        roce.SetEcnAttribute("KminBytes", UintegerValue(m_mark));
        roce.SetEcnAttribute("KmaxBytes", UintegerValue(m_mark));
    }
    roce.SetNicAttribute("CnpHandling", TimeValue(NanoSeconds(500)));
}

void
BesideSetup::SetSwitches(RoceHelper& roce) const
{
    const uint32_t packet = m_settings.mss + HEADERS;
    roce.SetPortAttribute("Mtu", UintegerValue(std::max(ETHERNET_MTU, packet)));
    roce.SetPortAttribute("PacketPriority", UintegerValue(TCP_PRIORITY));
    roce.SetSwitchAttribute("BufferSize", UintegerValue(m_buffer * PORTS));
    roce.SetSwitchAttribute("LosslessMask", UintegerValue(1 << ROCE_PRIORITY));
    roce.SetSwitchAttribute("LossyPoolFraction", DoubleValue(m_settings.lossyPool));
    // a pause frame may have to wait for the largest frame, whoever sends it
    roce.SetSwitchAttribute("MaxFrameBytes",
                            UintegerValue(std::max(ROCE_FRAME, packet + ETHERNET)));
}

Ptr<Fabric>
BesideSetup::Build(const std::string& label, const std::string& lb) const
{
    RoceHelper roce;
    SetRoce(roce, label);
    SetSwitches(roce);
    roce.SetLoadBalancer(lb);
    if (label == "mixed-dwrr")
    {
        roce.SetScheduler("dwrr"); // the same weight for priorities 0 to 5
    }
    ClosHelper clos(RACKS, SPINES, HOSTS);
    clos.SetHostLinks("100Gbps", "100ns");
    clos.SetFabricLinks("100Gbps", "400ns");
    Ptr<Fabric> fabric = clos.Install(roce);
    if (HasTcp(label))
    {
        roce.InstallInternet(fabric);
    }
    return fabric;
}

} // namespace roce
} // namespace ns3
