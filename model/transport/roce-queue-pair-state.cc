/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair-state.h"

namespace ns3
{
namespace roce
{

const char*
QueuePairStateName(QueuePairState state)
{
    switch (state)
    {
    case QueuePairState::RESET:
        return "RESET";
    case QueuePairState::INIT:
        return "INIT";
    case QueuePairState::RTR:
        return "RTR";
    case QueuePairState::RTS:
        return "RTS";
    case QueuePairState::SQD:
        return "SQD";
    case QueuePairState::ERROR:
        return "ERROR";
    }
    return "unknown";
}

bool
IsLegalTransition(QueuePairState from, QueuePairState to)
{
    using S = QueuePairState;
    switch (to)
    {
    case S::RESET:
    case S::ERROR:
        return true;
    case S::INIT:
        return from == S::RESET || from == S::INIT;
    case S::RTR:
        return from == S::INIT;
    case S::RTS:
        return from == S::RTR || from == S::RTS || from == S::SQD;
    case S::SQD:
        return from == S::RTS || from == S::SQD;
    }
    return false;
}

} // namespace roce
} // namespace ns3
