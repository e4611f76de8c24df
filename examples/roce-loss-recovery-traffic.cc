/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-loss-recovery-traffic.h"

#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace roce
{

namespace
{

/** A point of the distribution of sizes: a part of the messages has at most these bytes. */
struct SizePoint
{
    double bytes;
    double part;
};

constexpr SizePoint SIZES[] = {{32, 0.0}, {1000, 0.5}, {200000, 0.85}, {3000000, 1.0}};

} // namespace

double
LossRecoveryTraffic::GetMeanBytes()
{
    double mean = 0;
    for (std::size_t i = 1; i < std::size(SIZES); ++i)
    {
        mean += (SIZES[i].part - SIZES[i - 1].part) * (SIZES[i].bytes + SIZES[i - 1].bytes) / 2;
    }
    return mean;
}

LossRecoveryTraffic::LossRecoveryTraffic(uint32_t hosts,
                                         uint32_t messages,
                                         double perSecond,
                                         int64_t stream)
{
    auto sizes = CreateObject<EmpiricalRandomVariable>();
    sizes->SetInterpolate(true);
    for (const SizePoint& point : SIZES)
    {
        sizes->CDF(point.bytes, point.part);
    }
    auto gaps = CreateObject<ExponentialRandomVariable>();
    auto sources = CreateObject<UniformRandomVariable>();
    auto others = CreateObject<UniformRandomVariable>();
    sizes->SetStream(stream);
    gaps->SetStream(stream + 1);
    sources->SetStream(stream + 2);
    others->SetStream(stream + 3);
    double at = 0;
    for (uint32_t i = 0; i < messages; ++i)
    {
        at += gaps->GetValue(1 / perSecond, 0);
        const uint32_t source = sources->GetInteger(0, hosts - 1);
        const uint32_t other = others->GetInteger(0, hosts - 2);
        m_messages.push_back({Seconds(at),
                              source,
                              other < source ? other : other + 1,
                              static_cast<uint64_t>(sizes->GetValue())});
    }
}

void
LossRecoveryTraffic::Schedule(Ptr<Fabric> fabric) const
{
    for (const Message& message : m_messages)
    {
        const Connection connection = fabric->Connect(message.source, message.destination);
        WorkRequest request;
        request.id = static_cast<uint64_t>(&message - m_messages.data());
        request.bytes = message.bytes;
        Simulator::ScheduleWithContext(
            fabric->GetNode(message.source)->GetId(),
            message.at,
            [connection, request]() { connection.nic->Post(connection.qp, request); });
    }
}

uint64_t
LossRecoveryTraffic::GetBytes() const
{
    uint64_t bytes = 0;
    for (const Message& message : m_messages)
    {
        bytes += message.bytes;
    }
    return bytes;
}

} // namespace roce
} // namespace ns3
