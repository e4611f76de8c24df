/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_STATE_H
#define ROCE_QUEUE_PAIR_STATE_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** States of a queue pair (IBTA 10.3.1), in the order in which it comes into service. */
enum class QueuePairState : uint8_t
{
    RESET, //!< made, or made anew
    INIT,  //!< takes receive requests, but no packet
    RTR,   //!< ready to receive
    RTS,   //!< ready to send too
    SQD,   //!< ready to receive; what has begun is sent, nothing new begins
    ERROR, //!< failed; its requests are flushed
};

/** \return whether packets of the other side are taken. \param state a state */
inline bool
IsReceiving(QueuePairState state)
{
    return state >= QueuePairState::RTR && state < QueuePairState::ERROR;
}

/** \return its name. \param state a state */
const char* QueuePairStateName(QueuePairState state);

/**
 * \param from a state
 * \param to another one
 * \return whether the verbs allow the step (IBTA figure 124): forward along RESET, INIT, RTR, RTS;
 *         between RTS and SQD; to RESET and ERROR from anywhere
 */
bool IsLegalTransition(QueuePairState from, QueuePairState to);

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_STATE_H
