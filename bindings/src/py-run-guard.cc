/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-run-guard.h"

#include "py-signal-watch.h"

#include "ns3/simulator.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** The state; one, as there is one ns-3 simulator a process. */
struct State
{
    std::atomic<bool> running{false};
    std::atomic<bool> failed{false};
    std::thread::id thread;
    std::unique_ptr<pybind11::error_already_set> error;
    std::mutex mutex;
    std::vector<std::function<void()>> deferred;
};

State&
GetState()
{
    // never destroyed: objects may be dropped after static destructors have run
    static State* state = new State;
    return *state;
}

/** Ends a run however it ends. */
class Running
{
  public:
    Running()
    {
        State& state = GetState();
        state.thread = std::this_thread::get_id();
        state.running = true;
    }

    ~Running()
    {
        State& state = GetState();
        state.running = false;
        std::vector<std::function<void()>> drops;
        {
            std::lock_guard<std::mutex> lock(state.mutex);
            drops.swap(state.deferred);
        }
        for (const auto& drop : drops)
        {
            drop();
        }
    }

    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

} // namespace

void
RunGuard::Run(const std::function<void()>& body)
{
    Guard(body, true);
}

void
RunGuard::RunUnwatched(const std::function<void()>& body)
{
    Guard(body, false);
}

void
RunGuard::Guard(const std::function<void()>& body, bool watched)
{
    RefuseWhileRunning("another run");
    ThrowError();
    try
    {
        Running running;
        std::optional<SignalWatch> watch;
        if (watched)
        {
            watch.emplace();
        }
        pybind11::gil_scoped_release release;
        body();
    }
    catch (const std::exception&)
    {
        ThrowError(); // the exception of Python came first
        throw;
    }
    ThrowError();
}

bool
RunGuard::IsRunning()
{
    return GetState().running;
}

void
RunGuard::RefuseWhileRunning(const char* what)
{
    if (IsRunning())
    {
        throw std::runtime_error(std::string("a run is under way, which does not allow ") + what +
                                 "; let run() return first, or call stop()");
    }
}

bool
RunGuard::MustDefer()
{
    State& state = GetState();
    return state.running && state.thread != std::this_thread::get_id();
}

void
RunGuard::Defer(std::function<void()> drop)
{
    State& state = GetState();
    std::lock_guard<std::mutex> lock(state.mutex);
    state.deferred.push_back(std::move(drop));
}

void
RunGuard::CheckSignals()
{
    if (PyErr_CheckSignals() != 0)
    {
        pybind11::error_already_set error;
        NoteError(error);
    }
}

void
RunGuard::NoteError(pybind11::error_already_set& error)
{
    State& state = GetState();
    if (!state.error)
    {
        state.error = std::make_unique<pybind11::error_already_set>(error);
        state.failed = true;
    }
    if (state.running)
    {
        Simulator::Stop();
    }
}

bool
RunGuard::HasError()
{
    return GetState().failed;
}

void
RunGuard::ThrowError()
{
    State& state = GetState();
    if (state.error)
    {
        pybind11::error_already_set error(*state.error);
        ForgetError();
        throw error;
    }
}

void
RunGuard::ForgetError()
{
    State& state = GetState();
    state.error.reset();
    state.failed = false;
}

} // namespace python
} // namespace roce
} // namespace ns3
