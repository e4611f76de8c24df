/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ATTRIBUTE_TEXT_H
#define ROCE_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ns3
{
namespace roce
{

/**
 * Values of attributes from JSON, checked before an object is there.
 *
 * Models: what a file says of an attribute. Times and rates need text with a unit; numbers and
 * booleans may be JSON's own or text; integers whose name ends with Bytes or Size may be text such
 * as "32MiB", with Bps such as "40Mbps".
 *
 * Source: none. ns-3's own conversion of text ends the program for some texts, so numbers and times
 * are read here.
 *
 * Invariants: a value that is returned is one that the checker of the attribute takes; all else is
 * std::invalid_argument that names type, attribute, value and what was expected.
 *
 * Leaves out: attributes that are objects, which are refused; what a class itself refuses of a
 * text.
 */
class AttributeText
{
  public:
    using Json = nlohmann::json; //!< a value

    /**
     * \param type has the attribute, or a class it descends from
     * \param name of the attribute; the nearest known one is named if there is none
     * \param value what it is to be
     * \return the value
     */
    static Ptr<AttributeValue> Make(TypeId type, const std::string& name, const Json& value);

    /**
     * Refuse, by std::invalid_argument, what an attribute does not take, where ns-3 would abort.
     * \param type has the attribute, or a class it descends from
     * \param name of the attribute
     * \param value what it is to be; a StringValue is read as Make does, but for objects
     */
    static void Check(TypeId type, const std::string& name, const AttributeValue& value);

    /**
     * Take "ns3::roce::Nic::PathMtu" apart.
     * \param path type and attribute, which must be one of that type itself
     * \return both; std::invalid_argument names the nearest known ones
     */
    static std::pair<TypeId, std::string> Split(const std::string& path);

    /**
     * An EnumValue must not be read from a text that is no name of it: ns-3 aborts, or without
     * asserts reads what is not there.
     * \param text a name
     * \param names several, separated by |, as EnumChecker::GetUnderlyingTypeInformation has them
     * \return whether the text is one of them
     */
    static bool IsOneOf(const std::string& text, const std::string& names);

    /**
     * \param path type and attribute
     * \param text a value
     * \return false if that is an attribute with an EnumValue and the text is none of its names
     */
    static bool MayBe(const std::string& path, const std::string& text);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ATTRIBUTE_TEXT_H
