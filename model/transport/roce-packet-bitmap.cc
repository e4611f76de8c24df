/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-packet-bitmap.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
PacketBitmap::Set(uint64_t number)
{
    if (number < m_bound)
    {
        return;
    }
    const uint64_t word = (number - m_base) / 64;
    if (word >= m_words.size())
    {
        m_words.resize(word + 1, 0);
    }
    m_words[word] |= uint64_t(1) << (number % 64);
    m_end = std::max(m_end, number + 1);
}

bool
PacketBitmap::Test(uint64_t number) const
{
    return number >= m_bound && number < m_end &&
           (m_words[(number - m_base) / 64] >> (number % 64) & 1);
}

void
PacketBitmap::Raise(uint64_t bound)
{
    if (bound <= m_bound)
    {
        return;
    }
    m_bound = bound;
    if (bound >= m_end)
    {
        m_words.clear();
        m_base = bound / 64 * 64;
        m_end = 0;
        return;
    }
    for (; m_base + 64 <= bound; m_base += 64)
    {
        m_words.pop_front();
    }
}

uint64_t
PacketBitmap::FromTop(uint32_t count) const
{
    for (uint64_t number = m_end; number > m_bound; --number)
    {
        if (Test(number - 1) && --count == 0)
        {
            return number - 1;
        }
    }
    return 0;
}

} // namespace roce
} // namespace ns3
