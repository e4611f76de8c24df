/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-stall-report.h"

#include "ns3/roce-completer.h"

#include <sstream>

namespace ns3
{
namespace roce
{

const char*
StallCauseName(StallCause cause)
{
    switch (cause)
    {
    case StallCause::LINK_DOWN:
        return "link-down";
    case StallCause::PAUSED:
        return "paused";
    case StallCause::WINDOW:
        return "window";
    case StallCause::ACK:
        return "ack";
    case StallCause::ACK_NO_TIMER:
        return "ack-no-timer";
    case StallCause::SLOT:
        return "slot";
    case StallCause::NOT_CONNECTED:
        return "not-connected";
    case StallCause::PEER_STATE:
        return "peer-state";
    case StallCause::RNR:
        return "rnr";
    case StallCause::CREDIT:
        return "credit";
    case StallCause::READ_LIMIT:
        return "read-limit";
    case StallCause::FENCE:
        return "fence";
    case StallCause::READ_ANSWER:
        return "read-answer";
    case StallCause::RESPONSES_PAUSED:
        return "responses-paused";
    case StallCause::DRAIN:
        return "drain";
    }
    return "unknown";
}

namespace
{

/** Whether a cause is one of states, receive requests, READs and atomics. */
bool
IsOfVerbs(StallCause cause)
{
    return cause >= StallCause::NOT_CONNECTED;
}

} // namespace

std::string
StalledQueuePair::GetText() const
{
    std::ostringstream text;
    text << "host " << host << " QP " << qpn << " to host " << peer << " QP " << peerQpn << ": "
         << openRequests << (openRequests == 1 ? " request" : " requests") << " open, " << bytesLeft
         << " bytes of the oldest left; " << (IsOfVerbs(cause) ? GetVerbsText() : GetPathText());
    return text.str();
}

std::string
StalledQueuePair::GetPathText() const
{
    std::ostringstream text;
    const char* what = answer ? "the answer to a READ or atomic, packet " : "an ACK of packet ";
    switch (cause)
    {
    case StallCause::LINK_DOWN:
        text << "the link at its port " << port << " is down";
        break;
    case StallCause::PAUSED:
        text << "paused at port " << port << ", priority " << priority;
        break;
    case StallCause::WINDOW:
        text << "the window is full; waits for " << what << packet;
        break;
    case StallCause::ACK:
        text << "waits for " << what << packet << "; the retransmission timer runs";
        break;
    case StallCause::ACK_NO_TIMER:
        text << "waits for " << what << packet
             << " and has no retransmission timer (lost tail); set AckTimeout above 0";
        break;
    default:
        text << "may send, waits for its slot at port " << port;
        break;
    }
    return text.str();
}

std::string
StalledQueuePair::GetVerbsText() const
{
    std::ostringstream text;
    const std::string other = "host " + std::to_string(peer) + " QP " + std::to_string(peerQpn);
    switch (cause)
    {
    case StallCause::PEER_STATE:
        text << other << " is in state " << QueuePairStateName(state)
             << " and takes nothing; bring it to RTR or RTS";
        break;
    case StallCause::RNR:
        text << "no receive request at " << other << ", tries again "
             << (limit == Completer::RNR_FOR_EVER ? std::string("for ever")
                                                  : "up to " + std::to_string(limit) + " times")
             << "; post receive requests there, or set RnrRetryLimit below 7";
        break;
    case StallCause::CREDIT:
        text << "no credit: no receive request at " << other << "; post receive requests there";
        break;
    case StallCause::READ_LIMIT:
        text << limit << " READs and atomics are outstanding, as many as MaxReads allows; the "
             << "oldest has no answer to packet " << packet;
        break;
    case StallCause::FENCE:
        text << "a fenced request waits for the READ or atomic of packet " << packet;
        break;
    case StallCause::READ_ANSWER:
        text << "the answer to a READ or atomic is missing from packet " << packet
             << " on; the retransmission timer runs";
        break;
    case StallCause::RESPONSES_PAUSED:
        text << "READ responses wait at " << other << ", whose port " << peerPort
             << " is paused or has no link, priority " << priority;
        break;
    case StallCause::DRAIN:
        text << "it is in state SQD, in which nothing new is sent; bring it back to RTS";
        break;
    default:
        text << "is in state " << QueuePairStateName(state) << ", not ready to send";
        break;
    }
    return text.str();
}

std::string
BlockedQueue::GetText() const
{
    std::ostringstream text;
    text << "switch " << node << " port " << port << " priority " << priority << ": " << bytes
         << " bytes wait, " << (linkDown ? "the link is down" : "paused by the neighbor");
    return text.str();
}

namespace
{

/** Append the sentences of a list and how many were left out. */
template <typename T>
void
AppendLines(const std::vector<T>& list, std::size_t limit, std::vector<std::string>& lines)
{
    for (std::size_t i = 0; i < list.size() && i < limit; ++i)
    {
        lines.push_back(list[i].GetText());
    }
    if (list.size() > limit)
    {
        lines.push_back("... and " + std::to_string(list.size() - limit) + " more");
    }
}

} // namespace

std::vector<std::string>
StallReport::GetLines(std::size_t limit) const
{
    std::vector<std::string> lines;
    AppendLines(rings, limit, lines);
    AppendLines(pairs, limit, lines);
    AppendLines(queues, limit, lines);
    if (noRouteDrops)
    {
        lines.push_back(std::to_string(noRouteDrops) + " frames were dropped: no route");
    }
    return lines;
}

} // namespace roce
} // namespace ns3
