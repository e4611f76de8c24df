/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-cases.h"

#include "ns3/roce-clos-helper.h"

namespace ns3
{
namespace roce
{

void
ValidatePowerTcp(ValidateBench& bench, bool quick)
{
    constexpr uint32_t TO = 32; //!< all flows end here, on the third leaf
    const std::vector<int64_t> startsMs = {1, 100, 200, 300};
    const int64_t slow = quick ? 10 : 1; // the quick one runs a tenth of each time
    ClosHelper clos(8, 2, 16);           // 128 hosts, 10 switches
    clos.SetHostLinks("25Gbps", "1us");
    clos.SetFabricLinks("100Gbps", "1us");
    for (const std::string law : {"PowerTcp", "ThetaPowerTcp"})
    {
        const bool hears = law == "PowerTcp";
        ValidatePlan plan;
        plan.label = hears ? "d11-power" : "d11-theta";
        plan.law = "ns3::roce::" + law;
        plan.graph = clos.MakeGraph();
        plan.node = 128 + TO / 16;
        plan.port = TO % 16;
        plan.interval = MicroSeconds(20);
        plan.end = MicroSeconds(400000 / slow);
        for (uint32_t i = 0; i < startsMs.size(); ++i)
        {
            plan.flows.push_back({i, TO, MicroSeconds(startsMs[i] * 1000 / slow), 0});
        }
        const ValidateProbe& probe = bench.Run(plan);
        for (uint32_t n = 1; n <= startsMs.size(); ++n)
        {
            // the second half of the time in which n flows send
            const Time to = MicroSeconds(n * 100000 / slow);
            const Time from = to - MicroSeconds(50000 / slow);
            for (uint32_t i = 0; i < n; ++i)
            {
                bench.GetReport().Near(law + ", " + std::to_string(n) + " flows: flow " +
                                           std::to_string(i) + ", Gb/s",
                                       25.0 / n,
                                       probe.GetRate(i, from, to) / 1e9,
                                       hears ? 0.05 : 0.1);
            }
        }
    }
}

} // namespace roce
} // namespace ns3
