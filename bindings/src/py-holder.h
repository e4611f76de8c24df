/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_HOLDER_H
#define PY_HOLDER_H

#include "py-run-guard.h"

#include "ns3/ptr.h"

#include <pybind11/pybind11.h>
#include <type_traits>
#include <utility>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * What a Python object holds of an ns-3 object: a reference.
 *
 * Models: ns3::Ptr. Reference counts of ns-3 are not atomic, so a reference that another thread
 * drops while the simulator runs (the garbage collector may do so in any) is dropped after the run.
 *
 * Invariants: each Held has one reference; Python and ns-3 may drop theirs in any order.
 *
 * Leaves out: references that other threads take during a run, which the manual forbids.
 */
template <typename T>
class Held
{
  public:
    explicit Held(T* object = nullptr)
        : m_object(object)
    {
        if (m_object)
        {
            m_object->Ref();
        }
    }

    /** \param object a smart pointer of ns-3 */
    Held(const Ptr<T>& object)
        : Held(PeekPointer(object))
    {
    }

    Held(const Held& other)
        : Held(other.m_object)
    {
    }

    Held(Held&& other) noexcept
        : m_object(std::exchange(other.m_object, nullptr))
    {
    }

    Held& operator=(Held other)
    {
        std::swap(m_object, other.m_object);
        return *this;
    }

    ~Held()
    {
        if (!m_object)
        {
            return;
        }
        if (RunGuard::MustDefer())
        {
            T* object = m_object;
            RunGuard::Defer([object]() { object->Unref(); });
            return;
        }
        m_object->Unref();
    }

    /** \return the object */
    T* Get() const
    {
        return m_object;
    }

  private:
    T* m_object;
};

} // namespace python
} // namespace roce
} // namespace ns3

// intrusive: a holder can be made again from a raw pointer at any time
PYBIND11_DECLARE_HOLDER_TYPE(T, ns3::roce::python::Held<T>, true)

namespace PYBIND11_NAMESPACE
{
namespace detail
{

template <typename T>
struct holder_helper<ns3::roce::python::Held<T>>
{
    static T* get(const ns3::roce::python::Held<T>& held)
    {
        return held.Get();
    }
};

/** Arguments and results that are ns3::Ptr. */
template <typename T>
class type_caster<ns3::Ptr<T>>
{
    using Plain = std::remove_const_t<T>;
    using Base = type_caster_base<Plain>;

  public:
    static constexpr auto name = Base::name;
    template <typename>
    using cast_op_type = ns3::Ptr<T>;

    bool load(handle source, bool convert)
    {
        Base base;
        if (!base.load(source, convert))
        {
            return false;
        }
        m_value = ns3::Ptr<T>(static_cast<Plain*>(base));
        return true;
    }

    static handle cast(const ns3::Ptr<T>& object, return_value_policy, handle)
    {
        if (!object)
        {
            return none().release();
        }
        auto* plain = const_cast<Plain*>(ns3::PeekPointer(object));
        ns3::roce::python::Held<Plain> held(plain);
        return Base::cast_holder(plain, &held);
    }

    operator ns3::Ptr<T>()
    {
        return m_value;
    }

  private:
    ns3::Ptr<T> m_value;
};

} // namespace detail
} // namespace PYBIND11_NAMESPACE

#endif // PY_HOLDER_H
