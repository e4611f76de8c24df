/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_POINT_H
#define ROCE_CONGESTION_POINT_H

#include "roce-cnp-injector.h"
#include "roce-congestion-queue.h"
#include "roce-ecn-marker.h"
#include "roce-switch-stage.h"

#include "ns3/nstime.h"
#include "ns3/roce-cnp-body.h"
#include "ns3/roce-cnp-tag-table.h"
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
 * The congestion points of a switch: one an egress queue.
 *
 * Models: for each port and data priority the share P of marked packets among the last Window data
 * packets, the number of flows, and the notification of senders, by CNPs of the switch itself or by
 * tags. A CNP goes to the source of the marked packet, as from its destination, in the class
 * ControlPriority; it enters the pipeline as if it had come in by the port of the packet. At most
 * one a flow and CnpInterval. A packet that has been marked by an earlier switch counts as marked
 * here if the marker would have marked it. With many flows the interval grows, so that a port sends
 * about FlowsPerInterval CNPs in CnpInterval beside the first ones of flows; not while P is 0.95 or
 * more. All-clear: one CNP with flag clear for each flow that
 * had a CNP since the last one, when the queue is short again.
 *
 * Source: hierarchical congestion control; P = marks / Window, the past forgotten after 50 us
 * without a packet. The article leaves layout and numbers open; doc/switch.rst has ours.
 *
 * Invariants: marks <= Window; CNPs to a flow without flag clear are at least an interval apart; no
 * all-clear without a CNP before it; with NONE frames are left as they are.
 *
 * Leaves out: the law at the sender; CNPs of receivers (TagEcho); flag leave (LeaveNotifier);
 * how a switch learns the sender's queue pair, which no data packet carries: the frame tells it.
 */
class CongestionPoint : public SwitchStage
{
  public:
    /** How senders hear of it; bits. */
    enum Path : uint8_t
    {
        NONE = 0, //!< they do not; it only measures
        CNP = 1,  //!< the switch sends a CNP
        TAG = 2,  //!< the switch tags marked packets; the receiver sends the CNP
        BOTH = 3, //!< both
    };

    /** How flows are counted. */
    enum Counting : uint8_t
    {
        EXACT,  //!< FlowCounter
        BITMAP, //!< LinearCounter
    };

    /** Where a port belongs. */
    struct Place
    {
        uint16_t domain{0}; //!< congestion domain
        uint8_t tier{1};    //!< 1: leaf, 2: pod spine, 3: super-spine
        uint8_t stage{2};   //!< 2: in a pod, 3: between pods
        bool last{false};   //!< a host is at the other end; only tags make a difference
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    CongestionPoint();
    ~CongestionPoint() override;

    /** Give a port a place, before Assemble; without one it has Place(). \param port the port
     * \param place where */
    void SetPlace(uint32_t port, const Place& place);

    /** \param tags table of the fabric, before Assemble; needed for TAG and BOTH */
    void SetTags(Ptr<CnpTagTable> tags);

    uint8_t GetHears() const override;
    void Assemble(Switch& device) override;
    bool MayEnqueue(Frame* frame, uint32_t in, uint32_t out, Tick now) override;
    void OnDeparture(Frame* frame, uint32_t out, Tick now) override;

    /** \return ids in use, from FirstPoint on; valid after Freeze */
    uint32_t GetNumPoints() const;

    /** \return what a CNP would say now, with 0 hops. \param port output port \param priority one
     *  of Priorities */
    CnpBody GetState(uint32_t port, unsigned priority);

    /** \return CNPs sent, all-clear ones included */
    uint64_t GetCnps() const;

    /** \return all-clear CNPs sent */
    uint64_t GetClears() const;

    /** \return marked packets whose sender's queue pair is not known, and datagrams */
    uint64_t GetUnknown() const;

    /** TracedCallback signature. \param [in] body what it says \param [in] cause the packet */
    typedef void (*CnpTracedCallback)(const CnpBody& body, const Frame& cause);

    /** TracedCallback signature. \param [in] point its id \param [in] before marks among the last
     *  Window packets before \param [in] after and now */
    typedef void (*MarksTracedCallback)(uint16_t point, uint32_t before, uint32_t after);

  private:
    static TypeId AddNotification(TypeId tid);
    void DoDispose() override;
    CongestionQueue& QueueOf(uint32_t port, unsigned priority);
    bool IsMarkedHere(const Frame& frame, const CongestionQueue& queue);
    bool IsDue(const FlowCounter::Flow& flow, CongestionQueue& queue, Tick now) const;
    void Notify(Frame* frame, CongestionQueue& queue, bool marked, Tick now);
    void SendCnp(const Frame& cause, CongestionQueue& queue, bool clear, Tick now);

    Switch* m_switch{nullptr};
    Ptr<EventCore> m_core;
    Ptr<EcnMarker> m_marker;
    Ptr<CnpTagTable> m_tags;
    std::unique_ptr<CnpInjector> m_out;
    std::vector<Place> m_places;                            //!< by port, as far as set
    std::vector<std::unique_ptr<CongestionQueue>> m_queues; //!< port * 8 + priority
    Tick m_silence{0};
    bool m_marksArrivals{false};
    uint32_t m_points{0};
    uint64_t m_cnps{0};
    uint64_t m_clears{0};
    uint64_t m_unknown{0};

    uint16_t m_window;
    uint8_t m_priorities;
    uint16_t m_firstPoint;
    Path m_path;
    Time m_interval;
    Time m_interval3;
    uint16_t m_flowsPerInterval;
    uint8_t m_controlPriority;
    Counting m_counting;
    uint64_t m_clearBytes;

    TracedCallback<const CnpBody&, const Frame&> m_cnpTrace;
    TracedCallback<uint16_t, uint32_t, uint32_t> m_marksTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_POINT_H
