/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAUSE_FRAME_H
#define ROCE_PAUSE_FRAME_H

#include "roce-wire-packet.h"

#include "ns3/roce-constants.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A MAC control frame that pauses the sender at the other end of a link.
 *
 * Models: priority-based flow control and the older PAUSE of the whole link, as 60 bytes without
 * FCS, to the reserved group address 01:80:c2:00:00:01, which bridges never forward.
 *
 * Clause: IEEE 802.1Qbb (now 802.1Q clause 36) and IEEE 802.3 annexes 31B and 31D. A time counts
 * quanta of 512 bit times of the receiving port.
 *
 * Invariants: Decode(Encode(f)) equals f in all that its kind carries; an Encode is 60 bytes.
 *
 * Leaves out: FCS (the caller adds it) and the reserved bytes, which are sent as zeros and ignored.
 */
struct PauseFrame
{
    /** Bytes of a pause frame without FCS: the Ethernet minimum. */
    static constexpr std::size_t BYTES = ETHERNET_MIN_BYTES - ETHERNET_FCS_BYTES;
    /** Where pause frames go (IEEE 802.3 annex 31B). */
    static constexpr MacBytes GROUP_ADDRESS{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
    /** MAC control opcode of PAUSE. */
    static constexpr uint16_t OPCODE_PAUSE = 0x0001;
    /** MAC control opcode of priority-based flow control. */
    static constexpr uint16_t OPCODE_PFC = 0x0101;

    MacBytes source{};                            //!< sender's MAC address; zeros are legal
    bool priority{true};                          //!< PFC, or PAUSE of the whole link if false
    uint8_t enable{0};                            //!< PFC: bit i is set when times[i] counts
    std::array<uint16_t, NUM_PRIORITIES> times{}; //!< PFC: quanta, priority 0 first
    uint16_t time{0};                             //!< PAUSE: quanta

    /**
     * \return the frame, 60 bytes
     */
    std::vector<uint8_t> Encode() const;

    /**
     * \param bytes gets the frame; what was in there is gone
     */
    void Encode(std::vector<uint8_t>& bytes) const;

    /**
     * \param bytes an Ethernet frame without FCS
     * \param size its bytes, at least 60
     * \return the pause frame; throws CodecError for anything else
     */
    static PauseFrame Decode(const uint8_t* bytes, std::size_t size);

    /**
     * \param bytes an Ethernet frame
     * \param size its bytes
     * \return whether its type is MAC control, so that Decode is the right one to call
     */
    static bool IsMacControl(const uint8_t* bytes, std::size_t size);

    /**
     * \param quanta a pause time
     * \param bitsPerSecond rate of the receiving port, above 0 and at most 10 Tb/s
     * \return how long it lasts, in picoseconds, rounded down (5120 a quantum at 100G)
     */
    static uint64_t Picoseconds(uint16_t quanta, uint64_t bitsPerSecond);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PAUSE_FRAME_H
