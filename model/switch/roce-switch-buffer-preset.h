/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_BUFFER_PRESET_H
#define ROCE_SWITCH_BUFFER_PRESET_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Buffer of a kind of switch chip, by name.
 *
 * Models: size of the packet buffer, size of its cells, and how it is divided, where something is
 * known about it. What a number rests on stands beside it (GetBasis, and in the documentation).
 *
 * Invariants: each preset fits its own number of ports at its own rate with two lossless priorities
 * and cables of 100 m.
 *
 * Leaves out: buffers split between pipelines or chips; thresholds of vendors, which are settings
 * of an operator and not of a chip.
 */
struct SwitchBufferPreset
{
    std::string name;           //!< for the user
    uint64_t bufferBytes;       //!< packet buffer
    uint32_t cellBytes;         //!< 0: not known, by the byte
    uint32_t ports;             //!< usual number
    uint64_t portRate;          //!< usual rate in bit/s
    uint32_t reserveBytes;      //!< of each (port, lossless priority)
    uint32_t lossyReserveBytes; //!< of each (port, lossy priority)
    double alpha;               //!< dynamic threshold of lossless priorities
    double alphaLossy;          //!< dynamic threshold of lossy priorities
    std::string basis;          //!< what the numbers rest on

    /** \return all presets */
    static const std::vector<SwitchBufferPreset>& GetAll();

    /** \return the preset; throws std::invalid_argument naming the known ones. \param name its name
     */
    static const SwitchBufferPreset& Find(const std::string& name);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_BUFFER_PRESET_H
