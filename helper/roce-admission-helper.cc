/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-admission-helper.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

AdmissionHelper::AdmissionHelper(Ptr<Fabric> fabric)
    : m_fabric(fabric)
{
    m_channel.SetTypeId(AdmittedChannel::GetTypeId());
}

void
AdmissionHelper::CheckUnused() const
{
    if (!m_admissions.empty())
    {
        throw std::invalid_argument("admission helper: host " +
                                    std::to_string(m_admissions.begin()->first) +
                                    " has a channel already; set the limit before the first one");
    }
}

void
AdmissionHelper::SetLimitBytes(uint64_t bytes)
{
    CheckUnused();
    m_limitBytes = bytes;
    m_limitBdp = 0;
}

void
AdmissionHelper::SetLimitBdp(double factor)
{
    CheckUnused();
    // 1e6: a millionfold is as good as none, and its bytes still fit
    if (!(factor > 0 && factor <= 1e6))
    {
        throw std::invalid_argument("admission helper: a limit of " + std::to_string(factor) +
                                    " BDP; more than 0 and at most 1000000 are possible");
    }
    m_limitBdp = factor;
}

void
AdmissionHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_channel.Set(name, value);
}

Ptr<AdmittedChannel>
AdmissionHelper::Connect(uint32_t source, uint32_t destination, const ConnectionOptions& options)
{
    return Connect(m_fabric->Connect(source, destination, options), source, destination);
}

Ptr<AdmittedChannel>
AdmissionHelper::Connect(const Connection& connection, uint32_t source, uint32_t destination)
{
    auto channel = m_channel.Create<AdmittedChannel>();
    channel->Connect(Prepare(source, destination),
                     connection.nic,
                     connection.qp,
                     connection.peerNic,
                     connection.peerQp);
    return channel;
}

Ptr<ReceiverAdmission>
AdmissionHelper::Prepare(uint32_t source, uint32_t destination)
{
    uint64_t limit = m_limitBytes;
    if (m_limitBdp > 0)
    {
        // whole numbers first: their product is exact
        const auto rate = static_cast<double>(m_fabric->GetPort(destination, 0)->GetRate());
        const auto ns =
            static_cast<double>(m_fabric->GetBaseRtt(source, destination).GetNanoSeconds());
        limit = std::max<uint64_t>(1, static_cast<uint64_t>(m_limitBdp * (rate * ns / 8e9)));
    }
    Ptr<ReceiverAdmission>& admission = m_admissions[destination];
    if (!admission)
    {
        admission = Create<ReceiverAdmission>(limit);
    }
    if (limit > admission->GetLimit())
    {
        admission->RaiseLimit(limit);
    }
    return admission;
}

Ptr<ReceiverAdmission>
AdmissionHelper::GetAdmission(uint32_t destination) const
{
    const auto found = m_admissions.find(destination);
    return found == m_admissions.end() ? nullptr : found->second;
}

} // namespace roce
} // namespace ns3
