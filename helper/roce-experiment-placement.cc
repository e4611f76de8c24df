/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-placement.h"

#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Throw. \param plan has the name \param path of the key \param why what is wrong */
[[noreturn]] void
Fail(const ExperimentPlan& plan, const std::string& path, const std::string& why)
{
    throw std::invalid_argument(plan.document.GetName() + ": " + path + ": " + why);
}

} // namespace

ExperimentPlacement::ExperimentPlacement(ExperimentPlan& plan,
                                         const Json& entry,
                                         const std::string& path,
                                         uint32_t ranks)
    : m_ranks(ranks),
      m_policy(entry.at("placement").get<std::string>())
{
    if (entry.contains("gpus"))
    {
        std::set<uint32_t> seen;
        for (const Json& gpu : entry.at("gpus"))
        {
            m_gpus.push_back(gpu.get<uint32_t>());
            const std::string place = path + "/gpus/" + std::to_string(m_gpus.size() - 1);
            if (m_gpus.back() >= plan.gpus)
            {
                Fail(plan,
                     place,
                     "there is no GPU " + gpu.dump() + "; the fabric has GPUs 0 to " +
                         std::to_string(plan.gpus - 1));
            }
            if (!seen.insert(m_gpus.back()).second)
            {
                Fail(plan, place, "GPU " + gpu.dump() + " comes twice");
            }
        }
        if (ranks != 0 && ranks != m_gpus.size())
        {
            Fail(plan,
                 path + "/gpus",
                 std::to_string(m_gpus.size()) + " GPUs for " + std::to_string(ranks) + " ranks");
        }
        m_ranks = static_cast<uint32_t>(m_gpus.size());
        return;
    }
    const uint32_t free = plan.gpus - plan.placed;
    m_ranks = ranks ? ranks : free;
    if (m_ranks > free || m_ranks == 0)
    {
        Fail(plan,
             path,
             std::to_string(m_ranks) + " ranks; of the " + std::to_string(plan.gpus) +
                 " GPUs of the fabric " + std::to_string(free) + " are free");
    }
    plan.placed += m_ranks;
}

std::vector<uint32_t>
ExperimentPlacement::Place(const ExperimentSite& site) const
{
    return m_gpus.empty() ? site.placement->Place(m_ranks, m_policy) : m_gpus;
}

} // namespace roce
} // namespace ns3
