/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-shapes.h"

#include "roce-experiment-rows.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Key = ExperimentKey;
using Rows = ExperimentRows;
using Json = ExperimentKey::Json;

/** \return keys that choose the parts of a fabric. \param balancer default of lb, null: none
 *  \param recovery default of recovery, null: none */
std::vector<ExperimentKey>
Parts(const Json& balancer, const Json& recovery)
{
    return {
        Rows::Row(Key::TEXT,
                  "lb",
                  "Load balancer of switches: ecmp, e-ecmp, hpcc, flowlet, letflow, dlb, spray, "
                  "drill, conga, pinned, or a TypeId",
                  balancer,
                  "flowlet"),
        Rows::Row(Key::TEXT,
                  "recovery",
                  "Loss recovery: go-back-n, go-back-0, irn, or a TypeId",
                  recovery,
                  "irn"),
        Rows::Row(Key::TEXT,
                  "paths",
                  "Who picks the path of a message at the sender: ecmp (nobody), int-oracle, or a "
                  "TypeId",
                  nullptr,
                  "int-oracle"),
        Rows::Row(Key::TEXT,
                  "scheduler",
                  "Transmission selection of ports: strict, dwrr, or a TypeId",
                  nullptr,
                  "dwrr"),
    };
}

/** Put keys at the end. \param to gets them \param keys them */
void
Append(std::vector<ExperimentKey>& to, const std::vector<ExperimentKey>& keys)
{
    to.insert(to.end(), keys.begin(), keys.end());
}

/** \return what is before the parts in a document */
std::vector<ExperimentKey>
Begin()
{
    return {
        Rows::Must(Rows::Word("schema", "Name of this schema", {ExperimentShapes::SCHEMA})),
        Rows::Row(Key::TEXT, "name", "For people", nullptr, "incast of 8"),
        Rows::Within(
            Rows::Row(Key::WHOLE, "seed", "RngSeed of ns-3; missing: as it is", nullptr, 1),
            1),
        Rows::Row(Key::WHOLE, "run", "RngRun of ns-3; missing: as it is", nullptr, 1),
        Rows::Within(Rows::Row(Key::WHOLE,
                               "repeats",
                               "Each run is done so often, with RngRun run, run + 1, ...",
                               1,
                               3),
                     1,
                     10000),
        Rows::Must(Rows::Object(Key::PRESET,
                                "topology",
                                "The fabric; a text is the name of a preset",
                                "topology",
                                {{"star", {{"hosts", 9}}}})),
        Rows::Row(Key::TEXTS,
                  "cc",
                  "Congestion controls, a run each: none, dcqcn, dcqcn-path, dctcp, timely, "
                  "patched-timely, swift, hpcc, hpcc-rate, powertcp, theta-powertcp, hcc, or a "
                  "TypeId; dcqcn if there are no runs either",
                  nullptr,
                  Json::array({"none", "dcqcn"})),
        Rows::Object(Key::OBJECTS,
                     "runs",
                     "Runs that differ in more than the congestion control",
                     "run",
                     Json::array({{{"label", "irn"}, {"cc", "dcqcn"}, {"recovery", "irn"}}})),
    };
}

/** \return what is after the parts in a document */
std::vector<ExperimentKey>
End()
{
    return {
        Rows::Object(Key::OBJECT, "gpus", "GPUs of the hosts", "gpus", {{"per_server", 8}}),
        Rows::Must(Rows::Object(Key::VARIANTS,
                                "traffic",
                                "What is sent, all at once",
                                "traffic",
                                Json::array({{{"type", "incast"}, {"bytes", "1MB"}}}))),
        Rows::Object(Key::OBJECTS,
                     "links",
                     "What happens to links",
                     "link",
                     Json::array({{{"at", "1ms"}, {"link", 3}, {"state", "down"}}})),
        Rows::Row(Key::TIME,
                  "route_delay",
                  "From a change of a link to that of the routes",
                  "0us",
                  "50us"),
        Rows::Object(Key::OBJECT,
                     "monitors",
                     "What else to look at",
                     "monitors",
                     {{"queues", "1us"}}),
        Rows::Object(Key::OBJECT,
                     "expect",
                     "What is meant to go wrong",
                     "expect",
                     {{"stall", true}}),
        Rows::Row(Key::TIME,
                  "stop",
                  "End at this simulated time at the latest; missing: when the work is done",
                  nullptr,
                  "10ms"),
        Rows::Object(Key::OBJECT,
                     "output",
                     "Files to write",
                     "output",
                     {{"json", "out/result.json"}}),
    };
}

/** Add changes of links. \param shapes gets them */
void
AddLinks(std::vector<ExperimentShape>& shapes)
{
    shapes.push_back(
        {"link",
         "A change of a link",
         {Rows::Must(Rows::Row(Key::TIME, "at", "When", nullptr, "1ms")),
          Rows::Row(Key::WHOLE, "link", "Index of the link in the fabric", nullptr, 3),
          Rows::Row(Key::ENDS,
                    "between",
                    "Ids of both ends; \"*\" for the second one takes all links of the first",
                    nullptr,
                    Json::array({12, "*"})),
          Rows::Word("state", "What becomes of it", {"down", "up"}),
          Rows::Row(Key::RATE, "rate", "Its new rate, both ways", nullptr, "25Gbps"),
          Rows::Within(Rows::Row(Key::NUMBER,
                                 "errors",
                                 "Share of frames that are lost from now on",
                                 nullptr,
                                 1e-5),
                       0,
                       1)},
         {{{"link", "between"}, true}, {{"state", "rate", "errors"}, true}}});
}

