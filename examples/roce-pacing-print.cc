/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pacing-trial.h"

#include <cstdio>

// what PacingTrial prints; what it runs is in roce-pacing-trial.cc

namespace ns3
{
namespace roce
{

namespace
{

/** \return mean and standard deviation as text. \param set values \param digits behind the point */
std::string
Text(const Distribution& set, int digits)
{
    if (set.IsEmpty())
    {
        return "-";
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.*f +- %.*f", digits, set.GetMean(), digits, set.GetStd());
    return text;
}

} // namespace

void
PacingTrial::Print() const
{
    std::printf("\n%-18s | %-17s %-17s %-17s | %-17s %-17s\n%-18s | %-53s | %s\n",
                "",
                "alone: rate",
                "slowest flow",
                "by formula",
                "queue, begin",
                "queue, end",
                "rate and pacing",
                "part of a full link, mean +- std over seeds",
                "KB, largest");
    for (const auto& [name, row] : m_rows)
    {
        std::printf("%-18s | %-17s %-17s %-17s | %-17s %-17s\n",
                    name.c_str(),
                    Text(row.share, 4).c_str(),
                    Text(row.least, 4).c_str(),
                    Text(row.predicted, 4).c_str(),
                    Text(row.first, 1).c_str(),
                    Text(row.last, 1).c_str());
    }
}

} // namespace roce
} // namespace ns3
