/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PATH_BOUND_DCQCN_H
#define ROCE_PATH_BOUND_DCQCN_H

#include "roce-dcqcn.h"

namespace ns3
{
namespace roce
{

/**
 * DCQCN that forgets congestion of a path it has left.
 *
 * Models: Dcqcn, and what Hcc calls path binding: when telemetry in an ACK shows other switch ports
 * than before the last CNP, the queue pair starts anew at line rate. A rival for HCC where load
 * balancers move flows, nobody's product.
 *
 * Source: the idea, HCC's refinements; layout: INT-MD as IntStamper writes it.
 *
 * Invariants: without such telemetry it is Dcqcn; it starts anew at most once a CNP.
 *
 * Leaves out: CNPs of the old path that arrive after the first ACK of the new one; they cut.
 */
class PathBoundDcqcn : public Dcqcn
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PathBoundDcqcn();
    ~PathBoundDcqcn() override;

    /** \return times it started anew */
    uint64_t GetRestarts() const
    {
        return m_restarts;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
    void DoCnp(const CnpInfo& cnp, Tick now) override;

    uint64_t m_path{0}; //!< of the last ACK; 0: not known
    uint64_t m_cut{0};  //!< to which cuts belong; 0: none, or not known
    uint64_t m_restarts{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PATH_BOUND_DCQCN_H
