/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COMPLETION_QUEUE_H
#define ROCE_COMPLETION_QUEUE_H

#include "roce-completion.h"

#include "ns3/callback.h"
#include "ns3/object.h"

#include <deque>

namespace ns3
{
namespace roce
{

/**
 * Where a NIC leaves completions for an application.
 *
 * Models: a completion queue (IBTA 10.2.6) with either polling or a handler. The handler runs in
 * an ns-3 event of its own, in the context of the node, at the tick of the completion.
 *
 * Invariants: completions of one queue pair come in the order of posting; each comes once.
 *
 * Leaves out: overflow; the queue grows.
 */
class CompletionQueue : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    CompletionQueue();

    /** A function called with each completion. */
    typedef Callback<void, const Completion&> Handler;

    /**
     * \param context node id whose context the handler runs in
     * \param handler called with each completion, those already waiting first
     */
    void SetHandler(uint32_t context, Handler handler);

    /**
     * Called by the NIC.
     * \param completion a completion
     */
    void Push(const Completion& completion);

    /**
     * \param completion filled with the oldest completion
     * \return false if there is none
     */
    bool Poll(Completion& completion);

    /** \return completions waiting */
    std::size_t GetDepth() const;

  private:
    void DoDispose() override;
    void ScheduleDrain();
    void Drain();

    std::deque<Completion> m_queue;
    Handler m_handler;
    uint32_t m_context{0};
    bool m_draining{false};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COMPLETION_QUEUE_H
