/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-reader.h"

#include "roce-quantity.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{
namespace roce
{

namespace
{

/** \return true for one or more digits and nothing else. \param word a word */
bool
IsWhole(const std::string& word)
{
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// One link row, before the nodes are known.
struct LinkRow
{
    uint32_t line{0};    //!< line in the file
    uint32_t a{0};       //!< source id
    uint32_t b{0};       //!< destination id
    uint64_t rateBps{0}; //!< rate
    int64_t delayPs{0};  //!< delay
    double errorRate{0}; //!< error rate
};

/// Reads one file, part by part.
class Parser
{
  public:
    /** \param source the text \param options how strict */
    Parser(const TextSource& source, const TopologyReadOptions& options)
        : m_source(source),
          m_options(options)
    {
    }

    /** \return the topology. */
    Topology Parse()
    {
        ParseHeader();
        ParseSwitchIds();
        for (uint32_t i = 0; i < m_links; i++)
        {
            ParseLink(i);
        }
        if (m_options.allowIdGaps)
        {
            AddSparseNodes();
        }
        else
        {
            AddDenseNodes();
        }
        AddLinks();
        CheckTail();
        try
        {
            m_topology.graph.Validate(PartitionPolicy::Allow);
        }
        catch (const std::invalid_argument& e)
        {
            m_source.Fail(1, e.what());
        }
        return std::move(m_topology);
    }

  private:
    /** \return a whole number of the header. \param line the header \param i which word
     *  \param what its name */
    uint32_t HeaderNumber(const TextLine& line, size_t i, const char* what) const
    {
        return m_source.Read(line.number, what, [&line, i]() {
            return static_cast<uint32_t>(Quantity::Unsigned(line.words[i], UINT32_MAX));
        });
    }

    /// Read the first line, which also tells the dialect.
    void ParseHeader()
    {
        const std::string expected = "expected a header of 3 numbers (nodes switches links), 4 "
                                     "(nodes switches tors links) or 6 words (nodes "
                                     "gpus-per-server nvswitches switches links GPU-type)";
        if (m_source.Count() == 0)
        {
            m_source.Fail(1, expected + ", found an empty file");
        }
        const TextLine line = m_source.At(m_next++);
        const size_t count = line.words.size();
        if (count != 3 && count != 4 && count != 6)
        {
            m_source.Fail(line.number, expected + ", found " + std::to_string(count) + " words");
        }
        m_nodes = HeaderNumber(line, 0, "number of nodes");
        m_links = HeaderNumber(line, count == 6 ? 4 : count - 1, "number of links");
        m_switches = HeaderNumber(line, count == 6 ? 3 : 1, "number of switches");
        if (count == 4)
        {
            m_topology.format = TopologyFormat::InetTub;
            m_topology.tors = HeaderNumber(line, 2, "number of ToR switches");
        }
        else if (count == 6)
        {
            m_topology.format = TopologyFormat::SimAi;
            m_topology.gpusPerServer = HeaderNumber(line, 1, "GPUs a server");
            m_nvSwitches = HeaderNumber(line, 2, "number of NVSwitches");
            m_topology.gpuType = line.words[5];
        }
        CheckHeader(line.number);
    }

    /** Refuse numbers that contradict each other. \param line line of the header */
    void CheckHeader(uint32_t line) const
    {
        const uint64_t forwarding = uint64_t{m_switches} + m_nvSwitches;
        if (forwarding >= m_nodes)
        {
            m_source.Fail(line,
                          "expected more nodes than switches, found " + std::to_string(m_nodes) +
                              " nodes and " + std::to_string(forwarding) +
                              " switches, which leaves no host");
        }
        if (m_topology.tors > m_switches)
        {
            m_source.Fail(line,
                          "expected at most " + std::to_string(m_switches) +
                              " ToR switches (all switches), found " +
                              std::to_string(m_topology.tors));
        }
        // each host needs an end of a link; said here, before anything is allocated
        if (!m_options.allowIdGaps && m_nodes - forwarding > 2 * uint64_t{m_links})
        {
            m_source.Fail(line,
                          std::to_string(m_nodes - forwarding) + " hosts but only " +
                              std::to_string(m_links) +
                              " links, so some host has no link; expected a link for each host");
        }
        if (IsWhole(m_topology.gpuType))
        {
            m_source.Fail(line,
                          "expected a GPU type such as A100 or H800 as sixth word, found " +
                              Quantity::Shown(m_topology.gpuType));
        }
    }

    /// Read the ids of NVSwitches and switches, over as many lines as they take.
    void ParseSwitchIds()
    {
        const size_t wanted = size_t{m_nvSwitches} + m_switches;
        while (m_kinds.size() < wanted)
        {
            const std::string what = "id of switch " + std::to_string(m_kinds.size() + 1) + " of " +
                                     std::to_string(wanted);
            if (m_next >= m_source.Count())
            {
                m_source.Fail(m_source.LastLine(),
                              "expected the " + what + ", found the end of the file");
            }
            const TextLine line = m_source.At(m_next++);
            // a line with other words is a link row or help: name it before its ids are taken
            const auto odd = std::find_if_not(line.words.begin(), line.words.end(), IsWhole);
            if (odd != line.words.end())
            {
                m_source.Fail(line.number,
                              "expected the " + what + ", found a line with " +
                                  Quantity::Shown(*odd) + "; the header declares " +
                                  std::to_string(wanted) + " switches");
            }
            for (const std::string& word : line.words)
            {
                if (m_kinds.size() == wanted)
                {
                    m_source.Fail(line.number,
                                  "expected " + std::to_string(wanted) +
                                      " switch ids as the header declares, found more");
                }
                AddSwitchId(line.number, what, word);
            }
        }
    }

    /** Take one switch id. \param line line \param what its name in errors \param word the id */
    void AddSwitchId(uint32_t line, const std::string& what, const std::string& word)
    {
        const auto id = m_source.Read(line, what, [&word]() {
            return static_cast<uint32_t>(Quantity::Unsigned(word, UINT32_MAX));
        });
        CheckId(line, what, id);
        const NodeKind kind = m_kinds.size() < m_nvSwitches ? NodeKind::NvSwitch : NodeKind::Switch;
        if (!m_kinds.emplace(id, kind).second)
        {
            m_source.Fail(line, what + ": " + std::to_string(id) + " is listed twice");
        }
    }

    /** Refuse an id the header does not declare. \param line line \param what its name
     *  \param id the id */
    void CheckId(uint32_t line, const std::string& what, uint32_t id) const
    {
        if (!m_options.allowIdGaps && id >= m_nodes)
        {
            m_source.Fail(line,
                          what + ": expected a node from 0 to " + std::to_string(m_nodes - 1) +
                              " (the header declares " + std::to_string(m_nodes) +
                              " nodes), found " + std::to_string(id));
        }
    }

    /** Read a link row. \param i which */
    void ParseLink(uint32_t i)
    {
        const std::string what = "link " + std::to_string(i + 1) + " of " + std::to_string(m_links);
        if (m_next >= m_source.Count())
        {
            m_source.Fail(m_source.LastLine(), "expected " + what + ", found the end of the file");
        }
        const TextLine line = m_source.At(m_next++);
        if (line.words.size() != 5)
        {
            m_source.Fail(line.number,
                          what + ": expected 'src dst rate delay error-rate', found " +
                              std::to_string(line.words.size()) + " words");
        }
        const std::vector<std::string>& w = line.words;
        const LinkRow row = m_source.Read(line.number, what, [&w, &line]() {
            LinkRow r;
            r.line = line.number;
            r.a = static_cast<uint32_t>(Quantity::Unsigned(w[0], UINT32_MAX));
            r.b = static_cast<uint32_t>(Quantity::Unsigned(w[1], UINT32_MAX));
            r.rateBps = Quantity::RateBps(w[2]);
            r.delayPs = Quantity::DelayPs(w[3]);
            r.errorRate = Quantity::Real(w[4], 0, 1);
            return r;
        });
        CheckId(line.number, what + ", source", row.a);
        CheckId(line.number, what + ", destination", row.b);
        m_rows.push_back(row);
    }

    /** Add a node. \param id its id */
    void AddNode(uint32_t id)
    {
        const auto it = m_kinds.find(id);
        if (it == m_kinds.end())
        {
            m_topology.graph.AddHost(id);
            return;
        }
        const bool nv = it->second == NodeKind::NvSwitch;
        m_topology.graph.AddSwitch(id, nv ? "nvswitch" : "switch", "", it->second);
    }

    /// Add nodes 0 to the declared number.
    void AddDenseNodes()
    {
        for (uint32_t id = 0; id < m_nodes; id++)
        {
            AddNode(id);
        }
    }

    /// Add the nodes that the file names.
    void AddSparseNodes()
    {
        std::set<uint32_t> ids;
        for (const auto& kind : m_kinds)
        {
            ids.insert(kind.first);
        }
        for (const LinkRow& row : m_rows)
        {
            ids.insert(row.a);
            ids.insert(row.b);
        }
        const bool isEnd = !ids.empty() && uint64_t{*ids.rbegin()} + 1 == m_nodes;
        if (ids.size() != m_nodes && !isEnd)
        {
            m_source.Fail(1,
                          "expected " + std::to_string(m_nodes) +
                              " nodes as the header declares, found " + std::to_string(ids.size()) +
                              " different ids in the file");
        }
        for (uint32_t id : ids)
        {
            AddNode(id);
        }
    }

    /// Add the links to the nodes.
    void AddLinks()
    {
        for (const LinkRow& row : m_rows)
        {
            m_source.Read(row.line, "bad link", [this, &row]() {
                return m_topology.graph.AddLink(row.a,
                                                row.b,
                                                row.rateBps,
                                                row.delayPs,
                                                row.errorRate);
            });
        }
    }

    /// Look for link rows behind the declared ones.
    void CheckTail()
    {
        for (; m_next < m_source.Count(); m_next++)
        {
            const TextLine line = m_source.At(m_next);
            if (!LooksLikeLink(line.words))
            {
                continue;
            }
            const bool known = Declared(line.words[0]) && Declared(line.words[1]);
            if (known)
            {
                m_source.Fail(line.number,
                              "found one more link after the " + std::to_string(m_links) +
                                  " that the header declares; correct the number of links in "
                                  "the header or remove the row");
            }
            m_topology.ignoredLinkRows++;
        }
    }

    /** \return true for a node of the graph. \param word its id */
    bool Declared(const std::string& word) const
    {
        return word.size() <= 10 && std::stoull(word) <= UINT32_MAX &&
               m_topology.graph.Has(static_cast<uint32_t>(std::stoull(word)));
    }

    /** \return true for "src dst rate delay ...". \param words of a line */
    static bool LooksLikeLink(const std::vector<std::string>& words)
    {
        if (words.size() < 4 || !IsWhole(words[0]) || !IsWhole(words[1]))
        {
            return false;
        }
        try
        {
            Quantity::RateBps(words[2]);
            Quantity::DelayPs(words[3]);
        }
        catch (const std::invalid_argument&)
        {
            return false;
        }
        return true;
    }

    const TextSource& m_source;           //!< the text
    const TopologyReadOptions& m_options; //!< how strict
    size_t m_next{0};                     //!< next line
    uint32_t m_nodes{0};                  //!< declared nodes
    uint32_t m_switches{0};               //!< declared switches
    uint32_t m_nvSwitches{0};             //!< declared NVSwitches
    uint32_t m_links{0};                  //!< declared links
    std::map<uint32_t, NodeKind> m_kinds; //!< switches by id
    std::vector<LinkRow> m_rows;          //!< links
    Topology m_topology;                  //!< the result
};

} // namespace

Topology
TopologyReader::Read(const TextSource& source, const TopologyReadOptions& options)
{
    return Parser(source, options).Parse();
}

} // namespace roce
} // namespace ns3
