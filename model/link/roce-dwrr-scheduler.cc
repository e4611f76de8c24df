/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-dwrr-scheduler.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(DwrrScheduler);

TypeId
DwrrScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::DwrrScheduler")
            .SetParent<PortScheduler>()
            .SetGroupName("Roce")
            .AddConstructor<DwrrScheduler>()
            .AddAttribute(
                "Weights",
                "Eight weights, priority 0 first, comma separated; 0 is strict",
                StringValue("1,1,1,1,1,1,0,0"),
                MakeStringAccessor(&DwrrScheduler::SetWeights, &DwrrScheduler::GetWeights),
                MakeStringChecker())
            .AddAttribute("Quantum",
                          "Bytes a unit of weight earns a round",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&DwrrScheduler::m_quantum),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

DwrrScheduler::DwrrScheduler() = default;

void
DwrrScheduler::SetWeights(std::string weights)
{
    std::istringstream in(weights + ",");
    std::string item;
    std::vector<uint32_t> list;
    while (std::getline(in, item, ','))
    {
        const bool number = !item.empty() && item.size() <= 3 &&
                            item.find_first_not_of("0123456789") == std::string::npos &&
                            std::stoul(item) <= 255;
        if (!number || list.size() >= NUM_PRIORITIES)
        {
            throw std::invalid_argument("DwrrScheduler Weights \"" + weights + "\": item \"" +
                                        item +
                                        "\"; expected eight numbers 0..255 such as "
                                        "1,1,1,4,1,1,0,0");
        }
        list.push_back(static_cast<uint32_t>(std::stoul(item)));
    }
    if (list.size() != NUM_PRIORITIES)
    {
        throw std::invalid_argument("DwrrScheduler Weights \"" + weights +
                                    "\": " + std::to_string(list.size()) + " numbers, expected 8");
    }
    m_weighted = 0;
    m_deficit.fill(0);
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_weight[p] = list[p];
        m_weighted |= (list[p] ? 1u : 0u) << p;
    }
}

std::string
DwrrScheduler::GetWeights() const
{
    std::ostringstream out;
    for (unsigned i = 0; i < NUM_PRIORITIES; ++i)
    {
        out << (i ? "," : "") << m_weight[i];
    }
    return out.str();
}

unsigned
DwrrScheduler::DoPick(uint8_t eligible, const TransmitQueue* queues)
{
    const unsigned strict = eligible & ~m_weighted;
    if (strict)
    {
        return 31 - __builtin_clz(strict);
    }
    for (;;)
    {
        const unsigned p = m_turn;
        if ((eligible >> p) & 1)
        {
            if (!m_granted)
            {
                m_deficit[p] += static_cast<int64_t>(m_weight[p]) * m_quantum;
                m_granted = true;
            }
            const int64_t size = queues[p].Peek()->size;
            if (m_deficit[p] >= size)
            {
                m_deficit[p] -= size;
                return p;
            }
        }
        else
        {
            m_deficit[p] = 0;
        }
        m_turn = (p + 1) % NUM_PRIORITIES;
        m_granted = false;
    }
}

} // namespace roce
} // namespace ns3
