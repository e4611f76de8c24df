/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGA_LOAD_BALANCER_H
#define ROCE_CONGA_LOAD_BALANCER_H

#include "roce-conga-tables.h"
#include "roce-dre.h"
#include "roce-flowlet-table.h"
#include "roce-load-balancer.h"
#include "roce-locator-table.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * CONGA: flowlets go where the most congested link of the whole path is the least congested.
 *
 * Models: at a leaf, each flowlet to another leaf takes the uplink with the least maximum of its
 * own metric (Dre) and the metric of the path beyond it (CongaTables). Among equals it stays with
 * the uplink of the flowlet before it in its table entry, else a random one is drawn. Frames carry
 * a CongaHeader from leaf to leaf: each switch raises CE to the metric of the link that the frame
 * leaves by; all kinds of frames carry feedback for the leaf they go to. At other switches, and for
 * frames under way between leaves, the hash of the flow decides. CongaStage brings it the frames.
 *
 * Clause: Alizadeh et al., CONGA: Distributed Congestion-Aware Load Balancing for Datacenters,
 * SIGCOMM 2014, section 3; defaults are its values.
 *
 * Invariants: frames of one flow less than Gap apart take the same member while it exists; the
 * uplink taken by a new flowlet has the least metric of all members.
 *
 * Leaves out: bytes of the overlay header; frames from leaves without CONGA, which teach nothing;
 * more than 255 uplinks of a leaf; feedback by frames of its own, when nothing goes back.
 */
class CongaLoadBalancer : public LoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    CongaLoadBalancer();

    /**
     * Say where it is; once, after Assemble. Throws std::invalid_argument for a leaf with too many
     * uplinks.
     * \param locators where hosts hang
     * \param ownLeaf leaf index of its switch, or LocatorTable::NO_LEAF
     */
    void Join(std::shared_ptr<const LocatorTable> locators, uint32_t ownLeaf);

    /** A frame goes from one port to another: put a header on it, or take it off and learn.
     *  \param frame the frame \param out output port \param now present tick */
    void Forward(Frame* frame, uint32_t out, Tick now);

    /** A frame begins to leave. \param frame the frame \param out output port \param now present
     *  tick */
    void Depart(Frame* frame, uint32_t out, Tick now);

    /** \return metric of a link of its own. \param port output port \param now present tick */
    uint8_t GetLocalMetric(uint32_t port, Tick now);

    /** \return metric of the path beyond an uplink. \param leaf to which \param port the uplink
     *  \param now present tick */
    uint8_t GetPathMetric(uint32_t leaf, uint32_t port, Tick now) const;

    /** \return LBTag of a port, or CongaHeader::NO_TAG if hosts hang there. \param port the port */
    uint8_t GetTag(uint32_t port) const;

    /** \return what it has learnt */
    const CongaTables& GetTables() const;

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) override;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) override;
    int64_t DoAssignStreams(int64_t stream) override;
    LoadBalancer* GetMover() override;
    uint16_t Choose(uint32_t leaf,
                    const uint16_t* members,
                    uint32_t count,
                    uint16_t previous,
                    Tick now);
    void Encapsulate(Frame* frame, uint32_t out, Tick now);
    void Decapsulate(Frame* frame, Tick now);

    /** What it knows of a port. */
    struct PortState
    {
        Dre dre;
        uint32_t gap; //!< bytes the link adds to a frame
        uint8_t tag;  //!< LBTag
    };

    std::vector<PortState> m_ports;
    FlowletTable m_flowlets;
    CongaTables m_tables;
    std::shared_ptr<const LocatorTable> m_locators;
    uint32_t m_ownLeaf{LocatorTable::NO_LEAF};
    uint32_t m_seed{0};
    std::vector<uint16_t> m_equals; //!< scratch of Choose
    Ptr<UniformRandomVariable> m_random;

    // attributes
    Time m_gap;
    uint32_t m_tableSize;
    Time m_period;
    double m_alpha;
    uint32_t m_bits;
    Time m_aging;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGA_LOAD_BALANCER_H
