/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HCC_ENTRY_H
#define ROCE_HCC_ENTRY_H

#include "ns3/roce-tick.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What a flow owes to one congestion point, or to one congestion domain.
 *
 * Models: a rate, a timer that raises it and the queue's last word. The n-th expiry since the last
 * cut adds min(n, Acc) steps.
 *
 * Laziness: the rate is computed from the one at the last change of anything but the timer, in one
 * formula, so it does not depend on how often Run() is called; many expiries cost the same as one.
 *
 * Invariants: between cuts the rate does not fall; a limiting entry has a timer.
 *
 * Leaves out: which CNPs cut, and how far.
 */
struct HccEntry
{
    uint32_t key{0};       //!< point or domain, as Hcc::KeyOf makes it
    uint16_t domain{0};    //!< congestion domain
    uint16_t point{0};     //!< congestion point that spoke last
    bool limits{false};    //!< has a rate; else it is at line rate and only known to be crossed
    bool crosses{false};   //!< the flow is known to cross it
    uint32_t flows{1};     //!< N as last heard
    uint64_t portBps{0};   //!< rate of the queue's port, bit/s
    double rate{0};        //!< R, bit/s
    double base{0};        //!< R after baseCount expiries
    double step{0};        //!< what the first expiry adds, bit/s
    uint64_t count{0};     //!< expiries since the last cut
    uint64_t baseCount{0}; //!< the same when base was taken
    Tick period{0};        //!< T
    Tick timer{NEVER};     //!< next expiry
    Tick lastCut{-1};      //!< when it was cut last
    uint32_t maxSteps{1};  //!< Acc
    uint8_t hops{0};       //!< switches from the sender to the point; 0: not known
    Tick lastCnp{-1};      //!< last CNP that says a long queue
    uint64_t place{0};     //!< node and port of the point, as telemetry says; 0: not known

    /** \return steps of the first n expiries together: min(1, Acc) + ... + min(n, Acc).
     * \param n expiries \param maxSteps Acc */
    static double Steps(uint64_t n, uint32_t maxSteps)
    {
        const double ramp = static_cast<double>(std::min<uint64_t>(n, maxSteps));
        return ramp * (ramp + 1) / 2 + (static_cast<double>(n) - ramp) * maxSteps;
    }

    /** Take a rate. \param bps bit/s */
    void SetRate(double bps)
    {
        rate = bps;
        base = bps;
        baseCount = count;
    }

    /** Begin again from the present rate with a step. \param bps bit/s */
    void SetStep(double bps)
    {
        SetRate(rate);
        step = bps;
    }

    /** Wait a whole period from now. \param now present tick */
    void Restart(Tick now)
    {
        timer = now + period;
    }

    /**
     * Run the timer up to and with now; at line rate the entry stops to limit.
     * \param now present tick
     * \param line bit/s
     */
    void Run(Tick now, double line)
    {
        if (now < timer)
        {
            return;
        }
        const Tick expiries = (now - timer) / period + 1;
        count += static_cast<uint64_t>(expiries);
        timer += expiries * period;
        rate = base + step * (Steps(count, maxSteps) - Steps(baseCount, maxSteps));
        if (rate >= line)
        {
            Free();
        }
    }

    /** It limits no longer. */
    void Free()
    {
        limits = false;
        timer = NEVER;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HCC_ENTRY_H
