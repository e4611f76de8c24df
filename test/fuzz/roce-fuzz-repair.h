/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FUZZ_REPAIR_H
#define ROCE_FUZZ_REPAIR_H

#include <cstdint>
#include <vector>

namespace fuzz
{

/**
 * Put right IP and UDP length, IPv4 checksum, ICRC and FCS of an Ethernet frame, where it has them.
 * A fuzzer cannot guess a CRC; without this nothing behind the checks would be reached.
 *
 * \param frame its bytes
 * \param hasFcs whether the last four are the FCS
 */
void Repair(std::vector<uint8_t>& frame, bool hasFcs);

} // namespace fuzz

#endif // ROCE_FUZZ_REPAIR_H
