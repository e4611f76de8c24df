/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_VALUE_H
#define PY_VALUE_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <pybind11/pybind11.h>
#include <string>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * Python values as ns-3 attributes and back, refused before ns-3 would abort.
 *
 * Models: what an attribute takes is asked of its checker. Numbers, bool and text are taken; text
 * with units where there is one: "1us", "100Gbps", and "16MB" where the attribute is a whole
 * number. Pointers take an object, or text "ns3::roce::X[Attribute=value]".
 *
 * Invariants: what is refused is pybind11::value_error that names attribute, value and what it
 * takes; times other than 0 need a unit.
 *
 * Leaves out: attribute types no module here has.
 */
class Values
{
  public:
    /** \return a class. \param name TypeId name; ValueError if it is not known */
    static TypeId Type(const std::string& name);

    /** \return facts of an attribute of a class or its parents. \param type the class
     *  \param name of the attribute; ValueError names those it has */
    static TypeId::AttributeInformation Attribute(TypeId type, const std::string& name);

    /** \return the value. \param type the class \param name of the attribute \param value of
     *  Python */
    static Ptr<AttributeValue> Make(TypeId type, const std::string& name, pybind11::handle value);

    /** Set an attribute. \param object has it \param name of it \param value of Python */
    static void Set(ObjectBase& object, const std::string& name, pybind11::handle value);

    /** \return an attribute: bool, int, float, object or text. \param object has it \param name of
     *  it */
    static pybind11::object Get(const ObjectBase& object, const std::string& name);

    /** \return bool, int, float, object or text. \param value of ns-3 \param info whose it is */
    static pybind11::object ToPython(Ptr<const AttributeValue> value,
                                     const TypeId::AttributeInformation& info);

    /** \return a time; std::invalid_argument if it is none. \param value text with unit, or 0
     *  \param what it is, in messages */
    static Time ToTime(pybind11::handle value, const std::string& what);

    /** \return bytes; std::invalid_argument if it is none. \param value text such as "16MB", or a
     *  whole number \param what it is, in messages */
    static uint64_t ToBytes(pybind11::handle value, const std::string& what);
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_VALUE_H
