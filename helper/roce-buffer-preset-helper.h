/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BUFFER_PRESET_HELPER_H
#define ROCE_BUFFER_PRESET_HELPER_H

#include "ns3/roce-switch-buffer-preset.h"

#include <string>

namespace ns3
{
namespace roce
{

class RoceHelper;

/**
 * Gives the switches of a fabric the buffer of a kind of chip.
 *
 * Models: sets BufferSize, ReserveBytes, LossyReserveBytes, Alpha, AlphaLossy and, among the
 * buffer options, CellBytes. What is set afterwards counts more.
 *
 * Invariants: two calls are like the last one alone.
 *
 * Leaves out: switches of several kinds in one fabric (set the attributes of each before Freeze).
 */
class BufferPresetHelper
{
  public:
    /**
     * \param roce builds the fabric
     * \param name a preset; throws std::invalid_argument naming the known ones
     */
    static void Apply(RoceHelper& roce, const std::string& name);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BUFFER_PRESET_HELPER_H
