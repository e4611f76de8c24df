/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_H
#define ROCE_PORT_H

#include "roce-pause-state.h"
#include "roce-port-scheduler.h"
#include "roce-transmitter.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/roce-drop-reason.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>

namespace ns3
{
namespace roce
{

class Cable;
class PortTap;
class PauseDelay;
class PauseExpiry;

/**
 * An Ethernet port of a NIC or a switch.
 *
 * Models: a full-duplex IEEE 802.3 port with priority-based flow control (IEEE 802.1Q 36). RoCE
 * frames pass through as pooled Frames; ordinary ns-3 packets (IPv4) sent with Send ride along in
 * frames of their own, so stock TCP/IP works over the same ports of a NIC.
 *
 * Invariants: pause frames end here and are never counted as data; a frame is sent, queued, lost
 * with its link, or dropped with a reason.
 *
 * Leaves out: auto-negotiation, IPv6 and ARP in Send, half duplex.
 */
class Port : public NetDevice
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Port();
    ~Port() override;

    /** Aligned to a cache line. \param size bytes \return the place; else std::bad_alloc */
    [[gnu::noinline]] static void* operator new(std::size_t size);
    /** \param place what operator new gave, or nullptr */
    [[gnu::noinline]] static void operator delete(void* place);

    /**
     * Make the port part of a NIC or switch.
     * \param owner who gets its frames
     * \param index index of the port there
     * \param role how the owner takes part
     */
    void Assemble(PortOwner* owner, uint32_t index, Transmitter::Role role);

    /**
     * Called by Cable::Connect.
     * \param cable the cable
     * \param peer port at the far end
     * \param delay propagation in ticks
     */
    void Attach(Ptr<Cable> cable, Ptr<Port> peer, uint32_t delay);

    /** Called by Cable::SetUp. \param up whether the link works */
    void SetLinkUp(bool up);

    /** \return the sending half */
    Transmitter& GetTransmitter()
    {
        return m_tx;
    }

    /** \return the sending half */
    const Transmitter& GetTransmitter() const
    {
        return m_tx;
    }

    /** \return bit/s */
    uint64_t GetRate() const;
    /** Change it from the next frame on; Cable::SetRate does it for both ends. \param rate bit/s */
    void SetRate(uint64_t rate);

    /** \return one-way propagation of its cable in ticks; 0 without a cable */
    Tick GetDelay() const;

    /** \return bytes the link adds to each frame */
    uint32_t GetGap() const;

    /** \return the port at the far end, or nullptr */
    Port* GetPeer() const;

    /** \return index of the port at its owner */
    uint32_t GetIndex() const;

    /** \return what pause frames have done here */
    const PauseState& GetPauseState() const;

    /** \return frames and bytes received from the far end so far */
    const InFlight& GetReceived() const;

    /**
     * Send a pause frame to the far end.
     * \param enable class-enable vector
     * \param quanta eight times in quanta
     * \param now present tick
     * \param link as PAUSE of the whole link; all bits are set and the times are the same
     */
    void SendPause(uint8_t enable, const uint16_t* quanta, Tick now, bool link = false);

    /** Go on in spite of pauses (PFC watchdog). \param mask bit p: pauses of priority p have no
     *  effect from now on \param now present tick */
    void IgnorePause(uint8_t mask, Tick now);

    /** A pause frame arrived; the port owns it. \param frame the frame \param now present tick */
    void ReceivePause(Frame* frame, Tick now);

    /**
     * Hand a received packet to the node's protocols, in an event of its own; for NICs.
     * \param packet the packet
     * \param protocol EtherType
     */
    void DeliverPacket(Ptr<Packet> packet, uint16_t protocol);

    /**
     * Look at each arriving frame before its owner does; for tests and fault injection.
     * \param filter returns whether the frame is to be dropped (reason CORRUPT); empty: none
     */
    void SetReceiveFilter(std::function<bool(const Frame&)> filter);

    /**
     * \param reason why
     * \return frames this port dropped for it
     */
    uint64_t GetDrops(DropReason reason) const;

    /** TracedCallback signature: a frame. \param [in] frame the frame */
    typedef void (*FrameTracedCallback)(const Frame& frame);

    /** TracedCallback signature: a drop. \param [in] frame the frame \param [in] reason why */
    typedef void (*DropTracedCallback)(const Frame& frame, DropReason reason);

