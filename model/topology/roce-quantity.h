/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_QUANTITY_H
#define ROCE_QUANTITY_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Exact numbers from text: rates, delays, times, counts.
 *
 * Models the number syntax of topology, flow and config files. Decimal text is scaled with integer
 * arithmetic, so "0.0005ms" is 500000 ps and not a neighbor of it.
 *
 * Units as ns-3's DataRate and Time spell them (decimal prefixes).
 *
 * Invariants: a value that fits is exact to the unit of the result, rounded to the nearest (half
 * up) below that; a value above zero never becomes zero; each error is std::invalid_argument with
 * the text and what was expected.
 *
 * Left out: binary prefixes (Kib, MiB).
 */
class Quantity
{
  public:
    /** \return bits a second: "100Gbps", "25000000000.0", "40Mb/s", "10GB/s". \param text text */
    static uint64_t RateBps(const std::string& text);

    /** \return picoseconds: "1us", "1000ns", "0.001ms"; may be negative. \param text text */
    static int64_t DelayPs(const std::string& text);

    /** \return picoseconds from a number of seconds: "2", "0.000001010". \param text text */
    static int64_t SecondsToPs(const std::string& text);

    /** \return a whole number of digits only. \param text text \param max largest accepted */
    static uint64_t Unsigned(const std::string& text, uint64_t max = UINT64_MAX);

    /** \return a finite number. \param text text \param min smallest \param max largest accepted */
    static double Real(const std::string& text, double min, double max);

    /** \return a word as errors show it: in quotes, printable, cut. \param text any bytes */
    static std::string Shown(const std::string& text);

    /** \return the shortest text of a rate, "100Gbps". \param rateBps bits a second */
    static std::string RateText(uint64_t rateBps);

    /** \return the shortest text of a delay, "1us". \param delayPs picoseconds */
    static std::string DelayText(int64_t delayPs);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_QUANTITY_H */
