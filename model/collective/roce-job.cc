/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-job.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceJob");

NS_OBJECT_ENSURE_REGISTERED(Job);

namespace
{

/** \return the receive of each send, by id: the k-th of a tag between two ranks is that of the k-th
 *  send. */
std::vector<uint32_t>
PairMessages(const TaskGraph& graph)
{
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>; // from, to, tag
    std::map<Key, std::deque<uint32_t>> open;
    std::vector<uint32_t> receives(graph.GetTasks(), TaskOrder::NONE);
    for (const TaskKind kind : {TaskKind::SEND, TaskKind::RECEIVE})
    {
        for (uint32_t id = 0; id < graph.GetTasks(); ++id)
        {
            const Task& task = graph.GetTask(id);
            if (task.kind != kind)
            {
                continue;
            }
            if (kind == TaskKind::SEND)
            {
                open[Key(task.rank, task.peer, task.tag)].push_back(id);
                continue;
            }
            std::deque<uint32_t>& sends = open[Key(task.peer, task.rank, task.tag)];
            receives[sends.front()] = id;
            sends.pop_front();
        }
    }
    return receives;
}

} // namespace

TypeId
Job::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::Job")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddConstructor<Job>()
                            .AddTraceSource("TaskDone",
                                            "A task has ended",
                                            MakeTraceSourceAccessor(&Job::m_taskDone),
                                            "ns3::roce::Job::TaskTracedCallback");
    return tid;
}

Job::Job() = default;

Job::~Job() = default;

void
Job::DoDispose()
{
    for (auto& [id, event] : m_events)
    {
        event.Cancel();
    }
    m_events.clear();
    for (const auto& communicator : m_communicators)
    {
        if (communicator)
        {
            communicator->Stop();
        }
    }
    m_communicators.clear();
    for (const auto& [pair, lane] : m_lanes)
    {
        lane.channel->Dispose();
    }
    m_lanes.clear();
    m_services = Services();
    m_done.Nullify();
    Object::DoDispose();
}

void
Job::Setup(Ptr<const TaskGraph> graph, const Services& services)
{
    if (m_graph)
    {
        throw std::logic_error("job: it has a graph already; make another job");
    }
    graph->Validate();
    m_graph = graph;
    m_services = services;
    m_order = std::make_unique<TaskOrder>(*graph);
    m_result.Begin(graph);
    PrepareCollectives();
    PrepareMessages();
}

Job::Plan
Job::PlanOf(const Task& task) const
{
    return Plan(task.group, task.operation, task.algorithm, task.bytes, task.root);
}

void
Job::PrepareCollectives()
{
    m_communicators.resize(m_graph->GetGroups());
    for (uint32_t id = 0; id < m_graph->GetTasks(); ++id)
    {
        const Task& task = m_graph->GetTask(id);
        if (task.kind != TaskKind::COLLECTIVE || m_schedules.count(PlanOf(task)))
        {
            continue;
        }
        const TaskGroup& group = m_graph->GetGroup(task.group);
        Ptr<CollectiveSchedule> schedule;
        try
        {
            schedule = m_services.schedules(task, group);
        }
        catch (const std::invalid_argument& e)
        {
            throw std::invalid_argument(m_graph->Describe(id) + ": " + e.what());
        }
        m_schedules.emplace(PlanOf(task), schedule);
        Ptr<Communicator>& communicator = m_communicators[task.group];
        if (!communicator)
        {
            communicator = m_services.communicators(group.ranks);
        }
        communicator->Prepare(*schedule);
    }
}

void
Job::PrepareMessages()
{
    m_receives = PairMessages(*m_graph);
    m_arrived.assign(m_graph->GetTasks(), false);
    for (uint32_t id = 0; id < m_graph->GetTasks(); ++id)
    {
        const Task& task = m_graph->GetTask(id);
        const Pair pair(task.rank, task.peer);
        if (task.kind != TaskKind::SEND || m_lanes.count(pair))
        {
            continue;
        }
        Lane& lane = m_lanes[pair];
        lane.channel = m_services.channels(task.rank, task.peer);
        lane.channel->SetSentHandler([this, pair](const MessageEnd& r) { OnSent(pair, r); });
        lane.channel->SetReceivedHandler([this, pair](const MessageEnd& r) { OnMessage(pair, r); });
    }
}

void
Job::SetDoneCallback(Callback<void> done)
{
    m_done = done;
}

void
Job::Start()
{
    if (!m_graph || m_start != NEVER)
    {
        throw std::logic_error(m_graph ? "job: it has started already"
                                       : "job: it has nothing to do; call Setup");
    }
    m_start = ToTick(Simulator::Now());
    m_result.SetStart(m_start);
    StartReady();
    if (m_graph->GetTasks() == 0 && !m_done.IsNull())
    {
        m_done();
    }
}

void
Job::StartReady()
{
    if (m_starting) // a task that ended at once: the loop below goes on
    {
        return;
    }
    m_starting = true;
    for (uint32_t id; (id = m_order->TakeReady()) != TaskOrder::NONE;)
    {
        const Task& task = m_graph->GetTask(id);
        const uint32_t context = m_services.contexts(task.rank);
        const Tick at = m_start + ToTick(NanoSeconds(task.notBeforeNs));
        const Tick now = ToTick(Simulator::Now());
        if (at > now || context != Simulator::GetContext())
        {
            const Ptr<Job> self(this); // ScheduleWithContext gives no event to cancel
            Simulator::ScheduleWithContext(context,
                                           FromTick(std::max(at, now) - now),
                                           [self, id]() { self->RunTask(id); });
        }
        else
        {
            StartTask(id);
        }
    }
    m_starting = false;
}

