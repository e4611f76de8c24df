/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PROGRESS_METER_H
#define ROCE_PROGRESS_METER_H

#include "roce-fabric.h"

#include <chrono>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Tells people on stderr how far a run is.
 *
 * Models: simulated time, share of the bytes done, frame-hops per second of wall time, and when
 * it will be over. One line a second on a terminal, one every ten seconds elsewhere.
 *
 * Invariants: it only reads the simulation, so a run with it and one without are the same.
 *
 * Leaves out: work that has not been posted, unless it is told how much there will be.
 */
class ProgressMeter
{
  public:
    /**
     * \param label name of the run
     * \param fabric what to look at
     */
    ProgressMeter(const std::string& label, Ptr<Fabric> fabric);

    /** \param bytes payload bytes of the whole run; 0: what has been posted */
    void SetExpectedBytes(uint64_t bytes);

    /** Print a line if it is time. \param now present tick */
    void Poll(Tick now);

    /** End the line on a terminal. */
    void Finish();

  private:
    using Clock = std::chrono::steady_clock;

    void Print(Tick now, double wall);

    std::string m_label;
    Ptr<Fabric> m_fabric;
    Ptr<EventCore> m_core;
    uint64_t m_expected{0};
    bool m_terminal;
    bool m_open{false}; //!< a line on the terminal is not ended
    Clock::time_point m_start;
    Clock::time_point m_next;
    double m_lastWall{0};
    uint64_t m_lastHops{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PROGRESS_METER_H
