/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ns3
{
namespace roce
{

void
ValidateReport::Begin(const std::string& name)
{
    m_name = name;
}

void
ValidateReport::Add(const std::string& quantity,
                    double expected,
                    double seen,
                    const std::string& bound,
                    bool ok,
                    bool counts)
{
    m_rows.push_back({m_name, quantity, expected, seen, bound, ok, counts});
}

void
ValidateReport::Near(const std::string& quantity, double expected, double seen, double tolerance)
{
    char bound[32];
    std::snprintf(bound, sizeof(bound), "+-%.4g%%", tolerance * 100);
    const bool ok = std::abs(seen - expected) <= tolerance * std::abs(expected);
    Add(quantity, expected, seen, bound, ok);
}

void
ValidateReport::AtMost(const std::string& quantity, double bound, double seen)
{
    Add(quantity, bound, seen, "at most", seen <= bound);
}

void
ValidateReport::AtLeast(const std::string& quantity, double bound, double seen)
{
    Add(quantity, bound, seen, "at least", seen >= bound);
}

void
ValidateReport::Known(const std::string& quantity, double expected, double seen, double tolerance)
{
    const std::size_t place = m_rows.size();
    if (tolerance > 0)
    {
        Near(quantity, expected, seen, tolerance);
    }
    else
    {
        AtMost(quantity, expected, seen);
    }
    m_rows[place].counts = false;
}

void
ValidateReport::Tell(const std::string& quantity, double expected, double seen)
{
    Add(quantity, expected, seen, "", true);
}

void
ValidateReport::Print() const
{
    std::printf("\n%-5s %-50s %11s %11s %7s %9s %s\n",
                "case",
                "quantity",
                "expected",
                "seen",
                "ratio",
                "bound",
                "ok");
    for (const Row& row : m_rows)
    {
        char ratio[16] = "-";
        if (row.expected != 0)
        {
            std::snprintf(ratio, sizeof(ratio), "%.3f", row.seen / row.expected);
        }
        std::printf("%-5s %-50s %11.5g %11.5g %7s %9s %s\n",
                    row.name.c_str(),
                    row.quantity.c_str(),
                    row.expected,
                    row.seen,
                    ratio,
                    row.bound.empty() ? "-" : row.bound.c_str(),
                    row.bound.empty() ? "-" : (row.ok ? "yes" : (row.counts ? "NO" : "no, known")));
    }
}

bool
ValidateReport::IsOk() const
{
    return std::all_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
        return row.ok || !row.counts;
    });
}

ResultWriter::Json
ValidateReport::ToJson() const
{
    ResultWriter::Json rows = ResultWriter::Json::array();
    for (const Row& row : m_rows)
    {
        ResultWriter::Json item;
        item["case"] = row.name;
        item["quantity"] = row.quantity;
        item["expected"] = row.expected;
        item["seen"] = row.seen;
        item["bound"] = row.bound;
        item["ok"] = row.ok;
        item["counts"] = row.counts;
        rows.push_back(item);
    }
    return rows;
}

} // namespace roce
} // namespace ns3
