/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-rows.h"
#include "roce-experiment-shapes.h"

#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

using Key = ExperimentKey;
using Rows = ExperimentRows;
using Json = ExperimentKey::Json;

/** \return the row of the type. \param type its value */
ExperimentKey
Type(const std::string& type)
{
    return Rows::Must(Rows::Word("type", "Kind of traffic", {type}));
}

/** \return the size of messages \param help for people */
ExperimentKey
Bytes(const std::string& help)
{
    return Rows::Must(Rows::Row(Key::BYTES, "bytes", help, nullptr, "1MB"));
}

/** \return the start of something. \param help for people */
ExperimentKey
At(const std::string& help)
{
    return Rows::Row(Key::TIME, "at", help, "0us", "10us");
}

/** \return keys of all traffic that is made of messages */
std::vector<ExperimentKey>
MessageKeys()
{
    return {Rows::Word("operation", "What messages are", {"write", "read"}, "write"),
            Rows::Within(Rows::Row(Key::WHOLE,
                                   "priority",
                                   "Of data, 0 to 7; missing: as the NIC says",
                                   nullptr,
                                   3),
                         0,
                         7)};
}

/** \return how often each message comes */
ExperimentKey
Messages()
{
    return Rows::Within(Rows::Row(Key::WHOLE,
                                  "messages",
                                  "Of each pair, posted at once to the same queue pair",
                                  1,
                                  10),
                        1,
                        1000000);
}

/** \return the hosts that take part */
ExperimentKey
Hosts()
{
    return Rows::Row(Key::WHOLES,
                     "hosts",
                     "Ids of the hosts that take part; missing: all",
                     nullptr,
                     Json::array({0, 1, 2, 3}));
}

/** \return a shape of messages. \param type of traffic \param help for people \param keys others */
ExperimentShape
MessageShape(const std::string& type,
             const std::string& help,
             const std::vector<ExperimentKey>& keys)
{
    ExperimentShape shape{"traffic." + type, help, {Type(type)}, {}};
    shape.keys.insert(shape.keys.end(), keys.begin(), keys.end());
    for (const ExperimentKey& key : MessageKeys())
    {
        shape.keys.push_back(key);
    }
    return shape;
}

/** \return the shape of traffic at a load */
ExperimentShape
OpenLoop()
{
    const auto number = [](const char* name, const char* help, const Json& value, double most) {
        return Rows::Within(Rows::Row(Key::NUMBER, name, help, value), 0, most);
    };
    ExperimentShape shape = MessageShape(
        "open_loop",
        "Poisson arrivals at a load (TrafficGenerator)",
        {Rows::Row(Key::TEXT,
                   "sizes",
                   "A distribution: WebSearch, FbHdp, AliStorage2019, GoogleRPC2008, Solar2022, or "
                   "a file, relative to the experiment's",
                   nullptr,
                   "WebSearch"),
         Rows::Row(Key::BYTES, "bytes", "All flows are so long", nullptr, "1MB"),
         number("load", "Of the links, in per cent, without headers; 0: none", 50, 1000),
         Rows::Row(Key::TEXT,
                   "links",
                   "What is loaded: host, or two tiers as leaf-spine",
                   "host",
                   "leaf-spine"),
         Rows::Word("pattern",
                    "Who sends to whom",
                    {"uniform", "permutation", "all-to-all", "hotspot"},
                    "uniform"),
         Rows::Within(Rows::Row(Key::WHOLE, "hot_hosts", "Of a hotspot", 1), 1),
         number("hot_fraction", "Share of flows that go to hot hosts", 0.5, 1),
         Rows::Row(Key::TIME, "duration", "Flows arrive for so long", "1ms"),
         At("Begin of the arrivals"),
         Rows::Object(Key::OBJECT,
                      "incast",
                      "An incast each so often, on top",
                      "open_loop_incast",
                      {{"fan_in", 8}, {"bytes", "100kB"}, {"every", "100us"}})});
    shape.choices = {{{"sizes", "bytes"}, true}};
    return shape;
}

/** \return the id of a host. \param name of the key \param help for people \param example for
 *  people */
ExperimentKey
Id(const char* name, const char* help, uint32_t example)
{
    return Rows::Row(Key::WHOLE, name, help, nullptr, example);
}

/** \return the shape of an incast */
ExperimentShape
Incast()
{
    return MessageShape(
        "incast",
        "Hosts that send to one at the same time",
        {Rows::Within(Rows::Row(Key::COUNT,
                                "senders",
                                "How many, the first hosts of the fabric but the receiver, or "
                                "their ids; missing: all others",
                                nullptr,
                                8),
                      0),
         Id("receiver", "Id of the host that receives; missing: the last host", 8),
         Bytes("Of each message"),
         Messages(),
         At("When messages are posted")});
}

/** \return the shape of a permutation */
ExperimentShape
Permutation()
{
    return MessageShape(
        "permutation",
        "Each host sends to one other host, to which no other one sends",
        {Hosts(),
         Rows::Within(Rows::Row(Key::WHOLE,
                                "shift",
                                "The k-th host sends to the one so many further on; missing: at "
                                "random, by seed and run",
                                nullptr,
                                1),
                      1),
         Bytes("Of each message"),
         Messages(),
         At("When messages are posted")});
}

} // namespace

void
ExperimentShapes::AddTraffic(std::vector<ExperimentShape>& shapes)
{
    shapes.push_back(
        {"traffic.messages",
         "Single messages, each with a queue pair of its own",
         {Type("messages"),
          Rows::Must(Rows::Object(Key::OBJECTS,
                                  "messages",
                                  "The messages",
                                  "message",
                                  Json::array({{{"from", 0}, {"to", 1}, {"bytes", "1MB"}}})))},
         {}});
    ExperimentShape message{"message",
                            "A message",
                            {Rows::Must(Id("from", "Id of the host that posts it", 0)),
                             Rows::Must(Id("to", "Id of the other host", 1)),
                             Bytes("Length"),
                             At("When it is posted")},
                            {}};
    for (const ExperimentKey& key : MessageKeys())
    {
        message.keys.push_back(key);
    }
    shapes.push_back(message);
    shapes.push_back(Incast());
    shapes.push_back(Permutation());
    shapes.push_back(MessageShape(
        "all_to_all",
        "Each host sends to each other one",
        {Hosts(), Bytes("Of each message"), Messages(), At("When messages are posted")}));
    shapes.push_back({"traffic.flows",
                      "The flows of a flow file of the HPCC family; start times count from 0",
                      {Type("flows"),
                       Rows::Must(Rows::Row(Key::TEXT,
                                            "file",
                                            "The file, relative to the experiment's",
                                            nullptr,
                                            "flows.txt"))},
                      {}});
    shapes.push_back(OpenLoop());
    shapes.push_back(
        {"open_loop_incast",
         "Incasts of traffic at a load",
         {Rows::Within(Rows::Must(Rows::Row(Key::WHOLE, "fan_in", "Senders", nullptr, 8)), 1),
          Bytes("From each of them"),
          Rows::Must(Rows::Row(Key::TIME, "every", "Time between incasts", nullptr, "100us"))},
         {}});
}

} // namespace roce
} // namespace ns3
