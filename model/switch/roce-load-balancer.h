/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOAD_BALANCER_H
#define ROCE_LOAD_BALANCER_H

#include "roce-member-shares.h"

#include "ns3/object.h"
#include "ns3/roce-frame.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

class Transmitter;

/**
 * Chooses one of several output ports for a frame.
 *
 * Models: the member selection of a multipath group. One object a switch; the queues of its ports
 * can be asked through the transmitters given at assembly. With attribute CountShares it notes how
 * evenly it chose.
 *
 * Moves: a balancer that takes a flow from one member to another says so (NoteMove), once a flowlet
 * and not once a packet.
 *
 * Invariants: Pick returns one of the members; with one member it asks nobody.
 *
 * Leaves out: which members there are (ForwardingTable).
 */
class LoadBalancer : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Make it part of a switch.
     * \param id number of the switch, which tells it from the others
     * \param transmitters sending halves of its ports; must outlive this object's use
     */
    void Assemble(uint32_t id, const std::vector<const Transmitter*>& transmitters);

    /**
     * \param frame the frame; inPort is its ingress port
     * \param members output ports
     * \param count their number, at least 1
     * \param now present tick
     * \return one of the members
     */
    uint32_t Pick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now)
    {
        if (count == 1)
        {
            return *members;
        }
        const uint32_t chosen = DoPick(frame, members, count, now);
        if (__builtin_expect(m_shares != nullptr, 0))
        {
            m_shares->Count(frame, members, count, chosen);
        }
        return chosen;
    }

    /** \return how evenly it chose, or nullptr without attribute CountShares */
    const MemberShares* GetShares() const
    {
        return m_shares.get();
    }

    /**
     * \param stream first random stream to use
     * \return streams used
     */
    int64_t AssignStreams(int64_t stream);

    /** Rates of ports have changed: take over what depends on them. */
    void RatesChanged()
    {
        DoRatesChanged();
    }

    /** Called with the packet that goes by another port than those of its flow before it, the old
     * port, the new one and the tick. */
    typedef std::function<void(const Frame&, uint32_t, uint32_t, Tick)> MoveListener;

    /** \return whether it moves flows at all, so that the listener may ever be called. \param
     *  listener told of each move; only one */
    bool SetMoveListener(MoveListener listener);

  protected:
    /** A flow goes another way. \param frame its packet \param from port before, or one that does
     *  not exist \param to port now \param now present tick */
    void NoteMove(const Frame& frame, uint32_t from, uint32_t to, Tick now)
    {
        if (m_moved && from != to)
        {
            m_moved(frame, from, to, now);
        }
    }

    /** \return what GetMover of another one says. \param other a balancer it asks in turn */
    static LoadBalancer* GetMoverOf(LoadBalancer& other)
    {
        return other.GetMover();
    }

  private:
    virtual void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) = 0;
    virtual uint32_t DoPick(const Frame* frame,
                            const uint16_t* members,
                            uint32_t count,
                            Tick now) = 0;
    virtual int64_t DoAssignStreams(int64_t stream);
    virtual void DoRatesChanged();
    /** \return the balancer that calls NoteMove: itself, another one, or nullptr if none does */
    virtual LoadBalancer* GetMover();
    void SetCounting(bool counting);
    bool IsCounting() const;

    std::unique_ptr<MemberShares> m_shares; //!< empty: not counting
    MoveListener m_moved;                   //!< empty: nobody wants to know
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOAD_BALANCER_H
