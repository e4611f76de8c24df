/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_RECORD_H
#define ROCE_INT_RECORD_H

#include "roce-hpcc-int-hops.h"
#include "roce-int-md-stack.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace roce
{

class IntRecordPool;

/**
 * What the switches on its way wrote into a frame.
 *
 * Models: the telemetry header of a data frame, decoded, which goes back to the sender with the
 * ACK. It belongs to one frame (Frame::record, FRAME_INT) and is freed with it.
 *
 * Clause: HpccIntHops and IntMdStack say it.
 *
 * Invariants: only the member that layout names has hops; counted is what it adds to Frame::size.
 *
 * Leaves out: bytes in captures (the header has no standard place in RoCEv2).
 */
struct IntRecord
{
    /** How switches write it. */
    enum Layout : uint8_t
    {
        HPCC,          //!< HpccInt, layout ARTIFACT
        HPCC_EXTENDED, //!< HpccInt, layout EXTENDED
        INT_MD,        //!< IntMd
    };

    /** INT_MD: domain of the two words below, which IntStamper writes. */
    static constexpr uint16_t MD_DOMAIN_ID = 1;
    static constexpr std::size_t MD_RATE_WORD = 0;  //!< domain word: Mb/s of the port
    static constexpr std::size_t MD_BYTES_WORD = 1; //!< domain word: bytes sent, low 32 bits
    static constexpr uint8_t MD_DOMAIN_WORDS = 2;   //!< words of the domain

    Layout layout{HPCC};          //!< which of the two is in use
    uint16_t counted{0};          //!< bytes of the frame that are telemetry
    uint32_t multi{1};            //!< factor of the units of HpccInt
    HpccIntHops hpcc;             //!< HPCC and HPCC_EXTENDED: the first switch first
    IntMdStack md;                //!< INT_MD: the last switch first
    IntRecord* next{nullptr};     //!< for the pool
    IntRecordPool* pool{nullptr}; //!< where it goes back to

    /** \return switches that wrote into it */
    unsigned GetHops() const
    {
        return layout == INT_MD ? static_cast<unsigned>(md.hops.size()) : hpcc.GetSize();
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_RECORD_H
