/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-buffer-preset-helper.h"

#include "roce-helper.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

void
BufferPresetHelper::Apply(RoceHelper& roce, const std::string& name)
{
    const SwitchBufferPreset& preset = SwitchBufferPreset::Find(name);
    roce.SetSwitchAttribute("BufferSize", UintegerValue(preset.bufferBytes));
    roce.SetSwitchAttribute("ReserveBytes", UintegerValue(preset.reserveBytes));
    roce.SetSwitchAttribute("LossyReserveBytes", UintegerValue(preset.lossyReserveBytes));
    roce.SetSwitchAttribute("Alpha", DoubleValue(preset.alpha));
    roce.SetSwitchAttribute("AlphaLossy", DoubleValue(preset.alphaLossy));
    roce.SetBufferAttribute("CellBytes", UintegerValue(preset.cellBytes));
}

} // namespace roce
} // namespace ns3
