/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-answer-queue.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
AnswerQueue::Push(const PendingAnswer& answer)
{
    if (m_answers.full())
    {
        m_answers.set_capacity(std::max<std::size_t>(4, 2 * m_answers.capacity()));
    }
    m_answers.push_back(answer);
}

void
AnswerQueue::PushRead(const PendingAnswer& answer)
{
    for (PendingAnswer& other : m_answers)
    {
        if (other.read && other.end == answer.end)
        {
            const bool again = other.again;
            other = answer;
            other.again = again;
            return;
        }
    }
    Push(answer);
    m_reads += !answer.again;
}

void
AnswerQueue::PushAcknowledge(const PendingAnswer& answer)
{
    Push(answer);
}

void
AnswerQueue::PopRead()
{
    m_reads -= !m_answers.front().again;
    m_answers.pop_front();
}

bool
AnswerQueue::PopAcknowledge(PendingAnswer& answer)
{
    if (m_answers.empty() || m_answers.front().read)
    {
        return false;
    }
    answer = m_answers.front();
    m_answers.pop_front();
    return true;
}

void
AnswerQueue::Clear()
{
    m_answers.clear();
    m_reads = 0;
}

} // namespace roce
} // namespace ns3
