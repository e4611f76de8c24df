/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-byte-size.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** A unit and what it stands for. */
struct Unit
{
    const char* name;
    uint64_t bytes;
};

constexpr Unit UNITS[] = {{"", 1},
                          {"B", 1},
                          {"kB", 1000},
                          {"KB", 1000},
                          {"MB", 1000000},
                          {"GB", 1000000000},
                          {"TB", 1000000000000},
                          {"KiB", 1ull << 10},
                          {"MiB", 1ull << 20},
                          {"GiB", 1ull << 30},
                          {"TiB", 1ull << 40}};

[[noreturn]] void
Refuse(const std::string& text, const std::string& why)
{
    std::string shown =
        text.substr(0, 40); // a file may hold anything, and a terminal obeys some of it
    std::replace_if(
        shown.begin(),
        shown.end(),
        [](char c) { return c < ' ' || c > '~'; },
        '?');
    throw std::invalid_argument("\"" + shown + "\" is no size: " + why +
                                "; write a number and B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, "
                                "such as 16MB");
}

} // namespace

uint64_t
ByteSize::Parse(const std::string& text)
{
    constexpr std::size_t MAX_DIGITS = 26; // with the largest unit this fits in 128 bits
    unsigned __int128 value = 0;
    unsigned __int128 scale = 1;
    std::size_t digits = 0;
    bool point = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at)
    {
        const char c = text[at];
        if (c == '.' && !point)
        {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
        {
            break;
        }
        if (++digits > MAX_DIGITS)
        {
            Refuse(text, "too many digits");
        }
        value = value * 10 + static_cast<unsigned>(c - '0');
        scale *= point ? 10 : 1;
    }
    if (digits == 0)
    {
        Refuse(text, "it does not begin with a number");
    }
    at += at < text.size() && text[at] == ' ';
    const std::string unit = text.substr(at);
    for (const Unit& known : UNITS)
    {
        if (unit != known.name)
        {
            continue;
        }
        value *= known.bytes;
        if (value % scale != 0)
        {
            Refuse(text, "not a whole number of bytes");
        }
        if (value / scale > UINT64_MAX)
        {
            Refuse(text, "above 2^64 - 1 bytes");
        }
        return static_cast<uint64_t>(value / scale);
    }
    Refuse(text, "the unit is not known");
}

std::string
ByteSize::Text(uint64_t bytes)
{
    for (const char* name : {"TB", "GB", "MB", "kB"})
    {
        for (const Unit& unit : UNITS)
        {
            if (name == std::string(unit.name) && bytes > 0 && bytes % unit.bytes == 0)
            {
                return std::to_string(bytes / unit.bytes) + name;
            }
        }
    }
    return std::to_string(bytes) + "B";
}

} // namespace roce
} // namespace ns3
