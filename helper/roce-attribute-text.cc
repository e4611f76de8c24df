/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-attribute-text.h"

#include "roce-nearest-name.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-json-source.h"
#include "ns3/roce-quantity.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = AttributeText::Json;

/** \return whether a name ends so. \param name of an attribute \param end of it */
bool
EndsWith(const std::string& name, const std::string& end)
{
    return name.size() >= end.size() &&
           name.compare(name.size() - end.size(), end.size(), end) == 0;
}

/** \return text of a value that needs a unit. \param value it \param example such a text */
std::string
UnitText(const Json& value, const char* example)
{
    if (!value.is_string())
    {
        throw std::invalid_argument(std::string("expected a text with a unit, such as \"") +
                                    example + "\", found " + JsonSource::Shown(value));
    }
    return value.get<std::string>();
}

/** \return names of all attributes of a type. \param type it */
std::vector<std::string>
NamesOf(TypeId type)
{
    std::vector<std::string> names;
    for (TypeId t = type;; t = t.GetParent())
    {
        for (std::size_t i = 0; i < t.GetAttributeN(); ++i)
        {
            names.push_back(t.GetAttribute(i).name);
        }
        if (t.GetParent() == t)
        {
            return names;
        }
    }
}

/** \return a time. \param value text of it */
Ptr<AttributeValue>
MakeTime(const Json& value)
{
    const int64_t ps = Quantity::DelayPs(UnitText(value, "1us"));
    return Create<TimeValue>(NanoSeconds(ps / 1000) + PicoSeconds(ps % 1000));
}

/** \return the text of a whole number. \param name of the attribute \param value of it */
std::string
WholeText(const std::string& name, const Json& value)
{
    if (value.is_number_integer())
    {
        return value.dump();
    }
    if (!value.is_string())
    {
        throw std::invalid_argument("expected a whole number, found " + JsonSource::Shown(value));
    }
    const std::string text = value.get<std::string>();
    const bool sized = EndsWith(name, "Bytes") || EndsWith(name, "Size");
    const bool unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back()));
    if (sized && unit)
    {
        return std::to_string(ByteSize::Parse(text));
    }
    if (EndsWith(name, "Bps") && unit)
    {
        return std::to_string(Quantity::RateBps(text));
    }
    return text;
}

/** \return a whole number. \param name of the attribute \param value of it
 *  \param isSigned whether it may be negative */
Ptr<AttributeValue>
MakeWhole(const std::string& name, const Json& value, bool isSigned)
{
    const std::string text = WholeText(name, value);
    const bool negative = !text.empty() && text[0] == '-';
    if (!isSigned && !negative)
    {
        return Create<UintegerValue>(Quantity::Unsigned(text));
    }
    if (!isSigned)
    {
        throw std::invalid_argument("expected a whole number from 0, found " +
                                    Quantity::Shown(text));
    }
    const uint64_t size =
        Quantity::Unsigned(negative ? text.substr(1) : text, std::numeric_limits<int64_t>::max());
    const auto number = static_cast<int64_t>(size);
    return Create<IntegerValue>(negative ? -number : number);
}

/** \return a number. \param value of it */
Ptr<AttributeValue>
MakeReal(const Json& value)
{
    constexpr double MOST = std::numeric_limits<double>::max();
    if (value.is_number())
    {
        return Create<DoubleValue>(value.get<double>());
    }
    if (!value.is_string())
    {
        throw std::invalid_argument("expected a number, found " + JsonSource::Shown(value));
    }
    return Create<DoubleValue>(Quantity::Real(value.get<std::string>(), -MOST, MOST));
}

/** \return a text. \param value of it */
Ptr<AttributeValue>
MakeText(const Json& value)
{
    if (!value.is_string())
    {
        throw std::invalid_argument("expected a text, found " + JsonSource::Shown(value));
    }
    return Create<StringValue>(value.get<std::string>());
}

/** \return a value of a type of values. \param kind its name \param name of the attribute
 *  \param value what it is to be */
Ptr<AttributeValue>
Convert(const std::string& kind, const std::string& name, const Json& value)
{
    if (kind == "ns3::TimeValue" || kind == "TimeValue")
    {
        return MakeTime(value);
    }
    if (EndsWith(kind, "DataRateValue"))
    {
        const std::string text = UnitText(value, "100Gbps");
        if (text.empty() || !std::isalpha(static_cast<unsigned char>(text.back())))
        {
            throw std::invalid_argument("expected a rate with a unit, such as \"100Gbps\", found " +
                                        Quantity::Shown(text));
        }
        return Create<DataRateValue>(DataRate(Quantity::RateBps(text)));
    }
    if (EndsWith(kind, "UintegerValue"))
    {
        return MakeWhole(name, value, false);
    }
    if (EndsWith(kind, "IntegerValue"))
    {
        return MakeWhole(name, value, true);
    }
    if (EndsWith(kind, "DoubleValue"))
    {
        return MakeReal(value);
    }
    if (EndsWith(kind, "BooleanValue") && value.is_boolean())
    {
        return Create<BooleanValue>(value.get<bool>());
    }
    if (EndsWith(kind, "BooleanValue") || EndsWith(kind, "StringValue") ||
        EndsWith(kind, "EnumValue"))
    {
        return MakeText(value);
    }
    throw std::invalid_argument("it is an object (" + kind + "), which cannot be given as text");
}

