/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CREDIT_CODE_H
#define ROCE_CREDIT_CODE_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * How many messages a responder has room for, in an ACK.
 *
 * Models: the five bits of credit count in an ACK's syndrome.
 *
 * Clause: IBTA 9.7.7.2 (end-to-end flow control).
 *
 * Invariants: codes 0 to 30 grow; Encode never promises more than there is; a count of the table is
 * coded as itself.
 *
 * Leaves out: nothing.
 */
class CreditCode
{
  public:
    /** The code that says: no end-to-end flow control; so do ACKs of a queue pair with an SRQ. */
    static constexpr uint8_t INVALID = 31;

    /** What Decode gives for INVALID. */
    static constexpr uint32_t UNLIMITED = 0xffffffff;

    /**
     * \param credits receive requests that wait
     * \return code of the largest count not above it, 0 to 30; above 32768 it is 30
     */
    static uint8_t Encode(uint64_t credits);

    /**
     * \param code 0 to 31
     * \return the count, 0 to 32768; UNLIMITED for INVALID
     * \throws std::invalid_argument if the code is above 31
     */
    static uint32_t Decode(uint8_t code);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CREDIT_CODE_H
