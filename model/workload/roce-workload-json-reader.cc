/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-workload-json-reader.h"

#include "roce-workload-text.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-json-source.h"
#include "ns3/roce-quantity.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t MAX_RANKS = 1 << 20; //!< of a file

/// Takes the workload out of the document.
class Parser : private JsonSource
{
  public:
    using JsonSource::JsonSource;

    /** \return the workload. \param text the bytes */
    Ptr<TaskGraph> Parse(const std::string& text)
    {
        const Json root = JsonSource::Parse(text);
        KnowKeys(root, "", {"schema", "ranks", "groups", "tasks"});
        Schema(root, WorkloadJsonReader::SCHEMA);
        const uint32_t ranks = Whole(Member(root, "", "ranks"), "/ranks");
        Refusing("/ranks", [&]() {
            if (ranks > MAX_RANKS)
            {
                throw std::invalid_argument("expected at most " + std::to_string(MAX_RANKS) +
                                            " ranks, found " + std::to_string(ranks));
            }
            m_graph = Create<TaskGraph>(ranks);
        });
        if (root.contains("groups"))
        {
            ReadGroups(Array(root, "", "groups"));
        }
        ReadTasks(Array(root, "", "tasks"));
        Refusing("", [&]() { m_graph->Validate(); });
        return m_graph;
    }

  private:
    /** Put the path in front of what a function refuses. \param path of the value \param call it */
    template <typename F>
    void Refusing(const std::string& path, F call) const
    {
        try
        {
            call();
        }
        catch (const std::invalid_argument& e)
        {
            Rethrow(path, e.what());
        }
    }

    /** \return whole numbers. \param object it is in \param path of that \param key of it */
    std::vector<uint32_t> Wholes(const Json& object, const std::string& path, const char* key) const
    {
        const Json& list = Array(object, path, key);
        std::vector<uint32_t> numbers;
        numbers.reserve(list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
        {
            numbers.push_back(Whole(list[i], path + "/" + key + "/" + std::to_string(i)));
        }
        return numbers;
    }

    /** \return a number if it is there. \param object it is in \param path of that \param key of it
     *  \param otherwise if not */
    uint32_t WholeOr(const Json& object,
                     const std::string& path,
                     const char* key,
                     uint32_t otherwise) const
    {
        return object.contains(key) ? Whole(object[key], path + "/" + key) : otherwise;
    }

    /** \return a name, "" if missing. \param object it is in \param path of that \param key of it
     */
    std::string Name(const Json& object, const std::string& path, const char* key) const
    {
        const std::string name = Optional(object, path, key);
        Refusing(path + "/" + key, [&]() { WorkloadText::Check(name); });
        return name;
    }

    /** \return ns, 0 if missing. \param object it is in \param path of that \param key of it */
    int64_t Time(const Json& object, const std::string& path, const char* key) const
    {
        int64_t ns = 0;
        if (object.contains(key))
        {
            const std::string text = Text(object, path, key);
            Refusing(path + "/" + key, [&]() { ns = WorkloadText::Nanoseconds(text); });
        }
        return ns;
    }

    /** \return bytes. \param object it is in \param path of that */
    uint64_t Bytes(const Json& object, const std::string& path) const
    {
        const Json& value = Member(object, path, "bytes");
        uint64_t bytes = 0;
        if (value.is_number_unsigned())
        {
            bytes = value.get<uint64_t>();
        }
        else if (value.is_string())
        {
            Refusing(path + "/bytes", [&]() { bytes = ByteSize::Parse(value.get<std::string>()); });
        }
        else
        {
            Fail(path + "/bytes",
                 "expected a whole number or a text with a unit, found " + Shown(value));
        }
        if (bytes > WorkloadText::MAX_BYTES)
        {
            Fail(path + "/bytes", "expected at most 2^62, found " + Shown(value));
        }
        return bytes;
    }

    /** Read the groups. \param groups the list */
    void ReadGroups(const Json& groups)
    {
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            const std::string path = "/groups/" + std::to_string(i);
            KnowKeys(groups[i], path, {"name", "ranks"});
            const std::string name = Name(groups[i], path, "name");
            const std::vector<uint32_t> ranks = Wholes(groups[i], path, "ranks");
            Refusing(path, [&]() { m_graph->AddGroup(name, ranks); });
        }
    }

    /** \return kind of a task; its keys are known then. \param value it \param path of it */
    TaskKind ReadKind(const Json& value, const std::string& path) const
    {
        if (!value.is_object())
        {
            Fail(path, "expected an object, found " + Shown(value));
        }
        const std::string kind = Text(value, path, "kind");
        if (kind == "compute")
        {
            KnowKeys(value,
                     path,
                     {"kind", "rank", "name", "after", "not_before", "duration", "stream"});
            return TaskKind::COMPUTE;
        }
        if (kind == "collective")
        {
            KnowKeys(value,
                     path,
                     {"kind",
                      "rank",
                      "name",
                      "after",
                      "not_before",
                      "group",
                      "operation",
                      "algorithm",
                      "root",
                      "bytes"});
            return TaskKind::COLLECTIVE;
        }
        if (kind == "send" || kind == "receive")
        {
            KnowKeys(value,
                     path,
                     {"kind", "rank", "name", "after", "not_before", "peer", "tag", "bytes"});
            return kind == "send" ? TaskKind::SEND : TaskKind::RECEIVE;
        }
        Fail(path + "/kind",
             "expected compute, collective, send or receive, found " + Quantity::Shown(kind));
    }

    /** Read what a kind of task has of its own. \param value it \param path of it
     *  \param task gets it */
    void ReadRest(const Json& value, const std::string& path, Task& task) const
    {
        switch (task.kind)
        {
        case TaskKind::COMPUTE:
            task.durationNs = Time(value, path, "duration");
            task.stream = WholeOr(value, path, "stream", Task::NO_STREAM);
            break;
        case TaskKind::COLLECTIVE:
            task.group = Whole(Member(value, path, "group"), path + "/group");
            Member(value, path, "operation");
            task.operation = Name(value, path, "operation");
            task.algorithm = Name(value, path, "algorithm");
            task.root = WholeOr(value, path, "root", 0);
            task.bytes = Bytes(value, path);
            break;
        case TaskKind::SEND:
        case TaskKind::RECEIVE:
            task.peer = Whole(Member(value, path, "peer"), path + "/peer");
            task.tag = WholeOr(value, path, "tag", 0);
            task.bytes = Bytes(value, path);
            break;
        }
    }

    /** Read the tasks. \param tasks the list */
    void ReadTasks(const Json& tasks)
    {
        for (std::size_t i = 0; i < tasks.size(); ++i)
        {
            const std::string path = "/tasks/" + std::to_string(i);
            Task task;
            task.kind = ReadKind(tasks[i], path);
            task.rank = Whole(Member(tasks[i], path, "rank"), path + "/rank");
            task.name = Name(tasks[i], path, "name");
            if (tasks[i].contains("after"))
            {
                task.after = Wholes(tasks[i], path, "after");
            }
            task.notBeforeNs = Time(tasks[i], path, "not_before");
            ReadRest(tasks[i], path, task);
            Refusing(path, [&]() { m_graph->Add(task); });
        }
    }

    Ptr<TaskGraph> m_graph; //!< the result
};

} // namespace

Ptr<TaskGraph>
WorkloadJsonReader::Read(const std::string& name, const std::string& text)
{
    return Parser(name).Parse(text);
}

} // namespace roce
} // namespace ns3
