/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-mmu-config.h"

#include "ns3/roce-pause-headroom.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

uint64_t
SwitchMmuConfig::HeadroomBytes(uint64_t rate,
                               Tick delay,
                               int64_t ticksPerSecond,
                               uint32_t mtu,
                               uint32_t pfc,
                               uint32_t responseQuanta,
                               uint32_t overhead)
{
    return PauseHeadroom{rate, delay, ticksPerSecond, mtu, pfc, responseQuanta, overhead}
        .GetBytes();
}

uint64_t
SwitchMmuConfig::HeadroomInCells(uint64_t headroom,
                                 uint32_t cell,
                                 uint32_t smallest,
                                 uint32_t mtu,
                                 uint32_t overhead)
{
    if (cell == 0)
    {
        return headroom;
    }
    // taken / busy as a fraction; the worst sizes are the smallest and those one byte over a cell
    uint64_t taken = 1;
    uint64_t busy = 1;
    for (uint32_t size = std::min(smallest, mtu); size <= mtu;
         size = (size + cell - 1) / cell * cell + 1)
    {
        const uint64_t cells = (uint64_t{size} + cell - 1) / cell * cell;
        if (cells * busy > taken * (size + overhead))
        {
            taken = cells;
            busy = uint64_t{size} + overhead;
        }
    }
    const auto scaled = static_cast<__uint128_t>(headroom) * taken;
    const auto bytes = static_cast<uint64_t>((scaled + busy - 1) / busy);
    return (bytes + cell - 1) / cell * cell + cell;
}

} // namespace roce
} // namespace ns3
