/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-htsim-connection-rows.h"

#include "roce-workload-text.h"

#include "ns3/roce-quantity.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Latest start, in ps: beyond, a double has no whole numbers. */
constexpr double MAX_START_PS = 9007199254740992.0;

/** \return a word for a message. \param line of it \param at which word */
std::string
Word(const TextLine& line, std::size_t at)
{
    return WorkloadText::Tidy(line.words[at].substr(0, 40));
}

} // namespace

HtsimConnectionRows::HtsimConnectionRows(const TextSource& source)
    : m_source(source)
{
    for (std::size_t i = 0; i < m_source.Count(); ++i)
    {
        const TextLine line = m_source.At(i);
        if (line.words[0][0] != '#')
        {
            ReadLine(line);
        }
    }
    CheckCount("Nodes", std::nullopt);
    CheckCount("Connections", m_connections.size());
    CheckCount("Triggers", m_triggers.size());
    CheckCount("Failures", 0);
}

void
HtsimConnectionRows::ReadLine(const TextLine& line)
{
    const std::string& first = line.words[0];
    if (first.find("->") != std::string::npos)
    {
        ReadConnection(line);
    }
    else if (first == "trigger")
    {
        ReadTrigger(line);
    }
    else if (first == "failure")
    {
        m_source.Fail(line.number,
                      "failures are not supported in a workload; take links down in the "
                      "experiment and remove the row");
    }
    else if (first == "Nodes" || first == "Connections" || first == "Triggers" ||
             first == "Failures")
    {
        ReadHeader(line);
    }
    else
    {
        m_source.Fail(line.number,
                      "expected Nodes, Connections, Triggers, Failures, src->dst or trigger, "
                      "found " +
                          Quantity::Shown(first));
    }
}

void
HtsimConnectionRows::ReadHeader(const TextLine& line)
{
    const std::string& name = line.words[0];
    if (line.words.size() != 2)
    {
        m_source.Fail(line.number,
                      "expected '" + name + " NUMBER', found " + std::to_string(line.words.size()) +
                          " words");
    }
    if (!m_connections.empty() || !m_triggers.empty())
    {
        m_source.Fail(line.number, name + " after the first row, expected it before");
    }
    const bool nodes = name == "Nodes";
    const uint32_t value = Number(line, 1, nodes ? MAX_NODES : UINT32_MAX / 4);
    if (nodes && value == 0)
    {
        m_source.Fail(line.number, "Nodes 0, expected at least 1");
    }
    if (!m_header.emplace(name, std::make_pair(line.number, value)).second)
    {
        m_source.Fail(line.number, name + " is given twice");
    }
}

uint32_t
HtsimConnectionRows::Number(const TextLine& line, std::size_t at, uint64_t max) const
{
    return m_source.Read(line.number, Word(line, at - 1), [&]() {
        return static_cast<uint32_t>(Quantity::Unsigned(line.words[at], max));
    });
}

void
HtsimConnectionRows::NeedValue(const TextLine& line, std::size_t at) const
{
    if (at + 1 >= line.words.size())
    {
        m_source.Fail(line.number,
                      "expected a value after " + Quantity::Shown(line.words[at]) +
                          ", found the end of the line");
    }
}

uint32_t
HtsimConnectionRows::GetNodes(uint32_t line) const
{
    const auto it = m_header.find("Nodes");
    if (it == m_header.end())
    {
        m_source.Fail(line, "expected Nodes before the first row");
    }
    return it->second.second;
}

void
HtsimConnectionRows::ReadConnection(const TextLine& line)
{
    HtsimConnection c;
    m_keys.clear();
    c.line = line.number;
    const uint32_t nodes = GetNodes(line.number);
    const std::string& ends = line.words[0];
    const std::size_t arrow = ends.find("->");
    m_source.Read(line.number, "connection " + Quantity::Shown(ends), [&]() {
        c.src = static_cast<uint32_t>(Quantity::Unsigned(ends.substr(0, arrow), nodes - 1));
        c.dst = static_cast<uint32_t>(Quantity::Unsigned(ends.substr(arrow + 2), nodes - 1));
    });
    if (c.src == c.dst)
    {
        m_source.Fail(line.number, "node " + std::to_string(c.src) + " sends to itself");
    }
    for (std::size_t at = 1; at < line.words.size(); at += 2)
    {
        ReadKey(line, at, c);
    }
    if (c.bytes == 0)
    {
        m_source.Fail(line.number, "expected a size, found none");
    }
    if (c.startPs.has_value() == (c.trigger != 0))
    {
        m_source.Fail(line.number,
                      std::string("expected either start or trigger, found ") +
                          (c.trigger != 0 ? "both" : "neither"));
    }
    m_connections.push_back(c);
}

