/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_QUEUE_H
#define ROCE_CONGESTION_QUEUE_H

#include "roce-ecn-marker.h"
#include "roce-flow-counter.h"
#include "roce-linear-counter.h"
#include "roce-mark-window.h"

#include "ns3/roce-cnp-body.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3
{
namespace roce
{

class Transmitter;

/**
 * What a congestion point knows of one egress queue.
 *
 * Models: identity, window of marks, flows. Data of CongestionPoint, one a port and priority.
 *
 * Source: see CongestionPoint, FlowCounter and LinearCounter.
 *
 * Invariants: GetFlows is FlowCounter's number, or the estimate of the bitmaps by the same rule.
 *
 * Leaves out: what is done with it.
 */
struct CongestionQueue
{
    static constexpr uint32_t BITMAP_BITS = 4096; //!< of each of the two bitmaps

    /** \param length of the window, packets \param ticksPerSecond resolution \param bitmap whether
     *  flows are counted as chips do */
    CongestionQueue(unsigned length, int64_t ticksPerSecond, bool bitmap)
        : window(length),
          flows(ticksPerSecond / 10000, ticksPerSecond / 1000)
    {
        if (bitmap)
        {
            shortMap.emplace(BITMAP_BITS, ticksPerSecond / 10000);
            longMap.emplace(BITMAP_BITS, ticksPerSecond / 1000);
        }
    }

    /** \return the flow. \param key its name \param now present tick */
    FlowCounter::Flow& See(uint64_t key, Tick now)
    {
        if (shortMap)
        {
            uint64_t hash = (key + 1) * 0x9e3779b97f4a7c15u; // multiply and fold twice
            hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
            hash ^= hash >> 32;
            shortMap->Add(hash, now);
            longMap->Add(hash, now);
        }
        return flows.Touch(key, now);
    }

    /** \return N, at most 65535. \param now present tick */
    uint16_t GetFlows(Tick now)
    {
        double count = flows.GetCount(now);
        if (shortMap)
        {
            count = shortMap->GetCount(now);
            count = count <= FlowCounter::TRUST_SHORT ? count : longMap->GetCount(now);
        }
        return static_cast<uint16_t>(std::min(count + 0.5, 65535.0));
    }

    CnpBody place;                           //!< what is always the same in its CNPs
    const Transmitter* transmitter{nullptr}; //!< of its port
    EcnThresholds ecn;                       //!< of its port
    uint64_t clearBytes{0};                  //!< all-clear up to here
    Tick interval{0};                        //!< between CNPs of a flow
    Tick last{0};                            //!< of the last packet
    uint8_t priority{0};                     //!< of the queue
    uint8_t tag{0};                          //!< of marked packets; 0: none
    MarkWindow window;                       //!< of the last packets
    FlowCounter flows;                       //!< and their flows
    std::optional<LinearCounter> shortMap;   //!< 100 us
    std::optional<LinearCounter> longMap;    //!< 1 ms
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_QUEUE_H
