/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-signal-watch.h"

#include "py-run-guard.h"

#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** In the thread of the simulator: let handlers run. */
void
CheckSignals()
{
    pybind11::gil_scoped_acquire gil;
    RunGuard::CheckSignals();
}

bool
IsMainThread()
{
    const auto threading = pybind11::module_::import("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

/** \return the descriptor that Python wrote to so far. \param descriptor it writes to from now on
 */
int
SetWakeup(int descriptor)
{
    return pybind11::module_::import("signal")
        .attr("set_wakeup_fd")(descriptor, pybind11::arg("warn_on_full_buffer") = false)
        .cast<int>();
}

void
Close(int (&ends)[2])
{
    close(ends[0]);
    close(ends[1]);
}

} // namespace

SignalWatch::SignalWatch()
{
    if (!IsMainThread())
    {
        return;
    }
    if (pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
    {
        throw std::runtime_error("no file descriptor is free for a pipe, which a run needs to hear "
                                 "of Ctrl-C; close some files");
    }
    if (pipe2(m_finish, O_CLOEXEC) != 0)
    {
        Close(m_pipe);
        throw std::runtime_error("no file descriptor is free for a pipe, which a run needs to hear "
                                 "of Ctrl-C; close some files");
    }
    Simulator::GetImplementation(); // made here, not by two threads at a time
    m_before = SetWakeup(m_pipe[1]);
    // signals go to the thread of Python, whose handler writes to the pipe
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_thread = std::thread([this]() { Watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SignalWatch::~SignalWatch()
{
    if (!m_thread.joinable())
    {
        return;
    }
    try
    {
        SetWakeup(m_before);
    }
    catch (pybind11::error_already_set&)
    {
        // somebody has closed it meanwhile: Python writes to none
        SetWakeup(-1);
    }
    const char end = 0;
    while (write(m_finish[1], &end, 1) < 0 && errno == EINTR)
    {
    }
    m_thread.join();
    Close(m_pipe);
    Close(m_finish);
}

void
SignalWatch::Watch()
{
    pollfd ends[2] = {{m_pipe[0], POLLIN, 0}, {m_finish[0], POLLIN, 0}};
    while (true)
    {
        if (poll(ends, 2, -1) < 0)
        {
            if (errno == EINTR)
            {
                continue;
            }
            return;
        }
        if (ends[0].revents)
        {
            char signals[64];
            const ssize_t n = read(m_pipe[0], signals, sizeof(signals));
            if (n > 0)
            {
                if (m_before >= 0)
                {
                    [[maybe_unused]] const ssize_t passed = write(m_before, signals, n);
                }
                Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, Time(0), &CheckSignals);
            }
        }
        if (ends[1].revents)
        {
            return;
        }
    }
}

} // namespace python
} // namespace roce
} // namespace ns3
