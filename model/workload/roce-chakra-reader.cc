/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-chakra-reader.h"

#include "roce-chakra-decoder.h"
#include "roce-workload-text.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

namespace ns3
{
namespace roce
{

namespace
{

/// Makes the tasks of one trace.
class RankBuilder
{
  public:
    /** \param graph gets the tasks \param trace it \param rank its rank */
    RankBuilder(Ptr<TaskGraph> graph, const ChakraTrace& trace, uint32_t rank)
        : m_graph(graph),
          m_trace(trace),
          m_rank(rank)
    {
    }

    /** Add all tasks. */
    void Build()
    {
        const auto& nodes = m_trace.nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            if (!m_index.emplace(nodes[i].id, i).second)
            {
                Fail(nodes[i], "another node has the same id");
            }
        }
        std::vector<std::vector<std::size_t>> next(nodes.size());
        m_missing.assign(nodes.size(), 0);
        using Ready = std::pair<uint64_t, std::size_t>; // id and place
        std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            for (const uint64_t id : nodes[i].after)
            {
                const auto found = m_index.find(id);
                if (found == m_index.end())
                {
                    Fail(nodes[i],
                         "depends on node " + std::to_string(id) + ", which is not there");
                }
                next[found->second].push_back(i);
                ++m_missing[i];
            }
            if (m_missing[i] == 0)
            {
                ready.emplace(nodes[i].id, i);
            }
        }
        m_tasks.assign(nodes.size(), 0);
        std::size_t made = 0;
        for (; !ready.empty(); ++made)
        {
            const std::size_t now = ready.top().second;
            ready.pop();
            m_tasks[now] = m_graph->Add(MakeTask(nodes[now]));
            for (const std::size_t after : next[now])
            {
                if (--m_missing[after] == 0)
                {
                    ready.emplace(nodes[after].id, after);
                }
            }
        }
        if (made < nodes.size())
        {
            FailCycle();
        }
    }

  private:
    /** Throw. \param node where \param why what is wrong */
    [[noreturn]] void Fail(const ChakraNode& node, const std::string& why) const
    {
        throw std::invalid_argument(m_trace.name + ": node " + std::to_string(node.id) + " " +
                                    Quantity::Shown(node.name) + ": " + why);
    }

    /** Name the nodes of a cycle. */
    [[noreturn]] void FailCycle() const
    {
        // from any node that waits, go back to one that waits, until a node comes again
        std::size_t at = 0;
        while (m_missing[at] == 0)
        {
            ++at;
        }
        std::set<std::size_t> seen;
        while (seen.insert(at).second)
        {
            at = Before(at);
        }
        std::string ids = std::to_string(m_trace.nodes[at].id);
        const std::size_t first = at;
        std::size_t count = 0;
        do
        {
            at = Before(at);
            ids += ++count <= 10 ? " after " + std::to_string(m_trace.nodes[at].id) : "";
        } while (at != first);
        Fail(m_trace.nodes[first],
             "waits for itself in a cycle of " + std::to_string(count) + " nodes: " + ids +
                 (count > 10 ? " ..." : ""));
    }

    /** \return a node that waits, and that a node waits for. \param at place of that */
    std::size_t Before(std::size_t at) const
    {
        for (const uint64_t id : m_trace.nodes[at].after)
        {
            const std::size_t before = m_index.at(id);
            if (m_missing[before] > 0)
            {
                return before;
            }
        }
        return at;
    }

    /** \return a number. \param node it is of \param key its name \param max largest
     *  \param otherwise if it is missing; none: it is refused */
    uint64_t Number(const ChakraNode& node,
                    const std::string& key,
                    uint64_t max,
                    std::optional<uint64_t> otherwise = std::nullopt) const
    {
        const auto found = node.attributes.find(key);
        if (found == node.attributes.end())
        {
            if (!otherwise)
            {
                Fail(node, "expected attribute " + key + ", found none");
            }
            return *otherwise;
        }
        uint64_t value = 0;
        if (const auto* whole = std::get_if<uint64_t>(&found->second))
        {
            value = *whole;
        }
        else if (const auto* number = std::get_if<int64_t>(&found->second))
        {
            if (*number < 0)
            {
                Fail(node, key + " is " + std::to_string(*number) + ", expected 0 or more");
            }
            value = static_cast<uint64_t>(*number);
        }
        else
        {
            Fail(node, key + " is no whole number");
        }
        if (value > max)
        {
            Fail(node,
                 key + " is " + std::to_string(value) + ", expected at most " +
                     std::to_string(max));
        }
        return value;
    }

    /** Refuse attributes of communication that have no counterpart. \param node it
     *  \param known those that have */
    void CheckAttributes(const ChakraNode& node, std::initializer_list<const char*> known) const
    {
        for (const auto& [name, value] : node.attributes)
        {
            const bool common = name == "is_cpu_op" || name == "comm_type" || name == "comm_size";
            if (!common && std::find(known.begin(), known.end(), name) == known.end())
            {
                Fail(node, "attribute " + Quantity::Shown(name) + " is not supported");
            }
        }
        const auto dimensions = node.attributes.find("involved_dim");
        if (dimensions != node.attributes.end())
        {
            const auto* list = std::get_if<std::vector<bool>>(&dimensions->second);
            if (list == nullptr || std::find(list->begin(), list->end(), false) != list->end())
            {
                Fail(node,
                     "involved_dim has to be true for all dimensions; parts are not supported");
            }
        }
    }

