/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-headline-article.h"

#include <cstdio>

namespace ns3
{
namespace roce
{

HeadlineArticle::HeadlineArticle(const ScenarioReport& report, const std::string& prefix)
{
    const auto claim = [&](const char* what,
                           const char* run,
                           const char* figure,
                           const char* said,
                           double low,
                           double high) {
        Add(report, prefix, Row{what, run, figure, said, 0, 0, false}, low, high);
    };
    // "about" is taken as 5 points
    claim("utilization with HCC", "hcc", "goodput_share", "~0.95", 0.9, 1);
    claim("utilization with HCC", "hcc", "utilization", "~0.95", 0.9, 1.0001);
    claim("utilization without", "pfc", "goodput_share", "~0.60", 0.55, 0.65);
    claim("utilization without", "pfc", "utilization", "~0.60", 0.55, 0.65);
    // "about none": fewer than one in a thousand packets
    claim("CNPs for each data packet", "hcc", "cnp_per_packet", "~0", 0, 0.001);
    claim("packets lost", "hcc", "drops", "0", 0, 0);
    claim("time to data, std / mean", "hcc", "ttd_std_share", "< 0.01", 0, 0.01);
    claim("the same without", "pfc", "ttd_std_share", "more", 0.01, 1e9);
}

void
HeadlineArticle::Add(const ScenarioReport& report,
                     const std::string& prefix,
                     const Row& row,
                     double low,
                     double high)
{
    if (!report.Has(prefix + row.run))
    {
        return;
    }
    Row found = row;
    const Distribution& values = report.Get(prefix + row.run, row.figure);
    found.mean = values.GetMean();
    found.std = values.GetStd();
    found.holds = found.mean >= low && found.mean <= high;
    m_rows.push_back(found);
}

ResultWriter::Json
HeadlineArticle::GetJson() const
{
    ResultWriter::Json json = ResultWriter::Json::array();
    for (const Row& row : m_rows)
    {
        json.push_back({{"claim", row.claim},
                        {"run", row.run},
                        {"figure", row.figure},
                        {"article", row.article},
                        {"mean", row.mean},
                        {"std", row.std},
                        {"holds", row.holds}});
    }
    return json;
}

void
HeadlineArticle::Print(const std::string& title) const
{
    std::printf("\n%s: the article's figures beside ours\n%-28s %-6s %-16s %8s %22s  %s\n",
                title.c_str(),
                "claim",
                "run",
                "figure",
                "article",
                "ours",
                "holds");
    for (const Row& row : m_rows)
    {
        std::printf("%-28s %-6s %-16s %8s %12.5g+-%-8.3g  %s\n",
                    row.claim.c_str(),
                    row.run.c_str(),
                    row.figure.c_str(),
                    row.article.c_str(),
                    row.mean,
                    row.std,
                    row.holds ? "yes" : "no");
    }
    std::fflush(stdout);
}

} // namespace roce
} // namespace ns3
