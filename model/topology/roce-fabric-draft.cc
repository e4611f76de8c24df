/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fabric-draft.h"

#include "roce-cable-length.h"

#include <utility>

namespace ns3
{
namespace roce
{

uint32_t
FabricDraft::Hosts(uint32_t count)
{
    const uint32_t first = m_graph.NodeCount();
    for (uint32_t i = 0; i < count; i++)
    {
        m_graph.AddHost(first + i);
    }
    return first;
}

uint32_t
FabricDraft::Tier(uint32_t count, const std::string& tier)
{
    const uint32_t first = m_graph.NodeCount();
    for (uint32_t i = 0; i < count; i++)
    {
        m_graph.AddSwitch(first + i, tier, tier + std::to_string(i));
    }
    return first;
}

void
FabricDraft::Link(uint32_t a, uint32_t b, uint32_t count, uint64_t rateBps, double metres)
{
    for (uint32_t i = 0; i < count; i++)
    {
        m_graph.AddLink(a, b, rateBps, CableLength::DelayPs(metres));
    }
}

void
FabricDraft::Planes(uint32_t lower,
                    uint32_t groups,
                    uint32_t upper,
                    uint32_t above,
                    uint32_t planes,
                    const CableBundle& cables)
{
    for (uint32_t i = 0; i < groups * planes; i++)
    {
        const uint32_t first = upper + i % planes * above;
        for (uint32_t s = 0; s < above; s++)
        {
            Link(lower + i, first + s, cables.count, cables.rateBps, cables.metres);
        }
    }
}

FabricGraph
FabricDraft::Take()
{
    return std::exchange(m_graph, FabricGraph());
}

} // namespace roce
} // namespace ns3
