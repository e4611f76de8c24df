/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-domains-trial.h"

#include <cmath>
#include <cstdio>

// what CongestionDomainsTrial says; what it runs is in roce-congestion-domains-trial.cc

namespace ns3
{
namespace roce
{

std::vector<std::string>
CongestionDomainsTrial::GetSurprises() const
{
    std::vector<std::string> surprises;
    for (const auto& [name, row] : m_rows)
    {
        const double change = std::abs(row.change.GetMean());
        if (name == "hcc-tier" ? change < 5 : name.compare(0, 3, "hcc") == 0 && change > 1)
        {
            surprises.push_back(name);
        }
    }
    return surprises;
}

void
CongestionDomainsTrial::Print() const
{
    std::printf("\nbystanders and congested link, shares of a full link, mean +- std over seeds\n"
                "%-12s | %-17s %-18s %-10s | %-17s | %8s %10s\n",
                "law",
                "bystander",
                "its change, %",
                "worst",
                "congested link",
                "XOFF",
                "queue, KB");
    for (const std::string& name : m_names)
    {
        const Row& row = m_rows.at(name);
        std::printf("%-12s | %7.4f +- %-6.4f %8.2f +- %-6.2f %-10.4f | %7.4f +- %-6.4f | %8.0f "
                    "%10.0f\n",
                    name.c_str(),
                    row.bystander.GetMean(),
                    row.bystander.GetStd(),
                    row.change.GetMean(),
                    row.change.GetStd(),
                    row.worst.GetMean(),
                    row.congested.GetMean(),
                    row.congested.GetStd(),
                    row.xoff.GetMean(),
                    row.peakKb.GetMean());
    }
    std::printf("the article: flows of other domains are not slowed; 0 %% up to 1 %%\n");
}

} // namespace roce
} // namespace ns3
