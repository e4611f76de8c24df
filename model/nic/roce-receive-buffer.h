/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECEIVE_BUFFER_H
#define ROCE_RECEIVE_BUFFER_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/roce-event-core.h"
#include "ns3/roce-port-owner.h"
#include "ns3/roce-port.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * A host that cannot take data as fast as the link brings it.
 *
 * Models: a buffer between a port and its NIC, emptied in order at DrainRate (bytes of frames,
 * without preamble and gap). At XoffBytes it pauses the lossless priorities of the sender (IEEE
 * 802.1Q 36), again after half the pause time while that lasts, and lets go at XonBytes. What finds
 * it full is lost. CNPs pass at once: the NIC takes them, not the host.
 *
 * Invariants: bytes stored <= Bytes; frames in = out + dropped + stored; XOFF and XON match when it
 * is empty; nothing lossless is lost if Bytes - XoffBytes is at least the headroom of the link
 * (PauseHeadroom), which Install demands.
 *
 * Leaves out: a buffer for each priority; PCIe credits; ports without one pay nothing.
 */
class ReceiveBuffer : public Object, public PortOwner
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ReceiveBuffer();
    ~ReceiveBuffer() override;

    /**
     * Stand between a port and its owner, from now on and as long as the port lives. Throws
     * std::invalid_argument with both numbers if the room above XoffBytes is too small.
     * \param port a port of a NIC that has its cable
     * \param owner the NIC
     */
    void Install(Ptr<Port> port, PortOwner* owner);

    /** \return bytes stored now */
    uint64_t GetLevel() const;

    /** \return most bytes stored so far */
    uint64_t GetPeak() const;

    /** \return frames lost because it was full */
    uint64_t GetDrops() const;

    /** \return times it has paused its sender, without refreshes */
    uint64_t GetXoffs() const;

    /** \return times it has let its sender go on */
    uint64_t GetXons() const;

    /** \return pauses sent again */
    uint64_t GetRefreshes() const;

    // PortOwner
    void Receive(Frame* frame, uint32_t port, Tick now) override;
    void Departing(Frame* frame, uint32_t port, Tick now) override;
    void Discarded(Frame* frame, uint32_t port, Tick now) override;
    bool Pull(uint32_t port, Tick now) override;
    void LinkChanged(uint32_t port, bool up, Tick now) override;

  private:
    /** Calls a member of the buffer. */
    class Timer final : public Event
    {
      public:
        /** \param owner the buffer \param action its member */
        Timer(ReceiveBuffer* owner, void (ReceiveBuffer::*action)(Tick));
        void Fire(Tick now) override;

        bool pending{false}; //!< whether it will fire

      private:
        ReceiveBuffer* m_owner;
        void (ReceiveBuffer::*m_action)(Tick);
    };

    void DoDispose() override;
    void CheckRoom() const;
    void Arm(Timer& timer, Tick at);
    void ScheduleHead(Tick now);
    void Drain(Tick now);
    void Refresh(Tick now);
    void SendPause(uint16_t quanta, Tick now);

    Ptr<EventCore> m_core;
    Port* m_port{nullptr};
    PortOwner* m_owner{nullptr};
    Timer m_drain;
    Timer m_refresh;
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    uint64_t m_level{0};
    uint64_t m_remainder{0}; //!< of the last drain time, in bits * ticks per second
    bool m_paused{false};
    Tick m_refreshAt{NEVER};
    uint64_t m_peak{0};
    uint64_t m_drops{0};
    uint64_t m_xoffs{0};
    uint64_t m_xons{0};
    uint64_t m_refreshes{0};

    DataRate m_drainRate;
    uint64_t m_bytes;
    uint64_t m_xoffBytes;
    uint64_t m_xonBytes;
    uint32_t m_maxFrameBytes;
    uint16_t m_quanta;
    uint8_t m_losslessMask;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RECEIVE_BUFFER_H