    /** Fill in a collective. \param node it \param task gets it */
    void MakeCollective(const ChakraNode& node, Task& task) const
    {
        static const char* const OPERATIONS[] = {"all-reduce",
                                                 "reduce",
                                                 "all-gather",
                                                 "",
                                                 "",
                                                 "broadcast",
                                                 "all-to-all",
                                                 "reduce-scatter",
                                                 "reduce-scatter",
                                                 "barrier"};
        CheckAttributes(node, {"involved_dim"});
        const uint64_t type = Number(node, "comm_type", 9);
        task.kind = TaskKind::COLLECTIVE;
        task.operation = OPERATIONS[type];
        if (task.operation.empty())
        {
            Fail(node, std::string(type == 3 ? "gather" : "scatter") + " is not supported");
        }
        const uint64_t ranks = m_graph->GetRanks();
        const uint64_t factor = task.operation == "all-gather" ? ranks : 1;
        const bool barrier = task.operation == "barrier";
        task.bytes = factor * Number(node,
                                     "comm_size",
                                     WorkloadText::MAX_BYTES / factor,
                                     barrier ? std::optional<uint64_t>(0) : std::nullopt);
        task.bytes = barrier ? 0 : task.bytes;
    }

    /** Fill in a message. \param node it \param task gets it */
    void MakeMessage(const ChakraNode& node, Task& task) const
    {
        const bool send = node.kind == ChakraKind::SEND;
        const char* peer = send ? "comm_dst" : "comm_src";
        CheckAttributes(node, {"comm_src", "comm_dst", "comm_tag"});
        task.kind = send ? TaskKind::SEND : TaskKind::RECEIVE;
        task.peer = static_cast<uint32_t>(Number(node, peer, m_graph->GetRanks() - 1));
        if (task.peer == m_rank)
        {
            Fail(node, std::string(peer) + " is its own rank");
        }
        const char* own = send ? "comm_src" : "comm_dst";
        if (Number(node, own, UINT32_MAX, m_rank) != m_rank)
        {
            Fail(node, std::string(own) + " is not its own rank");
        }
        task.tag = static_cast<uint32_t>(Number(node, "comm_tag", UINT32_MAX, 0));
        task.bytes = Number(node, "comm_size", WorkloadText::MAX_BYTES);
    }

    /** \return a task. \param node of which */
    Task MakeTask(const ChakraNode& node) const
    {
        Task task;
        task.rank = m_rank;
        task.name = WorkloadText::Tidy(node.name).substr(0, 64);
        for (const uint64_t id : node.after)
        {
            task.after.push_back(m_tasks[m_index.at(id)]);
        }
        switch (node.kind)
        {
        case ChakraKind::COLLECTIVE:
            MakeCollective(node, task);
            return task;
        case ChakraKind::SEND:
        case ChakraKind::RECEIVE:
            MakeMessage(node, task);
            return task;
        case ChakraKind::COMPUTE:
            task.stream = 0;
            if (node.durationUs == 0 && Number(node, "num_ops", UINT64_MAX, 0) > 0)
            {
                Fail(node, "has num_ops and no duration; how long an operation takes is not known");
            }
            break;
        case ChakraKind::METADATA:
        case ChakraKind::MEMORY_LOAD:
        case ChakraKind::MEMORY_STORE:
            break;
        case ChakraKind::INVALID:
            Fail(node, "has no kind");
        }
        if (node.durationUs > static_cast<uint64_t>(WorkloadText::MAX_NS / 1000))
        {
            Fail(node,
                 "lasts " + std::to_string(node.durationUs) + " us, expected at most " +
                     std::to_string(WorkloadText::MAX_NS / 1000));
        }
        task.durationNs = static_cast<int64_t>(node.durationUs) * 1000;
        return task;
    }

    Ptr<TaskGraph> m_graph;
    const ChakraTrace& m_trace;
    uint32_t m_rank;
    std::unordered_map<uint64_t, std::size_t> m_index; //!< id to place
    std::vector<std::size_t> m_missing;                //!< by place: nodes it waits for
    std::vector<uint32_t> m_tasks;                     //!< by place: its task
};

} // namespace

Ptr<TaskGraph>
ChakraReader::Read(const std::vector<ChakraTrace>& traces)
{
    if (traces.empty())
    {
        throw std::invalid_argument("no traces, expected one of each rank");
    }
    Ptr<TaskGraph> graph = Create<TaskGraph>(static_cast<uint32_t>(traces.size()));
    std::vector<uint32_t> all;
    for (uint32_t rank = 0; rank < traces.size(); ++rank)
    {
        all.push_back(rank);
    }
    graph->AddGroup("all", all);
    for (uint32_t rank = 0; rank < traces.size(); ++rank)
    {
        RankBuilder(graph, traces[rank], rank).Build();
    }
    try
    {
        graph->Validate();
    }
    catch (const std::invalid_argument& e)
    {
        throw std::invalid_argument(traces[0].name + " and its " +
                                    std::to_string(traces.size() - 1) + " others: " + e.what());
    }
    return graph;
}

Ptr<TaskGraph>
ChakraReader::ReadFiles(const std::string& prefix)
{
    std::vector<ChakraTrace> traces;
    for (std::size_t rank = 0; rank < MAX_RANKS; ++rank)
    {
        const std::string path = prefix + "." + std::to_string(rank) + ".et";
        std::ifstream in(path, std::ios::binary);
        if (!in)
        {
            break;
        }
        std::ostringstream bytes;
        bytes << in.rdbuf();
        traces.push_back(ChakraDecoder::Decode(path, bytes.str()));
    }
    if (traces.empty())
    {
        throw std::runtime_error(prefix +
                                 ".0.et cannot be opened; expected the trace of rank 0, and "
                                 "those of the others beside it");
    }
    return Read(traces);
}

} // namespace roce
} // namespace ns3
