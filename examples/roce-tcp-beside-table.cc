/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-table.h"

#include <cstdio>

namespace ns3
{
namespace roce
{

void
BesideTable::Add(const BesideFigures& figures)
{
    if (m_rows.count(figures.row) == 0)
    {
        m_names.push_back(figures.row);
    }
    Row& row = m_rows[figures.row];
    for (double value : figures.ttdNs.GetSorted())
    {
        row.ttdNs.Add(value);
    }
    for (const auto& [name, value] : GetNumbers(figures))
    {
        row.seeds[name].Add(value);
    }
    if (!figures.ttdNs.IsEmpty())
    {
        row.seeds["cov"].Add(figures.ttdNs.GetCov());
    }
}

std::map<std::string, double>
BesideTable::GetNumbers(const BesideFigures& figures)
{
    return {{"goodput_bps", figures.goodputBps},
            {"lossy_drops", double(figures.lossyDrops)},
            {"lossless_drops", double(figures.losslessDrops)},
            {"resent", double(figures.resent)},
            {"timeouts", double(figures.timeouts)},
            {"marks", double(figures.marks)},
            {"xoff", double(figures.xoff)},
            {"queue_mean_bytes", figures.queueMean},
            {"queue_max_bytes", figures.queueMax}};
}

ResultWriter::Json
BesideTable::ToJson(const Distribution& ttd)
{
    if (ttd.IsEmpty())
    {
        return {{"mean", nullptr},
                {"std", nullptr},
                {"cov", nullptr},
                {"p50", nullptr},
                {"p99", nullptr},
                {"max", nullptr}};
    }
    return {{"mean", ttd.GetMean()},
            {"std", ttd.GetStd()},
            {"cov", ttd.GetCov()},
            {"p50", ttd.GetPercentile(50)},
            {"p99", ttd.GetPercentile(99)},
            {"max", ttd.GetMax()}};
}

ResultWriter::Json
BesideTable::ToJson(const BesideFigures& figures)
{
    ResultWriter::Json json;
    json["messages"] = figures.ttdNs.GetCount();
    json["ttd_ns"] = ToJson(figures.ttdNs);
    for (const auto& [name, value] : GetNumbers(figures))
    {
        json[name] = value;
    }
    return json;
}

ResultWriter::Json
BesideTable::GetJson() const
{
    ResultWriter::Json json = ResultWriter::Json::object();
    for (const std::string& name : m_names)
    {
        const Row& row = m_rows.at(name);
        json[name]["messages"] = row.ttdNs.GetCount();
        json[name]["ttd_ns"] = ToJson(row.ttdNs);
        for (const auto& [figure, values] : row.seeds)
        {
            json[name][figure] = {{"mean", values.GetMean()}, {"std", values.GetStd()}};
        }
    }
    return json;
}

void
BesideTable::Print() const
{
    constexpr double us = 1e3; // ns
    std::printf(
        "\ntime to data of the messages of all seeds; goodput, queue and counts: mean over "
        "seeds, within the window\n"
        "run               messages    TTD us    std us std/mean    p50 us    p99 us    max us"
        "    Gb/s  lossy lossless  resent timeouts     marks    XOFF   queue  max KB\n");
    for (const std::string& name : m_names)
    {
        const Row& row = m_rows.at(name);
        const Distribution& ttd = row.ttdNs;
        const auto mean = [&row](const char* figure) { return row.seeds.at(figure).GetMean(); };
        std::printf("%-17s %8zu", name.c_str(), ttd.GetCount());
        if (ttd.IsEmpty())
        {
            std::printf(" %9s %9s %8s %9s %9s %9s", "-", "-", "-", "-", "-", "-");
        }
        else
        {
            std::printf(" %9.1f %9.1f %8.4f %9.1f %9.1f %9.1f",
                        ttd.GetMean() / us,
                        ttd.GetStd() / us,
                        ttd.GetCov(),
                        ttd.GetPercentile(50) / us,
                        ttd.GetPercentile(99) / us,
                        ttd.GetMax() / us);
        }
        std::printf(" %7.2f %6.0f %8.0f %7.0f %8.1f %9.0f %7.0f %7.1f %7.1f\n",
                    mean("goodput_bps") / 1e9,
                    mean("lossy_drops"),
                    mean("lossless_drops"),
                    mean("resent"),
                    mean("timeouts"),
                    mean("marks"),
                    mean("xoff"),
                    mean("queue_mean_bytes") / 1e3,
                    mean("queue_max_bytes") / 1e3);
    }
    std::fflush(stdout);
}

} // namespace roce
} // namespace ns3
