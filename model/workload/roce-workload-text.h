/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORKLOAD_TEXT_H
#define ROCE_WORKLOAD_TEXT_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Names and times in files of workloads.
 *
 * Models: what all readers and writers of this folder have in common.
 *
 * Source: none.
 *
 * Invariants: what Check lets through, Tidy keeps; Nanoseconds(DurationText(t)) == t for every t up
 * to MAX_NS; each error is std::invalid_argument with the text and what was expected.
 *
 * Leaves out: text that is not ASCII.
 */
class WorkloadText
{
  public:
    static constexpr std::size_t MAX_NAME = 128;        //!< characters of a name
    static constexpr int64_t MAX_NS = INT64_MAX / 1000; //!< longest time, 106 days
    static constexpr uint64_t MAX_BYTES = 1ULL << 62;   //!< largest message or collective

    /** \return the name; refused if it is too long or not printable. \param name of something */
    static const std::string& Check(const std::string& name);

    /** \return a name of a foreign file, made to pass Check. \param name any bytes */
    static std::string Tidy(const std::string& name);

    /** \return nanoseconds; refused if not whole. \param text a time with its unit, "12us" */
    static int64_t Nanoseconds(const std::string& text);

    /** \return the shortest exact text, "12us". \param ns a time, 0..MAX_NS or refused */
    static std::string DurationText(int64_t ns);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORKLOAD_TEXT_H
