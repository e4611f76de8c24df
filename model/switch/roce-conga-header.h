/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGA_HEADER_H
#define ROCE_CONGA_HEADER_H

#include "ns3/roce-frame.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What CONGA puts into the overlay header of a frame between two leaves.
 *
 * Models: LBTag (uplink of the source leaf), CE (largest metric of the links on the way), FB_LBTag
 * and FB_Metric (what the source leaf heard over an uplink of the destination leaf).
 *
 * Clause: Alizadeh et al., CONGA, SIGCOMM 2014, 3.1: 4, 3, 4 and 3 bits of the VXLAN header. Here
 * tags have 8 bits, for leaves of more than 16 uplinks, and metrics up to 4.
 *
 * Invariants: Read gives what Write put there; a frame has a header from its source leaf to its
 * destination leaf only.
 *
 * Leaves out: the outer headers; frames do not grow by them.
 */
struct CongaHeader
{
    /** A tag that is none. */
    static constexpr uint8_t NO_TAG = 0xff;

    uint8_t tag{NO_TAG};         //!< LBTag
    uint8_t congestion{0};       //!< CE
    uint8_t feedbackTag{NO_TAG}; //!< FB_LBTag; NO_TAG: no feedback
    uint8_t feedback{0};         //!< FB_Metric

    /** \return whether a frame has one. \param frame the frame */
    static bool IsIn(const Frame* frame)
    {
        return frame->flags & FRAME_OVERLAY;
    }

    /** \return the header of a frame that has one. \param frame the frame */
    static CongaHeader Read(const Frame* frame)
    {
        CongaHeader header;
        header.tag = frame->overlay[0];
        header.feedbackTag = frame->overlay[1];
        header.congestion = frame->overlay[2] & 0xf;
        header.feedback = frame->overlay[2] >> 4;
        return header;
    }

    /** Put it into a frame. \param frame the frame */
    void Write(Frame* frame) const
    {
        frame->overlay[0] = tag;
        frame->overlay[1] = feedbackTag;
        frame->overlay[2] = static_cast<uint8_t>((feedback << 4) | (congestion & 0xf));
        frame->flags |= FRAME_OVERLAY;
    }

    /** A link is crossed: CE does not fall. \param frame has a header \param metric of the link */
    static void Raise(Frame* frame, uint8_t metric)
    {
        if ((frame->overlay[2] & 0xf) < metric)
        {
            frame->overlay[2] = static_cast<uint8_t>((frame->overlay[2] & 0xf0) | metric);
        }
    }

    /** Take it off. \param frame the frame */
    static void Remove(Frame* frame)
    {
        frame->flags &= static_cast<uint16_t>(~FRAME_OVERLAY);
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGA_HEADER_H
