/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_H
#define ROCE_SWITCH_H

#include "roce-ecn-marker.h"
#include "roce-forwarding-table.h"
#include "roce-load-balancer.h"
#include "roce-pfc-controller.h"
#include "roce-switch-mmu.h"

#include "ns3/roce-drop-reason.h"
#include "ns3/roce-port-owner.h"
#include "ns3/roce-port.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A shared-buffer Ethernet switch that routes RoCE and ordinary IPv4 frames.
 *
 * Models: store and forward. An arriving frame is routed (ForwardingTable, LoadBalancer), stored
 * (SwitchMmu), may pause its sender (PfcController), and waits in the queue of its priority at the
 * output port; when it leaves it is released, perhaps marked (EcnMarker), and may let its sender
 * go on. Aggregate it to a Node, or call Freeze().
 *
 * Invariants: bytes in all queues = SwitchMmu::GetUsed(); frames in = out + dropped + queued; a
 * lossless frame is dropped only when its headroom is full; XOFF and XON of a priority match when
 * the switch is empty. CheckInvariants() tests the first two.
 *
 * Leaves out: multicast, learning, cut-through, fragmentation, ICMP; processing delay.
 */
class Switch : public Object, public PortOwner
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Switch();
    ~Switch() override;

    /**
     * Add a port, before its cable. Aborts once the switch is frozen.
     * \param port a port of its own
     * \return its index here
     */
    uint32_t AddPort(Ptr<Port> port);

    /** \return a port. \param index its index */
    Ptr<Port> GetPort(uint32_t index) const;

    /** \return number of ports */
    uint32_t GetNumPorts() const;

    /**
     * Give one port settings of its own, before Freeze.
     * \param index the port
     * \param headroomBytes for each lossless priority; 0: as attribute HeadroomBytes
     * \param alpha of its lossless priorities; 0: as attribute Alpha
     */
    void SetPortBuffer(uint32_t index, uint32_t headroomBytes, double alpha);

    /**
     * Size the buffer from the ports and their cables; done once, by Initialize at the latest.
     * Throws std::invalid_argument if the settings do not fit.
     */
    void Freeze();

    /**
     * \param id number that tells this switch from others (hash seeds); default the node's id
     */
    void SetId(uint32_t id);

    /** \return number that tells this switch from others, valid after Freeze */
    uint32_t GetId() const;

    /** \param marker takes the place of a default EcnMarker, before Freeze */
    void SetEcnMarker(Ptr<EcnMarker> marker);

    /** \return the marker */
    Ptr<EcnMarker> GetEcnMarker() const;

    /** \param balancer takes the place of an EcmpLoadBalancer, before Freeze */
    void SetLoadBalancer(Ptr<LoadBalancer> balancer);

    /** \return the load balancer */
    Ptr<LoadBalancer> GetLoadBalancer() const;

    /** \return pause states and counters; its attributes hold until Freeze */
    Ptr<PfcController> GetPfcController() const;

    /** \return the routes, to be filled in */
    ForwardingTable& GetForwarding();

    /** \return the buffer */
    const SwitchMmu& GetMmu() const;

    /**
     * \param reason why
     * \return frames dropped for it
     */
    uint64_t GetDrops(DropReason reason) const;

    /** \return frames marked CE */
    uint64_t GetEcnMarks() const;

    /** \return frames that arrived */
    uint64_t GetFramesIn() const;

    /** \return frames that left */
    uint64_t GetFramesOut() const;

    /** \return what is wrong with the counters, or an empty string */
    std::string CheckInvariants() const;

    /**
     * \param stream first random stream to use
     * \return streams used
     */
    int64_t AssignStreams(int64_t stream);

    // PortOwner
    void Receive(Frame* frame, uint32_t port, Tick now) override;
    void Departing(Frame* frame, uint32_t port, Tick now) override;
    void Discarded(Frame* frame, uint32_t port, Tick now) override;
    void LinkChanged(uint32_t port, bool up, Tick now) override;

    /** TracedCallback signature. \param [in] frame the frame \param [in] reason why */
    typedef void (*DropTracedCallback)(const Frame& frame, DropReason reason);

    /** TracedCallback signature. \param [in] frame the frame \param [in] port where it leaves */
    typedef void (*EcnTracedCallback)(const Frame& frame, uint32_t port);

    /** TracedCallback signature. \param [in] port ingress port whose sender is told \param [in]
     *  priority priority \param [in] xoff whether it is paused now */
    typedef void (*PfcTracedCallback)(uint32_t port, uint32_t priority, bool xoff);

  private:
    /** What a frame needs at its output port: one cache line. */
    struct alignas(64) PortState
    {
        Transmitter* tx;
        EcnThresholds ecn;
        uint32_t headroom{0}; //!< set by SetPortBuffer
        double alpha{0};      //!< set by SetPortBuffer
    };

    /** Repeats pauses. */
    class RefreshTimer final : public Event
    {
      public:
        explicit RefreshTimer(Switch* owner)
            : m_owner(owner)
        {
        }

        void Fire(Tick now) override;

        Tick armed{NEVER};   //!< tick of the earliest pending event
        uint32_t pending{0}; //!< pending events

      private:
        Switch* m_owner;
    };

    static TypeId AddBufferAttributes(TypeId tid);
    static TypeId AddTraces(TypeId tid);
    void DoInitialize() override;
    void DoDispose() override;
    void CheckThawed(const char* what) const;
    SwitchMmuConfig MakeMmuConfig() const;
    uint32_t HeadroomOf(uint32_t index) const;
    void Drop(Frame* frame, DropReason reason);
    void CountDrop(const Frame* frame, DropReason reason);
    void SendXoff(uint32_t port, unsigned priority, Tick now);
    void TryXon(uint32_t port, unsigned priority, Tick now);
    void SendPause(uint32_t port, uint8_t mask, uint16_t quanta, Tick now);
    void RefreshPauses(Tick now);
    void ArmRefresh();

    // hot: first what each hop reads
    FramePool* m_pool{nullptr};
    ForwardingTable m_forwarding;
    LoadBalancer* m_balance{nullptr};
    PfcController* m_pfc{nullptr};
    EcnMarker* m_marker{nullptr};
    uint64_t m_framesIn{0};
    uint64_t m_framesOut{0};
    std::vector<PortState> m_ports;
    SwitchMmu m_mmu;

    Ptr<EventCore> m_core;
    RefreshTimer m_refresh;
    std::vector<Ptr<Port>> m_devices;
    Ptr<LoadBalancer> m_loadBalancer;
    Ptr<PfcController> m_pfcController;
    Ptr<EcnMarker> m_ecnMarker;
    uint64_t m_drops[NUM_DROP_REASONS]{};
    uint64_t m_marks{0};
    uint32_t m_id{0};
    bool m_hasId{false};

    // attributes
    uint64_t m_bufferBytes;
    double m_alpha;
    double m_alphaLossy;
    uint32_t m_reserveBytes;
    uint32_t m_lossyReserveBytes;
    uint32_t m_resumeOffsetBytes;
    double m_lossyPoolFraction;
    uint8_t m_losslessMask;
    uint32_t m_headroomBytes;
    uint32_t m_maxFrameBytes;
    bool m_pfcEnabled;
    bool m_ecnEnabled;

    TracedCallback<const Frame&, DropReason> m_dropTrace;
    TracedCallback<const Frame&, uint32_t> m_ecnTrace;
    TracedCallback<uint32_t, uint32_t, bool> m_pfcTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_H