    void SetIfIndex(const uint32_t index) override; //!< \param index of the device on its node
    uint32_t GetIfIndex() const override;           //!< \return what SetIfIndex said
    Ptr<Channel> GetChannel() const override;       //!< \return its cable, or nullptr
    void SetAddress(Address address) override;      //!< \param address a Mac48Address
    Address GetAddress() const override;            //!< \return its Mac48Address
    bool SetMtu(const uint16_t mtu) override;       //!< \param mtu bytes, IPv4 \return true
    uint16_t GetMtu() const override;               //!< \return longest IPv4 packet, bytes
    bool IsLinkUp() const override;                 //!< \return whether it has a working cable
    void AddLinkChangeCallback(Callback<void> callback) override; //!< \param callback on up, down
    bool IsBroadcast() const override;                            //!< \return false
    Address GetBroadcast() const override;                        //!< \return ff:ff:ff:ff:ff:ff
    bool IsMulticast() const override;                            //!< \return false
    Address GetMulticast(Ipv4Address group) const override; //!< \param group it \return RFC 1112
    Address GetMulticast(Ipv6Address group) const override; //!< \param group it \return RFC 2464
    bool IsBridge() const override;                         //!< \return false
    bool IsPointToPoint() const override;                   //!< \return true
    /** IPv4 only. \param packet up to the MTU \param to unused: one port is at the far end
     *  \param protocol EtherType \return false, and a warning, if refused (link, size, protocol) */
    bool Send(Ptr<Packet> packet, const Address& to, uint16_t protocol) override;
    /** As Send. \return as Send */
    bool SendFrom(Ptr<Packet> packet,  //!< as in Send
                  const Address& from, //!< unused: the port's own address is sent
                  const Address& to,   //!< unused
                  uint16_t protocol /*!< as in Send */) override;
    Ptr<Node> GetNode() const override;                         //!< \return its node
    void SetNode(Ptr<Node> node) override;                      //!< \param node its node
    bool NeedsArp() const override;                             //!< \return false
    void SetReceiveCallback(ReceiveCallback callback) override; //!< \param callback gets packets
    /** \param callback gets the same packets, before the other */
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override; //!< \return false

    /** Look again at who watches; called when a trace sink came or went. */
    void UpdateWatch();

  private:
    friend class PortTap;
    friend class PauseDelay;
    friend class PauseExpiry;
    friend class Transmitter;

    void DoDispose() override;
    void ApplyPause(const Frame& frame, Tick now);
    void ExpirePause(Tick now);
    void WatchSent(const Frame& frame);
    bool WatchReceived(Frame* frame);
    void Sniff(const Frame& frame, const Mac48Address& sender);
    void Drop(const Frame& frame, DropReason reason, uint64_t count = 1);

    Transmitter m_tx;
    PauseState m_pause;
    Ptr<EventCore> m_core;
    PortOwner* m_owner{nullptr};
    Port* m_peer{nullptr};
    uint32_t m_index{0};
    std::unique_ptr<PortTap> m_tap;
    std::unique_ptr<PauseDelay> m_pauseDelay;
    std::unique_ptr<PauseExpiry> m_pauseExpiry;

    DataRate m_rate;
    uint32_t m_gap;
    bool m_truncate;
    bool m_eager;
    bool m_pauseExpires;
    Time m_pauseResponse;
    uint32_t m_pfcBytes;
    Ptr<PortScheduler> m_scheduler;
    void SetErrorModel(Ptr<ErrorModel> model);
    Ptr<ErrorModel> GetErrorModel() const;
    Ptr<ErrorModel> m_errorModel;
    std::function<bool(const Frame&)> m_filter;
    uint64_t m_drops[NUM_DROP_REASONS]{};

    Ptr<Node> m_node;
    Ptr<Cable> m_cable;
    uint32_t m_ifIndex{0};
    uint16_t m_mtu;
    uint8_t m_packetPriority;
    Mac48Address m_address;
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promisc;
    TracedCallback<> m_linkChange;
    TracedCallback<Ptr<const Packet>> m_sniffer;
    TracedCallback<const Frame&> m_sent;
    TracedCallback<const Frame&> m_received;
    TracedCallback<const Frame&> m_pauseReceived;
    TracedCallback<const Frame&, DropReason> m_drop;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PORT_H
