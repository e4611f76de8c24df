/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-connection.h"
#include "py-value.h"

#include <optional>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

constexpr std::pair<const char*, Operation> OPERATIONS[] = {
    {"write", Operation::WRITE},
    {"write-immediate", Operation::WRITE_IMMEDIATE},
    {"send", Operation::SEND},
    {"send-immediate", Operation::SEND_IMMEDIATE},
    {"read", Operation::READ},
};

Operation
OperationOf(const std::string& name)
{
    for (const auto& [known, operation] : OPERATIONS)
    {
        if (name == known)
        {
            return operation;
        }
    }
    throw py::value_error("operation \"" + name +
                          "\" is not one of write, write-immediate, send, send-immediate, read");
}

const char*
KindName(CompletionKind kind)
{
    switch (kind)
    {
    case CompletionKind::WRITE:
        return "write";
    case CompletionKind::SEND:
        return "send";
    case CompletionKind::READ:
        return "read";
    case CompletionKind::ARRIVAL:
        return "arrival";
    case CompletionKind::RECEIVE:
        return "receive";
    case CompletionKind::WRITE_IMMEDIATE:
        return "write-immediate";
    default:
        return "atomic";
    }
}

uint64_t
Post(PyConnection& connection,
     py::handle size,
     const std::string& operation,
     const std::optional<py::function>& done,
     const std::optional<uint64_t>& id)
{
    WorkRequest request;
    request.bytes = Values::ToBytes(size, "bytes");
    request.operation = OperationOf(operation);
    request.id = id ? *id : connection.NextId();
    const Connection& c = connection.Get();
    const bool receives = request.operation == Operation::SEND ||
                          request.operation == Operation::SEND_IMMEDIATE ||
                          request.operation == Operation::WRITE_IMMEDIATE;
    if (receives)
    {
        ReceiveRequest room; // a place for it, as a receiver that is never late has
        room.bytes = request.bytes;
        RequireAlive(*c.peerNic);
        c.peerNic->PostReceive(c.peerQp, room);
    }
    connection.Post(request, done ? MakeSink(*done) : nullptr);
    return request.id;
}

py::dict
Counters(const Nic& nic)
{
    const NicCounters& c = nic.GetCounters();
    py::dict d;
    d["data_sent"] = c.dataSent;
    d["data_received"] = c.dataReceived;
    d["responses_sent"] = c.responsesSent;
    d["acks_sent"] = c.acksSent;
    d["acks_received"] = c.acksReceived;
    d["naks_sent"] = c.naksSent;
    d["naks_received"] = c.naksReceived;
    d["cnps_sent"] = c.cnpsSent;
    d["cnps_received"] = c.cnpsReceived;
    d["marks_received"] = c.marksReceived;
    d["retransmitted"] = c.retransmitted;
    d["timeouts"] = c.timeouts;
    d["requests_posted"] = c.requestsPosted;
    d["requests_completed"] = c.requestsCompleted;
    d["requests_failed"] = c.requestsFailed;
    d["bytes_posted"] = c.bytesPosted;
    d["bytes_completed"] = c.bytesCompleted;
    d["bytes_delivered"] = c.bytesDelivered;
    d["messages_delivered"] = c.messagesDelivered;
    return d;
}

void
BindCompletion(py::module_& m)
{
    py::class_<Completion>(m, "Completion", "How a work request ended, or a message that arrived.")
        .def_readonly("id", &Completion::id, "Of the request; of an arrival the message number.")
        .def_readonly("bytes", &Completion::bytes, "Length.")
        .def_readonly("qpn", &Completion::qpn, "Queue pair here.")
        .def_property_readonly(
            "posted_ns",
            [](const Completion& c) { return FromTick(c.posted).GetNanoSeconds(); },
            "When it was posted, ns; of an arrival its first packet.")
        .def_property_readonly(
            "completed_ns",
            [](const Completion& c) { return FromTick(c.completed).GetNanoSeconds(); },
            "When it ended, ns.")
        .def_property_readonly(
            "kind",
            [](const Completion& c) { return KindName(c.kind); },
            "write, send, read, atomic, arrival, receive or write-immediate.")
        .def_property_readonly(
            "status",
            [](const Completion& c) { return CompletionStatusName(c.status); },
            "As in results; ok says whether it is success.")
        .def_property_readonly(
            "ok",
            [](const Completion& c) { return c.status == CompletionStatus::SUCCESS; },
            "Whether all went well.")
        .def("__repr__", [](const Completion& c) {
            return std::string("<roce.Completion ") + KindName(c.kind) + " id " +
                   std::to_string(c.id) + ", " + std::to_string(c.bytes) + " bytes, " +
                   CompletionStatusName(c.status) + ">";
        });
}