/** Add monitors and files. \param shapes gets them */
void
AddRest(std::vector<ExperimentShape>& shapes)
{
    shapes.push_back(
        {"monitors",
         "What else to look at",
         {Rows::Row(Key::TIME,
                    "queues",
                    "Sample the queues of switches at this interval: key queues of a run",
                    nullptr,
                    "1us"),
          Rows::Row(Key::TIME,
                    "rates",
                    "Sample the rates of queue pairs at this interval: key rates of a run",
                    nullptr,
                    "10us"),
          Rows::Row(Key::BOOL, "pauses", "Note each pause: key pauses of a run", false, true),
          Rows::Row(Key::BOOL,
                    "links",
                    "List what crossed each link: key links of a run",
                    false,
                    true),
          Rows::Row(Key::BOOL,
                    "messages",
                    "List all messages: key message_list of a run",
                    false,
                    true),
          Rows::Row(Key::BOOL,
                    "deadlock",
                    "Look for switches that wait for each other: key deadlocks of a run",
                    false,
                    true)},
         {}});
    shapes.push_back(
        {"expect",
         "What is meant to go wrong",
         {Rows::Row(Key::BOOL, "stall", "Each run is meant to end as a stall", false, true),
          Rows::Row(Key::WHOLE, "failures", "Requests of each run that are meant to fail", 0, 2)},
         {}});
    shapes.push_back(
        {"output",
         "Files to write, relative to where the program runs; flags of roce-run go first",
         {Rows::Row(Key::TEXT, "json", "Result file", nullptr, "out/result.json"),
          Rows::Row(Key::TEXT, "fct", "A line a message, CSV", nullptr, "out/fct.csv"),
          Rows::Row(Key::TEXT, "pcap", "Begin of the names of pcap files", nullptr, "out/x")},
         {}});
}

} // namespace

std::vector<ExperimentKey>
ExperimentShapes::Attributes()
{
    const std::pair<const char*, std::pair<const char*, Json>> rows[] = {
        {"attributes",
         {"Defaults of any attributes, by ns3::roce::X::Attribute, for the run only",
          {{"ns3::roce::Nic::PathMtu", 1024}}}},
        {"nic", {"Attributes of ns3::roce::Nic", {{"PathMtu", 1024}}}},
        {"switch", {"Attributes of ns3::roce::Switch", {{"BufferSize", "32MiB"}}}},
        {"port", {"Attributes of ns3::roce::Port", {{"Overhead", 20}}}},
        {"buffer", {"Attributes of ns3::roce::BufferOptions", {{"CellBytes", "256B"}}}},
        {"ecn", {"Attributes of ns3::roce::EcnMarker", {{"KminBytes", "100kB"}}}},
        {"pfc", {"Attributes of ns3::roce::PfcController", {{"Refresh", true}}}},
        {"cnp", {"Attributes of ns3::roce::CnpGenerator", {{"Interval", "50us"}}}},
        {"transport", {"Attributes of ns3::roce::TransportOptions", {{"RnrRetryLimit", 7}}}},
        {"congestion_control",
         {"Attributes of the congestion control of each run", {{"Preset", "paper"}}}},
        {"load_balancer",
         {"Attributes of the load balancer of each run", {{"Fields", "five-tuple"}}}},
        {"loss_recovery", {"Attributes of the loss recovery of each run", Json::object()}}};
    std::vector<ExperimentKey> keys;
    for (const auto& [name, row] : rows)
    {
        keys.push_back(Rows::Row(Key::VALUES, name, row.first, nullptr, row.second));
    }
    return keys;
}

void
ExperimentShapes::AddDocument(std::vector<ExperimentShape>& shapes)
{
    ExperimentShape document{"", "An experiment", Begin(), {{{"cc", "runs"}, false}}};
    Append(document.keys, Parts("ecmp", "go-back-n"));
    Append(document.keys, Attributes());
    Append(document.keys, End());
    shapes.push_back(document);

    ExperimentShape run{"run",
                        "A run",
                        {Rows::Row(Key::TEXT,
                                   "label",
                                   "Its name in results; missing: cc. Unique",
                                   nullptr,
                                   "dcqcn, IRN"),
                         Rows::Must(Rows::Row(Key::TEXT,
                                              "cc",
                                              "Congestion control, as in the document",
                                              nullptr,
                                              "dcqcn"))},
                        {}};
    Append(run.keys, Parts(nullptr, nullptr));
    Append(run.keys, Attributes());
    shapes.push_back(run);
    AddLinks(shapes);
    AddRest(shapes);
}

const std::vector<ExperimentShape>&
ExperimentShapes::All()
{
    static const std::vector<ExperimentShape> shapes = [] {
        std::vector<ExperimentShape> all;
        AddDocument(all);
        AddTopology(all);
        AddTraffic(all);
        AddJobs(all);
        return all;
    }();
    return shapes;
}

const ExperimentShape&
ExperimentShapes::Get(const std::string& name)
{
    for (const ExperimentShape& shape : All())
    {
        if (shape.name == name)
        {
            return shape;
        }
    }
    throw std::out_of_range("experiment: no shape " + name);
}

std::vector<std::string>
ExperimentShapes::GetVariants(const std::string& group)
{
    std::vector<std::string> names;
    for (const ExperimentShape& shape : All())
    {
        if (shape.name.compare(0, group.size() + 1, group + ".") == 0)
        {
            names.push_back(shape.name.substr(group.size() + 1));
        }
    }
    return names;
}

} // namespace roce
} // namespace ns3
