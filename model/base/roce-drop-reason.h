/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DROP_REASON_H
#define ROCE_DROP_REASON_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** Why a frame was dropped. Each reason has its own counter wherever frames can be dropped. */
enum class DropReason : uint8_t
{
    LOSSLESS_BUFFER, //!< lossless class, headroom exhausted: a sizing fault
    LOSSY_BUFFER,    //!< lossy class over its dynamic threshold
    TTL,             //!< time to live ran out
    NO_ROUTE,        //!< no live path to the destination
    LINK_DOWN,       //!< the link went down with the frame on it or queued for it
    CORRUPT,         //!< the error model hit the frame
    NO_QP,           //!< no such queue pair, or not in a receiving state
    WATCHDOG,        //!< dropped by the PFC watchdog
    COUNT            //!< number of reasons
};

/** Number of drop reasons. */
inline constexpr unsigned NUM_DROP_REASONS = static_cast<unsigned>(DropReason::COUNT);

/**
 * \param reason a reason
 * \return its name as used in results and logs
 */
inline const char*
DropReasonName(DropReason reason)
{
    switch (reason)
    {
    case DropReason::LOSSLESS_BUFFER:
        return "lossless-buffer";
    case DropReason::LOSSY_BUFFER:
        return "lossy-buffer";
    case DropReason::TTL:
        return "ttl";
    case DropReason::NO_ROUTE:
        return "no-route";
    case DropReason::LINK_DOWN:
        return "link-down";
    case DropReason::CORRUPT:
        return "corrupt";
    case DropReason::NO_QP:
        return "no-qp";
    case DropReason::WATCHDOG:
        return "watchdog";
    case DropReason::COUNT:
        break;
    }
    return "unknown";
}

} // namespace roce
} // namespace ns3

#endif // ROCE_DROP_REASON_H