void
BindQueuePair(py::module_& m)
{
    py::class_<QueuePair, Held<QueuePair>>(m, "QueuePair", "One end of a connection.")
        .def_property_readonly("qpn", &QueuePair::GetQpn, "Its number.")
        .def_property_readonly(
            "state",
            [](const QueuePair& qp) { return QueuePairStateName(qp.GetState()); },
            "RESET, INIT, RTR, RTS, SQD or ERROR.")
        .def_property_readonly("congestion_control",
                               &QueuePair::GetCongestionControl,
                               "Its congestion control: an Object with attributes and traces.")
        .def_property_readonly("window", &QueuePair::GetWindow, "Bytes that may be unacknowledged.")
        .def_property_readonly("timeouts", &QueuePair::GetTimeouts, "Timeouts so far.");
    py::class_<CongestionControl, Object, Held<CongestionControl>>(
        m,
        "CongestionControl",
        "The law by which a queue pair sends; trace source Rate.")
        .def_property_readonly("rate_bps", &CongestionControl::GetRate, "Its rate now, bit/s.");
}

} // namespace

void
BindNic(py::module_& m)
{
    BindCompletion(m);
    BindQueuePair(m);
    py::class_<Nic, Object, Held<Nic>>(m, "Nic", "An RDMA NIC of a host.")
        .def_property_readonly("counters", &Counters, "What it has counted: a dict.")
        .def_property_readonly("open_requests",
                               &Nic::GetOpenRequests,
                               "Requests that have neither completed nor failed.")
        .def_property_readonly("queue_pairs", &Nic::GetQueuePairs, "Queue pairs, by number.")
        .def_property_readonly(
            "node_id",
            [](const Nic& nic) { return nic.GetObject<Node>()->GetId(); },
            "Id of its ns-3 node.");
    py::class_<PyConnection>(m,
                             "Connection",
                             "Two connected queue pairs, made by Fabric.connect().\n\n"
                             "It need not be kept: what was posted goes on, and functions are "
                             "called, without it.")
        .def("post",
             &Post,
             py::arg("bytes"),
             py::arg("operation") = "write",
             py::kw_only(),
             py::arg("done") = py::none(),
             py::arg("id") = py::none(),
             "Post a request from the source to the destination and return its id.\n\n"
             "bytes: a number, or text such as \"1MB\". operation: write, write-immediate, send,\n"
             "send-immediate or read; those that need a receive request get one. done is called\n"
             "with the Completion when it has ended. id: yours; without it they are numbered.\n"
             "ValueError if the service does not have the operation; RuntimeError if the "
             "simulation\n"
             "was destroyed.")
        .def(
            "on_completion",
            [](PyConnection& c, py::function f) { c.SetCompletionSink(MakeSink(f)); },
            py::arg("function"),
            "Call a function with each Completion at the source, after those of post(done=).")
        .def(
            "on_arrival",
            [](PyConnection& c, py::function f) { c.SetArrivalSink(MakeSink(f)); },
            py::arg("function"),
            "Call a function with a Completion for each message that is whole at the destination.")
        .def_property_readonly(
            "nic",
            [](const PyConnection& c) { return c.Get().nic; },
            "NIC of the source.")
        .def_property_readonly(
            "peer_nic",
            [](const PyConnection& c) { return c.Get().peerNic; },
            "NIC of the destination.")
        .def_property_readonly(
            "qp",
            [](const PyConnection& c) { return c.Get().qp; },
            "Queue pair of the source.")
        .def_property_readonly(
            "peer_qp",
            [](const PyConnection& c) { return c.Get().peerQp; },
            "Queue pair of the destination.");
}

} // namespace python
} // namespace roce
} // namespace ns3
