/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-record-pool.h"

#include "ns3/roce-int-record.h"

namespace ns3
{
namespace roce
{

IntRecordPool::IntRecordPool() = default;

IntRecordPool::~IntRecordPool() = default;

IntRecord*
IntRecordPool::Get()
{
    if (!m_free)
    {
        m_all.push_back(std::make_unique<IntRecord>());
        m_all.back()->pool = this;
        m_free = m_all.back().get();
    }
    IntRecord* record = m_free;
    m_free = record->next;
    ++m_live;
    record->counted = 0;
    record->multi = 1;
    record->hpcc.Clear();
    record->md.hops.clear(); // keeps its room
    record->md.exceeded = false;
    record->md.mtuExceeded = false;
    return record;
}

void
IntRecordPool::Free(IntRecord* record)
{
    IntRecordPool& pool = *record->pool;
    record->next = pool.m_free;
    pool.m_free = record;
    --pool.m_live;
}

uint16_t
IntRecordPool::CountedBytes(const IntRecord* record)
{
    return record->counted;
}

} // namespace roce
} // namespace ns3
