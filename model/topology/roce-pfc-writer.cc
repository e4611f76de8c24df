/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-pfc-writer.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

PfcWriter::PfcWriter(std::ostream& out)
    : m_out(&out)
{
}

void
PfcWriter::Write(const PfcRecord& record)
{
    *m_out << Format(record) << '\n';
    if (!*m_out)
    {
        throw std::runtime_error("pfc file: writing failed; expected a writable file with room");
    }
}

std::string
PfcWriter::Format(const PfcRecord& record)
{
    return std::to_string(record.timeNs) + " " + std::to_string(record.node) +
           (record.isSwitch ? " 1 " : " 0 ") + std::to_string(uint64_t{record.port} + 1) +
           (record.pause ? " 1" : " 0");
}

} // namespace roce
} // namespace ns3
