/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-callback.h"

#include <string>
#include <unordered_set>

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** \return all slots there are; changed with the GIL only */
std::unordered_set<CallbackSlot*>&
GetSlots()
{
    static auto* slots = new std::unordered_set<CallbackSlot*>; // never destroyed, as ns-3 may
    return *slots;                                              // outlive static destructors
}

} // namespace

bool
IsPythonAlive()
{
#if PY_VERSION_HEX >= 0x030d0000
    return Py_IsInitialized() && !Py_IsFinalizing();
#else
    return Py_IsInitialized() && !_Py_IsFinalizing();
#endif
}

CallbackSlot::CallbackSlot(pybind11::object function)
    : m_function(std::move(function))
{
    if (!PyCallable_Check(m_function.ptr()))
    {
        throw pybind11::type_error("a callback must be callable, not " +
                                   std::string(pybind11::str(pybind11::type::of(m_function))));
    }
    GetSlots().insert(this);
}

CallbackSlot::~CallbackSlot()
{
    if (!IsPythonAlive())
    {
        m_function.release(); // the interpreter is gone or going, and its memory with it
        return;
    }
    pybind11::gil_scoped_acquire gil;
    GetSlots().erase(this);
    m_function = pybind11::object();
}

void
CallbackSlot::DropAll()
{
    // a function that goes may take slots with it
    std::unordered_set<CallbackSlot*>& slots = GetSlots();
    while (!slots.empty())
    {
        CallbackSlot* slot = *slots.begin();
        slots.erase(slots.begin());
        pybind11::object gone = std::move(slot->m_function);
    }
}

} // namespace python
} // namespace roce
} // namespace ns3
