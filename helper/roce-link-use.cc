/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-link-use.h"

#include "roce-fabric.h"

#include "ns3/roce-fabric-monitor.h"

namespace ns3
{
namespace roce
{

std::vector<LinkUse>
LinkUse::Read(const Fabric& fabric, const FabricMonitor& monitor)
{
    std::vector<LinkUse> uses;
    const FabricGraph& graph = fabric.GetGraph();
    const double seconds = monitor.GetWorkSeconds();
    for (uint32_t i = 0; i < graph.LinkCount(); ++i)
    {
        const FabricLink& link = graph.Link(i);
        const Ptr<Port> a = fabric.GetPort(link.a, link.portA);
        const Ptr<Port> b = fabric.GetPort(link.b, link.portB);
        LinkUse use;
        use.bytesToA = a->GetReceived().GetBytes();
        use.bytesToB = b->GetReceived().GetBytes();
        use.shareToA = FabricMonitor::GetUtilization(*a, seconds);
        use.shareToB = FabricMonitor::GetUtilization(*b, seconds);
        uses.push_back(use);
    }
    return uses;
}

} // namespace roce
} // namespace ns3
