/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-mmu.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{
/** Largest alpha; with it a threshold needs 24 bits more than a pool. */
constexpr double MAX_ALPHA = 256;
/** Largest buffer: thresholds stay within 64 bits. */
constexpr uint64_t MAX_BUFFER = uint64_t{1} << 39;
/** Cells of real chips have 80 to 400 bytes. */
constexpr uint32_t MIN_CELL = 16;
constexpr uint32_t MAX_CELL = 65536;

/**
 * Throw std::invalid_argument.
 * \param message what is wrong
 */
[[noreturn]] void
Refuse(const std::ostringstream& message)
{
    throw std::invalid_argument(message.str());
}

/**
 * \param alpha a threshold factor
 * \param bits fixed point
 * \param what it is, for the message
 * \return it in units of 2^-bits
 */
uint32_t
ToFixed(double alpha, unsigned bits, const std::string& what)
{
    const double fixed = alpha * (1u << bits);
    if (!(fixed >= 1) || alpha > MAX_ALPHA)
    {
        std::ostringstream message;
        message << "switch buffer: " << what << " is " << alpha << ", must be from 1/"
                << (1u << bits) << " to " << MAX_ALPHA;
        Refuse(message);
    }
    return static_cast<uint32_t>(std::llround(fixed));
}

/**
 * Refuse settings that make no sense by themselves.
 * \param config settings
 */
void
CheckConfig(const SwitchMmuConfig& config)
{
    std::ostringstream message;
    if (config.bufferBytes == 0 || config.bufferBytes > MAX_BUFFER)
    {
        message << "switch buffer: size is " << config.bufferBytes << " bytes, must be from 1 to "
                << MAX_BUFFER;
        Refuse(message);
    }
    if (!(config.lossyPoolFraction >= 0 && config.lossyPoolFraction < 1))
    {
        message << "switch buffer: the fraction of the pool for lossy classes is "
                << config.lossyPoolFraction << ", must be at least 0 and below 1";
        Refuse(message);
    }
    if (config.cellBytes > MAX_CELL || (config.cellBytes && config.cellBytes < MIN_CELL))
    {
        message << "switch buffer: cells have " << config.cellBytes
                << " bytes, must be 0 (none) or " << MIN_CELL << " to " << MAX_CELL;
        Refuse(message);
    }
    if (config.losslessMask & ~config.usedMask)
    {
        message << "switch buffer: lossless priorities (mask " << +config.losslessMask
                << ") must be among the used ones (mask " << +config.usedMask << ")";
        Refuse(message);
    }
    if (config.losslessMask && config.headroomBytes.size() != config.numPorts)
    {
        message << "switch buffer: headroom is given for " << config.headroomBytes.size()
                << " ports, needed for " << config.numPorts;
        Refuse(message);
    }
    if (!config.portAlpha.empty() && config.portAlpha.size() != config.numPorts)
    {
        message << "switch buffer: alpha is given for " << config.portAlpha.size()
                << " ports, needed for " << config.numPorts << " or none";
        Refuse(message);
    }
    for (uint32_t port = 0; config.losslessMask && port < config.numPorts; ++port)
    {
        if (config.headroomBytes[port] == 0)
        {
            message << "switch buffer: headroom of port " << port
                    << " is 0 bytes but it has lossless priorities (mask " << +config.losslessMask
                    << "); give it headroom (0 in attribute HeadroomBytes means automatic) or make "
                       "these priorities lossy";
            Refuse(message);
        }
    }
}
} // namespace

