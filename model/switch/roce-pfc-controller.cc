/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pfc-controller.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PfcController);

TypeId
PfcController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::PfcController")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<PfcController>()
            .AddAttribute("Quanta",
                          "Pause time to send, in quanta of 512 bit times",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&PfcController::m_quanta),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RefreshFraction",
                          "Part of the pause time after which a pause that lasts is sent again",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PfcController::m_fraction),
                          MakeDoubleChecker<double>())
            .AddAttribute("Refresh",
                          "Whether pauses are sent again before they expire; if not, a sender "
                          "goes on after the pause time",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PfcController::m_refresh),
                          MakeBooleanChecker())
            .AddAttribute("LinkPause",
                          "Send PAUSE of the whole link (IEEE 802.3 annex 31B) in place of "
                          "priority-based flow control",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PfcController::m_linkPause),
                          MakeBooleanChecker());
    return tid;
}

PfcController::PfcController() = default;

void
PfcController::Configure(const std::vector<uint64_t>& rates, int64_t ticksPerSecond)
{
    if (!(m_fraction > 0 && m_fraction < 1))
    {
        std::ostringstream message;
        message << "PFC refresh fraction is " << m_fraction
                << ", must be above 0 and below 1, or the pause expires before it is repeated";
        throw std::invalid_argument(message.str());
    }
    const std::size_t ports = rates.size();
    m_mask.assign(ports, 0);
    m_queued.assign(ports, 0);
    m_deadline.assign(ports * NUM_PRIORITIES, NEVER);
    m_sent.assign(ports * NUM_PRIORITIES, Sent());
    m_interval.clear();
    m_heap.clear();
    for (uint64_t rate : rates)
    {
        const double seconds = static_cast<double>(m_quanta) * PAUSE_QUANTUM_BITS / rate;
        const double ticks = seconds * static_cast<double>(ticksPerSecond) * m_fraction;
        m_interval.push_back(std::max<Tick>(1, static_cast<Tick>(ticks)));
    }
}

bool
PfcController::Xoff(uint32_t port, unsigned priority, Tick now)
{
    const uint8_t bit = 1u << priority;
    if (m_mask[port] & bit)
    {
        return false;
    }
    m_mask[port] |= bit;
    ++m_xoffs[priority];
    ++m_xoffFrames[priority];
    const uint32_t state = port * NUM_PRIORITIES + priority;
    ++m_sent[state].xoffs;
    if (m_refresh)
    {
        m_deadline[state] = now + m_interval[port];
        if (!(m_queued[port] & bit))
        {
            PushEntry(state);
        }
    }
    return true;
}

bool
PfcController::Xon(uint32_t port, unsigned priority)
{
    const uint8_t bit = 1u << priority;
    if (!(m_mask[port] & bit))
    {
        return false;
    }
    m_mask[port] &= ~bit;
    ++m_xons[priority];
    if (!m_linkPause || m_mask[port] == 0)
    {
        ++m_xonFrames[priority];
        ++m_sent[port * NUM_PRIORITIES + priority].xons;
    }
    return true;
}

void
PfcController::Reset(uint32_t port)
{
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if ((m_mask[port] >> p) & 1)
        {
            ++m_xons[p];
        }
    }
    m_mask[port] = 0;
}

void
PfcController::PushEntry(uint32_t state)
{
    m_queued[state / NUM_PRIORITIES] |= 1u << (state % NUM_PRIORITIES);
    m_heap.push_back({m_deadline[state], state});
    std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
}

void
PfcController::PopEntry()
{
    const uint32_t state = m_heap.front().state;
    m_queued[state / NUM_PRIORITIES] &= ~(1u << (state % NUM_PRIORITIES));
    std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    m_heap.pop_back();
}

void
PfcController::Settle()
{
    while (!m_heap.empty())
    {
        const Entry top = m_heap.front();
        const uint32_t port = top.state / NUM_PRIORITIES;
        const bool paused = (m_mask[port] >> (top.state % NUM_PRIORITIES)) & 1;
        if (paused && m_deadline[top.state] == top.at)
        {
            return;
        }
        PopEntry();
        if (paused)
        {
            PushEntry(top.state);
        }
    }
}

Tick
PfcController::GetDeadline()
{
    Settle();
    return m_heap.empty() ? NEVER : m_heap.front().at;
}

bool
PfcController::NextRefresh(Tick now, Refresh& refresh)
{
    Settle();
    if (m_heap.empty() || m_heap.front().at > now)
    {
        return false;
    }
    const uint32_t port = m_heap.front().state / NUM_PRIORITIES;
    refresh.port = port;
    refresh.mask = m_mask[port];
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if ((refresh.mask >> p) & 1)
        {
            m_deadline[port * NUM_PRIORITIES + p] = now + m_interval[port];
            ++m_xoffFrames[p];
            ++m_sent[port * NUM_PRIORITIES + p].refreshes;
        }
    }
    return true;
}

uint64_t
PfcController::GetXoffs(unsigned priority) const
{
    return m_xoffs[priority];
}

uint64_t
PfcController::GetXons(unsigned priority) const
{
    return m_xons[priority];
}

uint64_t
PfcController::GetXoffFrames(unsigned priority) const
{
    return m_xoffFrames[priority];
}

uint64_t
PfcController::GetXonFrames(unsigned priority) const
{
    return m_xonFrames[priority];
}

uint64_t
PfcController::GetXoffsSent(uint32_t port, unsigned priority) const
{
    return m_sent[port * NUM_PRIORITIES + priority].xoffs;
}

uint64_t
PfcController::GetRefreshesSent(uint32_t port, unsigned priority) const
{
    return m_sent[port * NUM_PRIORITIES + priority].refreshes;
}

uint64_t
PfcController::GetXonsSent(uint32_t port, unsigned priority) const
{
    return m_sent[port * NUM_PRIORITIES + priority].xons;
}

uint64_t
PfcController::GetPaused(unsigned priority) const
{
    return m_xoffs[priority] - m_xons[priority];
}

Tick
PfcController::GetRefreshInterval(uint32_t port) const
{
    return m_interval[port];
}

} // namespace roce
} // namespace ns3
