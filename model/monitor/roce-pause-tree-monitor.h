/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAUSE_TREE_MONITOR_H
#define ROCE_PAUSE_TREE_MONITOR_H

#include "roce-host-directory.h"
#include "roce-pause-tree.h"

#include "ns3/roce-switch.h"
#include "ns3/simple-ref-count.h"

#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Feeds a PauseTree from the pauses of a fabric.
 *
 * Models: an observer of all switches (trace PfcState) and of the pause frames that hosts send
 * (trace PauseReceived of the switch ports to them).
 *
 * Clause: IEEE 802.1Q 36 for how long a pause of a host lasts.
 *
 * Invariants: watching changes no result.
 *
 * Leaves out: hosts without a switch between them; pauses of before it was made.
 */
class PauseTreeMonitor : public SimpleRefCount<PauseTreeMonitor>
{
  public:
    /**
     * \param hosts nodes with a Nic each
     * \param switches nodes with a Switch each
     * \param ids what reports call the hosts; empty: the ids of the nodes
     */
    PauseTreeMonitor(const NodeContainer& hosts,
                     const NodeContainer& switches,
                     const std::vector<uint32_t>& ids = {});
    ~PauseTreeMonitor();
    PauseTreeMonitor(const PauseTreeMonitor&) = delete;
    PauseTreeMonitor& operator=(const PauseTreeMonitor&) = delete;

    /** \return what was seen so far */
    const PauseTree& GetTree() const;

  private:
    /** A port and whose it is. */
    struct Place
    {
        uint32_t node;
        uint32_t port;
        bool host;
    };

    static void OnPfc(PauseTreeMonitor* self,
                      uint32_t index,
                      uint32_t port,
                      uint32_t priority,
                      bool xoff);
    static void OnHostPause(PauseTreeMonitor* self, const Port* port, const Frame& frame);
    static uint32_t FindLongest(const Switch& device, uint32_t priority);

    Ptr<EventCore> m_core;
    HostDirectory m_hosts;
    std::vector<Ptr<Switch>> m_switches;
    std::unordered_map<const Port*, Place> m_places; //!< looked up only, never walked
    std::vector<Ptr<Port>> m_watched;                //!< switch ports to hosts
    std::vector<Callback<void, uint32_t, uint32_t, bool>> m_onPfc;
    std::vector<Callback<void, const Frame&>> m_onPause;
    PauseTree m_tree;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PAUSE_TREE_MONITOR_H
