/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-stall-report.h"

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
    }
    return "unknown";
}

std::string
StalledQueuePair::GetText() const
{
    std::ostringstream text;
    text << "host " << host << " QP " << qpn << " to host " << peer << " QP " << peerQpn << ": "
         << openRequests << (openRequests == 1 ? " request" : " requests") << " open, " << bytesLeft
         << " bytes of the oldest left; ";
    switch (cause)
    {
    case StallCause::LINK_DOWN:
        text << "the link at its port " << port << " is down";
        break;
    case StallCause::PAUSED:
        text << "paused at port " << port << ", priority " << priority;
        break;
    case StallCause::WINDOW:
        text << "the window is full; waits for an ACK of packet " << packet;
        break;
    case StallCause::ACK:
        text << "waits for an ACK of packet " << packet << "; the retransmission timer runs";
        break;
    case StallCause::ACK_NO_TIMER:
        text << "waits for an ACK of packet " << packet
             << " and has no retransmission timer (lost tail); set AckTimeout above 0";
        break;
    case StallCause::SLOT:
        text << "may send, waits for its slot at port " << port;
        break;
    case StallCause::NOT_CONNECTED:
        text << "is not ready to send";
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
