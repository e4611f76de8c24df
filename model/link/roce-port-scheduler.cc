/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port-scheduler.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PortScheduler);

TypeId
PortScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::PortScheduler").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

} // namespace roce
} // namespace ns3
