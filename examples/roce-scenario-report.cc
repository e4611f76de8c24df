/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-report.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{
namespace roce
{

namespace
{

constexpr int WIDTH = 15;

} // namespace

void
ScenarioReport::Add(const std::string& label, const ScenarioFigures& figures)
{
    if (!Has(label))
    {
        m_labels.push_back(label);
    }
    for (const auto& [name, value] : figures)
    {
        m_rows[label][name].Add(value);
        if (std::find(m_names.begin(), m_names.end(), name) == m_names.end())
        {
            m_names.push_back(name);
        }
    }
}

const std::vector<std::string>&
ScenarioReport::GetLabels() const
{
    return m_labels;
}

bool
ScenarioReport::Has(const std::string& label) const
{
    return m_rows.count(label) > 0;
}

const Distribution&
ScenarioReport::Get(const std::string& label, const std::string& figure) const
{
    return m_rows.at(label).at(figure);
}

ResultWriter::Json
ScenarioReport::GetJson() const
{
    ResultWriter::Json json = ResultWriter::Json::object();
    for (const std::string& label : m_labels)
    {
        for (const std::string& name : m_names)
        {
            auto found = m_rows.at(label).find(name);
            if (found == m_rows.at(label).end())
            {
                continue; // of another scenario
            }
            const Distribution& values = found->second;
            json[label][name] = {{"mean", values.GetMean()}, {"std", values.GetStd()}};
        }
    }
    return json;
}

void
ScenarioReport::Print(const std::string& title) const
{
    PrintTable(title,
               {{"goodput_share", "goodput", 1, 3},
                {"utilization", "util", 1, 3},
                {"worst_share", "worst", 1, 2},
                {"xoff", "XOFF", 1, 0},
                {"longest_pause_share", "paused", 1, 3},
                {"cnp_per_s", "CNP k/s", 1e3, 0},
                {"drops", "drops", 1, 0},
                {"ttd_mean_us", "TTD us", 1, 1},
                {"ttd_std_share", "std/mean", 1, 4},
                {"ttd_p99_us", "p99 us", 1, 1},
                {"worst_queue_bytes", "queue KB", 1e3, 0}});
}

void
ScenarioReport::PrintShares(const std::string& title) const
{
    std::vector<Column> columns;
    for (const std::string& name : m_names)
    {
        if (name.rfind("share_", 0) == 0)
        {
            columns.push_back({name, name.substr(6), 1, 3});
        }
    }
    columns.push_back({"jain", "Jain", 1, 4});
    columns.push_back({"unrest", "unrest", 1, 3});
    PrintTable(title + ": part of the max-min fair rate", columns);
}

void
ScenarioReport::PrintTable(const std::string& title, const std::vector<Column>& columns) const
{
    std::size_t longest = 4;
    for (const std::string& label : m_labels)
    {
        longest = std::max(longest, label.size());
    }
    const int first = static_cast<int>(longest);
    std::printf("\n%s, mean +- standard deviation over seeds\n%-*s", title.c_str(), first, "run");
    for (const Column& column : columns)
    {
        std::printf(" %*s", WIDTH, column.head.c_str());
    }
    std::printf("\n");
    for (const std::string& label : m_labels)
    {
        std::printf("%-*s", first, label.c_str());
        for (const Column& column : columns)
        {
            const Distribution& values = Get(label, column.figure);
            char text[64];
            const double mean = values.GetMean() / column.unit;
            const double std = values.GetStd() / column.unit;
            std::snprintf(text, 64, "%.*f+-%.*f", column.digits, mean, column.digits, std);
            std::printf(" %*s", WIDTH, text);
        }
        std::printf("\n");
    }
    std::fflush(stdout);
}

} // namespace roce
} // namespace ns3
