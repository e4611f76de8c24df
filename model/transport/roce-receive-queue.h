/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECEIVE_QUEUE_H
#define ROCE_RECEIVE_QUEUE_H

#include "roce-receive-request.h"

#include "ns3/callback.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace ns3
{
namespace roce
{

/**
 * Receive requests that wait for messages.
 *
 * Models: the receive queue of one queue pair, or a shared receive queue (SRQ) of several; with a
 * limit event that tells the application to post more.
 *
 * Clause: IBTA 10.2.9 (SRQ and its limit).
 *
 * Invariants: requests are taken in the order of posting, each once; posted = taken + depth; depth
 * is at most MaxDepth at each Post; the handler is called once for each SetLimit at most.
 *
 * Leaves out: SRQs that give requests out of order, scatter lists, the SRQ error state.
 */
class ReceiveQueue : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ReceiveQueue();

    /** A function called with the depth when it has fallen below the limit. */
    typedef Callback<void, std::size_t> LimitHandler;

    /** A function called after each Post. */
    typedef Callback<void> PostedCallback;

    /**
     * Append a request, then call the posted callback.
     *
     * \param request room for one message
     * \throws std::length_error if MaxDepth requests wait
     */
    void Post(const ReceiveRequest& request);

    /**
     * Take the oldest request. Calls the limit handler, after the taking, if the limit is armed
     * and fewer requests are left.
     *
     * \param request filled with the oldest request; untouched if there is none
     * \return false if there is none
     */
    bool Take(ReceiveRequest& request);

    /** \return requests waiting */
    std::size_t GetDepth() const
    {
        return m_queue.size();
    }

    /**
     * Arm the limit event: the next Take that leaves fewer requests than the limit calls the
     * handler and disarms it. It may be armed again, also in the handler. If the depth is below
     * already, the next Take that gets a request is the one that calls.
     *
     * \param limit in requests, at most MaxDepth; 0 disarms
     * \param handler called with the depth
     * \throws std::invalid_argument if the limit is above MaxDepth, or there is no handler
     */
    void SetLimit(std::size_t limit, LimitHandler handler);

    /** \return limit if armed; 0 if not */
    std::size_t GetLimit() const
    {
        return m_limit;
    }

    /**
     * For the NIC, which sends credits then.
     * \param callback called after each Post; a null one is not called
     */
    void SetPostedCallback(PostedCallback callback);

    /** \return requests ever posted */
    uint64_t GetPosted() const
    {
        return m_posted;
    }

    /** \return requests ever taken */
    uint64_t GetTaken() const
    {
        return m_taken;
    }

  private:
    void DoDispose() override;

    std::deque<ReceiveRequest> m_queue;
    std::size_t m_limit{0};
    uint64_t m_posted{0};
    uint64_t m_taken{0};
    uint32_t m_maxDepth{0};
    LimitHandler m_limitHandler;
    PostedCallback m_postedCallback;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RECEIVE_QUEUE_H
