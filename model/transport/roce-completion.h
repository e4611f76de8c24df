/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COMPLETION_H
#define ROCE_COMPLETION_H

#include "roce-work-request.h"

#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** How a work request ended (IBTA 10.10.3, 11.6.2). */
enum class CompletionStatus : uint8_t
{
    SUCCESS,            //!< done to the last byte
    RETRY_EXCEEDED,     //!< the retransmission timer expired more often than allowed
    INVALID_REQUEST,    //!< the responder refused the request as malformed
    FLUSHED,            //!< an earlier request of the queue pair failed
    REMOTE_ACCESS,      //!< key, bounds or rights at the other side do not allow it
    REMOTE_OPERATION,   //!< the responder could not do it for a reason of its own
    RNR_RETRY_EXCEEDED, //!< the responder had no receive request more often than allowed
    LOCAL_PROTECTION,   //!< key, bounds or rights of the local segment do not allow it
    LOCAL_LENGTH,       //!< the message does not fit the receive request, or the service
    BAD_RESPONSE,       //!< the answer does not fit the request
};

/** What a completion tells of. */
enum class CompletionKind : uint8_t
{
    WRITE,           //!< a WRITE posted here has ended
    ARRIVAL,         //!< a message written by the other side is whole in memory here
    SEND,            //!< a SEND posted here has ended
    READ,            //!< a READ posted here has ended; its data is here
    FETCH_ADD,       //!< an atomic posted here has ended
    COMPARE_SWAP,    //!< an atomic posted here has ended
    RECEIVE,         //!< a SEND of the other side has filled a receive request
    WRITE_IMMEDIATE, //!< a WRITE with immediate data of the other side took a receive request
};

/**
 * One entry of a completion queue.
 *
 * An ARRIVAL stands for what an application learns by polling its memory; hardware makes no
 * completion for a plain WRITE at the responder. It is given only where asked for.
 */
struct Completion
{
    uint64_t id{0};        //!< of the request; ARRIVAL: message number
    uint64_t bytes{0};     //!< length; RECEIVE over UD: with the 40 bytes of IBTA 11.4.1.2
    Tick posted{0};        //!< when it was posted; of what came from the other side: first packet
    Tick completed{0};     //!< when it ended
    uint64_t original{0};  //!< atomics: what was there before
    uint32_t qpn{0};       //!< queue pair here
    uint32_t immediate{0}; //!< ImmDt, if hasImmediate
    uint32_t invalidatedKey{0};                         //!< key that the SEND invalidated, or 0
    uint32_t sourceQpn{0};                              //!< UD: who sent it
    uint32_t sourceAddress{0};                          //!< UD: from where, IPv4, host order
    CompletionKind kind{CompletionKind::WRITE};         //!< what it tells of
    CompletionStatus status{CompletionStatus::SUCCESS}; //!< how it ended
    bool hasImmediate{false};                           //!< whether immediate counts
    bool solicited{false};                              //!< the sender asked for an event
};

/** \return what a completion of an operation is called. \param operation an operation */
CompletionKind CompletionKindOf(Operation operation);

/** \return its name in results and messages. \param status a status */
const char* CompletionStatusName(CompletionStatus status);

} // namespace roce
} // namespace ns3

#endif // ROCE_COMPLETION_H
