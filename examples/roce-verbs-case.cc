/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-verbs-case.h"

namespace ns3
{
namespace roce
{

bool
VerbsCase::TakesReceive() const
{
    return operation == Operation::SEND || operation == Operation::SEND_IMMEDIATE ||
           operation == Operation::SEND_INVALIDATE || operation == Operation::WRITE_IMMEDIATE;
}

bool
VerbsCase::HasImmediate() const
{
    return operation == Operation::SEND_IMMEDIATE || operation == Operation::WRITE_IMMEDIATE;
}

std::vector<VerbsCase>
VerbsCase::All()
{
    using O = Operation;
    constexpr auto RC = TransportService::RC;
    constexpr auto UC = TransportService::UC;
    constexpr auto UD = TransportService::UD;
    constexpr uint64_t one = 64;    // one packet, no pad
    constexpr uint64_t many = 2501; // First, Middle, Last with 453 bytes and 3 of pad
    return {
        {"RC SEND", RC, O::SEND, one},
        {"RC SEND, inline", RC, O::SEND, one + 1, VerbsTwist::INLINE},
        {"RC SEND, 3 packets", RC, O::SEND, many},
        {"RC SEND immediate", RC, O::SEND_IMMEDIATE, one},
        {"RC SEND immediate, no bytes", RC, O::SEND_IMMEDIATE, 0},
        {"RC SEND immediate, 3 packets", RC, O::SEND_IMMEDIATE, many},
        {"RC SEND invalidate", RC, O::SEND_INVALIDATE, one},
        {"RC SEND invalidate, 3 packets", RC, O::SEND_INVALIDATE, many},
        {"RC WRITE", RC, O::WRITE, one},
        {"RC WRITE, no bytes", RC, O::WRITE, 0},
        {"RC WRITE, 3 packets", RC, O::WRITE, many},
        {"RC WRITE immediate", RC, O::WRITE_IMMEDIATE, one},
        {"RC WRITE immediate, 3 packets", RC, O::WRITE_IMMEDIATE, many},
        {"RC READ", RC, O::READ, one},
        {"RC READ, 3 packets", RC, O::READ, many},
        {"RC FETCH_ADD", RC, O::FETCH_ADD, 8},
        {"RC CMP_SWAP", RC, O::COMPARE_SWAP, 8},
        {"UC SEND", UC, O::SEND, one},
        {"UC SEND, 3 packets", UC, O::SEND, many},
        {"UC SEND immediate", UC, O::SEND_IMMEDIATE, one},
        {"UC SEND immediate, 3 packets", UC, O::SEND_IMMEDIATE, many},
        {"UC WRITE", UC, O::WRITE, one},
        {"UC WRITE, 3 packets", UC, O::WRITE, many},
        {"UC WRITE immediate", UC, O::WRITE_IMMEDIATE, one},
        {"UC WRITE immediate, 3 packets", UC, O::WRITE_IMMEDIATE, many},
        {"UD SEND", UD, O::SEND, one},
        {"UD SEND immediate", UD, O::SEND_IMMEDIATE, one},
        {"RNR NAK", RC, O::SEND, one, VerbsTwist::LATE_RECEIVE},
        {"sequence NAK", RC, O::WRITE, many, VerbsTwist::LOST_SECOND},
        {"remote access error", RC, O::WRITE, one, VerbsTwist::WRONG_KEY},
        {"congestion: CE, CNP, PFC", RC, O::WRITE, 128 * MTU},
    };
}

} // namespace roce
} // namespace ns3
