/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-quantity.h"

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/// A decimal number: digits * 10^exponent.
struct Decimal
{
    bool negative{false}; //!< has a minus sign
    std::string digits;   //!< without leading zeros; empty for zero
    int64_t exponent{0};  //!< of the last digit
};

/** Throw. \param text what was read \param expected what should be there */
[[noreturn]] void
Refuse(const std::string& text, const std::string& expected)
{
    throw std::invalid_argument("expected " + expected + ", found " + Quantity::Shown(text));
}

/** \return true for 0 to 9. \param c a byte */
bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/**
 * Read the exponent "e-6" of a number, if there is one that is not the begin of a unit.
 * \param text the text
 * \param at where it may begin; moved behind it
 * \return the exponent, 0 if there is none
 */
int64_t
TakeExponent(const std::string& text, size_t& at)
{
    size_t i = at;
    if (i >= text.size() || (text[i] != 'e' && text[i] != 'E'))
    {
        return 0;
    }
    i++;
    const bool negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
    {
        i++;
    }
    if (i >= text.size() || !IsDigit(text[i]))
    {
        return 0;
    }
    int64_t value = 0;
    for (; i < text.size() && IsDigit(text[i]); i++)
    {
        value = value < 100000 ? value * 10 + (text[i] - '0') : value;
    }
    at = i;
    return negative ? -value : value;
}

/**
 * Split "12.5Gbps" into number and unit.
 * \param text the text
 * \param expected words for the error
 * \return the number and the rest
 */
std::pair<Decimal, std::string>
Split(const std::string& text, const std::string& expected)
{
    Decimal number;
    size_t i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
    {
        number.negative = text[i] == '-';
        i++;
    }
    bool any = false;
    bool point = false;
    for (; i < text.size() && (IsDigit(text[i]) || (text[i] == '.' && !point)); i++)
    {
        if (text[i] == '.')
        {
            point = true;
            continue;
        }
        any = true;
        number.exponent -= point ? 1 : 0;
        if (text[i] != '0' || !number.digits.empty())
        {
            number.digits += text[i];
        }
    }
    if (!any)
    {
        Refuse(text, expected);
    }
    number.exponent += TakeExponent(text, i);
    return {number, text.substr(i)};
}

/**
 * Scale a number to an integer, rounded to the nearest, half up.
 * \param number the number
 * \param power scale by 10^power
 * \param factor and by this
 * \param max largest magnitude accepted
 * \param text for the error
 * \return the magnitude
 */
uint64_t
Scale(const Decimal& number, int64_t power, uint32_t factor, uint64_t max, const std::string& text)
{
    const int64_t shift = number.exponent + power;
    const auto length = static_cast<int64_t>(number.digits.size());
    if (length == 0)
    {
        return 0;
    }
    if (length + shift > 20)
    {
        Refuse(text, "a number that fits 64 bits");
    }
    // digits before the cut form the integer; the factor is applied before rounding
    unsigned __int128 whole = 0;
    const int64_t kept = length + shift < 0 ? 0 : (shift < 0 ? length + shift : length);
    for (int64_t i = 0; i < kept; i++)
    {
        whole = whole * 10 + static_cast<unsigned>(number.digits[i] - '0');
    }
    for (int64_t i = 0; i < shift; i++)
    {
        whole *= 10;
    }
    // up to 17 digits below the cut are enough to round a value times a factor of one digit
    unsigned __int128 rest = 0;
    unsigned __int128 unit = 1;
    for (int64_t i = 0; i < 17 && shift < 0; i++)
    {
        const int64_t place = length + shift + i;
        const bool there = place >= 0 && place < length;
        rest = rest * 10 + (there ? static_cast<unsigned>(number.digits[place] - '0') : 0U);
        unit *= 10;
    }
    const unsigned __int128 value = whole * factor + (rest * factor + unit / 2) / unit;
    if (value > max)
    {
        Refuse(text, "a number that fits 64 bits");
    }
    if (value == 0)
    {
        Refuse(text, "zero or a value that is not finer than the clock");
    }
    return static_cast<uint64_t>(value);
}

/// A unit and its power of ten.
struct Unit
{
    const char* name; //!< as written
    int power;        //!< of ten
};

} // namespace

