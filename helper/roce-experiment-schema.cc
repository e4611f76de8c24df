/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-schema.h"

#include "roce-experiment-shapes.h"

namespace ns3
{
namespace roce
{

namespace
{

using Json = ExperimentSchema::Json;

constexpr const char* WITH_UNIT = "^[0-9]*\\.?[0-9]+ ?[A-Za-z/]+$";
constexpr const char* WITH_BYTES = "^[0-9]*\\.?[0-9]+ ?[A-Za-z]*$";

/** \return a reference. \param shape name of a shape */
Json
Reference(const std::string& shape)
{
    Json reference;
    reference["$ref"] = "#/$defs/" + shape;
    return reference;
}

/** \return a text. \param pattern it must match, or nullptr */
Json
TextType(const char* pattern)
{
    Json text{{"type", "string"}};
    if (pattern)
    {
        text["pattern"] = pattern;
    }
    else
    {
        text["minLength"] = 1;
    }
    return text;
}

/** \return one of several. \param of them */
Json
AnyOf(const Json& of)
{
    Json any;
    any["anyOf"] = of;
    return any;
}

/** \return a list that is not empty. \param items of it */
Json
ListOf(const Json& items)
{
    Json list{{"type", "array"}};
    list["items"] = items;
    list["minItems"] = 1;
    return list;
}

/** \return attributes */
Json
ValuesType()
{
    Json values{{"type", "object"}};
    values["additionalProperties"]["type"] = Json::array({"string", "number", "boolean"});
    return values;
}

/** \return what demands one of some keys, or forbids two of them. \param choice the keys */
Json
ChoiceOf(const ExperimentChoice& choice)
{
    Json one = Json::array();
    Json none;
    for (const std::string& key : choice.keys)
    {
        Json required;
        required["required"] = Json::array({key});
        one.push_back(required);
        none["not"]["anyOf"].push_back(required);
    }
    if (!choice.needed)
    {
        one.push_back(none);
    }
    Json result;
    result["oneOf"] = one;
    return result;
}

} // namespace

ExperimentSchema::Json
ExperimentSchema::OfNumber(const ExperimentKey& key)
{
    const bool whole = key.kind != ExperimentKey::NUMBER;
    Json number{{"type", whole ? "integer" : "number"}};
    if (whole)
    {
        number["minimum"] = static_cast<uint64_t>(key.least);
        number["maximum"] = static_cast<uint64_t>(key.most);
    }
    else
    {
        number["minimum"] = key.least;
        number["maximum"] = key.most;
    }
    return number;
}

ExperimentSchema::Json
ExperimentSchema::OfList(const ExperimentKey& key)
{
    switch (key.kind)
    {
    case ExperimentKey::TEXTS:
        return AnyOf(Json::array({TextType(nullptr), ListOf(TextType(nullptr))}));
    case ExperimentKey::COUNT:
        return AnyOf(Json::array({OfNumber(key), ListOf(OfNumber(key))}));
    case ExperimentKey::WHOLES:
        return ListOf(OfNumber(key));
    case ExperimentKey::OBJECTS:
        return ListOf(Reference(key.shape));
    default:
        break;
    }
    Json any = Json::array();
    for (const std::string& variant : ExperimentShapes::GetVariants(key.shape))
    {
        any.push_back(Reference(key.shape + "." + variant));
    }
    return ListOf(AnyOf(any));
}

ExperimentSchema::Json
ExperimentSchema::OfKey(const ExperimentKey& key)
{
    switch (key.kind)
    {
    case ExperimentKey::TEXT:
        return TextType(nullptr);
    case ExperimentKey::WORD:
        return Json{{"enum", key.words}};
    case ExperimentKey::RATE:
    case ExperimentKey::TIME:
        return TextType(WITH_UNIT);
    case ExperimentKey::BYTES:
        return TextType(WITH_BYTES);
    case ExperimentKey::WHOLE:
    case ExperimentKey::NUMBER:
        return OfNumber(key);
    case ExperimentKey::BOOL:
        return Json{{"type", "boolean"}};
    case ExperimentKey::ENDS: {
        Json ends{{"type", "array"}};
        Json id{{"type", "integer"}};
        Json all;
        all["const"] = "*";
        ends["prefixItems"] = Json::array({id, AnyOf(Json::array({id, all}))});
        ends["items"] = false;
        ends["minItems"] = 2;
        return ends;
    }
    case ExperimentKey::OBJECT:
        return Reference(key.shape);
    case ExperimentKey::PRESET:
        return AnyOf(Json::array({TextType(nullptr), Reference(key.shape)}));
    case ExperimentKey::VALUES:
        return ValuesType();
    case ExperimentKey::INLINE:
        return Json{{"type", "object"}};
    default:
        return OfList(key);
    }
}

ExperimentSchema::Json
ExperimentSchema::OfShape(const ExperimentShape& shape)
{
    Json schema;
    schema["description"] = shape.help;
    schema["type"] = "object";
    Json required = Json::array();
    for (const ExperimentKey& key : shape.keys)
    {
        Json property = OfKey(key);
        property["description"] = key.help;
        if (!key.fallback.is_null())
        {
            property["default"] = key.fallback;
        }
        if (!key.example.is_null())
        {
            property["examples"] = Json::array({Json(key.example)});
        }
        schema["properties"][key.name] = property;
        if (key.required)
        {
            required.push_back(key.name);
        }
    }
    if (!required.empty())
    {
        schema["required"] = required;
    }
    for (const ExperimentChoice& choice : shape.choices)
    {
        schema["allOf"].push_back(ChoiceOf(choice));
    }
    schema["additionalProperties"] = false;
    return schema;
}

ExperimentSchema::Json
ExperimentSchema::Make()
{
    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["$id"] = "urn:ns3:roce:experiment:1";
    schema["title"] = ExperimentShapes::SCHEMA;
    schema.update(OfShape(ExperimentShapes::Get("")));
    for (const ExperimentShape& shape : ExperimentShapes::All())
    {
        if (!shape.name.empty())
        {
            schema["$defs"][shape.name] = OfShape(shape);
        }
    }
    return schema;
}

} // namespace roce
} // namespace ns3
