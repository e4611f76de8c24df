/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_CALLBACK_H
#define PY_CALLBACK_H

#include "py-run-guard.h"

#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <memory>
#include <pybind11/pybind11.h>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * A Python function that ns-3 calls.
 *
 * Models: a shared function object. Events, trace sources and handlers hold it by std::shared_ptr
 * from C++ threads that may not have the GIL; taking and dropping the Python reference takes it.
 *
 * Invariants: Python functions live until the last holder is gone or the simulation is destroyed,
 * whichever comes first, so a cycle through C++ is not for ever; after an exception nothing of
 * Python is called until the run has raised it.
 *
 * Leaves out: results of the functions, which are ignored.
 */
class CallbackSlot
{
  public:
    /** With the GIL. \param function what to call; TypeError if it cannot be called */
    explicit CallbackSlot(pybind11::object function);
    ~CallbackSlot();
    CallbackSlot(const CallbackSlot&) = delete;
    CallbackSlot& operator=(const CallbackSlot&) = delete;

    /** Call it. \param make makes the arguments, a tuple, with the GIL */
    template <typename Make>
    void Call(Make&& make) const
    {
        if (RunGuard::HasError())
        {
            return;
        }
        pybind11::gil_scoped_acquire gil;
        if (!m_function)
        {
            return;
        }
        try
        {
            pybind11::object function = m_function; // it may end its own life
            function(*make());
        }
        catch (pybind11::error_already_set& error)
        {
            RunGuard::NoteError(error);
        }
    }

    /** Call it without arguments. */
    void Call() const
    {
        Call([]() { return pybind11::make_tuple(); });
    }

    /** Drop all Python functions; with the GIL. */
    static void DropAll();

  private:
    pybind11::object m_function;
};

/** How ns-3 holds a Python function. */
using Sink = std::shared_ptr<CallbackSlot>;

/** \return a function for ns-3. \param function of Python */
inline Sink
MakeSink(pybind11::object function)
{
    return std::make_shared<CallbackSlot>(std::move(function));
}

/** Keep an object until the simulation is destroyed. By reference and not inlined: g++ 12 would
 * take the last reference for gone, and warn. \param object the object */
template <typename T>
[[gnu::noinline]] void
KeepUntilDestroy(const Ptr<T>& object)
{
    Simulator::ScheduleDestroy([object]() {});
}

/** \return whether the interpreter can be used */
bool IsPythonAlive();

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_CALLBACK_H