void
SwitchMmu::Configure(const SwitchMmuConfig& config)
{
    CheckConfig(config);
    const uint32_t lossless = __builtin_popcount(config.losslessMask);
    const uint32_t lossy = __builtin_popcount(config.usedMask & ~config.losslessMask);
    uint64_t headroom = 0;
    for (uint32_t port = 0; lossless && port < config.numPorts; ++port)
    {
        headroom += uint64_t{config.headroomBytes[port]} * lossless;
    }
    const uint64_t reserves = config.numPorts * (uint64_t{config.reserveBytes} * lossless +
                                                 uint64_t{config.lossyReserveBytes} * lossy);
    if (headroom + reserves > config.bufferBytes)
    {
        std::ostringstream message;
        message << "switch buffer: headroom of " << headroom << " bytes (" << config.numPorts
                << " ports, " << lossless << " lossless priorities) and reserves of " << reserves
                << " bytes need " << headroom + reserves << " bytes, but the buffer has "
                << config.bufferBytes
                << "; enlarge BufferSize, or use fewer lossless priorities, smaller reserves or "
                   "shorter cables";
        Refuse(message);
    }

    *this = SwitchMmu();
    m_total.size = config.bufferBytes;
    m_headroom.size = headroom;
    m_resumeOffset = config.resumeOffsetBytes;
    m_losslessMask = config.losslessMask;
    m_cellBytes = config.cellBytes;
    m_egressBytes = config.egressQueueBytes;
    m_egressAlpha =
        config.egressAlpha != 0 ? ToFixed(config.egressAlpha, ALPHA_BITS, "alpha of egress") : 0;
    const uint64_t shared = config.bufferBytes - headroom - reserves;
    m_pools[1].size = static_cast<uint64_t>(static_cast<double>(shared) * config.lossyPoolFraction);
    m_pools[0].size = shared - m_pools[1].size;
    const uint8_t lossyPool = config.lossyPoolFraction > 0 ? 1 : 0;
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        const bool isLossless = (config.losslessMask >> p) & 1;
        const bool isUsed = (config.usedMask >> p) & 1;
        m_classes[p].flag = isLossless ? FRAME_LOSSLESS : 0;
        m_classes[p].pool = isLossless ? 0 : lossyPool;
        m_classes[p].hasCells = m_cellBytes != 0;
        m_classes[p].reserve =
            !isUsed ? 0 : (isLossless ? config.reserveBytes : config.lossyReserveBytes);
    }

    const uint32_t alphaLossy = ToFixed(config.alphaLossy, ALPHA_BITS, "alpha of lossy classes");
    m_portHeadroom.resize(config.numPorts);
    m_cells.resize(std::size_t{config.numPorts} * NUM_PRIORITIES);
    for (uint32_t port = 0; port < config.numPorts; ++port)
    {
        m_portHeadroom[port] = lossless ? config.headroomBytes[port] : 0;
        const double alpha = config.portAlpha.empty() ? config.alpha : config.portAlpha[port];
        const uint32_t fixed = ToFixed(alpha, ALPHA_BITS, "alpha of lossless classes");
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            m_cells[port * NUM_PRIORITIES + p].alpha = m_classes[p].flag ? fixed : alphaLossy;
        }
    }
}

bool
SwitchMmu::AdmitToHeadroom(uint32_t port, unsigned priority, uint32_t size)
{
    Cell& cell = m_cells[port * NUM_PRIORITIES + priority];
    const uint64_t limit = m_classes[priority].flag ? m_portHeadroom[port] : 0;
    if (uint64_t{cell.headroom} + size > limit)
    {
        ++m_drops[priority];
        return false;
    }
    cell.headroom += size;
    m_headroom.used += size;
    m_headroom.peak = std::max(m_headroom.peak, m_headroom.used);
    Store(size);
    return true;
}

bool
SwitchMmu::AdmitsEgress(const Frame* frame, uint64_t queueBytes)
{
    if (m_classes[frame->priority].flag)
    {
        return true;
    }
    const uint64_t bytes = queueBytes + frame->size;
    const uint64_t dynamic = ((m_total.size - m_total.used) * m_egressAlpha) >> ALPHA_BITS;
    if ((m_egressAlpha && bytes > dynamic) || (m_egressBytes && bytes > m_egressBytes))
    {
        ++m_drops[frame->priority];
        return false;
    }
    return true;
}

bool
SwitchMmu::LimitsEgress() const
{
    return m_egressAlpha != 0 || m_egressBytes != 0;
}

uint32_t
SwitchMmu::GetCharge(uint32_t size) const
{
    return Charge(size, m_classes[0]);
}

