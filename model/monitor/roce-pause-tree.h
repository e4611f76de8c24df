/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAUSE_TREE_H
#define ROCE_PAUSE_TREE_H

#include "ns3/roce-tick.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace roce
{

/** A time during which one node kept a neighbour from sending. */
struct PauseEpisode
{
    /** No episode, no port. */
    static constexpr uint32_t NONE = UINT32_MAX;

    uint32_t pauser{0};      //!< node that sent the pause
    bool byHost{false};      //!< whether that is a host
    uint32_t fullPort{NONE}; //!< its egress port with the longest queue; NONE for hosts
    uint32_t paused{0};      //!< node that must not send
    bool stopsHost{false};   //!< whether that is a host
    uint32_t port{0};        //!< its egress port
    uint32_t priority{0};    //!< priority
    Tick begin{0};           //!< when the pause was sent, or arrived if a host sent it
    Tick until{NEVER};       //!< when it runs out by itself
    Tick end{NEVER};         //!< when it ended; NEVER if not yet
    uint32_t cause{NONE};    //!< the episode that held fullPort then, by index
};

/** Where pauses began, with all that followed from there. */
struct PauseRoot
{
    uint32_t node{0};                  //!< the switch whose egress port it is
    uint32_t port{0};                  //!< the port: paused by a host, or full and not paused
    uint32_t priority{0};              //!< priority
    bool byHost{false};                //!< whether a host paused it
    uint32_t host{PauseEpisode::NONE}; //!< that host
    Tick first{0};                     //!< when the first pause of the tree began
    uint64_t starts{0};                //!< pauses that began here, each a tree
    uint64_t pauses{0};                //!< pauses in these trees, the first ones included
    uint32_t depth{0};                 //!< hops the pauses went, at most
    uint32_t hosts{0};                 //!< ports of hosts that were stopped
};

/**
 * Which pause follows from which: finds the port where a PFC storm began.
 *
 * Models: a switch pauses a neighbour because frames pile up for one of its own egress ports. If
 * that port is paused itself at this time, the pause is a consequence of that one; if not, the port
 * is where it began. A pause sent by a host begins at the switch port it stops. Sans-IO.
 *
 * Clause: none of a standard; the pause propagation tree as operators draw it.
 *
 * Invariants: a cause is older than its consequence, so there are no cycles; each episode belongs
 * to one root.
 *
 * Leaves out: which frames really hold the ingress: the longest queue of the priority stands for
 * them; loops of pauses, which show as long trees (see the deadlock check).
 */
class PauseTree
{
  public:
    using Json = nlohmann::ordered_json; //!< keys keep their order

    /**
     * A pause begins; one of the same egress port and priority must not be open (it is ended).
     * \param episode all but end and cause
     */
    void Begin(PauseEpisode episode);

    /**
     * A pause lasts longer.
     * \param paused node \param port its egress port \param priority priority \param now present
     * tick \param until when it runs out \return whether one is open there
     */
    bool Extend(uint32_t paused, uint32_t port, uint32_t priority, Tick now, Tick until);

    /** A pause ends; nothing if none is open. \param paused node \param port its egress port
     *  \param priority priority \param now present tick */
    void End(uint32_t paused, uint32_t port, uint32_t priority, Tick now);

    /** \return all episodes in the order in which they began */
    const std::vector<PauseEpisode>& GetEpisodes() const;

    /** \return where pauses began, those with most pauses first */
    std::vector<PauseRoot> GetRoots() const;

    /** \return a line for each root and, below, for each of the first pauses of its first tree */
    std::string GetText() const;

    /** \return {"roots": [...], "episodes": [...]} with times in seconds */
    Json GetJson() const;

  private:
    using Place = std::tuple<uint32_t, uint32_t, uint32_t>; //!< node, egress port, priority

    uint32_t FindOpen(const Place& place, Tick now) const;
    uint32_t RootOf(uint32_t episode) const;

    std::vector<PauseEpisode> m_episodes;
    std::map<Place, uint32_t> m_open; //!< indices of those without an end, by what they stop
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PAUSE_TREE_H
