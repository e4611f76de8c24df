/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_OPCODE_H
#define ROCE_OPCODE_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** BTH opcodes in use (IBTA 9.2.1, table 38; CNP: IBTA A17.9.3). */
enum class Opcode : uint8_t
{
    RC_SEND_FIRST = 0x00,
    RC_SEND_MIDDLE = 0x01,
    RC_SEND_LAST = 0x02,
    RC_SEND_LAST_IMMEDIATE = 0x03,
    RC_SEND_ONLY = 0x04,
    RC_SEND_ONLY_IMMEDIATE = 0x05,
    RC_WRITE_FIRST = 0x06,
    RC_WRITE_MIDDLE = 0x07,
    RC_WRITE_LAST = 0x08,
    RC_WRITE_LAST_IMMEDIATE = 0x09,
    RC_WRITE_ONLY = 0x0a,
    RC_WRITE_ONLY_IMMEDIATE = 0x0b,
    RC_READ_REQUEST = 0x0c,
    RC_READ_RESPONSE_FIRST = 0x0d,
    RC_READ_RESPONSE_MIDDLE = 0x0e,
    RC_READ_RESPONSE_LAST = 0x0f,
    RC_READ_RESPONSE_ONLY = 0x10,
    RC_ACKNOWLEDGE = 0x11,
    RC_ATOMIC_ACKNOWLEDGE = 0x12,
    RC_COMPARE_SWAP = 0x13,
    RC_FETCH_ADD = 0x14,
    CNP = 0x81,
};

} // namespace roce
} // namespace ns3

#endif // ROCE_OPCODE_H
