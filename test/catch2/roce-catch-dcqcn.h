/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CATCH_DCQCN_H
#define ROCE_CATCH_DCQCN_H

#include "ns3/roce-dcqcn.h"

/**
 * \file
 * What the tests of the DCQCN reaction point share.
 */

namespace ns3
{
namespace roce
{

inline constexpr uint64_t G100 = 100000000000; //!< 100 Gb/s

/** \param lineRate bit/s \return the facts of a queue pair */
inline FlowParameters
CatchFlow(uint64_t lineRate = G100)
{
    FlowParameters flow;
    flow.lineRate = lineRate;
    flow.mtu = 1000;
    flow.frameBytes = 1062;
    flow.qpn = 17;
    return flow;
}

/** \param p the parameters \param lineRate bit/s \return a reaction point that has started */
inline Ptr<Dcqcn>
CatchDcqcn(const DcqcnParameters& p, uint64_t lineRate = G100)
{
    auto cc = CreateObject<Dcqcn>();
    cc->SetParameters(p);
    cc->Start(CatchFlow(lineRate), 0);
    return cc;
}

/** Let a plain CNP arrive. \param cc the reaction point \param now present tick */
inline void
Cnp(Ptr<Dcqcn> cc, Tick now)
{
    cc->OnCnp(CnpInfo(), now);
}

} // namespace roce
} // namespace ns3

#endif // ROCE_CATCH_DCQCN_H
