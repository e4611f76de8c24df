/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-htsim-topology-reader.h"

#include "roce-plan-check.h"
#include "roce-quantity.h"

#include <algorithm>
#include <array>
#include <map>

namespace ns3
{
namespace roce
{

namespace
{

/// A number of the file.
struct Entry
{
    uint32_t line{0};  //!< where it stands, 0: not given
    uint32_t value{0}; //!< what it is
};

/// Numbers by their lower-case name.
using Entries = std::map<std::string, Entry>;

/** \return a word in lower case. \param word any */
std::string
Lower(std::string word)
{
    for (char& c : word)
    {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return word;
}

/// Reads one file.
class Parser
{
  public:
    /** \param source the text */
    explicit Parser(const TextSource& source)
        : m_source(source)
    {
    }

    /** \return the fabric. */
    FabricDocument Parse()
    {
        ReadEntries();
        m_count = Get(m_head, "nodes", "the header");
        m_tiers = Get(m_head, "tiers", "the header");
        m_podSize = Get(m_head, "podsize", "the header");
        if (m_tiers != 2 && m_tiers != 3)
        {
            m_source.Fail(m_head["tiers"].line,
                          "expected 2 or 3 tiers, found " + std::to_string(m_tiers));
        }
        CheckPods();
        CheckTier1();
        if (m_tiers == 3)
        {
            CheckTier2();
        }
        try
        {
            const PlanCheck check("htsim");
            check.Nodes(m_count);
            check.Nodes(uint64_t{m_count} + uint64_t{m_pods} * (uint64_t{m_tors} + m_aggs) +
                        m_cores);
            check.Links(uint64_t{m_pods} * m_tors, Tier(0, "radix_up"));
            check.Links(uint64_t{m_pods} * m_aggs, m_tiers == 3 ? Tier(1, "radix_up") : 0);
        }
        catch (const std::invalid_argument& e)
        {
            m_source.Fail(1, e.what());
        }
        Build();
        return std::move(m_fabric);
    }

  private:
    /// Read names and numbers.
    void ReadEntries()
    {
        static const std::array<const char*, 3> head = {"nodes", "tiers", "podsize"};
        static const std::array<const char*, 7> tier = {"downlink_speed_gbps",
                                                        "radix_down",
                                                        "radix_up",
                                                        "downlink_latency_ns",
                                                        "switch_latency_ns",
                                                        "oversubscribed",
                                                        "bundle"};
        Entries* now = &m_head;
        for (size_t i = 0; i < m_source.Count(); i++)
        {
            const TextLine line = m_source.At(i);
            const std::string name = Lower(line.words[0]);
            if (name[0] == '#')
            {
                continue;
            }
            if (line.words.size() != 2)
            {
                m_source.Fail(line.number,
                              "expected a name and a number, as in htsim's .topo files, found " +
                                  std::to_string(line.words.size()) + " words");
            }
            const auto value = m_source.Read(line.number, line.words[0], [&line]() {
                return static_cast<uint32_t>(Quantity::Unsigned(line.words[1], 1U << 24));
            });
            if (name == "tier")
            {
                now = BeginTier(line.number, value);
                continue;
            }
            const bool known = now == &m_head
                                   ? std::find(head.begin(), head.end(), name) != head.end()
                                   : std::find(tier.begin(), tier.end(), name) != tier.end();
            if (!known)
            {
                m_source.Fail(
                    line.number,
                    Quantity::Shown(line.words[0]) + " is not known in " +
                        (now == &m_head ? "the header (Nodes, Tiers, Podsize)" : "a tier"));
            }
            if (!now->emplace(name, Entry{line.number, value}).second)
            {
                m_source.Fail(line.number, line.words[0] + " is given twice");
            }
        }
    }

    /** \return where its numbers go. \param line line \param tier which */
    Entries* BeginTier(uint32_t line, uint32_t tier)
    {
        if (tier > 2)
        {
            m_source.Fail(line, "expected tier 0, 1 or 2, found " + std::to_string(tier));
        }
        if (m_begun[tier] != 0)
        {
            m_source.Fail(line,
                          "tier " + std::to_string(tier) + " is given twice, first in line " +
                              std::to_string(m_begun[tier]));
        }
        m_begun[tier] = line;
        return &m_tier[tier];
    }

    /** \return a number above 0. \param from where it is \param name its name
     *  \param part what errors call that */
    uint32_t Get(const Entries& from, const std::string& name, const std::string& part) const
    {
        const auto it = from.find(name);
        if (it == from.end())
        {
            m_source.Fail(m_source.LastLine(), "expected " + name + " in " + part + ", found none");
        }
        if (it->second.value == 0)
        {
            m_source.Fail(it->second.line, name + " is 0; expected at least 1");
        }
        return it->second.value;
    }

    /** \return a number of a tier. \param tier which \param name of it */
    uint32_t Tier(uint32_t tier, const std::string& name) const
    {
        return Get(m_tier[tier], name, "tier " + std::to_string(tier));
    }

    /** \return a number of a tier, or a default. \param tier which \param name of it
     *  \param otherwise the default */
    uint32_t Or(uint32_t tier, const std::string& name, uint32_t otherwise) const
    {
        const auto it = m_tier[tier].find(name);
        return it == m_tier[tier].end() ? otherwise : it->second.value;
    }

    /** \return the line of a number of a tier. \param tier which \param name of it */
    uint32_t Line(uint32_t tier, const std::string& name) const
    {
        const auto it = m_tier[tier].find(name);
        return it == m_tier[tier].end() ? m_begun[tier] : it->second.line;
    }

    /** Refuse a remainder. \param line where \param value what \param name of it
     *  \param by divisor \param other name of that */
    void Divides(uint32_t line,
                 uint32_t value,
                 const std::string& name,
                 uint32_t by,
                 const std::string& other) const
    {
        if (value % by != 0)
        {
            m_source.Fail(line,
                          name + " " + std::to_string(value) + " is no multiple of " + other + " " +
                              std::to_string(by));
        }
    }

    /** Refuse another number. \param tier which \param name of it \param expected what it is
     *  \param why where that comes from */
    void Equals(uint32_t tier,
                const std::string& name,
                uint64_t expected,
                const std::string& why) const
    {
        if (Tier(tier, name) != expected)
        {
            m_source.Fail(Line(tier, name),
                          name + " of tier " + std::to_string(tier) + " is " +
                              std::to_string(Tier(tier, name)) + ", expected " +
                              std::to_string(expected) + " (" + why + ")");
        }
    }

    /** Refuse an oversubscription that ports and rates do not have. \param tier which */
    void CheckOversubscription(uint32_t tier) const
    {
        const uint32_t given = Or(tier, "oversubscribed", 1);
        const uint64_t down =
            uint64_t{Tier(tier, "radix_down")} * Tier(tier, "downlink_speed_gbps");
        const uint64_t up =
            uint64_t{Tier(tier, "radix_up")} * Tier(tier + 1, "downlink_speed_gbps");
        if (down != up * given)
        {
            m_source.Fail(Line(tier, "oversubscribed"),
                          "tier " + std::to_string(tier) + " has " + std::to_string(down) +
                              " Gb/s down and " + std::to_string(up) +
                              " Gb/s up, which is not Oversubscribed " + std::to_string(given));
        }
    }

    /// Divide hosts into pods and racks.
    void CheckPods()
    {
        const uint32_t down = Tier(0, "radix_down");
        Divides(m_head["podsize"].line, m_count, "Nodes", m_podSize, "Podsize");
        Divides(Line(0, "radix_down"), m_podSize, "Podsize", down, "Radix_Down of tier 0");
        m_pods = m_count / m_podSize;
        m_tors = m_podSize / down;
        if (m_tiers == 2 && m_pods != 1)
        {
            m_source.Fail(m_head["podsize"].line,
                          "two tiers have one pod, but Nodes " + std::to_string(m_count) +
                              " and Podsize " + std::to_string(m_podSize) + " make " +
                              std::to_string(m_pods));
        }
        if (Or(0, "bundle", 1) != 1)
        {
            m_source.Fail(Line(0, "bundle"),
                          "Bundle of tier 0 is " + std::to_string(Or(0, "bundle", 1)) +
                              ", expected 1: a host has one link");
        }
    }

    /// Find the aggregation switches.
    void CheckTier1()
    {
        m_bundle1 = std::max(Or(1, "bundle", 1), 1U);
        Divides(Line(0, "radix_up"),
                Tier(0, "radix_up"),
                "Radix_Up of tier 0",
                m_bundle1,
                "Bundle of tier 1");
        m_aggs = Tier(0, "radix_up") / m_bundle1;
        Equals(1, "radix_down", uint64_t{m_tors} * m_bundle1, "ToRs of a pod x Bundle");
        CheckOversubscription(0);
        for (uint32_t tier = m_tiers; tier < 3; tier++)
        {
            if (m_begun[tier] != 0)
            {
                m_source.Fail(m_begun[tier],
                              "tier " + std::to_string(tier) + " of " + std::to_string(m_tiers) +
                                  " tiers, which are numbered from 0");
            }
        }
    }

    /// Find the cores.
    void CheckTier2()
    {
        m_bundle2 = std::max(Or(2, "bundle", 1), 1U);
        Divides(Line(1, "radix_up"),
                Tier(1, "radix_up"),
                "Radix_Up of tier 1",
                m_bundle2,
                "Bundle of tier 2");
        m_cores = m_aggs * (Tier(1, "radix_up") / m_bundle2);
        Equals(2, "radix_down", uint64_t{m_pods} * m_bundle2, "pods x Bundle");
        CheckOversubscription(1);
    }

    /** \return delay of a link below a tier, ps. \param tier which */
    int64_t DelayPs(uint32_t tier) const
    {
        // half of a switch's latency on each of its links
        const uint64_t below = tier == 0 ? 0 : Or(tier - 1, "switch_latency_ns", 0);
        return static_cast<int64_t>(1000 * uint64_t{Tier(tier, "downlink_latency_ns")} +
                                    500 * (below + Or(tier, "switch_latency_ns", 0)));
    }

    /** Add links below a tier. \param tier which \param a upper end \param b lower end
     *  \param count how many */
    void Link(uint32_t tier, uint32_t a, uint32_t b, uint32_t count)
    {
        const uint64_t rate = uint64_t{Tier(tier, "downlink_speed_gbps")} * 1000000000;
        for (uint32_t i = 0; i < count; i++)
        {
            m_fabric.graph.AddLink(a, b, rate, DelayPs(tier));
        }
    }

    /// Make nodes and links.
    void Build()
    {
        FabricGraph& graph = m_fabric.graph;
        const std::array<uint32_t, 4> first = {0,
                                               m_count,
                                               m_count + m_pods * m_tors,
                                               m_count + m_pods * (m_tors + m_aggs)};
        for (uint32_t i = 0; i < first[3] + m_cores; i++)
        {
            i < first[1]   ? graph.AddHost(i)
            : i < first[2] ? graph.AddSwitch(i, "leaf", "leaf" + std::to_string(i - first[1]))
            : i < first[3]
                ? graph.AddSwitch(i, "spine", "spine" + std::to_string(i - first[2]))
                : graph.AddSwitch(i, "super-spine", "super-spine" + std::to_string(i - first[3]));
        }
        for (uint32_t host = 0; host < m_count; host++)
        {
            Link(0, host, first[1] + host / Tier(0, "radix_down"), 1);
        }
        for (uint32_t tor = 0; tor < m_pods * m_tors; tor++)
        {
            for (uint32_t agg = 0; agg < m_aggs; agg++)
            {
                Link(1, first[1] + tor, first[2] + tor / m_tors * m_aggs + agg, m_bundle1);
            }
        }
        for (uint32_t agg = 0; m_tiers == 3 && agg < m_pods * m_aggs; agg++)
        {
            for (uint32_t core = agg % m_aggs; core < m_cores; core += m_aggs)
            {
                Link(2, first[2] + agg, first[3] + core, m_bundle2);
            }
        }
    }

    const TextSource& m_source;        //!< the text
    Entries m_head;                    //!< numbers of the header
    std::array<Entries, 3> m_tier;     //!< numbers of each tier
    std::array<uint32_t, 3> m_begun{}; //!< line of "Tier k", 0: not there
    uint32_t m_count{0};               //!< hosts
    uint32_t m_tiers{0};               //!< tiers
    uint32_t m_podSize{0};             //!< hosts in a pod
    uint32_t m_pods{0};                //!< pods
    uint32_t m_tors{0};                //!< ToRs in a pod
    uint32_t m_aggs{0};                //!< aggregation switches in a pod
    uint32_t m_cores{0};               //!< cores in all
    uint32_t m_bundle1{1};             //!< links between ToR and aggregation
    uint32_t m_bundle2{1};             //!< links between aggregation and core
    FabricDocument m_fabric;           //!< the result
};

} // namespace

FabricDocument
HtsimTopologyReader::Read(const TextSource& source)
{
    return Parser(source).Parse();
}

} // namespace roce
} // namespace ns3
