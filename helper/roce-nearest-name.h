/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NEAREST_NAME_H
#define ROCE_NEAREST_NAME_H

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What somebody meant who typed a name that is not known.
 *
 * Models: the known name with the smallest edit distance (letters to insert, delete, replace or
 * swap with a neighbor), letters of both cases alike.
 *
 * Source: F. Damerau, A technique for computer detection and correction of spelling errors, CACM
 * 1964, for the distance.
 *
 * Invariants: no suggestion if more than a third of the letters, rounded up, would have to change;
 * of equals the first one.
 *
 * Leaves out: names made of the same words in another order.
 */
class NearestName
{
  public:
    /** \return the nearest name, "" if none is near. \param name what was typed \param known names
     */
    static std::string Find(const std::string& name, const std::vector<std::string>& known);

    /** \return `; did you mean "x"?`, or "". \param name what was typed \param known names */
    static std::string Hint(const std::string& name, const std::vector<std::string>& known);

    /** \return names with commas. \param names any number */
    static std::string List(const std::vector<std::string>& names);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NEAREST_NAME_H
