/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-receive-queue.h"

#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(ReceiveQueue);

TypeId
ReceiveQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::ReceiveQueue")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddConstructor<ReceiveQueue>()
                            .AddAttribute("MaxDepth",
                                          "Requests that may wait; one more is refused",
                                          UintegerValue(16384),
                                          MakeUintegerAccessor(&ReceiveQueue::m_maxDepth),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

ReceiveQueue::ReceiveQueue() = default;

void
ReceiveQueue::Post(const ReceiveRequest& request)
{
    if (m_queue.size() >= m_maxDepth)
    {
        throw std::length_error("receive queue: request " + std::to_string(request.id) +
                                " does not fit, " + std::to_string(m_queue.size()) +
                                " wait and MaxDepth is " + std::to_string(m_maxDepth) +
                                "; post fewer or raise MaxDepth");
    }
    m_queue.push_back(request);
    ++m_posted;
    if (!m_postedCallback.IsNull())
    {
        // a copy: the callee may replace it
        PostedCallback callback = m_postedCallback;
        callback();
    }
}

bool
ReceiveQueue::Take(ReceiveRequest& request)
{
    if (m_queue.empty())
    {
        return false;
    }
    request = m_queue.front();
    m_queue.pop_front();
    ++m_taken;
    const std::size_t depth = m_queue.size();
    if (depth < m_limit)
    {
        LimitHandler handler = m_limitHandler;
        SetLimit(0, LimitHandler());
        handler(depth);
    }
    return true;
}

void
ReceiveQueue::SetLimit(std::size_t limit, LimitHandler handler)
{
    if (limit > m_maxDepth)
    {
        throw std::invalid_argument("receive queue: limit " + std::to_string(limit) +
                                    " is above MaxDepth " + std::to_string(m_maxDepth) +
                                    "; it would always be undercut");
    }
    if (limit > 0 && handler.IsNull())
    {
        throw std::invalid_argument("receive queue: limit " + std::to_string(limit) +
                                    " has no handler; give one, or 0 to disarm");
    }
    m_limit = limit;
    m_limitHandler = limit > 0 ? handler : LimitHandler();
}

void
ReceiveQueue::SetPostedCallback(PostedCallback callback)
{
    m_postedCallback = callback;
}

void
ReceiveQueue::DoDispose()
{
    m_queue.clear();
    m_limit = 0;
    m_limitHandler = LimitHandler();
    m_postedCallback = PostedCallback();
    Object::DoDispose();
}

} // namespace roce
} // namespace ns3
