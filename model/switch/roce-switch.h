/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_H
#define ROCE_SWITCH_H

#include "roce-buffer-options.h"
#include "roce-ecn-marker.h"
#include "roce-forwarding-table.h"
#include "roce-load-balancer.h"
#include "roce-pfc-controller.h"
#include "roce-switch-mmu.h"
#include "roce-switch-stage.h"

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

    /** Add a port, before its cable and Freeze. \return its index \param port a port of its own */
    uint32_t AddPort(Ptr<Port> port);

    /** \return a port. \param index its index */
    Ptr<Port> GetPort(uint32_t index) const;

    /** \return number of ports */
    uint32_t GetNumPorts() const;

    /** Give one port settings of its own, before Freeze. \param index the port \param headroomBytes
     *  of each lossless priority \param alpha of these; 0: as the attribute says, for both */
    void SetPortBuffer(uint32_t index, uint32_t headroomBytes, double alpha);

    /**
     * Size the buffer from the ports and their cables; done once, by Initialize at the latest.
     * Throws std::invalid_argument if the settings do not fit.
     */
    void Freeze();

    /** \param id number that tells this switch from others (hash seeds); default the node's id */
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

    /** \param stage something it does besides; asked in the order of adding */
    void AddStage(Ptr<SwitchStage> stage);

    /** \return what was added, in order */
    const std::vector<Ptr<SwitchStage>>& GetStages() const;

    /** Drop what waits for a port as DropReason::WATCHDOG. \param port the port \param priority
     *  its priority \param now present tick */
    void DropQueue(uint32_t port, unsigned priority, Tick now);

    /** \return pause states and counters; its attributes hold until Freeze */
    Ptr<PfcController> GetPfcController() const;

    /** \return the routes, to be filled in */
    ForwardingTable& GetForwarding();

    /** \return the buffer */
    const SwitchMmu& GetMmu() const;

    /** \return its further options, which hold until Freeze */
    Ptr<BufferOptions> GetBufferOptions() const;

    /** \return frames dropped. \param reason why */
    uint64_t GetDrops(DropReason reason) const;

    /** \return frames marked CE */
    uint64_t GetEcnMarks() const;

    /** \return frames that arrived */
    uint64_t GetFramesIn() const;

    /** \return frames that left */
    uint64_t GetFramesOut() const;

    /** \return what is wrong with the counters, or an empty string */
    std::string CheckInvariants() const;

    /** \return streams used. \param stream first random stream to use */
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

    /** Bit of m_hears beside SwitchStage::Hears: EcnMarker::ENQUEUE. */
    static constexpr uint8_t MARKS_ARRIVALS = 1 << 7;
    static constexpr uint8_t LIMITS_EGRESS = 1 << 6; //!< likewise: SwitchMmu::LimitsEgress

    static TypeId AddBufferAttributes(TypeId tid);
    static TypeId AddTraces(TypeId tid);
    void DoInitialize() override;
    void DoDispose() override;
    void CheckThawed(const char* what) const;
    SwitchMmuConfig MakeMmuConfig() const;
    uint32_t HeadroomOf(uint32_t index) const;
    void MarkArrival(Frame* frame, uint32_t out);
    void NoteMark(const Frame& frame, uint32_t out);
    bool Refuses(Frame* frame, uint32_t in, uint32_t out, Tick now);
    bool AskStages(Frame* frame, uint32_t in, uint32_t out, Tick now) const;
    void TellStages(Frame* frame, uint32_t out, Tick now) const;
    void NotePause(uint32_t port, unsigned priority, bool xoff, Tick now);
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
    uint8_t m_hears{0}; //!< SwitchStage::Hears of all stages, and MARKS_ARRIVALS
    DropReason m_discardReason{DropReason::LINK_DOWN};
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
    Ptr<BufferOptions> m_bufferOptions;
    std::vector<Ptr<SwitchStage>> m_stages;
    std::vector<EcnThresholds> m_arrivalEcn; //!< by output port, if arrivals are marked
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
