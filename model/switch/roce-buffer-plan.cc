/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-buffer-plan.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** \return the value as a message shows it: what was negative is so again. \param value as given */
std::string
Signed(uint64_t value)
{
    return value >> 63 ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

/**
 * Throw std::invalid_argument if a value is out of bounds.
 * \param what its name
 * \param value its value
 * \param least smallest
 * \param most largest
 */
void
CheckRange(const char* what, uint64_t value, uint64_t least, uint64_t most)
{
    if (value < least || value > most)
    {
        std::ostringstream message;
        message << "buffer plan: " << what << " is " << Signed(value) << ", must be from " << least
                << " to " << most;
        throw std::invalid_argument(message.str());
    }
}

} // namespace

BufferPlan::BufferPlan(const Input& input)
    : m_input(input)
{
    CheckRange("number of ports", input.ports, 1, 65536);
    CheckRange("rate in bit/s", input.rate, 1, 10000000000000);
    CheckRange("largest frame in bytes", input.mtu, 64, 65535);
    CheckRange("number of lossless priorities", input.losslessPriorities, 0, NUM_PRIORITIES);
    CheckRange("buffer in bytes", input.buffer.bufferBytes, 1, uint64_t{1} << 39);
    CheckRange("delay in ticks", input.delay, 0, input.ticksPerSecond);
    CheckRange("RTT in ticks", input.rtt, 0, 10 * input.ticksPerSecond);
    CheckRange("number of flows", input.flows, 0, 1000000000);
    const uint32_t lossless = input.losslessPriorities;
    if (lossless)
    {
        const uint64_t bytes = SwitchMmuConfig::HeadroomBytes(input.rate,
                                                              input.delay,
                                                              input.ticksPerSecond,
                                                              input.mtu,
                                                              input.pauseBytes,
                                                              input.responseQuanta,
                                                              input.overhead);
        m_headroom = SwitchMmuConfig::HeadroomInCells(bytes,
                                                      input.buffer.cellBytes,
                                                      input.smallestFrame,
                                                      input.mtu,
                                                      input.overhead);
    }
    m_reserves = uint64_t{lossless} * input.buffer.reserveBytes +
                 uint64_t{NUM_PRIORITIES - lossless} * input.buffer.lossyReserveBytes;
    // flows * rtt * rate / 8, rounded up: at most 2^30 * 10 s * 10 Tb/s, so beyond 64 bits
    const auto bits =
        static_cast<__uint128_t>(input.flows) * static_cast<uint64_t>(input.rtt) * input.rate;
    const auto perByte = static_cast<__uint128_t>(input.ticksPerSecond) * 8;
    m_flowBytes = static_cast<uint64_t>(
        std::min<__uint128_t>((bits + perByte - 1) / perByte, uint64_t{1} << 62));
}

uint64_t
BufferPlan::GetHeadroom() const
{
    return m_headroom;
}

uint64_t
BufferPlan::GetTotalHeadroom() const
{
    return m_headroom * m_input.losslessPriorities * m_input.ports;
}

uint64_t
BufferPlan::GetReserves() const
{
    return m_reserves * m_input.ports;
}

uint64_t
BufferPlan::GetPortBytes() const
{
    return m_headroom * m_input.losslessPriorities + m_reserves;
}

uint64_t
BufferPlan::GetFlowBytes() const
{
    return m_flowBytes;
}

uint64_t
BufferPlan::GetNeed() const
{
    return GetPortBytes() * m_input.ports + m_flowBytes;
}

uint64_t
BufferPlan::GetShared() const
{
    const uint64_t ports = GetPortBytes() * m_input.ports;
    return m_input.buffer.bufferBytes > ports ? m_input.buffer.bufferBytes - ports : 0;
}

uint64_t
BufferPlan::GetXoffThreshold(uint32_t senders) const
{
    const double pool = static_cast<double>(GetShared()) * (1 - m_input.buffer.lossyPoolFraction);
    const double alpha = m_input.buffer.alpha;
    return static_cast<uint64_t>(alpha * pool / (1 + alpha * senders));
}

uint64_t
BufferPlan::GetMaxPorts() const
{
    const uint64_t buffer = m_input.buffer.bufferBytes;
    if (m_flowBytes > buffer)
    {
        return 0;
    }
    const uint64_t each = GetPortBytes();
    return each ? (buffer - m_flowBytes) / each : m_input.ports;
}

uint64_t
BufferPlan::GetMaxFanIn() const
{
    const uint64_t ports = std::min<uint64_t>(GetMaxPorts(), m_input.ports);
    return ports ? ports - 1 : 0;
}

bool
BufferPlan::Fits() const
{
    return GetNeed() <= m_input.buffer.bufferBytes;
}

void
BufferPlan::Check() const
{
    if (Fits())
    {
        return;
    }
    std::ostringstream message;
    message << "buffer plan: headroom of " << GetTotalHeadroom() << " bytes (" << m_input.ports
            << " ports, " << m_input.losslessPriorities << " lossless priorities, " << m_headroom
            << " each), reserves of " << GetReserves() << " bytes and " << m_flowBytes
            << " bytes for flows need " << GetNeed() << " bytes, but the buffer has "
            << m_input.buffer.bufferBytes << "; it would do for " << GetMaxPorts()
            << " ports. Use a larger buffer, fewer ports or lossless priorities, shorter cables or "
               "smaller frames";
    throw std::invalid_argument(message.str());
}

} // namespace roce
} // namespace ns3
