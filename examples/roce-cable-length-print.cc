/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cable-length-sweep.h"

#include <cstdio>

// what CableLengthSweep prints; what it runs is in roce-cable-length-sweep.cc

namespace ns3
{
namespace roce
{

void
CableLengthSweep::Print() const
{
    for (const auto& [sweep, rows] : m_cells)
    {
        std::printf(
            "\n%s, %s: XOFF / largest queue KB / std:mean of a rate / share, means of seeds\n"
            "%8s",
            sweep.c_str(),
            m_options.enforce.c_str(),
            "T");
        for (const auto& column : m_columns)
        {
            std::printf(" | %31s", column.c_str());
        }
        std::printf("\n");
        for (const auto& [ns, cells] : rows)
        {
            std::printf("%5.2f us", double(ns) / 1e3);
            for (const auto& column : m_columns)
            {
                const auto found = cells.find(column);
                if (found == cells.end())
                {
                    std::printf(" | %31s", "-");
                    continue;
                }
                const Cell& cell = found->second;
                std::printf(" | %7.0f / %6.0f / %5.3f / %5.3f",
                            cell.xoff.GetMean(),
                            cell.peakKb.GetMean(),
                            cell.unsteady.GetMean(),
                            cell.share.GetMean());
            }
            std::printf("\n");
        }
    }
}

} // namespace roce
} // namespace ns3
