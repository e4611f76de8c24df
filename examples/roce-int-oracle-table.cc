/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-table.h"

#include <cstdio>

namespace ns3
{
namespace roce
{

namespace
{

/** \return mean and standard deviation as text. \param set values \param unit to show them in
 *  \param digits behind the point */
std::string
Text(const Distribution& set, double unit, int digits)
{
    char text[64];
    std::snprintf(text,
                  sizeof text,
                  "%.*f +- %.*f",
                  digits,
                  set.GetMean() / unit,
                  digits,
                  set.GetStd() / unit);
    return text;
}

} // namespace

void
IntOracleTable::Print(const ScenarioReport& report, const IntOracleReference& reference, bool hot)
{
    std::printf("\nsecond half of the run, mean +- standard deviation over seeds\n"
                "%-20s %17s %17s %17s %17s %17s %10s %10s%s\n",
                "shares of line rate",
                "mean pair",
                "slowest pair",
                "moves in all",
                "moves then",
                "longest queue KB",
                "resends",
                "INT B",
                hot ? "        background" : "");
    for (const std::string& label : report.GetLabels())
    {
        std::printf("%-20s %17s %17s %17s %17s %17s %10.0f %10.0f%s\n",
                    label.c_str(),
                    Text(report.Get(label, "mean_share"), 1, 3).c_str(),
                    Text(report.Get(label, "slowest_share"), 1, 3).c_str(),
                    Text(report.Get(label, "moves"), 1, 0).c_str(),
                    Text(report.Get(label, "late_moves"), 1, 0).c_str(),
                    Text(report.Get(label, "worst_queue_bytes"), 1e3, 0).c_str(),
                    report.Get(label, "resends").GetMean(),
                    report.Get(label, "telemetry_bytes").GetMean(),
                    hot ? ("  " + Text(report.Get(label, "background_share"), 1, 3)).c_str() : "");
    }
    std::printf("%-20s %17s %17s   random paths, max-min fair\n",
                "by arithmetic",
                Text(reference.GetMean(), 1, 3).c_str(),
                Text(reference.GetSlowest(), 1, 3).c_str());
}

} // namespace roce
} // namespace ns3