uint64_t
Quantity::RateBps(const std::string& text)
{
    static const std::string expected = "a rate such as 100Gbps, 40Mb/s or 25000000000 (bit/s)";
    static constexpr Unit prefixes[] = {{"", 0}, {"k", 3}, {"K", 3}, {"M", 6}, {"G", 9}, {"T", 12}};
    const auto [number, unit] = Split(text, expected);
    if (number.negative)
    {
        Refuse(text, expected + ", not negative");
    }
    for (const Unit& prefix : prefixes)
    {
        const std::string p(prefix.name);
        if ((p.empty() && unit.empty()) || unit == p + "bps" || unit == p + "b/s")
        {
            return Scale(number, prefix.power, 1, UINT64_MAX, text);
        }
        if (unit == p + "Bps" || unit == p + "B/s")
        {
            return Scale(number, prefix.power, 8, UINT64_MAX, text);
        }
    }
    Refuse(text, expected);
}

int64_t
Quantity::DelayPs(const std::string& text)
{
    static const std::string expected = "a delay with its unit (ps, ns, us, ms or s), as 1us";
    static constexpr Unit units[] = {{"ps", 0}, {"ns", 3}, {"us", 6}, {"ms", 9}, {"s", 12}};
    const auto [number, unit] = Split(text, expected);
    for (const Unit& u : units)
    {
        if (unit == u.name)
        {
            const auto value = static_cast<int64_t>(Scale(number, u.power, 1, INT64_MAX, text));
            return number.negative ? -value : value;
        }
    }
    if (unit.empty() && number.digits.empty())
    {
        return 0; // zero needs no unit
    }
    Refuse(text, expected);
}

int64_t
Quantity::SecondsToPs(const std::string& text)
{
    static const std::string expected = "a time in seconds such as 2 or 0.000001, not negative";
    const auto [number, unit] = Split(text, expected);
    if (!unit.empty() || (number.negative && !number.digits.empty()))
    {
        Refuse(text, expected);
    }
    return static_cast<int64_t>(Scale(number, 12, 1, INT64_MAX, text));
}

uint64_t
Quantity::Unsigned(const std::string& text, uint64_t max)
{
    const std::string expected = "a whole number from 0 to " + std::to_string(max);
    uint64_t value = 0;
    for (char c : text)
    {
        if (!IsDigit(c) || value > (UINT64_MAX - static_cast<unsigned>(c - '0')) / 10)
        {
            Refuse(text, expected);
        }
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    if (text.empty() || value > max)
    {
        Refuse(text, expected);
    }
    return value;
}

double
Quantity::Real(const std::string& text, double min, double max)
{
    std::string expected = "a number";
    if (max < HUGE_VAL)
    {
        expected += " from " + std::to_string(min) + " to " + std::to_string(max);
    }
    else if (min == 0)
    {
        expected += " that is not negative";
    }
    const auto [number, unit] = Split(text, expected);
    const double value = unit.empty() ? std::strtod(text.c_str(), nullptr) : HUGE_VAL;
    if (!std::isfinite(value) || value < min || value > max)
    {
        Refuse(text, expected);
    }
    return value;
}

std::string
Quantity::Shown(const std::string& text)
{
    // a wrong file may hold anything, and a terminal obeys some of it
    std::string shown = "'";
    for (char c : text.substr(0, 40))
    {
        shown += (c >= ' ' && c < 127) ? c : '?';
    }
    return shown + (text.size() > 40 ? "...'" : "'");
}

std::string
Quantity::RateText(uint64_t rateBps)
{
    static constexpr const char* units[] = {"bps", "Kbps", "Mbps", "Gbps", "Tbps"};
    size_t i = 0;
    for (; i < 3 && rateBps != 0 && rateBps % 1000 == 0; i++)
    {
        rateBps /= 1000;
    }
    return std::to_string(rateBps) + units[i];
}

std::string
Quantity::DelayText(int64_t delayPs)
{
    static constexpr const char* units[] = {"ps", "ns", "us", "ms", "s"};
    size_t i = delayPs == 0 ? 1 : 0;
    for (; i < 4 && delayPs != 0 && delayPs % 1000 == 0; i++)
    {
        delayPs /= 1000;
    }
    return std::to_string(delayPs) + units[i];
}

} // namespace roce
} // namespace ns3
