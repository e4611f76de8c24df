/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nearest-name.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace ns3
{
namespace roce
{

namespace
{

constexpr std::size_t MAX_LETTERS = 80; //!< longer names are no typing errors

/** \return the name in small letters. \param name any bytes */
std::string
Small(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return name;
}

/** \return letters to insert, delete, replace or swap with the next one. \param a a name
 *  \param b another */
std::size_t
Distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> before(b.size() + 1); // rows of the table, from the last but two
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        before.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row.back();
}

} // namespace

std::string
NearestName::Find(const std::string& name, const std::vector<std::string>& known)
{
    if (name.size() > MAX_LETTERS)
    {
        return "";
    }
    std::string best;
    std::size_t least = (name.size() + 2) / 3 + 1;
    for (const std::string& candidate : known)
    {
        const std::size_t distance = Distance(Small(name), Small(candidate));
        if (distance < least)
        {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

std::string
NearestName::Hint(const std::string& name, const std::vector<std::string>& known)
{
    const std::string nearest = Find(name, known);
    return nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?";
}

std::string
NearestName::List(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

} // namespace roce
} // namespace ns3
