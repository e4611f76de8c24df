/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-checker.h"

#include "roce-experiment-shapes.h"
#include "roce-nearest-name.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-quantity.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr std::size_t MAX_TEXT = 4096; //!< characters of a text

/** \return bounds of numbers in words. \param key of numbers */
std::string
Bounds(const ExperimentKey& key)
{
    const bool whole = key.kind != ExperimentKey::NUMBER;
    const auto shown = [whole](double value) {
        return whole ? std::to_string(static_cast<uint64_t>(value))
                     : ExperimentKey::Json(value).dump();
    };
    return shown(key.least) + " to " + shown(key.most);
}

/** Refuse what is no rate of a link. \param text with a unit */
void
CheckRate(const std::string& text)
{
    const uint64_t rate = Quantity::RateBps(text);
    if (!std::isalpha(static_cast<unsigned char>(text.back())) || rate < FabricGraph::MIN_RATE_BPS)
    {
        throw std::invalid_argument("expected a rate with a unit, at least 1Mbps, found " +
                                    Quantity::Shown(text));
    }
}

/** \return path of an element. \param path of the list \param i its place */
std::string
At(const std::string& path, std::size_t i)
{
    return path + "/" + std::to_string(i);
}

/** \return whether it can be the text of a name or file. \param text any bytes */
bool
IsPlain(const std::string& text)
{
    return !text.empty() && text.size() <= MAX_TEXT &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' '; });
}

} // namespace

ExperimentChecker::ExperimentChecker(const std::string& name)
    : JsonSource(name)
{
}

ExperimentChecker::Json
ExperimentChecker::Check(const Json& root) const
{
    if (root.is_object())
    {
        Schema(root, ExperimentShapes::SCHEMA); // first: another schema has other keys
    }
    return CheckObject(root, "", ExperimentShapes::Get(""));
}

void
ExperimentChecker::CheckKeys(const Json& value,
                             const std::string& path,
                             const ExperimentShape& shape) const
{
    const std::vector<std::string> known = shape.GetNames();
    for (const auto& item : value.items())
    {
        if (std::find(known.begin(), known.end(), item.key()) == known.end())
        {
            Fail(path + "/" + KeyText(item.key()),
                 "this key is not known; known are " + NearestName::List(known) +
                     NearestName::Hint(item.key(), known));
        }
    }
    for (const ExperimentKey& key : shape.keys)
    {
        if (key.required && !value.contains(key.name))
        {
            Fail(path + "/" + key.name,
                 "expected this key, such as " + key.example.dump() + ", found none");
        }
    }
}

void
ExperimentChecker::CheckChoices(const Json& value,
                                const std::string& path,
                                const ExperimentShape& shape) const
{
    for (const ExperimentChoice& choice : shape.choices)
    {
        std::vector<std::string> found;
        std::copy_if(choice.keys.begin(),
                     choice.keys.end(),
                     std::back_inserter(found),
                     [&value](const std::string& key) { return value.contains(key); });
        if (found.size() > 1)
        {
            Fail(path + "/" + found[1],
                 "this key does not go with " + found[0] + "; expected one of " +
                     NearestName::List(choice.keys));
        }
        if (found.empty() && choice.needed)
        {
            Fail(path,
                 "expected one of the keys " + NearestName::List(choice.keys) + ", found none");
        }
    }
}

ExperimentChecker::Json
ExperimentChecker::CheckObject(const Json& value,
                               const std::string& path,
                               const ExperimentShape& shape) const
{
    if (!value.is_object())
    {
        Fail(path, "expected an object, found " + Shown(value));
    }
    CheckKeys(value, path, shape);
    CheckChoices(value, path, shape);
    Json result = Json::object();
    for (const ExperimentKey& key : shape.keys)
    {
        const auto found = value.find(key.name);
        if (found != value.end())
        {
            result[key.name] = CheckValue(*found, path + "/" + key.name, key);
        }
        else if (!key.fallback.is_null())
        {
            result[key.name] = key.fallback;
        }
    }
    return result;
}

ExperimentChecker::Json
ExperimentChecker::CheckValue(const Json& value,
                              const std::string& path,
                              const ExperimentKey& key) const
{
    switch (key.kind)
    {
    case ExperimentKey::TEXT:
    case ExperimentKey::WORD:
        CheckText(value, path, key);
        return value;
    case ExperimentKey::RATE:
    case ExperimentKey::TIME:
    case ExperimentKey::BYTES:
        CheckQuantity(value, path, key);
        return value;
    case ExperimentKey::WHOLE:
    case ExperimentKey::NUMBER:
        CheckNumber(value, path, key);
        return value;
    case ExperimentKey::BOOL:
        if (!value.is_boolean())
        {
            Fail(path, "expected true or false, found " + Shown(value));
        }
        return value;
    case ExperimentKey::ENDS:
        CheckEnds(value, path);
        return value;
    case ExperimentKey::VALUES:
        CheckValues(value, path);
        return value;
    case ExperimentKey::INLINE:
        if (!value.is_object())
        {
            Fail(path, "expected an object of schema " + key.shape + ", found " + Shown(value));
        }
        return value;
    case ExperimentKey::OBJECT:
        return CheckObject(value, path, ExperimentShapes::Get(key.shape));
    case ExperimentKey::PRESET:
        if (value.is_string())
        {
            CheckText(value, path, key);
            return {{"preset", value}};
        }
        return CheckObject(value, path, ExperimentShapes::Get(key.shape));
    default:
        return CheckListed(value, path, key);
    }
}

