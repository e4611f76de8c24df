/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_HPCC_CONFIG_READER_H
#define ROCE_HPCC_CONFIG_READER_H

#include "roce-hpcc-config.h"
#include "roce-text-source.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * \brief Reads HPCC-style config files.
 *
 * Models "KEY value..." lines, one key a line.
 *
 * Keys of alibaba-edu HPCC (third.cc) and of astra-network-ns3, SimAI and conweave-ns3.
 *
 * Invariants: an unknown key is refused with the nearest known key; a key given twice, a missing
 * or superfluous value, a bad or negative number are refused with file and line. A key of a part
 * this module does not have is refused unless its value switches that part off; keys that only
 * name outputs or tune such a part are listed in HpccConfig::ignored.
 *
 * Left out: CC_MODE 10 (PINT), LB_MODE other than 0, ENABLE_IRN 1, SAMPLE_FEEDBACK 1.
 */
class HpccConfigReader
{
  public:
    /**
     * Read a config.
     * \param source the text
     * \return the settings; a missing key has its default
     *
     * std::invalid_argument "FILE:LINE: ..." names what was expected.
     */
    static HpccConfig Read(const TextSource& source);

    /** \return all keys that are known, sorted. */
    static std::vector<std::string> KnownKeys();

    /** \return the known key nearest to a wrong one, or "" if none is near. \param key the key */
    static std::string Suggest(const std::string& key);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_HPCC_CONFIG_READER_H */
