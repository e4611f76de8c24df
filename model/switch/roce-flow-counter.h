/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FLOW_COUNTER_H
#define ROCE_FLOW_COUNTER_H

#include "ns3/roce-tick.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{
namespace roce
{

/**
 * The flows that a queue has seen lately, and how many they are.
 *
 * Models: two sliding windows over a list of flows in the order of their last packets. A packet
 * costs O(1) on average whatever the number of flows.
 *
 * Source: N of hierarchical congestion control: flows in 100 us if that is at most 100, else in
 * 1 ms (a port of 100 Gb/s sends only some 300 packets in 100 us).
 *
 * Invariants: GetRecent() <= GetAll(); both count exactly the flows whose last packet is not older
 * than the window; a flow older than the long window is forgotten with its state.
 *
 * Leaves out: what a chip can afford: LinearCounter.
 */
class FlowCounter
{
  public:
    /** Above so many in the short window the long one decides. */
    static constexpr uint32_t TRUST_SHORT = 100;

    /** State of a flow. */
    struct Flow
    {
        uint64_t key{0};       //!< its name
        Tick seen{0};          //!< of its last packet
        Tick notified{-1};     //!< of the last CNP; -1: none
        bool owesClear{false}; //!< has had a CNP and no all-clear since
        bool recent{false};    //!< counted in the short window
        Flow* newer{nullptr};  //!< in the list
        Flow* older{nullptr};  //!< in the list
    };

    /** \param shortSpan ticks \param longSpan ticks, not less */
    FlowCounter(Tick shortSpan, Tick longSpan);

    FlowCounter(const FlowCounter&) = delete;
    FlowCounter& operator=(const FlowCounter&) = delete;

    /** \return the flow, valid until the next call. \param key its name \param now present tick */
    Flow& Touch(uint64_t key, Tick now);

    /** \return flows seen in the short window. \param now present tick */
    uint32_t GetRecent(Tick now);

    /** \return flows seen in the long window. \param now present tick */
    uint32_t GetAll(Tick now);

    /** \return N: the first if it is at most TRUST_SHORT, else the second. \param now now */
    uint32_t GetCount(Tick now)
    {
        const uint32_t recent = GetRecent(now);
        return recent <= TRUST_SHORT ? recent : GetAll(now);
    }

  private:
    void Expire(Tick now);
    void Unlink(Flow& flow);

    Tick m_short;
    Tick m_long;
    std::unordered_map<uint64_t, Flow> m_flows;
    Flow* m_newest{nullptr};
    Flow* m_oldest{nullptr};
    Flow* m_oldestRecent{nullptr};
    uint32_t m_recent{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOW_COUNTER_H
