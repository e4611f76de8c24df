/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fct-writer.h"

#include <cinttypes>
#include <cstdio>
#include <stdexcept>

namespace ns3
{
namespace roce
{

FctWriter::FctWriter(std::ostream& out)
    : m_out(&out)
{
}

void
FctWriter::Write(const FctRecord& record)
{
    *m_out << Format(record) << '\n';
    if (!*m_out)
    {
        throw std::runtime_error("fct file: writing failed; expected a writable file with room");
    }
}

std::string
FctWriter::Format(const FctRecord& record)
{
    char row[2 * 9 + 2 * 6 + 4 * 21 + 1];
    std::snprintf(row,
                  sizeof(row),
                  "%08" PRIx32 " %08" PRIx32 " %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
                  record.sourceAddress,
                  record.destinationAddress,
                  static_cast<unsigned>(record.sourcePort),
                  static_cast<unsigned>(record.destinationPort),
                  record.sizeBytes,
                  record.startNs,
                  record.fctNs,
                  record.standaloneNs);
    return row;
}

} // namespace roce
} // namespace ns3
