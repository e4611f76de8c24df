/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-buffer-options.h"

#include "roce-abm-policy.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(BufferOptions);

TypeId
BufferOptions::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::BufferOptions")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<BufferOptions>()
            .AddAttribute("Policy",
                          "Rule of the thresholds: dt (dynamic thresholds) or abm",
                          StringValue("dt"),
                          MakeStringAccessor(&BufferOptions::m_policy),
                          MakeStringChecker())
            .AddAttribute("AbmInterval",
                          "abm: time between two measurements of drain rates and congested queues",
                          TimeValue(MicroSeconds(25)),
                          MakeTimeAccessor(&BufferOptions::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AbmCongested",
                          "abm: a queue is congested from this part of its threshold on",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&BufferOptions::m_congested),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("CellBytes",
                          "The buffer is given out in cells of so many bytes; 0: in bytes",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BufferOptions::m_cellBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SmallestFrame",
                          "Smallest lossless frame for which headroom is sized if there are cells",
                          UintegerValue(64),
                          MakeUintegerAccessor(&BufferOptions::m_smallestFrame),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("EgressAlpha",
                          "Limit of a lossy output queue: this times the free bytes of the whole "
                          "buffer; 0: none",
                          DoubleValue(0),
                          MakeDoubleAccessor(&BufferOptions::m_egressAlpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("EgressQueueBytes",
                          "Fixed limit of a lossy output queue in bytes; 0: none",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BufferOptions::m_egressBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
BufferOptions::Apply(SwitchMmuConfig& config) const
{
    config.cellBytes = m_cellBytes;
    config.egressAlpha = m_egressAlpha;
    config.egressQueueBytes = m_egressBytes;
}

Ptr<SwitchStage>
BufferOptions::MakePolicy(SwitchMmu& mmu) const
{
    if (m_policy == "dt")
    {
        return nullptr;
    }
    if (m_policy == "abm")
    {
        return Create<AbmPolicy>(mmu, ToTick(m_interval), m_congested);
    }
    throw std::invalid_argument("switch buffer: policy is \"" + m_policy +
                                "\", known are dt and abm");
}

uint32_t
BufferOptions::GetSmallestFrame() const
{
    return m_smallestFrame;
}

} // namespace roce
} // namespace ns3
