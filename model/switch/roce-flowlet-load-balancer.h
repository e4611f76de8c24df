/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FLOWLET_LOAD_BALANCER_H
#define ROCE_FLOWLET_LOAD_BALANCER_H

#include "roce-flowlet-table.h"
#include "roce-load-balancer.h"
#include "roce-port-load.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace roce
{

/**
 * Moves a flow to another member only after a gap, so that its frames do not overtake each other.
 *
 * Models: flowlet switching: a frame that comes at least Gap after the last of its flow begins a
 * flowlet, which may take another member; all others follow. Here it takes the least loaded one, by
 * PortLoad; with equal loads the hash of the flow decides. Subclasses choose otherwise.
 *
 * Clause: Sinha, Kandula, Katabi, HotNets 2004 (flowlets); Alizadeh et al., CONGA, SIGCOMM 2014,
 * 3.4 (the table).
 *
 * Invariants: frames of one flow less than the gap apart take the same member while it exists; with
 * a gap above the largest difference of path delays no frame overtakes one of its flow.
 *
 * Leaves out: load beyond the switch's own ports (CONGA's feedback).
 */
class FlowletLoadBalancer : public LoadBalancer
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    FlowletLoadBalancer();

    /** \return the gap in ticks, valid once part of a switch */
    Tick GetGap() const;

  protected:
    /** \return loads of the ports */
    PortLoad& GetPortLoad();

    /** \return the gap in ticks to use. \param set attribute Gap, or its default worked out */
    virtual Tick ChooseGap(Tick set) const;

    /** The switch is known; for subclasses with tables of their own. */
    virtual void Prepare();

    /**
     * A flowlet begins.
     * \param hash of the flow
     * \param members output ports
     * \param count their number, at least 2
     * \param now present tick
     * \return index of the member to use
     */
    virtual uint32_t ChooseMember(uint32_t hash, const uint16_t* members, uint32_t count, Tick now);

  private:
    void DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters) final;
    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now) final;
    LoadBalancer* GetMover() final;

    FlowletTable m_table;
    PortLoad m_load;
    uint32_t m_seed{0};

    // attributes
    Time m_gap;
    Time m_estimatorPeriod;
    double m_estimatorPart;
    uint32_t m_tableSize;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOWLET_LOAD_BALANCER_H
