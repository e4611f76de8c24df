/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-artifact-baseline.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

constexpr uint32_t ArtifactBaseline::HEADER_BYTES;

ArtifactBaseline::ArtifactBaseline(const FabricGraph& graph,
                                   uint32_t payloadBytes,
                                   MemberOrder order)
    : m_graph(&graph),
      m_payloadBytes(payloadBytes),
      m_order(order),
      m_neighbours(graph.NodeCount())
{
    if (payloadBytes == 0)
    {
        throw std::invalid_argument("the payload of a packet is 0 bytes; expected at least 1");
    }
    for (uint32_t vertex = 0; vertex < graph.NodeCount(); vertex++)
    {
        // of parallel links the artifact knows the last one
        std::map<uint32_t, FabricNeighbour> byPeer;
        for (const FabricNeighbour& n : graph.Neighbours(graph.IdOf(vertex)))
        {
            byPeer[n.peer] = n;
        }
        std::vector<FabricNeighbour>& list = m_neighbours[vertex];
        for (const auto& entry : byPeer)
        {
            list.push_back(entry.second);
        }
        if (order == MemberOrder::DescendingPeerId)
        {
            std::reverse(list.begin(), list.end());
        }
        else if (order == MemberOrder::PortOrder)
        {
            std::sort(list.begin(), list.end(), [](const auto& x, const auto& y) {
                return x.port < y.port;
            });
        }
    }
}

void
ArtifactBaseline::Search(uint32_t dst)
{
    m_found.assign(m_graph->NodeCount(), {});
    m_delayNs.assign(m_graph->NodeCount(), 0);
    std::vector<uint32_t> queue{m_graph->IndexOf(dst)};
    m_found[queue[0]].bottleneckBps = UINT64_MAX;
    for (size_t head = 0; head < queue.size(); head++)
    {
        const uint32_t now = queue[head];
        for (const FabricNeighbour& n : m_neighbours[now])
        {
            const FabricLink& link = m_graph->Link(n.link);
            const uint32_t next = m_graph->IndexOf(n.peer);
            if (!link.up || m_found[next].bottleneckBps != 0)
            {
                continue;
            }
            // rttNs holds the sum of transmission times until the end of the search
            m_delayNs[next] = m_delayNs[now] + static_cast<uint64_t>(link.delayPs) / 1000;
            m_found[next].rttNs =
                m_found[now].rttNs + uint64_t{m_payloadBytes} * 8 * 1000000000 / link.rateBps;
            m_found[next].bottleneckBps = std::min(m_found[now].bottleneckBps, link.rateBps);
            if (!m_graph->IsHost(n.peer))
            {
                queue.push_back(next);
            }
        }
    }
    for (size_t i = 0; i < m_found.size(); i++)
    {
        m_found[i].rttNs += 2 * m_delayNs[i];
    }
    m_dst = dst;
    m_searched = true;
}

ArtifactPath
ArtifactBaseline::Path(uint32_t src, uint32_t dst)
{
    if (!m_graph->IsHost(src) || !m_graph->IsHost(dst) || src == dst)
    {
        throw std::invalid_argument("expected two different hosts, found " + std::to_string(src) +
                                    " and " + std::to_string(dst));
    }
    if (!m_searched || m_dst != dst)
    {
        Search(dst);
    }
    const ArtifactPath path = m_found[m_graph->IndexOf(src)];
    if (path.bottleneckBps == 0)
    {
        throw std::runtime_error("no path from host " + std::to_string(src) + " to host " +
                                 std::to_string(dst));
    }
    return path;
}

uint64_t
ArtifactBaseline::StandaloneNs(uint32_t src, uint32_t dst, uint64_t sizeBytes)
{
    return StandaloneNs(Path(src, dst), m_payloadBytes, sizeBytes);
}

uint64_t
ArtifactBaseline::StandaloneNs(const ArtifactPath& path, uint32_t payloadBytes, uint64_t sizeBytes)
{
    const uint64_t packets = sizeBytes == 0 ? 1 : (sizeBytes - 1) / payloadBytes + 1;
    // 128 bit: 8e9 times the bytes leaves 64 bits above 2.3 GB
    const unsigned __int128 bytes =
        sizeBytes + static_cast<unsigned __int128>(packets) * HEADER_BYTES;
    const unsigned __int128 time = path.rttNs + bytes * 8 * 1000000000 / path.bottleneckBps;
    return time > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(time);
}

} // namespace roce
} // namespace ns3
