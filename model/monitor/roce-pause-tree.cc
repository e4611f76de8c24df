/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pause-tree.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/** Pauses of a tree that a text shows. */
constexpr std::size_t SHOWN = 20;

/** Where a root episode began: node, port, priority, and whether a host did it. */
std::tuple<uint32_t, uint32_t, uint32_t, bool>
PlaceOf(const PauseEpisode& episode)
{
    return episode.byHost
               ? std::make_tuple(episode.paused, episode.port, episode.priority, true)
               : std::make_tuple(episode.pauser, episode.fullPort, episode.priority, false);
}

double
SecondsOf(Tick tick)
{
    return double(tick) / double(TicksPerSecond());
}

} // namespace

uint32_t
PauseTree::FindOpen(const Place& place, Tick now) const
{
    const auto found = m_open.find(place);
    const bool open = found != m_open.end() && m_episodes[found->second].until > now;
    return open ? found->second : PauseEpisode::NONE;
}

void
PauseTree::Begin(PauseEpisode episode)
{
    End(episode.paused, episode.port, episode.priority, episode.begin);
    episode.end = NEVER;
    episode.cause = episode.byHost ? PauseEpisode::NONE
                                   : FindOpen({episode.pauser, episode.fullPort, episode.priority},
                                              episode.begin);
    m_open[{episode.paused, episode.port, episode.priority}] =
        static_cast<uint32_t>(m_episodes.size());
    m_episodes.push_back(episode);
}

bool
PauseTree::Extend(uint32_t paused, uint32_t port, uint32_t priority, Tick now, Tick until)
{
    const uint32_t index = FindOpen({paused, port, priority}, now);
    if (index == PauseEpisode::NONE)
    {
        return false;
    }
    m_episodes[index].until = until;
    return true;
}

void
PauseTree::End(uint32_t paused, uint32_t port, uint32_t priority, Tick now)
{
    const auto found = m_open.find({paused, port, priority});
    if (found != m_open.end())
    {
        PauseEpisode& episode = m_episodes[found->second];
        episode.end = std::min(now, episode.until);
        m_open.erase(found);
    }
}

const std::vector<PauseEpisode>&
PauseTree::GetEpisodes() const
{
    return m_episodes;
}

uint32_t
PauseTree::RootOf(uint32_t episode) const
{
    while (m_episodes[episode].cause != PauseEpisode::NONE)
    {
        episode = m_episodes[episode].cause;
    }
    return episode;
}

std::vector<PauseRoot>
PauseTree::GetRoots() const
{
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, bool>, PauseRoot> roots;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, bool>,
             std::set<std::pair<uint32_t, uint32_t>>>
        stopped;
    std::vector<uint32_t> depth(m_episodes.size(), 1);
    for (uint32_t i = 0; i < m_episodes.size(); ++i)
    {
        const PauseEpisode& episode = m_episodes[i];
        if (episode.cause != PauseEpisode::NONE)
        {
            depth[i] = depth[episode.cause] + 1; // a cause has a lower index
        }
        const PauseEpisode& first = m_episodes[RootOf(i)];
        const auto place = PlaceOf(first);
        PauseRoot& root = roots[place];
        if (root.pauses == 0)
        {
            std::tie(root.node, root.port, root.priority, root.byHost) = place;
            root.host = first.byHost ? first.pauser : PauseEpisode::NONE;
            root.first = first.begin;
        }
        ++root.pauses;
        root.starts += episode.cause == PauseEpisode::NONE;
        root.depth = std::max(root.depth, depth[i]);
        if (episode.stopsHost)
        {
            stopped[place].insert({episode.paused, episode.port});
        }
    }
    std::vector<PauseRoot> list;
    for (auto& root : roots)
    {
        root.second.hosts = static_cast<uint32_t>(stopped[root.first].size());
        list.push_back(root.second);
    }
    std::stable_sort(list.begin(), list.end(), [](const PauseRoot& a, const PauseRoot& b) {
        return a.pauses > b.pauses;
    });
    return list;
}

std::string
PauseTree::GetText() const
{
    std::ostringstream text;
    for (const PauseRoot& root : GetRoots())
    {
        text << "switch " << root.node << " port " << root.port << " priority " << root.priority
             << ": ";
        if (root.byHost)
        {
            text << "paused by host " << root.host;
        }
        else
        {
            text << "full, not paused";
        }
        text << " from " << SecondsOf(root.first) << " s; " << root.starts << " starts, "
             << root.pauses << " pauses, " << root.depth << " hops, " << root.hosts
             << " host ports stopped\n";
    }
    std::size_t shown = 0;
    std::vector<std::size_t> depth(m_episodes.size(), 1);
    for (std::size_t i = 0; i < m_episodes.size() && shown < SHOWN; ++i, ++shown)
    {
        const PauseEpisode& e = m_episodes[i];
        depth[i] = e.cause == PauseEpisode::NONE ? 1 : depth[e.cause] + 1;
        text << std::string(2 * depth[i], ' ') << SecondsOf(e.begin) << " s  "
             << (e.byHost ? "host " : "switch ") << e.pauser << " stops "
             << (e.stopsHost ? "host " : "switch ") << e.paused << " port " << e.port
             << " priority " << e.priority;
        if (e.cause != PauseEpisode::NONE)
        {
            text << ", its own port " << e.fullPort << " is stopped";
        }
        else if (!e.byHost)
        {
            text << ", its own port " << e.fullPort << " is full";
        }
        text << "\n";
    }
    if (m_episodes.size() > SHOWN)
    {
        text << "  and " << m_episodes.size() - SHOWN << " more pauses\n";
    }
    return text.str();
}

PauseTree::Json
PauseTree::GetJson() const
{
    const auto orNull = [](uint32_t value) {
        return value == PauseEpisode::NONE ? Json(nullptr) : Json(value);
    };
    Json roots = Json::array();
    for (const PauseRoot& root : GetRoots())
    {
        roots.push_back({{"switch", root.node},
                         {"port", root.port},
                         {"priority", root.priority},
                         {"host", orNull(root.host)},
                         {"first_s", SecondsOf(root.first)},
                         {"starts", root.starts},
                         {"pauses", root.pauses},
                         {"depth", root.depth},
                         {"host_ports", root.hosts}});
    }
    Json episodes = Json::array();
    for (const PauseEpisode& e : m_episodes)
    {
        const Tick end = e.end == NEVER ? e.until : e.end;
        episodes.push_back({{"begin_s", SecondsOf(e.begin)},
                            {"end_s", end == NEVER ? Json(nullptr) : Json(SecondsOf(end))},
                            {"by", e.pauser},
                            {"full_port", orNull(e.fullPort)},
                            {"node", e.paused},
                            {"port", e.port},
                            {"priority", e.priority},
                            {"cause", orNull(e.cause)}});
    }
    return {{"roots", roots}, {"episodes", episodes}};
}

} // namespace roce
} // namespace ns3
