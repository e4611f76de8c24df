/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-loss-recovery.h"

#include "roce-send-queue.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

TypeId
LossRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::LossRecovery").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

LossRecovery::~LossRecovery() = default;

void
LossRecovery::Start(const RecoveryParameters& parameters)
{
    m_parameters = parameters;
    DoStart();
}

void
LossRecovery::DoStart()
{
}

uint64_t
LossRecovery::GetWindow() const
{
    return ~uint64_t(0);
}

bool
LossRecovery::HasTimeout() const
{
    return false;
}

Tick
LossRecovery::GetTimeout(const SendQueue&) const
{
    return m_parameters.ackTimeout;
}

bool
LossRecovery::AsksInsideMessages() const
{
    return true;
}

void
LossRecovery::OnReadGap(SendQueue& queue, uint64_t number)
{
    queue.Seek(number);
}

void
LossRecovery::OnAck(SendQueue&)
{
}

bool
LossRecovery::HearsAcks() const
{
    return false;
}

uint64_t
LossRecovery::GetLost() const
{
    return 0;
}

void
LossRecovery::OnResent(SendQueue&, uint64_t)
{
}

} // namespace roce
} // namespace ns3
