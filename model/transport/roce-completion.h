/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COMPLETION_H
#define ROCE_COMPLETION_H

#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** How a work request ended (IBTA 10.10.3). */
enum class CompletionStatus : uint8_t
{
    SUCCESS,         //!< acknowledged to the last byte
    RETRY_EXCEEDED,  //!< the retransmission timer expired more often than allowed
    INVALID_REQUEST, //!< the responder refused the request
    FLUSHED,         //!< an earlier request of the queue pair failed
};

/** What a completion tells of. */
enum class CompletionKind : uint8_t
{
    WRITE,   //!< a WRITE posted here has ended
    ARRIVAL, //!< a message written by the other side is whole in memory here
};

/**
 * One entry of a completion queue.
 *
 * An ARRIVAL stands for what an application learns by polling its memory; hardware makes no
 * completion for a plain WRITE at the responder. It is given only where asked for.
 */
struct Completion
{
    uint64_t id{0};                             //!< WorkRequest::id; ARRIVAL: message number
    uint64_t bytes{0};                          //!< length
    Tick posted{0};                             //!< when it was posted; ARRIVAL: first packet
    Tick completed{0};                          //!< when it ended
    uint32_t qpn{0};                            //!< queue pair here
    CompletionKind kind{CompletionKind::WRITE}; //!< what it tells of
    CompletionStatus status{CompletionStatus::SUCCESS}; //!< how it ended
};

/**
 * \param status a status
 * \return its name in results and messages
 */
inline const char*
CompletionStatusName(CompletionStatus status)
{
    switch (status)
    {
    case CompletionStatus::SUCCESS:
        return "success";
    case CompletionStatus::RETRY_EXCEEDED:
        return "retry-exceeded";
    case CompletionStatus::INVALID_REQUEST:
        return "invalid-request";
    case CompletionStatus::FLUSHED:
        return "flushed";
    }
    return "unknown";
}

} // namespace roce
} // namespace ns3

#endif // ROCE_COMPLETION_H
