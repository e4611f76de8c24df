/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LAW_TEST_H
#define ROCE_LAW_TEST_H

#include "ns3/roce-congestion-control.h"

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

/**
 * \file
 * What the tests of the ACK driven laws share: facts, ACKs, and a random life.
 */

namespace ns3
{
namespace roce
{

/** \param lineRate bit/s \param baseRtt ticks \param hops links \return facts of a queue pair whose
 * packets have 1000 bytes and no headers */
inline FlowParameters
LawFlow(uint64_t lineRate, Tick baseRtt = 0, uint32_t hops = 0)
{
    FlowParameters flow;
    flow.lineRate = lineRate;
    flow.baseRtt = baseRtt;
    flow.mtu = 1000;
    flow.frameBytes = 1000;
    flow.qpn = 17;
    flow.hops = hops;
    return flow;
}

/** Tell a law of an ACK. \param law the law \param bytes newly acknowledged \param inflight still
 * on their way \param rtt round trip \param marked CE \param now present tick */
inline void
Ack(Ptr<CongestionControl> law, uint64_t bytes, uint64_t inflight, Tick rtt, bool marked, Tick now)
{
    AckInfo ack;
    ack.ackedBytes = bytes;
    ack.inflight = inflight;
    ack.rtt = rtt;
    ack.congestion = marked;
    law->OnAck(ack, now);
}

/**
 * Random ACKs, losses, CNPs and sends.
 * \param law has been started
 * \param least floor of the rate
 * \param seed of the random numbers
 * \return whether rate and window kept their bounds
 */
inline bool
RandomLife(Ptr<CongestionControl> law, uint64_t least, uint64_t seed)
{
    std::mt19937_64 random(seed);
    const FlowParameters& flow = law->GetFlow();
    Tick now = 0;
    bool good = true;
    for (int i = 0; i < 100000 && good; ++i)
    {
        now += static_cast<Tick>(random() % 3000);
        const uint64_t bytes = random() % 4 == 0 ? random() % 70000 : flow.mtu;
        // unknown, or 1 ns to 1 s on a logarithmic scale
        const Tick rtt =
            random() % 8 == 0 ? 0 : static_cast<Tick>(std::exp2(random() % 3000 / 100.0));
        switch (random() % 16)
        {
        case 0:
            law->OnLoss(random() % 2 == 0, now);
            break;
        case 1:
            law->OnCnp(CnpInfo(), now);
            break;
        case 2:
            law->OnSent(flow.frameBytes, now);
            break;
        default:
            Ack(law, bytes, random() % 300000, rtt, random() % 4 == 0, now);
        }
        law->Advance(now);
        good = law->GetRate() >= least && law->GetRate() <= flow.lineRate &&
               law->GetWindow() >= flow.mtu && law->GetDeadline() > now;
    }
    return good;
}

/** \param law to be started \param flow its facts \return why Start refused, or nothing */
inline std::string
StartRefusal(Ptr<CongestionControl> law, const FlowParameters& flow)
{
    try
    {
        law->Start(flow, 0);
    }
    catch (const std::invalid_argument& e)
    {
        return e.what();
    }
    return "";
}

} // namespace roce
} // namespace ns3

#endif // ROCE_LAW_TEST_H
