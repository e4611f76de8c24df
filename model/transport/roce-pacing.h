/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PACING_H
#define ROCE_PACING_H

#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Where the slots of a flow lie.
 *
 * Models: time-division pacing. Packets of a flow leave in slots of size / rate; the phase keeps
 * flows that start together out of step. It is a hash of the flow, so it is the same in each run.
 * PLAIN: none. INTERVAL: the first slot comes hash mod (size / rate at the start) later. FIXED:
 * hash mod 50 ns later. LITERAL: as the article's pseudo-code has it, hash mod 50 ns is added to
 * each slot.
 *
 * Source: the article behind hierarchical congestion control (50 ns); INTERVAL is ours.
 *
 * Invariants: with PLAIN, INTERVAL and FIXED the long-run rate is the rate asked for; with LITERAL
 * a flow with phase p has bytes / (bytes / rate + p).
 *
 * Leaves out: slots agreed among hosts.
 */
struct Pacing
{
    /** What the phase does. */
    enum Mode : uint8_t
    {
        PLAIN,    //!< no phase
        INTERVAL, //!< one of a whole slot, at the start
        FIXED,    //!< one below SPAN_NS, at the start
        LITERAL,  //!< one below SPAN_NS, in each slot
    };

    /** Span of the phases of FIXED and LITERAL, ns (the article's 50 ns). */
    static constexpr int64_t SPAN_NS = 50;

    /** \return delay of the first slot, ticks. \param mode what the phase does \param hash of the
     *  flow \param bytes of a full packet on the link \param rate bit/s at the start, > 0 */
    static Tick StartPhase(Mode mode, uint64_t hash, uint32_t bytes, uint64_t rate);

    /** \return ticks added to each slot. \param mode what the phase does \param hash of the flow */
    static Tick SlotPhase(Mode mode, uint64_t hash);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PACING_H
