/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ACK_TIMEOUT_H
#define ROCE_ACK_TIMEOUT_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * The local ACK timeout of a queue pair.
 *
 * Models: the five bits by which verbs give the retransmission timer.
 *
 * Clause: IBTA 9.7.6.1.3: 4.096 us times 2 to the exponent; 0 turns the timer off.
 *
 * Invariants: each step from 1 to 31 doubles the time.
 *
 * Leaves out: that the standard lets hardware take up to four times as long.
 */
class AckTimeout
{
  public:
    /** The largest exponent. */
    static constexpr uint8_t MAX_EXPONENT = 31;

    /**
     * \param exponent 0 to 31
     * \return the time in ns, 8192 (exponent 1) to 8796093022208 (31); 0 for 0: no timer
     * \throws std::invalid_argument if the exponent is above 31
     */
    static uint64_t NanoSeconds(uint8_t exponent)
    {
        if (exponent > MAX_EXPONENT)
        {
            throw std::invalid_argument("ACK timeout exponent " + std::to_string(exponent) +
                                        " is above 31; the field has 5 bits");
        }
        return exponent ? uint64_t(4096) << exponent : 0;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ACK_TIMEOUT_H