ExperimentChecker::Json
ExperimentChecker::CheckListed(const Json& value,
                               const std::string& path,
                               const ExperimentKey& key) const
{
    if (key.kind == ExperimentKey::TEXTS && value.is_string())
    {
        CheckText(value, path, key);
        return Json::array({value});
    }
    if (key.kind == ExperimentKey::COUNT && !value.is_array())
    {
        CheckNumber(value, path, key);
        return value;
    }
    const bool objects = key.kind == ExperimentKey::OBJECTS || key.kind == ExperimentKey::VARIANTS;
    CheckList(value,
              path,
              objects                            ? "objects"
              : key.kind == ExperimentKey::TEXTS ? "texts"
                                                 : "numbers");
    Json list = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i)
    {
        if (key.kind == ExperimentKey::OBJECTS)
        {
            list.push_back(CheckObject(value[i], At(path, i), ExperimentShapes::Get(key.shape)));
        }
        else if (key.kind == ExperimentKey::VARIANTS)
        {
            list.push_back(CheckVariant(value[i], At(path, i), key));
        }
        else if (key.kind == ExperimentKey::TEXTS)
        {
            CheckText(value[i], At(path, i), key);
            list.push_back(value[i]);
        }
        else
        {
            CheckNumber(value[i], At(path, i), key);
            list.push_back(value[i]);
        }
    }
    return list;
}

ExperimentChecker::Json
ExperimentChecker::CheckVariant(const Json& value,
                                const std::string& path,
                                const ExperimentKey& key) const
{
    const std::vector<std::string> known = ExperimentShapes::GetVariants(key.shape);
    if (!value.is_object())
    {
        Fail(path, "expected an object, found " + Shown(value));
    }
    const std::string type = Text(value, path, "type");
    if (std::find(known.begin(), known.end(), type) == known.end())
    {
        Fail(path + "/type",
             "expected one of " + NearestName::List(known) + ", found " + Quantity::Shown(type) +
                 NearestName::Hint(type, known));
    }
    return CheckObject(value, path, ExperimentShapes::Get(key.shape + "." + type));
}

void
ExperimentChecker::CheckText(const Json& value,
                             const std::string& path,
                             const ExperimentKey& key) const
{
    if (!value.is_string())
    {
        Fail(path, "expected a text, found " + Shown(value));
    }
    const std::string text = value.get<std::string>();
    if (key.kind == ExperimentKey::WORD)
    {
        if (std::find(key.words.begin(), key.words.end(), text) == key.words.end())
        {
            Fail(path,
                 "expected one of " + NearestName::List(key.words) + ", found " +
                     Quantity::Shown(text) + NearestName::Hint(text, key.words));
        }
    }
    else if (!IsPlain(text))
    {
        Fail(path,
             "expected a text of 1 to " + std::to_string(MAX_TEXT) +
                 " printable characters, found " + Quantity::Shown(text));
    }
}

void
ExperimentChecker::CheckQuantity(const Json& value,
                                 const std::string& path,
                                 const ExperimentKey& key) const
{
    if (!value.is_string())
    {
        Fail(path,
             "expected a text with a unit, such as " + key.example.dump() + ", found " +
                 Shown(value));
    }
    const std::string text = value.get<std::string>();
    try
    {
        if (key.kind == ExperimentKey::RATE)
        {
            CheckRate(text);
        }
        else if (key.kind == ExperimentKey::BYTES)
        {
            ByteSize::Parse(text);
        }
        else if (Quantity::DelayPs(text) < 0)
        {
            throw std::invalid_argument("expected a time that is not negative, found " +
                                        Quantity::Shown(text));
        }
    }
    catch (const std::invalid_argument& error)
    {
        Fail(path, error.what());
    }
}

void
ExperimentChecker::CheckNumber(const Json& value,
                               const std::string& path,
                               const ExperimentKey& key) const
{
    const bool whole = key.kind != ExperimentKey::NUMBER;
    const bool kind = whole ? value.is_number_integer() : value.is_number();
    if (!kind || !(value.get<double>() >= key.least && value.get<double>() <= key.most))
    {
        Fail(path,
             std::string("expected a ") + (whole ? "whole number" : "number") + " from " +
                 Bounds(key) + ", found " + Shown(value));
    }
}

void
ExperimentChecker::CheckList(const Json& value, const std::string& path, const char* of) const
{
    if (!value.is_array())
    {
        Fail(path, std::string("expected a list of ") + of + ", found " + Shown(value));
    }
    if (value.empty())
    {
        Fail(path, std::string("expected a list of ") + of + ", found an empty one");
    }
}

void
ExperimentChecker::CheckEnds(const Json& value, const std::string& path) const
{
    const auto isId = [](const Json& id) {
        return id.is_number_integer() && id.get<double>() >= 0 && id.get<double>() <= UINT32_MAX;
    };
    const bool two = value.is_array() && value.size() == 2 && isId(value[0]) &&
                     (isId(value[1]) || value[1] == "*");
    if (!two)
    {
        Fail(path,
             "expected two ids of nodes, such as [12, 20] or [12, \"*\"], found " + Shown(value));
    }
}

void
ExperimentChecker::CheckValues(const Json& value, const std::string& path) const
{
    if (!value.is_object())
    {
        Fail(path, "expected an object of attributes and values, found " + Shown(value));
    }
    for (const auto& item : value.items())
    {
        if (!item.value().is_string() && !item.value().is_number() && !item.value().is_boolean())
        {
            Fail(path + "/" + KeyText(item.key()),
                 "expected a text, a number, true or false, found " + Shown(item.value()));
        }
    }
}

} // namespace roce
} // namespace ns3
