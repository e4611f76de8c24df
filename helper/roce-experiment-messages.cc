/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-messages.h"

#include "ns3/random-variable-stream.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-text-source.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

ExperimentMessages::ExperimentMessages(ExperimentPlan& plan,
                                       const Json& entry,
                                       const std::string& path)
    : m_type(entry.at("type").get<std::string>())
{
    if (m_type == "messages")
    {
        ReadMessages(plan, entry, path);
    }
    else if (m_type == "incast")
    {
        ReadIncast(plan, entry, path);
    }
    else if (m_type == "flows")
    {
        Refusing(plan, path + "/file", [&]() { ReadFlows(plan, entry); });
    }
    else if (m_type == "open_loop")
    {
        Json first = entry;
        first["bytes"] = "0B";
        m_like = ItemOf(first);
        Refusing(plan, path, [&]() { m_load.emplace(plan, entry); });
    }
    else
    {
        ReadPattern(plan, entry, path);
    }
    CheckCount(plan, path);
}

void
ExperimentMessages::CheckCount(const ExperimentPlan& plan, const std::string& path) const
{
    uint64_t count = 0;
    for (const Item& item : m_items)
    {
        count += item.count;
    }
    if (count > MAX_MESSAGES)
    {
        throw std::invalid_argument(plan.document.GetName() + ": " + path + ": " +
                                    std::to_string(count) + " messages; the limit is " +
                                    std::to_string(MAX_MESSAGES));
    }
}

ExperimentMessages::Item
ExperimentMessages::ItemOf(const Json& entry)
{
    Item item;
    item.bytes = ParseBytes(entry.at("bytes").get<std::string>());
    item.at = TimeOf(entry.at("at").get<std::string>());
    item.operation = entry.at("operation") == "read" ? Operation::READ : Operation::WRITE;
    item.priority = entry.value("priority", -1);
    item.count = entry.value("messages", 1U);
    return item;
}

uint32_t
ExperimentMessages::HostOf(const ExperimentPlan& plan,
                           const Json& id,
                           const std::string& path) const
{
    const auto host = id.get<uint32_t>();
    if (!plan.graph.Has(host) || !plan.graph.IsHost(host))
    {
        throw std::invalid_argument(
            plan.document.GetName() + ": " + path + ": there is no host " + std::to_string(host) +
            "; the fabric has " + std::to_string(plan.graph.HostCount()) + " hosts, the last is " +
            std::to_string(plan.graph.Hosts().back()));
    }
    return host;
}

std::vector<uint32_t>
ExperimentMessages::HostsOf(const ExperimentPlan& plan,
                            const Json& ids,
                            const std::string& path) const
{
    std::vector<uint32_t> hosts;
    std::set<uint32_t> seen;
    for (std::size_t i = 0; i < ids.size(); ++i)
    {
        const std::string place = path + "/" + std::to_string(i);
        hosts.push_back(HostOf(plan, ids[i], place));
        if (!seen.insert(hosts.back()).second)
        {
            throw std::invalid_argument(plan.document.GetName() + ": " + place + ": host " +
                                        std::to_string(hosts.back()) + " comes twice");
        }
    }
    return hosts;
}

void
ExperimentMessages::ReadMessages(const ExperimentPlan& plan,
                                 const Json& entry,
                                 const std::string& path)
{
    const Json& list = entry.at("messages");
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const std::string place = path + "/messages/" + std::to_string(i);
        Item item = ItemOf(list[i]);
        item.from = HostOf(plan, list[i].at("from"), place + "/from");
        item.to = HostOf(plan, list[i].at("to"), place + "/to");
        if (item.from == item.to)
        {
            throw std::invalid_argument(plan.document.GetName() + ": " + place + "/to: host " +
                                        std::to_string(item.to) +
                                        " sends to itself; expected another one");
        }
        m_items.push_back(item);
    }
}

std::vector<uint32_t>
ExperimentMessages::SendersOf(const ExperimentPlan& plan,
                              const Json& entry,
                              const std::string& path,
                              uint32_t receiver) const
{
    if (entry.contains("senders") && entry.at("senders").is_array())
    {
        const std::vector<uint32_t> hosts = HostsOf(plan, entry.at("senders"), path + "/senders");
        const auto self = std::find(hosts.begin(), hosts.end(), receiver);
        if (self != hosts.end())
        {
            throw std::invalid_argument(plan.document.GetName() + ": " + path + "/senders/" +
                                        std::to_string(self - hosts.begin()) + ": host " +
                                        std::to_string(receiver) +
                                        " is the receiver; expected another one");
        }
        return hosts;
    }
    std::vector<uint32_t> hosts = plan.graph.Hosts();
    hosts.erase(std::remove(hosts.begin(), hosts.end(), receiver), hosts.end());
    const uint64_t count =
        entry.contains("senders") ? entry.at("senders").get<uint64_t>() : hosts.size();
    if (count == 0 || count > hosts.size())
    {
        throw std::invalid_argument(plan.document.GetName() + ": " + path +
                                    "/senders: " + std::to_string(count) +
                                    " senders; besides the receiver the "
                                    "fabric has " +
                                    std::to_string(hosts.size()) + " hosts, expected 1 or more");
    }
    hosts.resize(count);
    return hosts;
}