/** \return an attribute. \param type has it \param name of it; the nearest are named if none is */
TypeId::AttributeInformation
Find(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    if (!type.LookupAttributeByName(name, &info))
    {
        const std::vector<std::string> known = NamesOf(type);
        throw std::invalid_argument(
            type.GetName() + " has no attribute " + Quantity::Shown(name) +
            NearestName::Hint(name, known) +
            (known.empty() ? "; it has none" : "; it has " + NearestName::List(known)));
    }
    return info;
}

/** \return what values are taken. \param checker of an attribute */
std::string
Expected(const AttributeChecker& checker)
{
    return checker.HasUnderlyingTypeInformation() ? checker.GetUnderlyingTypeInformation()
                                                  : checker.GetValueTypeName();
}

} // namespace

Ptr<AttributeValue>
AttributeText::Make(TypeId type, const std::string& name, const Json& value)
{
    const TypeId::AttributeInformation info = Find(type, name);
    const std::string what = type.GetName() + "::" + name + ": ";
    if ((info.flags & TypeId::ATTR_CONSTRUCT) == 0 || !info.accessor->HasSetter())
    {
        throw std::invalid_argument(what + "it can be read only");
    }
    Ptr<AttributeValue> made;
    try
    {
        made = Convert(info.checker->GetValueTypeName(), name, value);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(what + error.what());
    }
    const std::string expected = Expected(*info.checker);
    const bool named = !EndsWith(info.checker->GetValueTypeName(), "EnumValue") ||
                       IsOneOf(value.get<std::string>(), expected);
    const Ptr<AttributeValue> valid = named ? info.checker->CreateValidValue(*made) : nullptr;
    if (!valid)
    {
        throw std::invalid_argument(what + "expected " + expected + ", found " +
                                    JsonSource::Shown(value));
    }
    return valid;
}

void
AttributeText::Check(TypeId type, const std::string& name, const AttributeValue& value)
{
    const TypeId::AttributeInformation info = Find(type, name);
    const auto text = dynamic_cast<const StringValue*>(&value);
    if (text && !EndsWith(info.checker->GetValueTypeName(), "PointerValue"))
    {
        Make(type, name, text->Get());
    }
    else if (!info.checker->CreateValidValue(value))
    {
        throw std::invalid_argument(type.GetName() + "::" + name + ": expected " +
                                    Expected(*info.checker) + ", found " +
                                    Quantity::Shown(value.SerializeToString(info.checker)));
    }
}

bool
AttributeText::IsOneOf(const std::string& text, const std::string& names)
{
    std::istringstream in(names);
    for (std::string one; std::getline(in, one, '|');)
    {
        if (one == text)
        {
            return true;
        }
    }
    return false;
}

bool
AttributeText::MayBe(const std::string& path, const std::string& text)
{
    const std::size_t colons = path.rfind("::");
    TypeId type;
    TypeId::AttributeInformation info;
    return colons == std::string::npos ||
           !TypeId::LookupByNameFailSafe(path.substr(0, colons), &type) ||
           !type.LookupAttributeByName(path.substr(colons + 2), &info) ||
           !EndsWith(info.checker->GetValueTypeName(), "EnumValue") ||
           IsOneOf(text, info.checker->GetUnderlyingTypeInformation());
}

std::pair<TypeId, std::string>
AttributeText::Split(const std::string& path)
{
    const std::size_t colons = path.rfind("::");
    const std::string owner = colons == std::string::npos ? "" : path.substr(0, colons);
    TypeId type;
    if (owner.empty() || !TypeId::LookupByNameFailSafe(owner, &type))
    {
        std::vector<std::string> known;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            known.push_back(TypeId::GetRegistered(i).GetName());
        }
        throw std::invalid_argument("expected TYPE::Attribute, such as ns3::roce::Nic::PathMtu; "
                                    "there is no type " +
                                    Quantity::Shown(owner) + NearestName::Hint(owner, known));
    }
    const std::string name = path.substr(colons + 2);
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == name)
        {
            return {type, name};
        }
    }
    const std::vector<std::string> known = NamesOf(type);
    for (TypeId t = type; t.GetParent() != t; t = t.GetParent())
    {
        for (std::size_t i = 0; i < t.GetParent().GetAttributeN(); ++i)
        {
            if (t.GetParent().GetAttribute(i).name == name)
            {
                throw std::invalid_argument("this attribute is one of its parent; write " +
                                            t.GetParent().GetName() + "::" + name);
            }
        }
    }
    throw std::invalid_argument(type.GetName() + " has no attribute " + Quantity::Shown(name) +
                                NearestName::Hint(name, known));
}

} // namespace roce
} // namespace ns3
