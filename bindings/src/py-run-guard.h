/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_RUN_GUARD_H
#define PY_RUN_GUARD_H

#include <functional>
#include <pybind11/pybind11.h>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * What holds while the simulator runs on behalf of Python.
 *
 * Models: one run at a time, without the GIL. An exception of a Python callback is kept and stops
 * the simulator; it is raised when the run has come back. A signal wakes a thread that asks the
 * simulator, by its thread-safe ScheduleWithContext, for an event in which Python's handlers run;
 * nothing is polled meanwhile.
 *
 * Invariants: of several exceptions the first one is raised, as it is; no C++ frame of the
 * simulator is unwound by a Python exception; a signal whose handler returns changes no result.
 *
 * Leaves out: runs in a thread other than the main one are not interrupted by signals, as Python
 * handles them in the main thread.
 */
class RunGuard
{
  public:
    /** Run something that runs the simulator. Called with the GIL; releases it.
     *  \param body what to run; std::runtime_error if a run is under way */
    static void Run(const std::function<void()>& body);

    /** The same for what destroys simulations in between: it makes a SignalWatch for each, without
     *  which signals wait. \param body what to run */
    static void RunUnwatched(const std::function<void()>& body);

    /** \return whether a run is under way */
    static bool IsRunning();

    /** Throws std::runtime_error if a run is under way. \param what is refused meanwhile */
    static void RefuseWhileRunning(const char* what);

    /** \return whether references may not be dropped now: another thread simulates */
    static bool MustDefer();

    /** \param drop called after the run */
    static void Defer(std::function<void()> drop);

    /** Let Python's handlers of signals run, and note their exception; with the GIL. */
    static void CheckSignals();

    /** Keep an exception and stop the simulator; with the GIL. \param error of a callback */
    static void NoteError(pybind11::error_already_set& error);

    /** \return whether an exception waits to be raised */
    static bool HasError();

    /** Raise what waits; with the GIL. */
    static void ThrowError();

    /** Forget what waits; with the GIL. */
    static void ForgetError();

  private:
    static void Guard(const std::function<void()>& body, bool watched);
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_RUN_GUARD_H
