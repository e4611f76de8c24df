/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_CONNECTION_H
#define PY_CONNECTION_H

#include "py-callback.h"

#include "ns3/roce-fabric.h"

#include <deque>
#include <memory>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * Two connected queue pairs, for Python: what is posted, and who is called when it has ended.
 *
 * Models: a completion queue of its own for the source, made when the first function is given.
 * Completions come in the order of posting, so the functions wait in a queue.
 *
 * Invariants: a function given with a request is called once, with its completion; functions do not
 * need this object to live.
 *
 * Leaves out: completions of the other side, other than the notice of a whole message.
 */
class PyConnection
{
  public:
    /** \param connection of Fabric::Connect */
    explicit PyConnection(const Connection& connection);

    /** Post a request; throws as Nic::Post. \param request what to do \param done called with the
     *  completion; may be empty */
    void Post(const WorkRequest& request, Sink done);

    /** \param function called with each completion at the source */
    void SetCompletionSink(Sink function);

    /** \param function called with each message that is whole at the destination */
    void SetArrivalSink(Sink function);

    /** \return the queue pairs */
    const Connection& Get() const
    {
        return m_connection;
    }

    /** \return an id that was not given out before */
    uint64_t NextId()
    {
        return m_nextId++;
    }

  private:
    /** Who waits for what; held by the completion queue as well. */
    struct Waiting
    {
        std::deque<Sink> done; //!< in the order of posting; empty ones too
        Sink all;
    };

    void Listen();
    static void OnCompletion(std::shared_ptr<Waiting> waiting, const Completion& completion);
    static void OnArrival(Sink sink, const Completion& completion);

    Connection m_connection;
    std::shared_ptr<Waiting> m_waiting;
    uint64_t m_nextId{0};
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_CONNECTION_H
