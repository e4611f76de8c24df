/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FLOW_SIZE_TABLES_H
#define ROCE_FLOW_SIZE_TABLES_H

#include <vector>

namespace ns3
{
namespace roce
{

/** A named distribution. */
struct FlowSizeTable
{
    const char* name; //!< such as "WebSearch"
    const char* text; //!< points "size percent", with commas between them
};

/**
 * The published distributions of flow sizes that simulators of data centers share.
 *
 * Models: points (size, per cent of flows up to it).
 *
 * Source: as the comment of each table says; the points are those of the traffic generators of HPCC
 * (WebSearch, FbHdp, AliStorage2019, GoogleRPC2008) and ConWeave (Solar2022), all of them, none
 * left out.
 *
 * Invariants: FlowSizeDistribution accepts each.
 *
 * Leaves out: arrival times of the originals.
 */
class FlowSizeTables
{
  public:
    /** \return the tables */
    static std::vector<FlowSizeTable> All();
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOW_SIZE_TABLES_H
