/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-completion.h"

namespace ns3
{
namespace roce
{

CompletionKind
CompletionKindOf(Operation operation)
{
    switch (operation)
    {
    case Operation::WRITE:
    case Operation::WRITE_IMMEDIATE:
        return CompletionKind::WRITE;
    case Operation::SEND:
    case Operation::SEND_IMMEDIATE:
    case Operation::SEND_INVALIDATE:
        return CompletionKind::SEND;
    case Operation::READ:
        return CompletionKind::READ;
    case Operation::FETCH_ADD:
        return CompletionKind::FETCH_ADD;
    case Operation::COMPARE_SWAP:
        return CompletionKind::COMPARE_SWAP;
    }
    return CompletionKind::WRITE;
}

const char*
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
    case CompletionStatus::REMOTE_ACCESS:
        return "remote-access-error";
    case CompletionStatus::REMOTE_OPERATION:
        return "remote-operational-error";
    case CompletionStatus::RNR_RETRY_EXCEEDED:
        return "rnr-retry-exceeded";
    case CompletionStatus::LOCAL_PROTECTION:
        return "local-protection-error";
    case CompletionStatus::LOCAL_LENGTH:
        return "local-length-error";
    case CompletionStatus::BAD_RESPONSE:
        return "bad-response";
    }
    return "unknown";
}

} // namespace roce
} // namespace ns3
