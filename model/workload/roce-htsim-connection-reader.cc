/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-htsim-connection-reader.h"

#include "roce-htsim-connection-rows.h"

#include <cmath>
#include <map>
#include <queue>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/// What fires a trigger.
struct Firing
{
    std::vector<uint32_t> sends;    //!< connections, when they are sent
    std::vector<uint32_t> receives; //!< connections, when they have arrived
    std::vector<uint32_t> targets;  //!< connections that it starts
    std::size_t missing{0};         //!< of those that fire it, not made yet
    std::vector<uint32_t> tasks;    //!< that its targets wait for
};

/// Makes tasks of rows.
class Builder
{
  public:
    /** \param source the text \param rows what it says */
    Builder(const TextSource& source, const HtsimConnectionRows& rows)
        : m_source(source),
          m_rows(rows),
          m_connections(rows.GetConnections()),
          m_graph(Create<TaskGraph>(rows.GetNodes(source.LastLine())))
    {
    }

    /** \return the workload */
    Ptr<TaskGraph> Build()
    {
        JoinTriggers();
        MakeTasks();
        return m_graph;
    }

  private:
    /** \return what fires a trigger; refused if it has no row. \param id its number \param line
     *  where it is used */
    Firing& Find(uint32_t id, uint32_t line)
    {
        if (m_rows.GetTriggers().count(id) == 0)
        {
            m_source.Fail(line, "trigger " + std::to_string(id) + " has no row");
        }
        return m_firing[id];
    }

    /** Find out what fires each trigger. */
    void JoinTriggers()
    {
        for (uint32_t i = 0; i < m_connections.size(); ++i)
        {
            const HtsimConnection& c = m_connections[i];
            if (c.sendDone != 0)
            {
                Find(c.sendDone, c.line).sends.push_back(i);
            }
            if (c.receiveDone != 0)
            {
                Find(c.receiveDone, c.line).receives.push_back(i);
            }
        }
        for (const HtsimConnection& c : m_connections)
        {
            if (c.trigger != 0)
            {
                Firing& firing = Find(c.trigger, c.line);
                firing.missing = firing.sends.size() + firing.receives.size();
                firing.targets.push_back(static_cast<uint32_t>(&c - m_connections.data()));
                CheckFired(c, m_rows.GetTriggers().at(c.trigger), firing.missing);
            }
        }
    }

    /** Refuse a trigger that a graph has no counterpart of. \param c a connection that it starts
     *  \param trigger it
     *  \param fired how many ends of connections fire it */
    void CheckFired(const HtsimConnection& c, const HtsimTrigger& trigger, std::size_t fired) const
    {
        const std::string name = "trigger " + std::to_string(c.trigger);
        if (fired == 0)
        {
            m_source.Fail(c.line, name + " is never fired, so this connection never starts");
        }
        if (trigger.type == "barrier" && fired != *trigger.count)
        {
            m_source.Fail(trigger.line,
                          name + " counts to " + std::to_string(*trigger.count) + ", but " +
                              std::to_string(fired) +
                              " ends fire it; only a barrier of all of them is supported");
        }
        if (trigger.type != "barrier" && fired > 1)
        {
            m_source.Fail(trigger.line,
                          name + " is fired by " + std::to_string(fired) + " ends; a " +
                              trigger.type +
                              (trigger.type == "oneshot" ? " fires at the first of them"
                                                         : " starts its connections each time") +
                              ", which is not supported: use 'barrier count " +
                              std::to_string(fired) + "' to wait for all");
        }
    }

    /** Make the tasks, a connection when all that it waits for are made. */
    void MakeTasks()
    {
        for (uint32_t i = 0; i < m_connections.size(); ++i)
        {
            if (m_connections[i].trigger == 0)
            {
                m_ready.push(i);
            }
        }
        m_tasks.resize(m_connections.size());
        std::size_t made = 0;
        for (; !m_ready.empty(); ++made)
        {
            const uint32_t now = m_ready.top();
            m_ready.pop();
            MakePair(now);
            Fire(m_connections[now].sendDone);
            Fire(m_connections[now].receiveDone);
        }
        for (const HtsimConnection& c : m_connections)
        {
            if (c.trigger != 0 && m_firing[c.trigger].missing > 0)
            {
                m_source.Fail(c.line,
                              "this connection waits for itself or for one that does, over "
                              "trigger " +
                                  std::to_string(c.trigger));
            }
        }
        m_source.Read(m_source.LastLine(), "workload", [this]() { m_graph->Validate(); });
    }

    /** One of those that fire a trigger is made. \param id number of the trigger, 0: none */
    void Fire(uint32_t id)
    {
        if (id == 0 || m_firing[id].targets.empty() || --m_firing[id].missing > 0)
        {
            return;
        }
        Firing& firing = m_firing[id];
        for (const uint32_t i : firing.sends)
        {
            firing.tasks.push_back(m_tasks[i].first);
        }
        for (const uint32_t i : firing.receives)
        {
            firing.tasks.push_back(m_tasks[i].second);
        }
        if (firing.tasks.size() > 1 && firing.targets.size() > 1)
        {
            // one task in between: n + m dependencies in place of n m
            firing.tasks = {m_graph->AddCompute(m_connections[firing.targets[0]].src,
                                                "trigger " + std::to_string(id),
                                                0,
                                                firing.tasks)};
        }
        for (const uint32_t i : firing.targets)
        {
            m_ready.push(i);
        }
    }

    /** Make the two tasks of a connection. \param index of it */
    void MakePair(uint32_t index)
    {
        const HtsimConnection& c = m_connections[index];
        Task send;
        send.kind = TaskKind::SEND;
        send.rank = c.src;
        send.peer = c.dst;
        send.tag = index;
        send.bytes = c.bytes;
        send.name = c.id != 0 ? "id " + std::to_string(c.id) : "row " + std::to_string(c.line);
        send.notBeforeNs =
            c.startPs ? static_cast<int64_t>(std::floor(*c.startPs / 1000 + 0.5)) : 0;
        send.after = m_firing[c.trigger].tasks;
        Task receive = send;
        receive.kind = TaskKind::RECEIVE;
        std::swap(receive.rank, receive.peer);
        receive.after.clear();
        receive.notBeforeNs = 0;
        m_tasks[index].first = m_graph->Add(send);
        m_tasks[index].second = m_graph->Add(receive);
    }

    const TextSource& m_source;
    const HtsimConnectionRows& m_rows;
    const std::vector<HtsimConnection>& m_connections;
    std::map<uint32_t, Firing> m_firing;                //!< by trigger; 0: none, nothing fires it
    std::vector<std::pair<uint32_t, uint32_t>> m_tasks; //!< by connection: its SEND and RECEIVE
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> m_ready; //!< lowest first
    Ptr<TaskGraph> m_graph;
};

} // namespace

Ptr<TaskGraph>
HtsimConnectionReader::Read(const TextSource& source)
{
    const HtsimConnectionRows rows(source);
    return Builder(source, rows).Build();
}

} // namespace roce
} // namespace ns3