void
HtsimConnectionRows::ReadKey(const TextLine& line, std::size_t at, HtsimConnection& c)
{
    const std::string& key = line.words[at];
    if (key == "prio" || key == "msg" || key == "addon")
    {
        m_source.Fail(line.number,
                      key + " is not supported: " +
                          (key == "prio" ? "a workload has no priorities"
                                         : "each connection is a message of its own"));
    }
    NeedValue(line, at);
    if (!m_keys.insert(key).second)
    {
        m_source.Fail(line.number, Word(line, at) + " is given twice");
    }
    if (key == "start")
    {
        c.startPs = m_source.Read(line.number, key, [&]() {
            return Quantity::Real(line.words[at + 1], 0, MAX_START_PS);
        });
    }
    else if (key == "size")
    {
        c.bytes = m_source.Read(line.number, key, [&]() {
            return Quantity::Unsigned(line.words[at + 1], WorkloadText::MAX_BYTES);
        });
        if (c.bytes == 0)
        {
            m_source.Fail(line.number, "size 0, which never ends in htsim; expected a size");
        }
    }
    else if (key == "id" || key == "trigger" || key == "send_done_trigger" ||
             key == "recv_done_trigger")
    {
        uint32_t& field = key == "id"                  ? c.id
                          : key == "trigger"           ? c.trigger
                          : key == "send_done_trigger" ? c.sendDone
                                                       : c.receiveDone;
        field = Number(line, at + 1, UINT32_MAX);
        if (field == 0)
        {
            m_source.Fail(line.number, key + " 0, expected at least 1");
        }
        if (key == "id" && !m_ids.insert(c.id).second)
        {
            m_source.Fail(line.number, "id " + std::to_string(c.id) + " is given twice");
        }
    }
    else
    {
        m_source.Fail(line.number,
                      Quantity::Shown(key) + " is not known; known are id, start, size, trigger, "
                                             "send_done_trigger, recv_done_trigger");
    }
}

void
HtsimConnectionRows::ReadTrigger(const TextLine& line)
{
    HtsimTrigger trigger;
    trigger.line = line.number;
    std::optional<uint32_t> id;
    for (std::size_t at = 1; at < line.words.size(); ++at)
    {
        const std::string& word = line.words[at];
        if (word == "id" || word == "count")
        {
            NeedValue(line, at);
            std::optional<uint32_t>& field = word == "id" ? id : trigger.count;
            if (field)
            {
                m_source.Fail(line.number, word + " is given twice");
            }
            field = Number(line, at + 1, UINT32_MAX);
            ++at;
        }
        else if (word == "oneshot" || word == "multishot" || word == "barrier")
        {
            if (!trigger.type.empty())
            {
                m_source.Fail(line.number, word + " after " + trigger.type);
            }
            trigger.type = word;
        }
        else
        {
            m_source.Fail(line.number,
                          Quantity::Shown(word) +
                              " is not known; known are id, oneshot, multishot, barrier, count");
        }
    }
    if (!id || *id == 0 || trigger.type.empty())
    {
        m_source.Fail(line.number,
                      "expected 'trigger id T oneshot', multishot or 'barrier count C'");
    }
    if ((trigger.type == "barrier") != trigger.count.has_value())
    {
        m_source.Fail(line.number,
                      trigger.type + (trigger.count ? " with" : " without") +
                          " a count; a barrier has one, others have none");
    }
    if (!m_triggers.emplace(*id, trigger).second)
    {
        m_source.Fail(line.number, "trigger " + std::to_string(*id) + " is given twice");
    }
}

void
HtsimConnectionRows::CheckCount(const std::string& name, std::optional<std::size_t> found) const
{
    const auto it = m_header.find(name);
    if (it == m_header.end())
    {
        if (!found || (name == "Connections") || *found != 0)
        {
            m_source.Fail(m_source.LastLine(), "expected " + name + " in the header");
        }
        return;
    }
    if (found && it->second.second != *found)
    {
        m_source.Fail(it->second.first,
                      name + " " + std::to_string(it->second.second) + ", but the file has " +
                          std::to_string(*found));
    }
}

} // namespace roce
} // namespace ns3
