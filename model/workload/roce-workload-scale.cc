/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-workload-scale.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace roce
{

Ptr<TaskGraph>
WorkloadScale::Bytes(Ptr<const TaskGraph> graph, double factor)
{
    if (!std::isfinite(factor) || factor <= 0)
    {
        throw std::invalid_argument("workload: sizes times " + std::to_string(factor) +
                                    ", expected a number above 0");
    }
    auto scaled = Create<TaskGraph>(graph->GetRanks());
    for (uint32_t group = 0; group < graph->GetGroups(); ++group)
    {
        scaled->AddGroup(graph->GetGroup(group).name, graph->GetGroup(group).ranks);
    }
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        Task task = graph->GetTask(id);
        const double bytes = std::floor(static_cast<double>(task.bytes) * factor);
        if (bytes >= 0x1p63)
        {
            throw std::invalid_argument("workload: " + graph->Describe(id) + " of " +
                                        std::to_string(task.bytes) + " bytes times " +
                                        std::to_string(factor) + " is more than 2^63");
        }
        if (factor != 1)
        {
            task.bytes = task.bytes ? std::max<uint64_t>(1, static_cast<uint64_t>(bytes)) : 0;
        }
        scaled->Add(task);
    }
    return scaled;
}

} // namespace roce
} // namespace ns3
