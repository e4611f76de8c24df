/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-json-reader.h"

#include "roce-cable-length.h"
#include "roce-fabric-check.h"
#include "roce-json-source.h"
#include "roce-quantity.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/// Takes the fabric out of the document.
class Parser : private JsonSource
{
  public:
    using JsonSource::JsonSource;

    /** \return the fabric. \param text the bytes */
    FabricDocument Parse(const std::string& text)
    {
        const Json root = JsonSource::Parse(text);
        KnowKeys(root, "", {"schema", "name", "radix", "nodes", "links"});
        Schema(root, TopologyJsonReader::SCHEMA);
        m_fabric.name = Optional(root, "", "name");
        ReadRadix(root);
        ReadNodes(Array(root, "", "nodes"));
        ReadLinks(Array(root, "", "links"));
        CheckWhole();
        return std::move(m_fabric);
    }

  private:
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

    FabricDocument m_fabric; //!< the result
};

} // namespace

FabricDocument
TopologyJsonReader::Read(const std::string& name, const std::string& text)
{
    return Parser(name).Parse(text);
}

} // namespace roce
} // namespace ns3
