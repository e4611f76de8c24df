/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAUSE_HEADROOM_H
#define ROCE_PAUSE_HEADROOM_H

#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * How much still comes after a receiver has decided to pause its sender.
 *
 * Models: from the moment at which a frame crosses the threshold: that frame (charged as a whole);
 * then, at the full rate, what comes while our pause waits behind one of our largest frames, is
 * sent, propagates and is acted upon; what the peer began to send just before, one largest frame;
 * and what is still on the cable then. With O bytes of overhead a frame (preamble and gap):
 * mtu + (mtu + O) + (pfc + O) + (mtu + O) + 2 * delay * rate / 8 + quanta * 64.
 *
 * Clause: IEEE 802.1Q annex N (buffer requirements of priority-based flow control), without the
 * delays of interfaces, which the caller adds to the response time.
 *
 * Invariants: a buffer of so many bytes above the threshold loses nothing; one of a frame less can.
 *
 * Leaves out: memory in cells.
 */
struct PauseHeadroom
{
    uint64_t rate{0};           //!< bit/s
    Tick delay{0};              //!< one-way propagation in ticks
    int64_t ticksPerSecond{1};  //!< resolution
    uint32_t mtu{0};            //!< largest frame in bytes, destination address to FCS
    uint32_t pfc{0};            //!< size of a pause frame in bytes
    uint32_t responseQuanta{0}; //!< the peer's response time in quanta of 512 bit times
    uint32_t overhead{0};       //!< bytes the link adds to each frame

    /** \return bytes, rounded up */
    uint64_t GetBytes() const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PAUSE_HEADROOM_H
