/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint32_t INCAST_PORT = 200; // as TrafficGenerator numbers them

/** \return time of a message over that of the same message alone; a tick makes no difference */
double
SlowdownOf(const MessageRecord& record, double idealNs)
{
    const double ns = FromTick(record.completed - record.posted).ToDouble(Time::NS);
    const double tick = FromTick(1).ToDouble(Time::NS);
    return std::abs(ns - idealNs) <= tick ? 1.0 : ns / idealNs;
}

} // namespace

std::vector<TrafficBucket>
SortBySize(const ExperimentRun& run, Ptr<Fabric> fabric, const FlowList& flows)
{
    std::vector<TrafficBucket> buckets = {{"up to 10 kB", 10000, {}},
                                          {"up to 100 kB", 100000, {}},
                                          {"up to 1 MB", 1000000, {}},
                                          {"up to 10 MB", 10000000, {}},
                                          {"above", std::numeric_limits<uint64_t>::max(), {}},
                                          {"incasts", 0, {}}};
    for (const MessageRecord& record : run.GetMonitor()->GetMessages())
    {
        const FlowSpec& flow = flows.flows.at(record.id);
        const double ideal = fabric->GetIdealCompletionNs(flow.src, flow.dst, record.bytes);
        auto bucket = std::find_if(buckets.begin(), buckets.end(), [&](const TrafficBucket& b) {
            return flow.dport == INCAST_PORT ? b.upToBytes == 0 : record.bytes <= b.upToBytes;
        });
        bucket->slowdown.Add(SlowdownOf(record, ideal));
    }
    buckets.erase(std::remove_if(buckets.begin(),
                                 buckets.end(),
                                 [](const TrafficBucket& b) { return b.slowdown.IsEmpty(); }),
                  buckets.end());
    return buckets;
}

ResultWriter::Json
BucketsToJson(const std::vector<TrafficBucket>& buckets)
{
    ResultWriter::Json list = ResultWriter::Json::array();
    for (const TrafficBucket& bucket : buckets)
    {
        ResultWriter::Json entry = {{"name", bucket.name},
                                    {"flows", bucket.slowdown.GetCount()},
                                    {"mean", bucket.slowdown.GetMean()},
                                    {"p50", bucket.slowdown.GetPercentile(50)},
                                    {"p99", bucket.slowdown.GetPercentile(99)},
                                    {"max", bucket.slowdown.GetMax()}};
        if (bucket.upToBytes != 0 && bucket.upToBytes != std::numeric_limits<uint64_t>::max())
        {
            entry["up_to_bytes"] = bucket.upToBytes;
        }
        list.push_back(entry);
    }
    return list;
}

void
PrintBuckets(const std::string& label, const std::vector<TrafficBucket>& buckets)
{
    std::cout << "\nslowdown, " << label
              << "         flows      mean       p50       p99       max\n";
    for (const TrafficBucket& bucket : buckets)
    {
        std::cout << std::left << std::setw(16 + int(label.size())) << bucket.name << std::right
                  << std::setw(8) << bucket.slowdown.GetCount() << std::fixed
                  << std::setprecision(2) << std::setw(10) << bucket.slowdown.GetMean()
                  << std::setw(10) << bucket.slowdown.GetPercentile(50) << std::setw(10)
                  << bucket.slowdown.GetPercentile(99) << std::setw(10) << bucket.slowdown.GetMax()
                  << "\n";
    }
}
