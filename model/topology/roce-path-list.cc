/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-path-list.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/// The choices of the switches of a path, counted up like the digits of a number.
class Choices
{
  public:
    /** \return what the next switch takes. \param members how many it may choose from */
    uint32_t Next(uint32_t members)
    {
        if (m_place == m_taken.size())
        {
            m_taken.push_back(0);
            m_members.push_back(members);
        }
        m_members[m_place] = members;
        return m_taken[m_place++];
    }

    /** Go to the next set of choices. \return false after the last one */
    bool Advance()
    {
        m_taken.resize(m_place);
        m_members.resize(m_place);
        m_place = 0;
        while (!m_taken.empty())
        {
            if (++m_taken.back() < m_members.back())
            {
                return true;
            }
            m_taken.pop_back();
            m_members.pop_back();
        }
        return false;
    }

  private:
    std::vector<uint32_t> m_taken;   //!< by switch on the way
    std::vector<uint32_t> m_members; //!< how many there were
    size_t m_place{0};               //!< the next switch
};

} // namespace

constexpr size_t PathList::DEFAULT_LIMIT;

PathList::PathList(const FabricGraph& graph,
                   const Routing& routing,
                   uint32_t src,
                   uint32_t dst,
                   size_t limit)
{
    if (src == dst || limit == 0)
    {
        throw std::invalid_argument("paths from host " + std::to_string(src) + " to host " +
                                    std::to_string(dst) + ", at most " + std::to_string(limit) +
                                    "; expected two hosts and at least 1 path");
    }
    routing.RequireReachable(src, dst);
    const PathTracer tracer(graph, routing);
    for (const HostRoute& route : routing.HostPorts(src, dst))
    {
        Choices choices;
        do
        {
            if (m_paths.size() == limit)
            {
                m_complete = false;
                return;
            }
            m_paths.push_back(tracer.Trace(
                src,
                route.srcPort,
                dst,
                route.dstPort,
                [&choices](uint32_t, uint32_t members) { return choices.Next(members); }));
        } while (choices.Advance());
    }
}

const std::vector<TracedPath>&
PathList::Paths() const
{
    return m_paths;
}

bool
PathList::Complete() const
{
    return m_complete;
}

} // namespace roce
} // namespace ns3
