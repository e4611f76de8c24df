/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-name-table.h"

#include "ns3/roce-conga-load-balancer.h"
#include "ns3/roce-dcqcn.h"
#include "ns3/roce-dctcp-rate.h"
#include "ns3/roce-dlb-load-balancer.h"
#include "ns3/roce-drill-load-balancer.h"
#include "ns3/roce-dwrr-scheduler.h"
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-flowlet-load-balancer.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-go-back-zero.h"
#include "ns3/roce-hcc.h"
#include "ns3/roce-hpcc-load-balancer.h"
#include "ns3/roce-hpcc-rate.h"
#include "ns3/roce-hpcc.h"
#include "ns3/roce-int-oracle.h"
#include "ns3/roce-letflow-load-balancer.h"
#include "ns3/roce-no-congestion-control.h"
#include "ns3/roce-patched-timely.h"
#include "ns3/roce-path-bound-dcqcn.h"
#include "ns3/roce-pinned-load-balancer.h"
#include "ns3/roce-power-tcp.h"
#include "ns3/roce-selective-repeat.h"
#include "ns3/roce-spray-load-balancer.h"
#include "ns3/roce-swift.h"
#include "ns3/roce-theta-power-tcp.h"
#include "ns3/roce-timely.h"
#include "ns3/string.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return the class. \param name what was asked for \param known short names \param base class it
 *  must descend from \param what it is, for the message */
ObjectFactory
Choose(const std::string& name,
       const std::map<std::string, TypeId>& known,
       TypeId base,
       const std::string& what)
{
    ObjectFactory factory;
    auto found = known.find(name);
    if (found != known.end())
    {
        factory.SetTypeId(found->second);
        return factory;
    }
    TypeId type;
    if (TypeId::LookupByNameFailSafe(name, &type) && type.IsChildOf(base))
    {
        factory.SetTypeId(type);
        return factory;
    }
    std::ostringstream message;
    message << what << " \"" << name << "\" is not known; choose";
    for (const auto& item : known)
    {
        message << " " << item.first;
    }
    message << " or the TypeId of a child of " << base.GetName();
    throw std::invalid_argument(message.str());
}

} // namespace

ObjectFactory
NameTable::CongestionControl(const std::string& name)
{
    return Choose(name,
                  {{"none", NoCongestionControl::GetTypeId()},
                   {"dcqcn", Dcqcn::GetTypeId()},
                   {"dcqcn-path", PathBoundDcqcn::GetTypeId()},
                   {"dctcp", DctcpRate::GetTypeId()},
                   {"hcc", Hcc::GetTypeId()},
                   {"hpcc", Hpcc::GetTypeId()},
                   {"hpcc-rate", HpccRate::GetTypeId()},
                   {"patched-timely", PatchedTimely::GetTypeId()},
                   {"powertcp", PowerTcp::GetTypeId()},
                   {"swift", Swift::GetTypeId()},
                   {"theta-powertcp", ThetaPowerTcp::GetTypeId()},
                   {"timely", Timely::GetTypeId()}},
                  roce::CongestionControl::GetTypeId(),
                  "congestion control");
}

ObjectFactory
NameTable::LossRecovery(const std::string& name)
{
    return Choose(name,
                  {{"go-back-n", GoBackN::GetTypeId()},
                   {"go-back-0", GoBackZero::GetTypeId()},
                   {"irn", SelectiveRepeat::GetTypeId()}},
                  roce::LossRecovery::GetTypeId(),
                  "loss recovery");
}

ObjectFactory
NameTable::LoadBalancer(const std::string& name)
{
    ObjectFactory factory = Choose(name,
                                   {{"conga", CongaLoadBalancer::GetTypeId()},
                                    {"dlb", DlbLoadBalancer::GetTypeId()},
                                    {"drill", DrillLoadBalancer::GetTypeId()},
                                    {"e-ecmp", EcmpLoadBalancer::GetTypeId()},
                                    {"ecmp", EcmpLoadBalancer::GetTypeId()},
                                    {"flowlet", FlowletLoadBalancer::GetTypeId()},
                                    {"hpcc", HpccLoadBalancer::GetTypeId()},
                                    {"letflow", LetFlowLoadBalancer::GetTypeId()},
                                    {"pinned", PinnedLoadBalancer::GetTypeId()},
                                    {"spray", SprayLoadBalancer::GetTypeId()}},
                                   roce::LoadBalancer::GetTypeId(),
                                   "load balancer");
    if (name == "e-ecmp")
    {
        factory.Set("Fields", StringValue("five-tuple+destination-qp"));
    }
    return factory;
}

ObjectFactory
NameTable::PathChooser(const std::string& name)
{
    if (name == "ecmp")
    {
        return ObjectFactory();
    }
    return Choose(name,
                  {{"ecmp", TypeId()}, {"int-oracle", IntOracle::GetTypeId()}},
                  roce::PathChooser::GetTypeId(),
                  "path chooser");
}

ObjectFactory
NameTable::Scheduler(const std::string& name)
{
    if (name == "strict")
    {
        return ObjectFactory();
    }
    return Choose(name,
                  {{"strict", TypeId()}, {"dwrr", DwrrScheduler::GetTypeId()}},
                  PortScheduler::GetTypeId(),
                  "scheduler");
}

} // namespace roce
} // namespace ns3
