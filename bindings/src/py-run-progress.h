/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_RUN_PROGRESS_H
#define PY_RUN_PROGRESS_H

#include "py-callback.h"

#include "ns3/roce-fabric.h"

#include <chrono>
#include <string>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * Tells Python how far a run is, a few times a second.
 *
 * Models: a call with (simulated ns, bytes delivered, bytes posted, frame-hops), after the label of
 * the run if it has one.
 *
 * Invariants: it only reads the simulation.
 *
 * Leaves out: what has not been posted.
 */
class RunProgress
{
  public:
    /** \param fabric what to look at \param sink is told \param label empty: it is not told */
    RunProgress(Ptr<Fabric> fabric, Sink sink, const std::string& label = "");

    /** Tell it if it is time. \param now present tick */
    void Poll(Tick now);

    /** Tell it. \param now present tick */
    void Tell(Tick now) const;

  private:
    using Clock = std::chrono::steady_clock;

    Ptr<Fabric> m_fabric;
    Sink m_sink;
    std::string m_label;
    Clock::time_point m_next{Clock::now()};
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_RUN_PROGRESS_H
