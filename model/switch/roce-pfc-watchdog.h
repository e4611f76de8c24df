/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PFC_WATCHDOG_H
#define ROCE_PFC_WATCHDOG_H

#include "roce-pfc-watchdog-core.h"
#include "roce-switch-stage.h"

#include "ns3/roce-constants.h"
#include "ns3/roce-event-core.h"
#include "ns3/roce-port.h"
#include "ns3/traced-callback.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a watchdog has done to one queue. */
struct PfcWatchdogCounters
{
    uint64_t storms{0};    //!< storms found
    uint64_t restores{0};  //!< of those, over
    uint64_t dropped{0};   //!< frames dropped because of them
    uint64_t forwarded{0}; //!< frames that left during a storm
};

/**
 * PFC watchdog of a switch: finds egress queues that pauses hold for too long.
 *
 * Models: one PfcWatchdogCore a port and priority, polled at multiples of PollInterval, and its
 * action: `drop` discards what the queue holds and refuses what comes for it, `forward` sends in
 * spite of pauses, `alert` only tells. After RestorationTime without a pause the queue is as
 * before. Pauses are counted all the time, whatever the action.
 *
 * Clause: PFC watchdog of SONiC; default times and action are its own.
 *
 * Invariants: polls happen only while a queue is paused with a backlog or a storm is on, so an idle
 * fabric has no events of it; a storm under a pause that cannot expire waits for the next pause
 * frame without polls; queues do not share states; each frame it drops is counted as
 * DropReason::WATCHDOG and nothing else.
 *
 * Leaves out: refusing frames by where they came in, action and times by port, hardware timers
 * between polls, pauses with a response time longer than PollInterval.
 */
class PfcWatchdog : public SwitchStage
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /** \param action drop, forward or alert; throws std::invalid_argument for other names */
    void SetAction(std::string action);

    /** \return drop, forward or alert */
    std::string GetAction() const;

    /** \return where a queue stands. \param port the port \param priority its priority */
    PfcWatchdogState GetState(uint32_t port, unsigned priority) const;

    /** \return what happened to a queue. \param port the port \param priority its priority */
    const PfcWatchdogCounters& GetCounters(uint32_t port, unsigned priority) const;

    /** \return sums over all queues */
    PfcWatchdogCounters GetTotals() const;

    /** \return polls so far */
    uint64_t GetPolls() const;

    /** \return tick of the last poll; 0 before */
    Tick GetLastPoll() const;

    // SwitchStage
    uint8_t GetHears() const override;
    void Assemble(Switch& device) override;
    bool MayEnqueue(Frame* frame, uint32_t in, uint32_t out, Tick now) override;
    void OnDeparture(Frame* frame, uint32_t out, Tick now) override;

    /** TracedCallback signature. \param [in] port egress port \param [in] priority its priority
     *  \param [in] begins whether a storm was found, not restored */
    typedef void (*StormTracedCallback)(uint32_t port, uint32_t priority, bool begins);

  private:
    /** What to do with a queue in a storm. */
    enum class Action : uint8_t
    {
        DROP,
        FORWARD,
        ALERT,
    };

    /** One watched queue. */
    struct Queue
    {
        PfcWatchdogCore core;
        PfcWatchdogCounters counters;
        uint64_t sent{0};
        bool drops{false}; //!< refuses frames
    };

    /** Polls. */
    class PollTimer final : public Event
    {
      public:
        explicit PollTimer(PfcWatchdog* owner)
            : m_owner(owner)
        {
        }

        void Fire(Tick now) override;

        bool armed{false}; //!< whether a poll is to come

      private:
        PfcWatchdog* m_owner;
    };

    using PortQueues = std::array<Queue, NUM_PRIORITIES>;

    void DoDispose() override;
    void OnPauseFrame(const Frame& frame);
    void Arm(Tick now);
    void Poll(Tick now);
    PfcWatchdogSample Read(uint32_t port, unsigned priority, Tick now) const;
    bool NeedsPolls(uint32_t port, unsigned priority) const;
    void Begin(uint32_t port, unsigned priority, Tick now);
    void End(uint32_t port, unsigned priority, Tick now);
    void SetIgnored(uint32_t port, unsigned priority, bool ignored, Tick now);

    Switch* m_switch{nullptr};
    Ptr<EventCore> m_core;
    PollTimer m_timer;
    std::vector<Ptr<Port>> m_ports;
    std::vector<PortQueues> m_queues; //!< by port
    std::vector<uint8_t> m_ignored;   //!< by port: priorities whose pauses are ignored
    Tick m_response{0};               //!< from a pause frame to its effect, at most
    Tick m_effective{0};              //!< when the last pause frame has its effect
    uint32_t m_storms{0};             //!< queues in a storm
    uint64_t m_polls{0};
    Tick m_lastPoll{0};
    Tick m_interval{1};

    // attributes
    Time m_detectionTime;
    Time m_restorationTime;
    Time m_pollInterval;
    Action m_action{Action::DROP};
    uint8_t m_mask;

    TracedCallback<uint32_t, uint32_t, bool> m_stormTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PFC_WATCHDOG_H
