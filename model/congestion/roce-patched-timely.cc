/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-patched-timely.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PatchedTimely);

TypeId
PatchedTimely::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::PatchedTimely")
                            .SetParent<Timely>()
                            .SetGroupName("Roce")
                            .AddConstructor<PatchedTimely>();
    return tid;
}

PatchedTimely::PatchedTimely() = default;
PatchedTimely::~PatchedTimely() = default;

double
PatchedTimely::PublishedBeta() const
{
    return 0.008;
}

double
PatchedTimely::Between(double rtt, double gradient, double rate)
{
    const double weight = std::clamp(2 * gradient + 0.5, 0.0, 1.0);
    const double error = (rtt - GetLowTicks()) / GetLowTicks();
    return GetDelta() * (1 - weight) + rate * (1 - GetBeta() * weight * error);
}

} // namespace roce
} // namespace ns3
