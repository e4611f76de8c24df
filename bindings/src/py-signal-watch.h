/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_SIGNAL_WATCH_H
#define PY_SIGNAL_WATCH_H

#include <thread>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * Lets Python's signal handlers run while the simulator does.
 *
 * Models: Python's wakeup descriptor (signal.set_wakeup_fd), a pipe and a thread that sleeps on it.
 * Each byte that a signal writes becomes an ns-3 event in which PyErr_CheckSignals is called; an
 * exception of a handler, such as KeyboardInterrupt, goes to RunGuard. Bytes are passed on to the
 * descriptor that was there before, so an event loop goes on to hear of them.
 *
 * Invariants: without a signal the simulator has no event more; nothing is left behind when it
 * goes.
 *
 * Leaves out: threads other than Python's main one, in which it does nothing.
 */
class SignalWatch
{
  public:
    /** With the GIL; in the main thread it begins to watch. */
    SignalWatch();
    /** With the GIL. */
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

  private:
    void Watch();

    int m_before{-1};        //!< descriptor that Python wrote to
    int m_pipe[2]{-1, -1};   //!< signals come here
    int m_finish[2]{-1, -1}; //!< the end comes here
    std::thread m_thread;
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_SIGNAL_WATCH_H
