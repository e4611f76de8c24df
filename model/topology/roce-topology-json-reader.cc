/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-json-reader.h"

#include "roce-cable-length.h"
#include "roce-fabric-check.h"
#include "roce-quantity.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

using Json = nlohmann::json;

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

/// Takes values out of the document and words the errors.
class Parser
{
  public:
    /** \param name of the text */
    explicit Parser(const std::string& name)
        : m_name(name)
    {
    }

    /** \return the fabric. \param text the bytes */
    FabricDocument Parse(const std::string& text)
    {
        TwiceGuard guard;
        Json::sax_parse(text, &guard);
        if (!guard.Fault().empty())
        {
            Fail("", guard.Fault());
        }
        Json root;
        try
        {
            root = Json::parse(text);
        }
        catch (const Json::exception& e)
        {
            Fail("", std::string("no JSON: ") + e.what());
        }
        KnowKeys(root, "", {"schema", "name", "radix", "nodes", "links"});
        const std::string schema = Text(root, "", "schema");
        if (schema != TopologyJsonReader::SCHEMA)
        {
            Fail("/schema",
                 "expected \"" + std::string(TopologyJsonReader::SCHEMA) + "\", found " +
                     Quantity::Shown(schema));
        }
        m_fabric.name = Optional(root, "", "name");
        ReadRadix(root);
        ReadNodes(Array(root, "nodes"));
        ReadLinks(Array(root, "links"));
        CheckWhole();
        return std::move(m_fabric);
    }

  private:
    /** Throw. \param path of the value \param message what is wrong */
    [[noreturn]] void Fail(const std::string& path, const std::string& message) const
    {
        throw std::invalid_argument(m_name + ": " + (path.empty() ? "" : path + ": ") + message);
    }

    /** \return a value as errors show it. \param value any */
    static std::string Shown(const Json& value)
    {
        return Quantity::Shown(value.is_structured()
                                   ? value.type_name()
                                   : value.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    /** Refuse what is no object, and keys that are not known. \param value any \param path of it
     *  \param known the keys */
    void KnowKeys(const Json& value,
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
                Fail(path + "/" + key, "this key is not known; known are " + list);
            }
        }
    }

    /** \return a member; refused if missing. \param object it is in \param path of the object
     *  \param key of it */
    const Json& Member(const Json& object, const std::string& path, const char* key) const
    {
        const auto it = object.find(key);
        if (it == object.end())
        {
            Fail(path + "/" + key, "expected this key, found none");
        }
        return *it;
    }

    /** \return a text. \param object it is in \param path of that \param key of it */
    std::string Text(const Json& object, const std::string& path, const char* key) const
    {
        const Json& value = Member(object, path, key);
        if (!value.is_string())
        {
            Fail(path + "/" + key, "expected a text, found " + Shown(value));
        }
        return value.get<std::string>();
    }

    /** \return a text, "" if missing. \param object it is in \param path of that \param key of it
     */
    std::string Optional(const Json& object, const std::string& path, const char* key) const
    {
        return object.contains(key) ? Text(object, path, key) : "";
    }

    /** \return a list. \param object it is in \param key of it */
    const Json& Array(const Json& object, const char* key) const
    {
        const Json& value = Member(object, "", key);
        if (!value.is_array())
        {
            Fail(std::string("/") + key, "expected a list, found " + Shown(value));
        }
        return value;
    }

