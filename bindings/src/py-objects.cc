/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-value.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <pybind11/stl.h>
#include <stdexcept>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** \return class and attribute of "ns3::roce::Nic::PathMtu" */
std::pair<TypeId, std::string>
Split(const std::string& name)
{
    const std::size_t at = name.rfind("::");
    if (at == std::string::npos)
    {
        throw py::value_error("\"" + name +
                              "\": an attribute is named with its class, as in "
                              "\"ns3::roce::Nic::PathMtu\"");
    }
    return {Values::Type(name.substr(0, at)), name.substr(at + 2)};
}

void
SetDefault(const std::string& name, py::handle value)
{
    const auto [type, attribute] = Split(name);
    const Ptr<AttributeValue> made = Values::Make(type, attribute, value);
    // the class that has it may be a parent of the one that was named
    for (TypeId t = type;; t = t.GetParent())
    {
        if (Config::SetDefaultFailSafe(t.GetName() + "::" + attribute, *made))
        {
            return;
        }
        if (!t.HasParent())
        {
            throw py::value_error(name + " has no default that can be set");
        }
    }
}

py::object
GetDefault(const std::string& name)
{
    const auto [type, attribute] = Split(name);
    const TypeId::AttributeInformation info = Values::Attribute(type, attribute);
    return Values::ToPython(info.initialValue, info);
}

void
SetGlobal(const std::string& name, py::handle value)
{
    const std::string text = py::isinstance<py::bool_>(value)
                                 ? (value.cast<bool>() ? "true" : "false")
                                 : py::str(value).cast<std::string>();
    if (!GlobalValue::BindFailSafe(name, StringValue(text)))
    {
        throw py::value_error("global value " + name + " = " + text +
                              ": there is none of this name, or it does not take this value");
    }
}

Ptr<Object>
CreateByName(const std::string& type, const py::kwargs& attributes)
{
    const TypeId id = Values::Type(type);
    if (!id.HasConstructor() || !id.IsChildOf(Object::GetTypeId()))
    {
        throw py::value_error(type + " is an abstract class, or no Object; it cannot be made");
    }
    ObjectFactory factory;
    factory.SetTypeId(id);
    for (const auto& [name, value] : attributes)
    {
        const auto text = name.cast<std::string>();
        factory.Set(text, *Values::Make(id, text, value));
    }
    return factory.Create<Object>();
}

std::vector<std::string>
ListTypes(const std::string& prefix)
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const std::string name = TypeId::GetRegistered(i).GetName();
        if (name.compare(0, prefix.size(), prefix) == 0)
        {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

py::list
DescribeTraces(const std::string& type)
{
    py::list list;
    for (TypeId t = Values::Type(type);; t = t.GetParent())
    {
        for (std::size_t i = 0; i < t.GetTraceSourceN(); ++i)
        {
            const TypeId::TraceSourceInformation info = t.GetTraceSource(i);
            py::dict one;
            one["name"] = info.name;
            one["callback"] = info.callback;
            one["help"] = info.help;
            one["owner"] = t.GetName();
            list.append(one);
        }
        if (!t.HasParent())
        {
            return list;
        }
    }
}

py::list
DescribeAttributes(const std::string& type)
{
    py::list list;
    for (TypeId t = Values::Type(type);; t = t.GetParent())
    {
        for (std::size_t i = 0; i < t.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = t.GetAttribute(i);
            py::dict one;
            one["name"] = info.name;
            one["type"] = info.checker->GetUnderlyingTypeInformation().empty()
                              ? info.checker->GetValueTypeName()
                              : info.checker->GetUnderlyingTypeInformation();
            one["default"] = info.initialValue->SerializeToString(info.checker);
            one["help"] = info.help;
            one["owner"] = t.GetName();
            list.append(one);
        }
        if (!t.HasParent())
        {
            return list;
        }
    }
}

void
BindConfig(py::module_& m)
{
    auto config = m.def_submodule("Config", "Defaults of attributes and global values of ns-3.");
    config.def("set_default",
               &SetDefault,
               py::arg("name"),
               py::arg("value"),
               "Default of an attribute for objects made from now on, as\n"
               "Config.set_default(\"ns3::roce::Nic::PathMtu\", 1024). ValueError names what is "
               "wrong.");
    config.def("get_default",
               &GetDefault,
               py::arg("name"),
               "The default of an attribute: bool, int, float or text with unit.");
    config.def("set_global",
               &SetGlobal,
               py::arg("name"),
               py::arg("value"),
               "Set a global value of ns-3, such as SchedulerType.");
    config.def("reset", &Config::Reset, "All defaults and global values as they were at first.");
}

} // namespace

void
RequireAlive(Ptr<Node> node)
{
    if (!node || node->GetId() >= NodeList::GetNNodes() || NodeList::GetNode(node->GetId()) != node)
    {
        throw std::runtime_error(
            "this belongs to a simulation that was destroyed; build the fabric "
            "again");
    }
}

void
BindObjects(py::module_& m)
{
    py::class_<Object, Held<Object>>(
        m,
        "Object",
        "An ns-3 object with attributes. Python and ns-3 share it: it lives as long as one of them "
        "needs it.")
        .def(
            "set",
            [](Object& o, const std::string& name, py::handle value) {
                Values::Set(o, name, value);
            },
            py::arg("name"),
            py::arg("value"),
            "Set an attribute. Text has units where there are some: \"1us\", \"100Gbps\", "
            "\"16MB\".\n"
            "ValueError names the attribute, the value and what it takes.")
        .def(
            "get",
            [](const Object& o, const std::string& name) { return Values::Get(o, name); },
            py::arg("name"),
            "The value of an attribute: bool, int, float, Object or text with unit.\n"
            "ValueError if there is none of this name.")
        .def_property_readonly(
            "type_name",
            [](const Object& o) { return o.GetInstanceTypeId().GetName(); },
            "Its TypeId name, such as \"ns3::roce::Nic\".")
        .def("__repr__",
             [](const Object& o) { return "<" + o.GetInstanceTypeId().GetName() + ">"; });
    m.def("create",
          &CreateByName,
          py::arg("type"),
          "Make an object by TypeId name with attributes: create(\"ns3::roce::EcnMarker\", "
          "KminBytes=\"80KB\").");
    BindConfig(m);
    m.def(
        "attributes",
        &DescribeAttributes,
        py::arg("type"),
        "Attributes of a class and its parents: a list of dict with name, type, default, help and\n"
        "owner (the class that has it).");
    m.def("trace_sources",
          &DescribeTraces,
          py::arg("type"),
          "Trace sources of a class and its parents: a list of dict with name, callback, help, "
          "owner.");
    m.def("types",
          &ListTypes,
          py::arg("prefix") = "ns3::roce::",
          "Names of the classes that ns-3 knows, for create() and attributes().");
}

} // namespace python
} // namespace roce
} // namespace ns3
