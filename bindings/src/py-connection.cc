/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-connection.h"

#include "py-bind.h"

#include <pybind11/stl.h>
#include <stdexcept>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

PyConnection::PyConnection(const Connection& connection)
    : m_connection(connection)
{
}

void
PyConnection::Listen()
{
    if (m_waiting)
    {
        return;
    }
    m_waiting = std::make_shared<Waiting>();
    // what is open already has nobody who waits for it
    m_waiting->done.resize(m_connection.qp->GetRequester().GetOpen().size());
    auto queue = CreateObject<CompletionQueue>();
    queue->SetHandler(m_connection.nic->GetObject<Node>()->GetId(),
                      MakeBoundCallback(&PyConnection::OnCompletion, m_waiting));
    m_connection.qp->SetSendQueue(queue);
}

void
PyConnection::Post(const WorkRequest& request, Sink done)
{
    RequireAlive(*m_connection.nic);
    if (!request.signalled && (done || m_waiting))
    {
        throw std::invalid_argument("an unsignalled request makes no completion, so nobody can be "
                                    "called for it; post it before any callback is given");
    }
    if (done)
    {
        Listen();
    }
    // in state ERROR the completion comes at once, but its handler in an event of its own
    m_connection.nic->Post(m_connection.qp, request);
    if (m_waiting)
    {
        m_waiting->done.push_back(done);
    }
    RunGuard::ThrowError();
}

void
PyConnection::SetCompletionSink(Sink function)
{
    RequireAlive(*m_connection.nic);
    Listen();
    m_waiting->all = std::move(function);
}

void
PyConnection::SetArrivalSink(Sink function)
{
    RequireAlive(*m_connection.peerNic);
    auto queue = CreateObject<CompletionQueue>();
    queue->SetHandler(m_connection.peerNic->GetObject<Node>()->GetId(),
                      MakeBoundCallback(&PyConnection::OnArrival, function));
    m_connection.peerQp->SetReceiveQueue(queue);
}

void
PyConnection::OnCompletion(std::shared_ptr<Waiting> waiting, const Completion& completion)
{
    Sink done;
    if (!waiting->done.empty())
    {
        done = waiting->done.front();
        waiting->done.pop_front();
    }
    for (const Sink& sink : {done, waiting->all})
    {
        if (sink)
        {
            sink->Call([&]() { return py::make_tuple(completion); });
        }
    }
}

void
PyConnection::OnArrival(Sink sink, const Completion& completion)
{
    sink->Call([&]() { return py::make_tuple(completion); });
}

} // namespace python
} // namespace roce
} // namespace ns3