    /** \return a whole number below 2^32. \param value any \param path of it */
    uint32_t Whole(const Json& value, const std::string& path) const
    {
        if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX)
        {
            Fail(path, "expected a whole number from 0 to 4294967295, found " + Shown(value));
        }
        return value.get<uint32_t>();
    }

    /** \return a number. \param value any \param path of it \param max largest, from 0 */
    double Number(const Json& value, const std::string& path, double max) const
    {
        if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= max))
        {
            Fail(path,
                 "expected a number from 0 to " + Json(max).dump() + ", found " + Shown(value));
        }
        return value.get<double>();
    }

    /** Read the ports of each tier. \param root the document */
    void ReadRadix(const Json& root)
    {
        const auto it = root.find("radix");
        if (it == root.end())
        {
            return;
        }
        if (!it->is_object())
        {
            Fail("/radix", "expected an object of tier and ports, found " + Shown(*it));
        }
        for (const auto& item : it->items())
        {
            const std::string path = "/radix/" + item.key();
            const uint32_t ports = Whole(item.value(), path);
            if (ports == 0)
            {
                Fail(path, "expected at least 1 port, found 0; without a limit leave the key out");
            }
            m_fabric.radix[item.key()] = ports;
        }
    }

    /** Read the nodes. \param nodes the list */
    void ReadNodes(const Json& nodes)
    {
        for (size_t i = 0; i < nodes.size(); i++)
        {
            const std::string path = "/nodes/" + std::to_string(i);
            const Json& node = nodes[i];
            KnowKeys(node, path, {"id", "kind", "tier", "name"});
            const uint32_t id = Whole(Member(node, path, "id"), path + "/id");
            const std::string kind = Text(node, path, "kind");
            const std::string name = Optional(node, path, "name");
            const std::string tier = Optional(node, path, "tier");
            if (kind != "host" && kind != "switch" && kind != "nvswitch")
            {
                Fail(path + "/kind",
                     "expected host, switch or nvswitch, found " + Quantity::Shown(kind));
            }
            if (kind == "host" && node.contains("tier"))
            {
                Fail(path + "/tier", "a host has no tier; remove the key");
            }
            try
            {
                const NodeKind type = kind == "switch" ? NodeKind::Switch : NodeKind::NvSwitch;
                kind == "host" ? m_fabric.graph.AddHost(id, name)
                               : m_fabric.graph.AddSwitch(id, tier, name, type);
            }
            catch (const std::invalid_argument& e)
            {
                Fail(path + "/id", e.what());
            }
        }
    }

    /** \return the delay of a link. \param link the link \param path of it */
    int64_t Delay(const Json& link, const std::string& path) const
    {
        if (link.contains("delay") == link.contains("length_m"))
        {
            Fail(path + "/delay", "expected either delay or length_m (5 ns a metre)");
        }
        if (link.contains("length_m"))
        {
            return CableLength::DelayPs(
                Number(link["length_m"], path + "/length_m", CableLength::MAX_METRES));
        }
        try
        {
            return Quantity::DelayPs(Text(link, path, "delay"));
        }
        catch (const std::invalid_argument& e)
        {
            Rethrow(path + "/delay", e.what());
        }
    }

    /** Throw once only. \param path of the value \param why the message, maybe with our name */
    [[noreturn]] void Rethrow(const std::string& path, const std::string& why) const
    {
        if (why.compare(0, m_name.size() + 2, m_name + ": ") == 0)
        {
            throw std::invalid_argument(why);
        }
        Fail(path, why);
    }

    /** Read the links. \param links the list */
    void ReadLinks(const Json& links)
    {
        for (size_t i = 0; i < links.size(); i++)
        {
            const std::string path = "/links/" + std::to_string(i);
            const Json& link = links[i];
            KnowKeys(link, path, {"a", "b", "rate", "delay", "length_m", "error_rate", "up"});
            const uint32_t a = Whole(Member(link, path, "a"), path + "/a");
            const uint32_t b = Whole(Member(link, path, "b"), path + "/b");
            double errors = 0;
            if (link.contains("error_rate"))
            {
                errors = Number(link["error_rate"], path + "/error_rate", 1);
            }
            const int64_t delay = Delay(link, path);
            const std::string rate = Text(link, path, "rate");
            std::string place = path + "/rate";
            try
            {
                const uint64_t bps = Quantity::RateBps(rate);
                place = path;
                m_fabric.graph.AddLink(a, b, bps, delay, errors);
            }
            catch (const std::invalid_argument& e)
            {
                Fail(place, e.what());
            }
            if (link.contains("up"))
            {
                if (!link["up"].is_boolean())
                {
                    Fail(path + "/up", "expected true or false, found " + Shown(link["up"]));
                }
                m_fabric.graph.SetLinkUp(static_cast<uint32_t>(i), link["up"].get<bool>());
            }
        }
    }

    /// Check the fabric as a whole.
    void CheckWhole() const
    {
        const auto faults = FabricCheck::Faults(m_fabric, PartitionPolicy::Allow);
        if (!faults.empty())
        {
            const size_t more = faults.size() - 1;
            Fail("", faults[0] + (more ? " (and " + std::to_string(more) + " more faults)" : ""));
        }
    }

    const std::string& m_name; //!< of the text
    FabricDocument m_fabric;   //!< the result
};

} // namespace

FabricDocument
TopologyJsonReader::Read(const std::string& name, const std::string& text)
{
    return Parser(name).Parse(text);
}

} // namespace roce
} // namespace ns3
