/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// the cost of an ns-3 event, to which the benchmark relates its own

#include "roce-bench-run.h"

#include "ns3/core-module.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** An event that puts itself back, as a hold model does. */
class Hold
{
  public:
    Hold(uint64_t events, uint32_t pending)
        : m_left(events)
    {
        for (uint32_t i = 0; i < pending; ++i)
        {
            Simulator::Schedule(NanoSeconds(Next()), &Hold::Fire, this);
        }
    }

  private:
    uint32_t Next()
    {
        m_state = m_state * 6364136223846793005ull + 1442695040888963407ull;
        return 100 + static_cast<uint32_t>((m_state >> 33) % 1000);
    }

    void Fire()
    {
        if (m_left > 0)
        {
            --m_left;
            Simulator::Schedule(NanoSeconds(Next()), &Hold::Fire, this);
        }
    }

    uint64_t m_left;
    uint64_t m_state{1};
};

} // namespace

double
BenchRun::MeasureEventNs()
{
    constexpr uint32_t pending = 10000;
    constexpr uint64_t events = 1000000;
    double least = 0;
    for (int round = 0; round < 3; ++round)
    {
        ObjectFactory scheduler;
        scheduler.SetTypeId("ns3::PriorityQueueScheduler");
        Simulator::SetScheduler(scheduler);
        Hold hold(events, pending);
        const double begin = GetCpuSeconds();
        Simulator::Run();
        const double ns = (GetCpuSeconds() - begin) * 1e9 / double(events + pending);
        least = round == 0 ? ns : std::min(least, ns);
        Simulator::Destroy();
    }
    return least;
}

} // namespace roce
} // namespace ns3
