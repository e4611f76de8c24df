/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"
#include "py-callback.h"
#include "py-value.h"

#include "ns3/config.h"
#include "ns3/roce-cnp-body.h"
#include "ns3/roce-collective-engine.h"
#include "ns3/roce-completion.h"
#include "ns3/roce-deadlock-report.h"
#include "ns3/roce-drop-reason.h"
#include "ns3/roce-frame.h"
#include "ns3/roce-opcode-table.h"
#include "ns3/roce-pfc-spike-detector.h"
#include "ns3/roce-queue-pair-state.h"

#include <map>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

// what the arguments of trace sources are in Python; structs are dicts

template <typename T>
py::object
ToPython(const T& value)
{
    return py::cast(value);
}

py::object
ToPython(const DropReason& reason)
{
    return py::str(DropReasonName(reason));
}

py::object
ToPython(const QueuePairState& state)
{
    return py::str(QueuePairStateName(state));
}

py::object
ToPython(const Frame& frame)
{
    static const char* const KINDS[] = {"request", "response", "ack", "cnp", "pfc", "packet"};
    const bool transport = frame.kind <= FrameKind::CNP;
    py::dict d;
    d["kind"] = KINDS[static_cast<unsigned>(frame.kind)];
    d["opcode"] = transport ? py::object(py::str(OpcodeTable::Get(frame.opcode).name)) : py::none();
    d["source"] = frame.source;
    d["destination"] = frame.destination;
    d["source_port"] = frame.sourcePort;
    d["psn"] = frame.psn;
    d["destination_qp"] = frame.destinationQp;
    d["size"] = frame.size;
    d["payload"] = frame.payload;
    d["priority"] = frame.priority;
    d["ecn"] = frame.ecn;
    d["retransmitted"] = (frame.flags & FRAME_RETRANSMIT) != 0;
    return std::move(d);
}

py::object
ToPython(const WorkRequest& request)
{
    py::dict d;
    d["id"] = request.id;
    d["bytes"] = request.bytes;
    d["operation"] = static_cast<unsigned>(request.operation);
    return std::move(d);
}

py::object
ToPython(const CnpBody& body)
{
    py::dict d;
    d["clear"] = body.clear;
    d["leave"] = body.leave;
    d["domain"] = body.domain;
    d["point"] = body.point;
    d["tier"] = body.tier;
    d["stage"] = body.stage;
    d["share"] = body.share;
    d["flows"] = body.flows;
    d["rate_bps"] = body.rateBps;
    return std::move(d);
}

py::object
ToPython(const CollectiveStepRecord& record)
{
    py::dict d;
    d["rank"] = record.rank;
    d["step"] = record.step;
    d["peer"] = record.peer;
    d["receive"] = record.receive;
    d["bytes"] = record.bytes;
    d["begun"] = record.begun;
    d["ended"] = record.ended;
    return std::move(d);
}

py::object
ToPython(const DeadlockReport& report)
{
    return py::str(report.GetText());
}

py::object
ToPython(const PfcSpike& spike)
{
    py::dict d;
    d["node"] = spike.node;
    d["host"] = spike.host;
    d["port"] = spike.port;
    d["priority"] = spike.priority;
    d["xoffs"] = spike.xoffs;
    d["at"] = spike.at;
    return std::move(d);
}

template <typename... Args>
void
Hear(Sink sink, Args... args)
{
    sink->Call([&]() { return py::make_tuple(ToPython(args)...); });
}

using Connector = bool (*)(ObjectBase&, const std::string&, Sink);

template <typename... Args>
bool
ConnectAs(ObjectBase& object, const std::string& name, Sink sink)
{
    Callback<void, Sink, Args...> heard(&Hear<Args...>);
    return object.TraceConnectWithoutContext(name, heard.Bind(sink));
}

