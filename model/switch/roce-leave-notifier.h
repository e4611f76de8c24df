/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LEAVE_NOTIFIER_H
#define ROCE_LEAVE_NOTIFIER_H

#include "roce-cnp-history.h"
#include "roce-cnp-injector.h"
#include "roce-switch-stage.h"

#include "ns3/nstime.h"
#include "ns3/roce-event-core.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Tells senders that their flow has been moved out of a congestion domain.
 *
 * Models: a switch whose load balancer moves flows (flowlet, letflow, dlb, conga). It reads the
 * CNPs that pass through it, its own included. When the load balancer moves a flow from one port to
 * another, and the flow had a CNP of the domain of the first one in the last Memory, one CNP with
 * flag leave and that domain goes to its source. A CNP of that domain that passes later was caused
 * before the move, so one more follows it.
 *
 * Source: hierarchical congestion control: a flow must not keep the rate of a path that it has
 * left. The flag is ours.
 *
 * Invariants: none within one domain; at most one for each CNP that passes; with a load balancer
 * that does not move flows the switch does not ask it.
 *
 * Leaves out: moves by a change of routes or pins; several queue pairs with one UDP source port, of
 * which only the one whose packet began the flowlet is told; CNPs that do not pass here, as at a
 * pod spine that they go around.
 */
class LeaveNotifier : public SwitchStage
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    LeaveNotifier();
    ~LeaveNotifier() override;

    /** \param places what CNPs of each port say of it, by port; before Assemble */
    void SetPlaces(std::vector<CnpBody> places);

    uint8_t GetHears() const override;
    void Assemble(Switch& device) override;
    bool MayEnqueue(Frame* frame, uint32_t in, uint32_t out, Tick now) override;

    /** \return CNPs sent when a flow was moved */
    uint64_t GetLeaves() const;

    /** \return CNPs sent behind late ones */
    uint64_t GetRepeats() const;

    /** TracedCallback signature. \param [in] flow source address << 24 | its queue pair \param [in]
     *  from port it leaves \param [in] to port it goes to */
    typedef void (*MoveTracedCallback)(uint64_t flow, uint32_t from, uint32_t to);

  private:
    void DoDispose() override;
    void OnMove(const Frame& frame, uint32_t from, uint32_t to, Tick now);

    Switch* m_switch{nullptr};
    Ptr<EventCore> m_core;
    std::unique_ptr<CnpInjector> m_out;
    std::unique_ptr<CnpHistory> m_history; //!< empty: it has nothing to do
    std::vector<CnpBody> m_places;         //!< by port
    uint64_t m_leaves{0};
    uint64_t m_repeats{0};

    Time m_memory;
    uint8_t m_controlPriority;

    TracedCallback<uint64_t, uint32_t, uint32_t> m_moveTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LEAVE_NOTIFIER_H
