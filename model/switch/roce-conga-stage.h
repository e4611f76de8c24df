/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGA_STAGE_H
#define ROCE_CONGA_STAGE_H

#include "roce-conga-load-balancer.h"
#include "roce-switch-stage.h"

#include <memory>

namespace ns3
{
namespace roce
{

/**
 * Brings frames before CongaLoadBalancer when it is not asked to choose.
 *
 * Models: the ends of the overlay at a leaf and the rate estimators of all links: frames that are
 * about to be stored get or lose their CongaHeader, frames that leave are counted and raise CE.
 *
 * Clause: Alizadeh et al., CONGA, SIGCOMM 2014, 3.1 and 3.3.
 *
 * Invariants: it never refuses a frame; each switch has at most one.
 *
 * Leaves out: pause frames, which are no traffic of the fabric; choosing (CongaLoadBalancer).
 */
class CongaStage : public SwitchStage
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Add one to a switch whose load balancer, or the fallback of a PinnedLoadBalancer, is a
     * CongaLoadBalancer; else do nothing. Before Freeze and after ForwardingTable::SetOwnLeaf.
     * \param device the switch
     * \param locators where hosts hang, all of them
     */
    static void Install(Switch& device, std::shared_ptr<const LocatorTable> locators);

    // SwitchStage
    uint8_t GetHears() const override;
    void Assemble(Switch& device) override;
    bool MayEnqueue(Frame* frame, uint32_t in, uint32_t out, Tick now) override;
    void OnDeparture(Frame* frame, uint32_t out, Tick now) override;

  private:
    void DoDispose() override;

    Ptr<CongaLoadBalancer> m_balancer;
    std::shared_ptr<const LocatorTable> m_locators;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGA_STAGE_H