void
ExperimentMessages::ReadIncast(const ExperimentPlan& plan,
                               const Json& entry,
                               const std::string& path)
{
    Item item = ItemOf(entry);
    item.to = entry.contains("receiver") ? HostOf(plan, entry.at("receiver"), path + "/receiver")
                                         : plan.graph.Hosts().back();
    for (const uint32_t host : SendersOf(plan, entry, path, item.to))
    {
        item.from = host;
        m_items.push_back(item);
    }
}

void
ExperimentMessages::ReadPattern(const ExperimentPlan& plan,
                                const Json& entry,
                                const std::string& path)
{
    m_hosts = entry.contains("hosts") ? HostsOf(plan, entry.at("hosts"), path + "/hosts")
                                      : plan.graph.Hosts();
    const std::size_t n = m_hosts.size();
    const auto fail = [&](const std::string& key, const std::string& why) {
        throw std::invalid_argument(plan.document.GetName() + ": " + path + key + ": " + why);
    };
    if (n < 2)
    {
        fail("/hosts", "expected at least 2 hosts, found " + std::to_string(n));
    }
    if (m_type == "all_to_all" && uint64_t(n) * (n - 1) > MAX_MESSAGES)
    {
        fail("/hosts",
             std::to_string(uint64_t(n) * (n - 1)) + " pairs; the limit is " +
                 std::to_string(MAX_MESSAGES));
    }
    m_shuffle = m_type == "permutation" && !entry.contains("shift");
    if (entry.contains("shift") && entry.at("shift").get<uint64_t>() % n == 0)
    {
        fail("/shift",
             "hosts would send to themselves; expected no multiple of their number, " +
                 std::to_string(n));
    }
    AddPattern(entry, ItemOf(entry));
}

void
ExperimentMessages::AddPattern(const Json& entry, const Item& item)
{
    const std::size_t n = m_hosts.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        // of a permutation one other host, which Shuffle replaces; else all, the next one first
        const std::size_t first =
            m_type == "permutation" ? std::size_t(entry.value("shift", 1U)) : 1;
        const std::size_t last = m_type == "permutation" ? first : n - 1;
        for (std::size_t k = first; k <= last; ++k)
        {
            Item next = item;
            next.from = m_hosts[i];
            next.to = m_hosts[(i + k) % n];
            m_items.push_back(next);
        }
    }
}

void
ExperimentMessages::ReadFlows(const ExperimentPlan& plan, const Json& entry)
{
    const std::string file = plan.document.Resolve(entry.at("file").get<std::string>());
    AddFlows(FlowReader::Read(TextSource::FromFile(file), &plan.graph), Item());
}

void
ExperimentMessages::AddFlows(const FlowList& list, const Item& item)
{
    for (const FlowSpec& flow : list.flows)
    {
        Item next = item;
        next.from = flow.src;
        next.to = flow.dst;
        next.bytes = flow.sizeBytes;
        next.at = NanoSeconds(flow.startPs / 1000) + PicoSeconds(flow.startPs % 1000);
        next.priority = m_load ? item.priority : static_cast<int>(flow.pg);
        m_items.push_back(next);
    }
}

void
ExperimentMessages::Shuffle(int64_t stream)
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    const auto n = static_cast<uint32_t>(m_hosts.size());
    std::vector<uint32_t> target(n);
    const auto fixed = [&target]() {
        for (uint32_t i = 0; i < target.size(); ++i)
        {
            if (target[i] == i)
            {
                return true;
            }
        }
        return false;
    };
    do // about e times: each permutation without fixed points has the same chance
    {
        std::iota(target.begin(), target.end(), 0);
        for (uint32_t i = n - 1; i > 0; --i)
        {
            std::swap(target[i], target[random->GetInteger(0, i)]);
        }
    } while (fixed());
    for (uint32_t i = 0; i < n; ++i)
    {
        m_items[i].to = m_hosts[target[i]];
    }
}

void
ExperimentMessages::Begin(const ExperimentSite& site, const Item& item, uint64_t id)
{
    ConnectionOptions options;
    options.priority = item.priority;
    const Connection connection = site.fabric->Connect(item.from, item.to, options);
    const auto post = [connection, item, id]() {
        for (uint32_t i = 0; i < item.count; ++i)
        {
            WorkRequest request;
            request.id = id + i;
            request.bytes = item.bytes;
            request.operation = item.operation;
            connection.nic->Post(connection.qp, request);
        }
    };
    if (item.at.IsZero())
    {
        post();
        return;
    }
    Simulator::ScheduleWithContext(site.fabric->GetNode(item.from)->GetId(), item.at, post);
}

void
ExperimentMessages::Install(const ExperimentSite& site)
{
    if (m_load)
    {
        m_items.clear();
        AddFlows(m_load->Generate(site.fabric->GetGraph(), site.stream), m_like);
    }
    if (m_shuffle)
    {
        Shuffle(site.stream);
    }
    uint64_t id = 0;
    for (const Item& item : m_items)
    {
        Begin(site, item, id);
        id += item.count;
    }
}

ResultWriter::Json
ExperimentMessages::Report() const
{
    ResultWriter::Json report = {{"type", m_type},
                                 {"queue_pairs", m_items.size()},
                                 {"bytes", GetBytes()}};
    if (m_load)
    {
        report.update(m_load->GetFigures());
    }
    return report;
}

uint64_t
ExperimentMessages::GetBytes() const
{
    uint64_t bytes = 0;
    for (const Item& item : m_items)
    {
        bytes += item.bytes * item.count;
    }
    return bytes;
}

void
ExperimentMessages::Clear()
{
    if (m_load)
    {
        m_items.clear();
    }
}

} // namespace roce
} // namespace ns3
