/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RNR_TIMER_H
#define ROCE_RNR_TIMER_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * How long a requester waits after an RNR NAK.
 *
 * Models: the five bits of an RNR NAK's syndrome, and of a queue pair's minimum RNR NAK timer.
 *
 * Clause: IBTA 9.7.5.2.8, table 45.
 *
 * Invariants: from code 1 to 31, and then code 0, the time grows; a time of the table is coded as
 * itself.
 *
 * Leaves out: that hardware may wait longer.
 */
class RnrTimer
{
  public:
    /** The largest code. */
    static constexpr uint8_t MAX_CODE = 31;

    /**
     * \param code 0 to 31
     * \return the time in ns
     * \throws std::invalid_argument if the code is above 31
     */
    static uint64_t NanoSeconds(uint8_t code)
    {
        if (code > MAX_CODE)
        {
            throw std::invalid_argument("RNR timer code " + std::to_string(code) +
                                        " is above 31; the field has 5 bits");
        }
        return TENS_OF_MICROSECONDS[code] * uint64_t(10000);
    }

    /**
     * \param ns a time in ns
     * \return the code of the shortest time that is not shorter; 0, the longest, if there is none
     */
    static uint8_t CodeFor(uint64_t ns)
    {
        for (uint8_t code = 1; code <= MAX_CODE; ++code)
        {
            if (NanoSeconds(code) >= ns)
            {
                return code;
            }
        }
        return 0;
    }

  private:
    /** By code, in units of 0.01 ms as the standard prints them. */
    static constexpr uint32_t TENS_OF_MICROSECONDS[MAX_CODE + 1] = {
        65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
        48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
        2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RNR_TIMER_H