void
Job::RunTask(uint32_t id)
{
    if (m_services.contexts) // not disposed of
    {
        StartTask(id);
    }
}

void
Job::StartTask(uint32_t id)
{
    const Task& task = m_graph->GetTask(id);
    m_result.NoteBegun(id, ToTick(Simulator::Now()));
    NS_LOG_LOGIC(m_graph->Describe(id) << " starts");
    switch (task.kind)
    {
    case TaskKind::COMPUTE:
        StartCompute(id);
        break;
    case TaskKind::COLLECTIVE:
        StartCollective(id);
        break;
    case TaskKind::SEND: {
        Lane& lane = m_lanes.at(Pair(task.rank, task.peer));
        lane.sends.push_back(id);
        lane.coming.push_back(id);
        lane.channel->Expect(task.bytes); // receives of messages are posted in advance
        lane.channel->Send(task.bytes);
        break;
    }
    case TaskKind::RECEIVE:
        StartReceive(id);
        break;
    }
}

void
Job::StartCompute(uint32_t id)
{
    const Task& task = m_graph->GetTask(id);
    const Pair stream(task.rank, task.stream);
    if (task.stream != Task::NO_STREAM)
    {
        m_streams[stream].ready.insert(id);
        RunStream(stream);
    }
    else if (task.durationNs == 0)
    {
        End(id);
    }
    else
    {
        m_events[id] =
            Simulator::Schedule(NanoSeconds(task.durationNs), &Job::EndCompute, this, id, stream);
    }
}

void
Job::RunStream(Pair pair)
{
    Stream& stream = m_streams[pair];
    if (stream.busy || stream.ready.empty())
    {
        return;
    }
    const uint32_t id = *stream.ready.begin();
    stream.ready.erase(stream.ready.begin());
    stream.busy = true;
    m_result.NoteBegun(id, ToTick(Simulator::Now()));
    m_events[id] = Simulator::Schedule(NanoSeconds(m_graph->GetTask(id).durationNs),
                                       &Job::EndCompute,
                                       this,
                                       id,
                                       pair);
}

void
Job::EndCompute(uint32_t id, Pair stream)
{
    m_events.erase(id);
    if (stream.second != Task::NO_STREAM)
    {
        m_streams[stream].busy = false;
    }
    End(id); // may free an earlier task of the stream
    if (stream.second != Task::NO_STREAM)
    {
        RunStream(stream);
    }
}

void
Job::StartCollective(uint32_t id)
{
    const Task& task = m_graph->GetTask(id);
    m_communicators[task.group]
        ->GetRank(m_graph->PlaceOf(task.group, task.rank))
        ->Run(m_schedules.at(PlanOf(task)), [this, id]() { End(id); });
}

void
Job::StartReceive(uint32_t id)
{
    if (m_arrived[id])
    {
        End(id);
    }
}

void
Job::OnMessage(Pair pair, const MessageEnd&)
{
    Lane& lane = m_lanes.at(pair);
    const uint32_t receive = m_receives[lane.coming.front()];
    lane.coming.pop_front();
    m_arrived[receive] = true;
    if (m_result.GetBegun(receive) != NEVER)
    {
        End(receive);
    }
}

void
Job::OnSent(Pair pair, const MessageEnd& record)
{
    Lane& lane = m_lanes.at(pair);
    const uint32_t id = lane.sends.front();
    lane.sends.pop_front();
    if (record.failed)
    {
        NS_LOG_WARN(m_graph->Describe(id) << " has failed");
        m_failed = true;
        return;
    }
    m_messageBytes += record.bytes;
    End(id);
}

void
Job::End(uint32_t id)
{
    const Tick now = ToTick(Simulator::Now());
    m_result.NoteEnded(id, now);
    m_order->SetDone(id);
    m_taskDone(id, m_result.GetBegun(id), now);
    StartReady();
    if (m_order->GetDone() == m_graph->GetTasks() && !m_done.IsNull())
    {
        const Callback<void> done = m_done;
        m_done.Nullify();
        done();
    }
}

uint64_t
Job::GetGroupBytes(uint32_t group) const
{
    const Ptr<Communicator>& communicator = m_communicators.at(group);
    uint64_t bytes = 0;
    for (uint32_t rank = 0; communicator && rank < communicator->GetRanks(); ++rank)
    {
        bytes += communicator->GetRank(rank)->GetBytesSent();
    }
    return bytes;
}

Ptr<const CollectiveSchedule>
Job::GetSchedule(uint32_t task) const
{
    return m_schedules.at(PlanOf(m_graph->GetTask(task)));
}

std::string
Job::Describe() const
{
    if (!m_order)
    {
        return "a job without a graph";
    }
    if (IsFinished())
    {
        return "";
    }
    return std::to_string(m_order->GetDone()) + " of " + std::to_string(m_graph->GetTasks()) +
           " tasks are done; " + m_order->DescribeFirst() +
           (m_failed ? "; a message has failed" : "");
}

} // namespace roce
} // namespace ns3
