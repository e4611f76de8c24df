/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-report.h"

#include <iomanip>
#include <iostream>

namespace ns3
{
namespace roce
{

void
TrainingReport::PrintHead()
{
    std::cout
        << "\n                step   GPUs exposed |  part of the step, %              | sent by "
           "ranks, MB\n"
           "run      job      us  in use      us | compute tensor expert pipeline rest | "
           "tensor pipeline   data expert\n";
}

void
TrainingReport::Print(const std::string& label) const
{
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        const Figures& job = m_jobs[i];
        const auto share = [&job](const char* part) {
            return 100 * job.timeS.at(part) / job.stepS;
        };
        const std::map<std::string, uint64_t> sent = SumOf(job);
        const auto megabytes = [&sent](const char* kind) { return double(sent.at(kind)) / 1e6; };
        std::cout << std::left << std::setw(9) << label << std::right << std::setw(3) << i
                  << std::fixed << std::setprecision(0) << std::setw(8) << 1e6 * job.stepS
                  << std::setprecision(3) << std::setw(8) << job.utilization << std::setprecision(0)
                  << std::setw(8) << 1e6 * job.exposedS << " |" << std::setprecision(1)
                  << std::setw(8) << share("compute") << std::setw(7) << share("tensor")
                  << std::setw(7) << share("expert") << std::setw(9) << share("pipeline")
                  << std::setw(5) << share("rest") << " |" << std::setprecision(0) << std::setw(7)
                  << megabytes("tensor") << std::setw(9) << megabytes("pipeline") << std::setw(7)
                  << megabytes("data") << std::setw(7) << megabytes("expert") << "\n";
    }
}

void
TrainingReport::PrintStages() const
{
    std::cout << "\nsent by the ranks of each pipeline stage, MB\n"
                 "stage   tensor pipeline     data   expert\n";
    const Figures all = SumUp();
    for (std::size_t i = 0; i < all.stages.size(); ++i)
    {
        std::cout << std::setw(5) << i << std::setprecision(0);
        for (const char* kind : {"tensor", "pipeline", "data", "expert"})
        {
            std::cout << std::setw(9) << double(all.stages[i].at(kind)) / 1e6;
        }
        std::cout << "\n";
    }
}

} // namespace roce
} // namespace ns3
