/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-buffer-preset.h"

#include "roce-switch-mmu-config.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Alpha that makes a threshold of a pool as good as none: 2^-16. */
constexpr double ALPHA_NONE = 1.0 / 65536;

/** \return the presets */
std::vector<SwitchBufferPreset>
MakePresets()
{
    const SwitchMmuConfig plain; // what a chip does not fix is as in any switch here
    SwitchBufferPreset chip{"",
                            0,
                            0,
                            64,
                            800000000000,
                            plain.reserveBytes,
                            plain.lossyReserveBytes,
                            plain.alpha,
                            plain.alphaLossy,
                            ""};
    std::vector<SwitchBufferPreset> all;
    chip.name = "tomahawk5";
    chip.bufferBytes = 165000000;
    chip.cellBytes = 254;
    chip.basis =
        "165 MB on chip: trade press and vendor talks on the 51.2T chip, 64 ports of 800G; "
        "cells of 254 bytes: told of its family by a vendor of boxes; no data sheet seen";
    all.push_back(chip);

    chip.name = "spectrum4";
    chip.bufferBytes = 160000000;
    chip.cellBytes = 0;
    chip.basis =
        "160 MB, fully shared: as remembered of the vendor's brief of the 51.2T box (a page "
        "on the net says 128 MB); cell size not known, so by the byte";
    all.push_back(chip);

    chip.name = "shallow-leaf";
    chip.bufferBytes = 64000000;
    chip.cellBytes = 254;
    chip.ports = 32;
    chip.portRate = 400000000000;
    chip.basis = "64 MB, 32 ports of 400G: the usual 12.8T leaf; cells as tomahawk5";
    all.push_back(chip);

    // Per port 2 * 64 MB + 6 * 8 MB = 176 MB, 36 ports 6.336 GB; the rest is headroom and slack.
    chip.name = "deep-spine";
    chip.bufferBytes = 8000000000;
    chip.cellBytes = 0;
    chip.ports = 36;
    chip.portRate = 800000000000;
    chip.reserveBytes = 64000000;
    chip.lossyReserveBytes = 8000000;
    chip.alpha = ALPHA_NONE;
    chip.alphaLossy = ALPHA_NONE;
    chip.basis =
        "8 GB of memory beside the chip, divided statically by port (Gangidi et al., SIGCOMM "
        "2024, tell of such spines); size and shares of 64 MB and 8 MB are ours";
    all.push_back(chip);
    return all;
}

} // namespace

const std::vector<SwitchBufferPreset>&
SwitchBufferPreset::GetAll()
{
    static const std::vector<SwitchBufferPreset> all = MakePresets();
    return all;
}

const SwitchBufferPreset&
SwitchBufferPreset::Find(const std::string& name)
{
    std::string known;
    for (const SwitchBufferPreset& preset : GetAll())
    {
        if (preset.name == name)
        {
            return preset;
        }
        known += (known.empty() ? "" : ", ") + preset.name;
    }
    throw std::invalid_argument("switch buffer: preset is \"" + name + "\", known are " + known);
}

} // namespace roce
} // namespace ns3
