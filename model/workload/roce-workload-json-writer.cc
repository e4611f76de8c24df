/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-workload-json-writer.h"

#include "roce-workload-json-reader.h"
#include "roce-workload-text.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = nlohmann::ordered_json;

/** \return how the schema calls a kind. \param kind it */
const char*
KindWord(TaskKind kind)
{
    switch (kind)
    {
    case TaskKind::COMPUTE:
        return "compute";
    case TaskKind::COLLECTIVE:
        return "collective";
    case TaskKind::SEND:
        return "send";
    case TaskKind::RECEIVE:
        return "receive";
    }
    return "?";
}

/** Add a text unless it is empty. \param json gets it \param key of it \param text it */
void
AddText(Json& json, const char* key, const std::string& text)
{
    if (!text.empty())
    {
        json[key] = WorkloadText::Check(text);
    }
}

/** Add a time unless it is 0. \param json gets it \param key of it \param ns it */
void
AddTime(Json& json, const char* key, int64_t ns)
{
    if (ns != 0)
    {
        json[key] = WorkloadText::DurationText(ns);
    }
}

/** \return a size; refused if the reader would. \param bytes it */
uint64_t
Size(uint64_t bytes)
{
    if (bytes > WorkloadText::MAX_BYTES)
    {
        throw std::invalid_argument(std::to_string(bytes) + " bytes, expected at most 2^62");
    }
    return bytes;
}

/** \return a task. \param task it */
Json
ToJson(const Task& task)
{
    Json json;
    json["kind"] = KindWord(task.kind);
    json["rank"] = task.rank;
    AddText(json, "name", task.name);
    if (!task.after.empty())
    {
        json["after"] = task.after;
    }
    AddTime(json, "not_before", task.notBeforeNs);
    if (task.kind == TaskKind::COMPUTE)
    {
        AddTime(json, "duration", task.durationNs);
        if (task.stream != Task::NO_STREAM)
        {
            json["stream"] = task.stream;
        }
        return json;
    }
    if (task.kind == TaskKind::COLLECTIVE)
    {
        json["group"] = task.group;
        AddText(json, "operation", task.operation);
        AddText(json, "algorithm", task.algorithm);
        if (task.root != 0)
        {
            json["root"] = task.root;
        }
    }
    else
    {
        json["peer"] = task.peer;
        if (task.tag != 0)
        {
            json["tag"] = task.tag;
        }
    }
    json["bytes"] = Size(task.bytes);
    return json;
}

} // namespace

std::string
WorkloadJsonWriter::Format(const TaskGraph& graph)
{
    graph.Validate();
    std::string text = "{\n  \"schema\": \"" + std::string(WorkloadJsonReader::SCHEMA) +
                       "\",\n  \"ranks\": " + std::to_string(graph.GetRanks()) +
                       ",\n  \"groups\": [";
    for (uint32_t i = 0; i < graph.GetGroups(); ++i)
    {
        Json json;
        AddText(json, "name", graph.GetGroup(i).name);
        json["ranks"] = graph.GetGroup(i).ranks;
        text += (i == 0 ? "\n    " : ",\n    ") + json.dump();
    }
    text += graph.GetGroups() == 0 ? "],\n  \"tasks\": [" : "\n  ],\n  \"tasks\": [";
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        Json json;
        try
        {
            json = ToJson(graph.GetTask(id));
        }
        catch (const std::invalid_argument& e)
        {
            throw std::invalid_argument("task " + std::to_string(id) + ": " + e.what());
        }
        text += (id == 0 ? "\n    " : ",\n    ") + json.dump();
    }
    return text + (graph.GetTasks() == 0 ? "]\n}\n" : "\n  ]\n}\n");
}

} // namespace roce
} // namespace ns3
