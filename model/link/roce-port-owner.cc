/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port-owner.h"

namespace ns3
{
namespace roce
{

void
PortOwner::Departing(Frame*, uint32_t, Tick)
{
}

void
PortOwner::Discarded(Frame*, uint32_t, Tick)
{
}

bool
PortOwner::Pull(uint32_t, Tick)
{
    return false;
}

void
PortOwner::LinkChanged(uint32_t, bool, Tick)
{
}

} // namespace roce
} // namespace ns3
