/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-traffic.h"

#include "roce-experiment-collective.h"
#include "roce-experiment-job.h"
#include "roce-experiment-messages.h"

#include "ns3/roce-quantity.h"

namespace ns3
{
namespace roce
{

ExperimentTraffic::~ExperimentTraffic() = default;

bool
ExperimentTraffic::NeedsGpus(const std::string& type)
{
    return type == "collective" || type == "workload" || type == "training";
}

std::unique_ptr<ExperimentTraffic>
ExperimentTraffic::Make(ExperimentPlan& plan, std::size_t index)
{
    const Json& entry = plan.document.GetJson().at("traffic").at(index);
    const std::string path = "/traffic/" + std::to_string(index);
    const std::string type = entry.at("type").get<std::string>();
    if (type == "collective")
    {
        return std::make_unique<ExperimentCollective>(plan, entry, path);
    }
    if (NeedsGpus(type))
    {
        return std::make_unique<ExperimentJob>(plan, entry, path);
    }
    return std::make_unique<ExperimentMessages>(plan, entry, path);
}

Time
ExperimentTraffic::TimeOf(const std::string& text)
{
    const int64_t ps = Quantity::DelayPs(text);
    return NanoSeconds(ps / 1000) + PicoSeconds(ps % 1000);
}

} // namespace roce
} // namespace ns3
