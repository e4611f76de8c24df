/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-json-source.h"

#include "roce-quantity.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = nlohmann::json;

constexpr std::size_t MAX_PARSER_MESSAGE = 300; //!< characters of a message of the parser

/**
 * Finds keys that come twice in an object, which the parser would silently drop. A pass of its own:
 * the parser's callback takes time in the square of the length of a list.
 */
class TwiceGuard : public nlohmann::json_sax<Json>
{
  public:
    /** \return what is wrong, or "". */
    const std::string& Fault() const
    {
        return m_fault;
    }

    bool key(string_t& value) override
    {
        if (!m_keys.back().insert(value).second)
        {
            m_fault = "key " + Quantity::Shown(value) + " comes twice in object " +
                      std::to_string(m_objects + 1) + ", counted by their ends";
        }
        return m_fault.empty();
    }

    bool start_object(std::size_t) override
    {
        m_keys.emplace_back();
        return true;
    }

    bool end_object() override
    {
        m_keys.pop_back();
        m_objects++;
        return true;
    }

    bool null() override
    {
        return true;
    }

    bool boolean(bool) override
    {
        return true;
    }

    bool number_integer(number_integer_t) override
    {
        return true;
    }

    bool number_unsigned(number_unsigned_t) override
    {
        return true;
    }

    bool number_float(number_float_t, const string_t&) override
    {
        return true;
    }

    bool string(string_t&) override
    {
        return true;
    }

    bool binary(binary_t&) override
    {
        return true;
    }

    bool start_array(std::size_t) override
    {
        return true;
    }

    bool end_array() override
    {
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const Json::exception&) override
    {
        return false; // the parser will say it
    }

  private:
    std::vector<std::set<std::string>> m_keys; //!< of the objects that are open
    uint64_t m_objects{0};                     //!< objects that ended
    std::string m_fault;                       //!< what is wrong
};

} // namespace

JsonSource::JsonSource(const std::string& name)
    : m_name(name)
{
}

const std::string&
JsonSource::Name() const
{
    return m_name;
}

Json
JsonSource::Parse(const std::string& text) const
{
    TwiceGuard guard;
    Json::sax_parse(text, &guard);
    if (!guard.Fault().empty())
    {
        Fail("", guard.Fault());
    }
    try
    {
        return Json::parse(text);
    }
    catch (const Json::exception& e)
    {
        // it repeats the input
        std::string why = std::string(e.what()).substr(0, MAX_PARSER_MESSAGE);
        std::replace_if(
            why.begin(),
            why.end(),
            [](char c) { return c < ' ' || c > '~'; },
            '?');
        Fail("", "no JSON: " + why);
    }
}

void
JsonSource::Fail(const std::string& path, const std::string& message) const
{
    throw std::invalid_argument(m_name + ": " + (path.empty() ? "" : path + ": ") + message);
}

void
JsonSource::Rethrow(const std::string& path, const std::string& why) const
{
    if (why.compare(0, m_name.size() + 2, m_name + ": ") == 0)
    {
        throw std::invalid_argument(why);
    }
    Fail(path, why);
}

std::string
JsonSource::Shown(const Json& value)
{
    return Quantity::Shown(value.is_structured()
                               ? value.type_name()
                               : value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void
JsonSource::KnowKeys(const Json& value,
                     const std::string& path,
                     std::initializer_list<const char*> known) const
{
    if (!value.is_object())
    {
        Fail(path, "expected an object, found " + Shown(value));
    }
    for (auto item = value.begin(); item != value.end(); ++item)
    {
        const std::string& key = item.key();
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            std::string list;
            for (const char* name : known)
            {
                list += (list.empty() ? "" : ", ") + std::string(name);
            }
            Fail(path + "/" + KeyText(key), "this key is not known; known are " + list);
        }
    }
}

std::string
JsonSource::KeyText(const std::string& key)
{
    const bool plain = key.size() <= 40 && std::all_of(key.begin(), key.end(), [](char c) {
                           return c > ' ' && c < 127;
                       });
    return plain ? key : Quantity::Shown(key);
}

const Json&
JsonSource::Member(const Json& object, const std::string& path, const char* key) const
{
    const auto it = object.find(key);
    if (it == object.end())
    {
        Fail(path + "/" + key, "expected this key, found none");
    }
    return *it;
}

std::string
JsonSource::Text(const Json& object, const std::string& path, const char* key) const
{
    const Json& value = Member(object, path, key);
    if (!value.is_string())
    {
        Fail(path + "/" + key, "expected a text, found " + Shown(value));
    }
    return value.get<std::string>();
}

std::string
JsonSource::Optional(const Json& object, const std::string& path, const char* key) const
{
    return object.contains(key) ? Text(object, path, key) : "";
}

const Json&
JsonSource::Array(const Json& object, const std::string& path, const char* key) const
{
    const Json& value = Member(object, path, key);
    if (!value.is_array())
    {
        Fail(path + "/" + key, "expected a list, found " + Shown(value));
    }
    return value;
}

uint32_t
JsonSource::Whole(const Json& value, const std::string& path) const
{
    if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX)
    {
        Fail(path, "expected a whole number from 0 to 4294967295, found " + Shown(value));
    }
    return value.get<uint32_t>();
}

double
JsonSource::Number(const Json& value, const std::string& path, double max) const
{
    if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= max))
    {
        Fail(path, "expected a number from 0 to " + Json(max).dump() + ", found " + Shown(value));
    }
    return value.get<double>();
}

void
JsonSource::Schema(const Json& root, const std::string& schema) const
{
    const std::string found = Text(root, "", "schema");
    if (found != schema)
    {
        Fail("/schema", "expected \"" + schema + "\", found " + Quantity::Shown(found));
    }
}

} // namespace roce
} // namespace ns3
