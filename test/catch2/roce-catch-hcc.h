/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CATCH_HCC_H
#define ROCE_CATCH_HCC_H

#include "ns3/roce-constants.h"
#include "ns3/roce-hcc.h"

#include <array>

/**
 * \file
 * What the tests of hierarchical congestion control share. Their queue pair has a line of 100 Gb/s
 * and a base RTT of 4 us, so the BDP is 50,000 bytes and a step of the default profile is
 * 0.03 x 100 Gb/s x 4 us / 30 us / N = 400 Mb/s / N.
 */

namespace ns3
{
namespace roce
{

inline constexpr double GBPS = 1e9; //!< 1 Gb/s

/** \param shared of the NIC \return the facts of a queue pair */
inline FlowParameters
HccFlow(Ptr<Object> shared = nullptr)
{
    FlowParameters flow;
    flow.lineRate = 100000000000;
    flow.baseRtt = 4000;
    flow.mtu = 1000;
    flow.frameBytes = 1062;
    flow.qpn = 17;
    flow.shared = shared;
    return flow;
}

/** \param shared of the NIC \return a law with the default profile that has started at 0 */
inline Ptr<Hcc>
MakeHcc(Ptr<Object> shared = nullptr)
{
    auto cc = CreateObject<Hcc>();
    cc->Start(HccFlow(shared), 0);
    return cc;
}

/** \return what a congestion point of 100 Gb/s in stage 2 says. \param point id \param share P
 * \param flows N \param tier distance */
inline CnpBody
Says(uint16_t point, double share, uint16_t flows, uint8_t tier = 1)
{
    CnpBody body;
    body.domain = 7;
    body.point = point;
    body.tier = tier;
    body.stage = 2;
    body.share = share;
    body.flows = flows;
    body.rateBps = 100000000000;
    return body;
}

/** Let a CNP arrive. \param cc the law \param body what it says \param now present tick */
inline void
Hear(const Ptr<Hcc>& cc, const CnpBody& body, Tick now)
{
    std::array<uint8_t, CNP_BODY_BYTES> bytes;
    body.Encode(bytes.data());
    CnpInfo info;
    info.body = bytes.data();
    cc->OnCnp(info, now);
}

} // namespace roce
} // namespace ns3

#endif // ROCE_CATCH_HCC_H
