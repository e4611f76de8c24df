/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-value.h"

#include "py-holder.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/object.h"
#include "ns3/pointer.h"
#include "ns3/roce-attribute-text.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-tick.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <limits>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** \return a value as text: bool as true and false, others as Python's str */
std::string
ToText(py::handle value)
{
    if (py::isinstance<py::bool_>(value))
    {
        return value.cast<bool>() ? "true" : "false";
    }
    return py::str(value).cast<std::string>();
}

/** \return whether Python has it as a number, not as text or bool */
bool
IsNumber(py::handle value)
{
    return PyNumber_Check(value.ptr()) && !py::isinstance<py::str>(value) &&
           !py::isinstance<py::bool_>(value);
}

Ptr<AttributeValue>
MakePointer(py::handle value, const std::string& text)
{
    if (py::isinstance<Object>(value))
    {
        return Create<PointerValue>(value.cast<Ptr<Object>>());
    }
    TypeId type;
    const std::string name = text.substr(0, text.find('['));
    if (!TypeId::LookupByNameFailSafe(name, &type))
    {
        throw std::invalid_argument("there is no class " + Quantity::Shown(name));
    }
    return Create<StringValue>(text);
}

/** \return the value; std::invalid_argument says what is wrong with it */
Ptr<AttributeValue>
MakeOf(const std::string& kind, const std::string& expected, py::handle value)
{
    const std::string text = ToText(value);
    if (kind == "ns3::PointerValue")
    {
        return MakePointer(value, text);
    }
    if (kind == "ns3::TimeValue")
    {
        return Create<TimeValue>(Values::ToTime(value, "time"));
    }
    if (kind == "ns3::DataRateValue")
    {
        return Create<DataRateValue>(DataRate(Quantity::RateBps(text)));
    }
    if (kind == "ns3::UintegerValue")
    {
        return Create<UintegerValue>(Values::ToBytes(value, "number"));
    }
    if (kind == "ns3::IntegerValue")
    {
        const bool minus = !text.empty() && text[0] == '-';
        const auto size = Quantity::Unsigned(minus ? text.substr(1) : text, INT64_MAX);
        return Create<IntegerValue>(minus ? -int64_t(size) : int64_t(size));
    }
    if (kind == "ns3::DoubleValue")
    {
        constexpr double MAX = std::numeric_limits<double>::max();
        return Create<DoubleValue>(Quantity::Real(text, -MAX, MAX));
    }
    if (kind == "ns3::BooleanValue" && !AttributeText::IsOneOf(text, "true|false|1|0|t|f"))
    {
        throw std::invalid_argument("expected true or false");
    }
    if (kind == "ns3::EnumValue" && !AttributeText::IsOneOf(text, expected))
    {
        throw std::invalid_argument("expected one of " + expected);
    }
    return Create<StringValue>(text);
}

} // namespace

TypeId
Values::Type(const std::string& name)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type))
    {
        throw py::value_error("there is no class " + Quantity::Shown(name) +
                              "; names are as in \"ns3::roce::Nic\"");
    }
    return type;
}

TypeId::AttributeInformation
Values::Attribute(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    if (type.LookupAttributeByName(name, &info))
    {
        return info;
    }
    std::string known;
    for (TypeId t = type;; t = t.GetParent())
    {
        for (std::size_t i = 0; i < t.GetAttributeN(); ++i)
        {
            known += (known.empty() ? "" : ", ") + t.GetAttribute(i).name;
        }
        if (!t.HasParent())
        {
            break;
        }
    }
    throw py::value_error(type.GetName() + " has no attribute " + Quantity::Shown(name) +
                          "; it has " + (known.empty() ? "none" : known));
}

Ptr<AttributeValue>
Values::Make(TypeId type, const std::string& name, py::handle value)
{
    const TypeId::AttributeInformation info = Attribute(type, name);
    const std::string expected = info.checker->GetUnderlyingTypeInformation();
    const std::string what = type.GetName() + "::" + name + " = " + ToText(value) + ": ";
    Ptr<AttributeValue> made;
    try
    {
        made = MakeOf(info.checker->GetValueTypeName(), expected, value);
    }
    catch (const std::invalid_argument& error)
    {
        throw py::value_error(what + error.what());
    }
    Ptr<AttributeValue> valid = info.checker->CreateValidValue(*made);
    if (!valid)
    {
        throw py::value_error(what + "expected " + expected);
    }
    return valid;
}

void
Values::Set(ObjectBase& object, const std::string& name, py::handle value)
{
    const TypeId type = object.GetInstanceTypeId();
    const Ptr<AttributeValue> made = Make(type, name, value);
    if (!object.SetAttributeFailSafe(name, *made))
    {
        throw py::value_error(type.GetName() + "::" + name + " = " + ToText(value) +
                              ": it cannot be changed, or not to this");
    }
}

py::object
Values::Get(const ObjectBase& object, const std::string& name)
{
    const TypeId::AttributeInformation info = Attribute(object.GetInstanceTypeId(), name);
    if (!(info.flags & TypeId::ATTR_GET) || !info.accessor->HasGetter())
    {
        throw py::value_error(object.GetInstanceTypeId().GetName() + "::" + name +
                              " can be set and not read");
    }
    Ptr<AttributeValue> value = info.checker->Create();
    info.accessor->Get(&object, *value);
    return ToPython(value, info);
}

py::object
Values::ToPython(Ptr<const AttributeValue> value, const TypeId::AttributeInformation& info)
{
    if (auto v = DynamicCast<const BooleanValue>(value))
    {
        return py::bool_(v->Get());
    }
    if (auto v = DynamicCast<const UintegerValue>(value))
    {
        return py::int_(v->Get());
    }
    if (auto v = DynamicCast<const IntegerValue>(value))
    {
        return py::int_(v->Get());
    }
    if (auto v = DynamicCast<const DoubleValue>(value))
    {
        return py::float_(v->Get());
    }
    if (auto v = DynamicCast<const PointerValue>(value))
    {
        return py::cast(v->GetObject());
    }
    if (auto v = DynamicCast<const TimeValue>(value))
    {
        return py::str(Quantity::DelayText(v->Get().GetPicoSeconds()));
    }
    if (auto v = DynamicCast<const DataRateValue>(value))
    {
        return py::str(Quantity::RateText(v->Get().GetBitRate()));
    }
    return py::str(value->SerializeToString(info.checker));
}

Time
Values::ToTime(py::handle value, const std::string& what)
{
    const std::string text = ToText(value);
    if (text == "0")
    {
        return Time(0);
    }
    if (IsNumber(value))
    {
        throw std::invalid_argument(what + ": " + text + " has no unit; write \"" + text +
                                    "us\" or the like");
    }
    // ns-3's own parser would abort, and its PicoSeconds takes no negative numbers
    const auto ps = static_cast<__int128>(Quantity::DelayPs(text));
    return FromTick(static_cast<Tick>(ps * TicksPerSecond() / 1000000000000));
}

uint64_t
Values::ToBytes(py::handle value, const std::string& what)
{
    const std::string text = ToText(value);
    if (py::isinstance<py::bool_>(value))
    {
        throw std::invalid_argument(what + ": expected a number, not " + text);
    }
    return ByteSize::Parse(text);
}

} // namespace python
} // namespace roce
} // namespace ns3
