/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-go-back-zero.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(GoBackZero);

TypeId
GoBackZero::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::GoBackZero")
                            .SetParent<GoBackN>()
                            .SetGroupName("Roce")
                            .AddConstructor<GoBackZero>();
    return tid;
}

EarlyPolicy
GoBackZero::GetEarlyPolicy() const
{
    return EarlyPolicy::REWIND;
}

bool
GoBackZero::AsksInsideMessages() const
{
    return false;
}

} // namespace roce
} // namespace ns3
