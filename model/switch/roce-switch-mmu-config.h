/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_MMU_CONFIG_H
#define ROCE_SWITCH_MMU_CONFIG_H

#include "ns3/roce-constants.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * How the buffer of a switch is divided.
 *
 * Models: the settings of a shared-buffer switch. Defaults of alpha 1/8, reserve 4 KiB and resume
 * offset 3 KiB are those of the HPCC artifact; alpha 1 for lossy classes is the plain dynamic
 * threshold; a lossy reserve of 1536 holds one Ethernet frame of 1518 bytes; the rest is ours.
 *
 * Invariants: none; SwitchMmu::Configure checks it.
 *
 * Leaves out: limits of lossless frames at the egress, which would lose them.
 */
struct SwitchMmuConfig
{
    uint32_t numPorts{0};             //!< ports
    uint64_t bufferBytes{32u << 20};  //!< all of the packet buffer
    double alpha{0.125};              //!< dynamic threshold factor of lossless classes
    double alphaLossy{1};             //!< dynamic threshold factor of lossy classes
    uint32_t reserveBytes{4096};      //!< own bytes of each (port, lossless priority)
    uint32_t lossyReserveBytes{1536}; //!< own bytes of each (port, lossy priority)
    uint32_t resumeOffsetBytes{3072}; //!< XON this far below the threshold
    double lossyPoolFraction{0.2};    //!< part of the shared bytes for lossy classes; 0: one pool
    uint8_t losslessMask{0x18};       //!< bit p: priority p is lossless
    uint8_t usedMask{0xff};           //!< bit p: priority p has a reserve (and headroom)
    uint32_t cellBytes{0};        //!< memory is given out in cells of so many bytes; 0: in bytes
    double egressAlpha{0};        //!< lossy output queues: this times the free buffer; 0: none
    uint64_t egressQueueBytes{0}; //!< fixed limit of lossy output queues; 0: none
    std::vector<uint32_t> headroomBytes; //!< by port, for each of its lossless priorities
    std::vector<double> portAlpha;       //!< by port, takes the place of alpha; empty: all alike

    /**
     * Headroom that loses nothing: PauseHeadroom of these values.
     * \param rate bit/s
     * \param delay one-way propagation in ticks
     * \param ticksPerSecond resolution
     * \param mtu largest frame in bytes, destination address to FCS
     * \param pfc size of a pause frame in bytes
     * \param responseQuanta the peer's response time in quanta of 512 bit times
     * \param overhead bytes the link adds to each frame
     * \return bytes, rounded up
     */
    static uint64_t HeadroomBytes(uint64_t rate,
                                  Tick delay,
                                  int64_t ticksPerSecond,
                                  uint32_t mtu,
                                  uint32_t pfc,
                                  uint32_t responseQuanta,
                                  uint32_t overhead);

    /**
     * Headroom in whole cells. A frame of s bytes takes ceil(s / cell) cells but keeps the link
     * busy for s + O bytes; the largest ratio of both over all sizes, at least 1, times the bytes,
     * and a cell for the frame that crosses the threshold, is never too little.
     * \param headroom HeadroomBytes
     * \param cell bytes of a cell; 0: no cells
     * \param smallest frame in bytes
     * \param mtu largest frame in bytes
     * \param overhead bytes the link adds to each frame
     * \return bytes, a multiple of the cell
     */
    static uint64_t HeadroomInCells(uint64_t headroom,
                                    uint32_t cell,
                                    uint32_t smallest,
                                    uint32_t mtu,
                                    uint32_t overhead);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_MMU_CONFIG_H