/** \return how to listen to a trace source, by the name of its callback type */
const std::map<std::string, Connector>&
GetConnectors()
{
    static const std::map<std::string, Connector> CONNECTORS = {
        {"ns3::roce::Nic::CompletionTracedCallback", &ConnectAs<const Completion&>},
        {"ns3::roce::Nic::PostedTracedCallback", &ConnectAs<uint32_t, const WorkRequest&>},
        {"ns3::roce::Nic::TickTracedCallback", &ConnectAs<uint32_t, Tick>},
        {"ns3::roce::Nic::StateTracedCallback", &ConnectAs<uint32_t, QueuePairState>},
        {"ns3::roce::Switch::DropTracedCallback", &ConnectAs<const Frame&, DropReason>},
        {"ns3::roce::Switch::EcnTracedCallback", &ConnectAs<const Frame&, uint32_t>},
        {"ns3::roce::Switch::PfcTracedCallback", &ConnectAs<uint32_t, uint32_t, bool>},
        {"ns3::roce::Port::FrameTracedCallback", &ConnectAs<const Frame&>},
        {"ns3::roce::Port::DropTracedCallback", &ConnectAs<const Frame&, DropReason>},
        {"ns3::roce::PfcWatchdog::StormTracedCallback", &ConnectAs<uint32_t, uint32_t, bool>},
        {"ns3::roce::LeaveNotifier::MoveTracedCallback", &ConnectAs<uint64_t, uint32_t, uint32_t>},
        {"ns3::roce::CongestionPoint::CnpTracedCallback", &ConnectAs<const CnpBody&, const Frame&>},
        {"ns3::roce::CongestionPoint::MarksTracedCallback",
         &ConnectAs<uint16_t, uint32_t, uint32_t>},
        {"ns3::roce::CongestionControl::RateTracedCallback",
         &ConnectAs<uint32_t, uint64_t, uint64_t>},
        {"ns3::roce::CnpProcessor::CnpTracedCallback", &ConnectAs<uint32_t, const CnpBody&>},
        {"ns3::roce::CnpProcessor::DomainRateTracedCallback",
         &ConnectAs<uint32_t, uint16_t, uint16_t, double, double>},
        {"ns3::roce::CnpProcessor::AlphaTracedCallback", &ConnectAs<uint16_t, double, double>},
        {"ns3::roce::CnpProcessor::LimitTracedCallback",
         &ConnectAs<uint16_t, uint16_t, double, uint32_t>},
        {"ns3::roce::PathChooser::MovedTracedCallback", &ConnectAs<uint32_t, uint16_t, uint16_t>},
        {"ns3::roce::CollectiveApplication::StepTracedCallback",
         &ConnectAs<const CollectiveStepRecord&>},
        {"ns3::roce::CollectiveApplication::DoneTracedCallback", &ConnectAs<uint32_t, Tick>},
        {"ns3::roce::Job::TaskTracedCallback", &ConnectAs<uint32_t, Tick, Tick>},
        {"ns3::roce::DeadlockDetector::DeadlockTracedCallback", &ConnectAs<const DeadlockReport&>},
        {"ns3::roce::PfcSpikeDetector::SpikeTracedCallback", &ConnectAs<const PfcSpike&>},
        {"ns3::roce::RailFailover::MovedTracedCallback",
         &ConnectAs<uint32_t, uint32_t, uint32_t, uint32_t>},
        {"ns3::roce::AdmittedChannel::CtsTracedCallback", &ConnectAs<uint64_t, uint64_t>},
        {"ns3::roce::AdmittedChannel::GrantedTracedCallback", &ConnectAs<uint64_t, uint64_t>},
    };
    return CONNECTORS;
}

void
ConnectOne(Object& object, const std::string& name, Sink sink)
{
    const TypeId type = object.GetInstanceTypeId();
    TypeId::TraceSourceInformation info;
    if (!type.LookupTraceSourceByName(name, &info))
    {
        throw py::value_error(type.GetName() + " has no trace source \"" + name +
                              "\"; see roce.trace_sources(\"" + type.GetName() + "\")");
    }
    const auto found = GetConnectors().find(info.callback);
    if (found == GetConnectors().end() || !found->second(object, name, sink))
    {
        throw py::value_error("trace source " + type.GetName() + "::" + name + " has arguments (" +
                              info.callback + ") that Python cannot take");
    }
}

uint32_t
ConnectTrace(py::handle source, const py::args& rest)
{
    if (py::isinstance<py::str>(source) && rest.size() == 1)
    {
        const auto path = source.cast<std::string>();
        const std::size_t slash = path.rfind('/');
        if (slash == std::string::npos || slash == 0)
        {
            throw py::value_error("path \"" + path +
                                  "\" is not like \"/NodeList/*/$ns3::roce::Nic/"
                                  "Completed\"");
        }
        const auto matches = Config::LookupMatches(path.substr(0, slash));
        if (matches.GetN() == 0)
        {
            throw py::value_error("path \"" + path +
                                  "\" matches no object; build the fabric first");
        }
        const Sink sink = MakeSink(rest[0]);
        for (std::size_t i = 0; i < matches.GetN(); ++i)
        {
            ConnectOne(*matches.Get(i), path.substr(slash + 1), sink);
        }
        return static_cast<uint32_t>(matches.GetN());
    }
    if (py::isinstance<Object>(source) && rest.size() == 2)
    {
        ConnectOne(source.cast<Object&>(), rest[0].cast<std::string>(), MakeSink(rest[1]));
        return 1;
    }
    throw py::type_error("connect() takes (path, function) or (object, name, function)");
}

} // namespace

void
BindTraces(py::module_& m)
{
    m.def(
        "connect",
        &ConnectTrace,
        py::arg("source"),
        "Call a function at each event of a trace source.\n\n"
        "connect(object, \"Completed\", function), or by path of ns-3's Config for all objects "
        "that match:\nconnect(\"/NodeList/*/$ns3::roce::Nic/Completed\", function). Returns how "
        "many objects it is\nconnected to. Frames, CNPs, requests and records come as dict, ticks "
        "as int (ns), reasons\nand states as text. Times of a trace are Simulator.now(). "
        "ValueError if there is no such\nsource.");
}

} // namespace python
} // namespace roce
} // namespace ns3
