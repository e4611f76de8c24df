/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_SIZES_H
#define ROCE_FRAME_SIZES_H

#include "ns3/roce-constants.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Bytes that each kind of frame occupies in buffers and on the link.
 *
 * Models: Ethernet II, IPv4, UDP, BTH and extension headers, pad, ICRC, FCS, with preamble and
 * inter-packet gap as an overhead of the link. With H the bytes a full data frame adds to its
 * payload on the link: H = 62 + 20 = 82 for WRITE middle and last, 98 for first and only (RETH).
 *
 * Clause: IBTA 9.2.3 (pad), 9.3 (extension headers), Annex A17; IEEE 802.3 (smallest frame).
 *
 * Invariants: Bytes(p, e) >= p + e; the default never gives less than the Ethernet minimum of 64
 * and is the size of what FrameCodec writes, with FCS and without VLAN tag.
 *
 * Leaves out: VLAN tags and IPv6 (the codec knows them, the size model does not).
 */
struct FrameSizes
{
    uint32_t dataOverhead{ROCE_OVERHEAD_BYTES};          //!< around the payload of a data frame
    uint32_t rethBytes{RETH_BYTES};                      //!< more on the first packet of a WRITE
    uint32_t ackBytes{ROCE_OVERHEAD_BYTES + AETH_BYTES}; //!< an ACK or NAK: 66
    uint32_t cnpBytes{ROCE_OVERHEAD_BYTES + CNP_BODY_BYTES}; //!< a CNP: 78
    uint32_t pfcBytes{ETHERNET_MIN_BYTES};                   //!< a pause frame: 64
    uint32_t minBytes{ETHERNET_MIN_BYTES};                   //!< smallest frame
    bool pad{true}; //!< payload is padded to a multiple of 4 (IBTA 9.2.3)

    /**
     * \param payload payload bytes
     * \param extensionBytes bytes of the extension headers (OpcodeFacts::extensionBytes); a run
     *        that has no RETH (rethBytes 0) has no others either, so give 0 there
     * \return frame bytes from destination address to FCS
     */
    uint32_t Bytes(uint32_t payload, uint32_t extensionBytes) const
    {
        const uint32_t padded = pad ? (payload + 3) & ~3u : payload;
        return std::max(minBytes, padded + dataOverhead + extensionBytes);
    }

    /**
     * \param payload payload bytes
     * \param withReth whether the packet carries a RETH
     * \return frame bytes from destination address to FCS
     */
    uint32_t DataBytes(uint32_t payload, bool withReth) const
    {
        return Bytes(payload, withReth ? rethBytes : 0);
    }

    /**
     * \param bytes of a telemetry header that senders leave room for, as HpccInt::Bytes says
     * \return these sizes with that many more in each data frame and each ACK
     */
    FrameSizes WithInt(uint32_t bytes) const
    {
        FrameSizes s = *this;
        s.dataOverhead += bytes;
        s.ackBytes += bytes;
        return s;
    }

    /**
     * \return the sizes of the HPCC artifact without INT: payload + 48, ACK 60, pause 43; used
     *         with a link overhead of 0 to compare results flow by flow
     */
    static FrameSizes HpccArtifact()
    {
        FrameSizes s;
        s.dataOverhead = 48;
        s.rethBytes = 0;
        s.ackBytes = 60;
        s.cnpBytes = 60;
        s.pfcBytes = 43;
        s.minBytes = 0;
        s.pad = false;
        return s;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FRAME_SIZES_H
