/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-monitor-helper.h"

#include <map>
#include <tuple>

namespace ns3
{
namespace roce
{

MonitorHelper::MonitorHelper()
{
    m_queue.SetTypeId(QueueMonitor::GetTypeId());
    m_stall.SetTypeId(StallDetector::GetTypeId());
    m_deadlock.SetTypeId(DeadlockDetector::GetTypeId());
    m_rate.SetTypeId(RateMonitor::GetTypeId());
}

void
MonitorHelper::SetQueueAttribute(const std::string& name, const AttributeValue& value)
{
    m_queue.Set(name, value);
}

void
MonitorHelper::SetStallAttribute(const std::string& name, const AttributeValue& value)
{
    m_stall.Set(name, value);
}

void
MonitorHelper::SetDeadlockAttribute(const std::string& name, const AttributeValue& value)
{
    m_deadlock.Set(name, value);
}

void
MonitorHelper::SetRateAttribute(const std::string& name, const AttributeValue& value)
{
    m_rate.Set(name, value);
}

Ptr<FabricMonitor>
MonitorHelper::InstallFabricMonitor(Ptr<Fabric> fabric) const
{
    const std::vector<uint32_t> ids = fabric->GetGraph().Hosts();
    Ptr<FabricMonitor> monitor =
        Create<FabricMonitor>(fabric->GetHosts(), fabric->GetSwitches(), ids);
    // many messages are alike: each kind is worked out once
    using Kind = std::tuple<uint32_t, uint32_t, uint64_t, Operation, TransportService>;
    std::map<Kind, double> known;
    monitor->SetIdealTime([fabric, ids, known](const MessageRecord& record) mutable {
        auto& ideal =
            known[Kind(record.host, record.peer, record.bytes, record.operation, record.service)];
        if (ideal == 0)
        {
            ideal = fabric->GetIdealCompletionNs(ids[record.host],
                                                 ids[record.peer],
                                                 record.bytes,
                                                 record.operation,
                                                 record.service);
        }
        return ideal;
    });
    return monitor;
}

Ptr<QueueMonitor>
MonitorHelper::InstallQueueMonitor(Ptr<Fabric> fabric) const
{
    Ptr<QueueMonitor> monitor = m_queue.Create<QueueMonitor>();
    monitor->Install(fabric->GetHosts(), fabric->GetSwitches());
    return monitor;
}

Ptr<StallDetector>
MonitorHelper::InstallStallDetector(Ptr<Fabric> fabric) const
{
    Ptr<StallDetector> detector = m_stall.Create<StallDetector>();
    detector->Install(fabric->GetHosts(), fabric->GetSwitches(), fabric->GetGraph().Hosts());
    return detector;
}

Ptr<DeadlockDetector>
MonitorHelper::InstallDeadlockDetector(Ptr<Fabric> fabric) const
{
    Ptr<DeadlockDetector> detector = m_deadlock.Create<DeadlockDetector>();
    detector->Install(fabric->GetSwitches());
    return detector;
}

Ptr<RateMonitor>
MonitorHelper::InstallRateMonitor(Ptr<Fabric> fabric) const
{
    Ptr<RateMonitor> monitor = m_rate.Create<RateMonitor>();
    monitor->Install(fabric->GetHosts(), fabric->GetGraph().Hosts());
    return monitor;
}

} // namespace roce
} // namespace ns3
