/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_REPORT_H
#define ROCE_TRAFFIC_REPORT_H

#include "ns3/roce-experiment-run.h"
#include "ns3/roce-flow-reader.h"

#include <string>
#include <vector>

/** \file Slowdowns of a run of open-loop traffic by size of the flows. */

/** Flows of a range of sizes. */
struct TrafficBucket
{
    std::string name;                 //!< for the table
    uint64_t upToBytes;               //!< largest size in it; 0: incasts, whatever their size
    ns3::roce::Distribution slowdown; //!< time over the time of the message alone
};

/**
 * \return slowdowns of background flows up to 10 kB, 100 kB, 1 MB, 10 MB and above, and of incasts;
 *         ranges without flows are left out
 * \param run that has run
 * \param fabric it ran on
 * \param flows its flows; requests are numbered as they are
 */
std::vector<TrafficBucket> SortBySize(const ns3::roce::ExperimentRun& run,
                                      ns3::Ptr<ns3::roce::Fabric> fabric,
                                      const ns3::roce::FlowList& flows);

/** \return the same for the result file. \param buckets from SortBySize */
ns3::roce::ResultWriter::Json BucketsToJson(const std::vector<TrafficBucket>& buckets);

/** Print the same. \param label of the run \param buckets from SortBySize */
void PrintBuckets(const std::string& label, const std::vector<TrafficBucket>& buckets);

#endif // ROCE_TRAFFIC_REPORT_H
