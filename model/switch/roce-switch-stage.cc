/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-stage.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(SwitchStage);

TypeId
SwitchStage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::SwitchStage").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

bool
SwitchStage::MayEnqueue(Frame*, uint32_t, uint32_t, Tick)
{
    return true;
}

void
SwitchStage::OnDeparture(Frame*, uint32_t, Tick)
{
}

void
SwitchStage::OnPauseSent(uint32_t, unsigned, bool, Tick)
{
}

} // namespace roce
} // namespace ns3
