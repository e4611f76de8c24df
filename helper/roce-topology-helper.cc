/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-topology-helper.h"

#include "ns3/roce-fabric-check.h"
#include "ns3/roce-topology-loader.h"

namespace ns3
{
namespace roce
{

TopologyHelper::TopologyHelper(const std::string& name)
    : m_document(TopologyLoader::Load(name))
{
}

const FabricDocument&
TopologyHelper::GetDocument() const
{
    return m_document;
}

uint32_t
TopologyHelper::GetNHosts() const
{
    return m_document.graph.HostCount();
}

Ptr<Fabric>
TopologyHelper::Install(const RoceHelper& roce, PartitionPolicy partition) const
{
    FabricCheck::Require(m_document, partition);
    return roce.Install(m_document.graph, partition);
}

} // namespace roce
} // namespace ns3