double
SwitchMmu::GetAlpha(uint32_t port, unsigned priority) const
{
    return static_cast<double>(m_cells[port * NUM_PRIORITIES + priority].alpha) /
           (1u << ALPHA_BITS);
}

void
SwitchMmu::SetAlpha(uint32_t port, unsigned priority, double alpha)
{
    const double least = 1.0 / (1u << ALPHA_BITS);
    m_cells[port * NUM_PRIORITIES + priority].alpha =
        ToFixed(std::min(std::max(alpha, least), MAX_ALPHA), ALPHA_BITS, "alpha");
}

uint64_t
SwitchMmu::GetThreshold(uint32_t port, unsigned priority) const
{
    return Threshold(m_cells[port * NUM_PRIORITIES + priority], m_pools[m_classes[priority].pool]);
}

uint64_t
SwitchMmu::GetBytes(uint32_t port, unsigned priority) const
{
    return m_cells[port * NUM_PRIORITIES + priority].bytes;
}

uint64_t
SwitchMmu::GetShared(uint32_t port, unsigned priority) const
{
    return Over(m_cells[port * NUM_PRIORITIES + priority], m_classes[priority]);
}

uint64_t
SwitchMmu::GetHeadroomUsed(uint32_t port, unsigned priority) const
{
    return m_cells[port * NUM_PRIORITIES + priority].headroom;
}

uint64_t
SwitchMmu::GetHeadroom(uint32_t port) const
{
    return m_portHeadroom[port];
}

uint64_t
SwitchMmu::GetDrops(unsigned priority) const
{
    return m_drops[priority];
}

const SwitchMmu::Level&
SwitchMmu::GetPool(bool lossless) const
{
    // with one common pool the second has no bytes and nobody uses it
    return m_pools[!lossless && m_pools[1].size ? 1 : 0];
}

const SwitchMmu::Level&
SwitchMmu::GetHeadroomLevel() const
{
    return m_headroom;
}

const SwitchMmu::Level&
SwitchMmu::GetTotal() const
{
    return m_total;
}

uint8_t
SwitchMmu::GetLosslessMask() const
{
    return m_losslessMask;
}

std::string
SwitchMmu::CheckInvariants() const
{
    std::ostringstream wrong;
    uint64_t total = 0;
    uint64_t headroom = 0;
    uint64_t over[2] = {0, 0};
    for (std::size_t i = 0; i < m_cells.size(); ++i)
    {
        const Cell& cell = m_cells[i];
        const Class& cls = m_classes[i % NUM_PRIORITIES];
        const uint64_t limit = cls.flag ? m_portHeadroom[i / NUM_PRIORITIES] : 0;
        total += cell.bytes + cell.headroom;
        headroom += cell.headroom;
        over[cls.pool] += Over(cell, cls);
        if (cell.headroom > limit)
        {
            wrong << "port " << i / NUM_PRIORITIES << " priority " << i % NUM_PRIORITIES << " uses "
                  << cell.headroom << " bytes of a headroom of " << limit << "; ";
        }
    }
    const auto equal = [&wrong](const char* what, uint64_t have, uint64_t expected) {
        if (have != expected)
        {
            wrong << what << " is " << have << ", expected " << expected << "; ";
        }
    };
    const auto within = [&wrong](const char* what, const Level& level) {
        if (level.used > level.size || level.used > level.peak || level.peak > level.size)
        {
            wrong << what << " uses " << level.used << " (peak " << level.peak << ") of "
                  << level.size << "; ";
        }
    };
    equal("bytes stored", m_total.used, total);
    equal("headroom in use", m_headroom.used, headroom);
    equal("pool 0", m_pools[0].used, over[0]);
    equal("pool 1", m_pools[1].used, over[1]);
    equal("bytes admitted", m_admitted, m_released + m_total.used);
    within("buffer", m_total);
    within("headroom", m_headroom);
    within("pool 0", m_pools[0]);
    within("pool 1", m_pools[1]);
    return wrong.str();
}

} // namespace roce
} // namespace ns3
