/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PFC_CONTROLLER_H
#define ROCE_PFC_CONTROLLER_H

#include "ns3/object.h"
#include "ns3/roce-constants.h"
#include "ns3/roce-tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Which senders a switch has paused, and when it must say so again.
 *
 * Models: the sending side of priority-based flow control (IEEE 802.1Q 36): one state a port and
 * priority, a pause of Quanta, repeated after RefreshFraction of its time while the state lasts,
 * ended by a frame of time 0. Sans-IO: the switch asks for the deadline and sends the frames.
 * With LinkPause the frames are PAUSE of IEEE 802.3 31B: the first priority stops the whole link,
 * the last one lets it go on.
 *
 * Invariants: XOFF and XON of a priority alternate, so their counts differ by the number of ports
 * paused now; at most one waiting deadline a port and priority; GetDeadline() is NEVER when
 * nothing is paused.
 *
 * Leaves out: when to pause (SwitchMmu).
 */
class PfcController : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** A pause that must be repeated. */
    struct Refresh
    {
        uint32_t port; //!< where
        uint8_t mask;  //!< bit p: priority p is paused there
    };

    PfcController();

    /**
     * Forget all states. Throws std::invalid_argument for a pause time of 0 or a refresh fraction
     * outside (0, 1).
     * \param rates bit/s of each port
     * \param ticksPerSecond resolution
     */
    void Configure(const std::vector<uint64_t>& rates, int64_t ticksPerSecond);

    /** \return bit p: priority p of the sender at a port is paused. \param port the port */
    uint8_t GetMask(uint32_t port) const
    {
        return m_mask[port];
    }

    /**
     * Enter the paused state.
     * \param port port
     * \param priority priority
     * \param now present tick
     * \return whether a pause frame is to be sent; not if it was paused already
     */
    bool Xoff(uint32_t port, unsigned priority, Tick now);

    /**
     * Leave the paused state.
     * \param port port
     * \param priority priority
     * \return whether a frame of time 0 is to be sent; not if it was not paused
     */
    bool Xon(uint32_t port, unsigned priority);

    /**
     * The link of a port went down: all its states end, nothing is sent.
     * \param port the port
     */
    void Reset(uint32_t port);

    /** \return tick at which NextRefresh has something to give at the latest; NEVER if none */
    Tick GetDeadline();

    /**
     * \param now present tick
     * \param refresh a pause to repeat now, with all paused priorities of its port
     * \return whether there is one
     */
    bool NextRefresh(Tick now, Refresh& refresh);

    /** \return whether frames pause the whole link */
    bool PausesLink() const
    {
        return m_linkPause;
    }

    /** \return pause time to send, in quanta of 512 bit times */
    uint16_t GetQuanta() const
    {
        return m_quanta;
    }

    /** \return transitions into the paused state so far. \param priority priority */
    uint64_t GetXoffs(unsigned priority) const;

    /** \return transitions out of the paused state so far. \param priority priority */
    uint64_t GetXons(unsigned priority) const;

    /** \return frames that paused it, refreshes too. \param priority priority */
    uint64_t GetXoffFrames(unsigned priority) const;

    /** \return frames that ended a pause. \param priority priority */
    uint64_t GetXonFrames(unsigned priority) const;

    /** \return frames that paused the sender at a port, without refreshes. \param port the port
     *  \param priority priority */
    uint64_t GetXoffsSent(uint32_t port, unsigned priority) const;

    /** \return frames that repeated a pause. \param port the port \param priority priority */
    uint64_t GetRefreshesSent(uint32_t port, unsigned priority) const;

    /** \return frames that ended a pause. \param port the port \param priority priority */
    uint64_t GetXonsSent(uint32_t port, unsigned priority) const;

    /** \return states that are paused now. \param priority priority */
    uint64_t GetPaused(unsigned priority) const;

    /** \return ticks from a pause to its refresh. \param port the port */
    Tick GetRefreshInterval(uint32_t port) const;

    /** \return deadlines that wait, stale ones included: at most one a port and priority */
    std::size_t GetWaiting() const
    {
        return m_heap.size();
    }

  private:
    /** A deadline that may have moved or gone meanwhile; the state knows. */
    struct Entry
    {
        Tick at;
        uint32_t state; //!< port * 8 + priority

        bool operator>(const Entry& other) const
        {
            return at != other.at ? at > other.at : state > other.state;
        }
    };

    /** Frames sent to one port for one priority. */
    struct Sent
    {
        uint64_t xoffs{0};
        uint64_t refreshes{0};
        uint64_t xons{0};
    };

    /** Drop or move entries at the top whose state has changed. */
    void Settle();
    void PushEntry(uint32_t state);
    void PopEntry();

    uint16_t m_quanta;
    double m_fraction;
    bool m_refresh;
    bool m_linkPause;
    std::vector<uint8_t> m_mask;   //!< by port: paused priorities
    std::vector<uint8_t> m_queued; //!< by port: priorities with an entry
    std::vector<Tick> m_interval;  //!< by port
    std::vector<Tick> m_deadline;  //!< by state, valid while paused
    std::vector<Entry> m_heap;     //!< earliest first
    std::vector<Sent> m_sent;      //!< by state
    std::array<uint64_t, NUM_PRIORITIES> m_xoffs{};
    std::array<uint64_t, NUM_PRIORITIES> m_xons{};
    std::array<uint64_t, NUM_PRIORITIES> m_xoffFrames{};
    std::array<uint64_t, NUM_PRIORITIES> m_xonFrames{};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PFC_CONTROLLER_H
