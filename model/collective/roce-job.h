/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_JOB_H
#define ROCE_JOB_H

#include "roce-communicator.h"
#include "roce-job-result.h"
#include "roce-task-order.h"

#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Runs a task graph.
 *
 * Models: the processes of a job, one a rank, on GPUs that compute and a network that carries what
 * they send. Computations of a stream run one at a time; collectives of a group run in the order in
 * which they are called, with a communicator of the group; messages between two ranks travel on a
 * channel of their own, in the order in which they are sent.
 *
 * Source: CUDA streams, NCCL communicators; see TaskGraph.
 *
 * Invariants: each task starts once, after all it waits for is done, and ends once; computations
 * of a stream do not overlap; the time of the job is that of the last task to end; bytes sent =
 * those of the schedules and messages of the graph.
 *
 * Leaves out: what communication takes from computation on the same GPU; memory.
 */
class Job : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** Makes the communicator of some ranks of the job. */
    using CommunicatorFunction =
        std::function<Ptr<Communicator>(const std::vector<uint32_t>& ranks)>;
    /** Makes a channel from one rank of the job to another. */
    using ChannelFunction = std::function<Ptr<MessageChannel>(uint32_t from, uint32_t to)>;
    /** Makes the schedule of a collective. */
    using ScheduleFunction =
        std::function<Ptr<CollectiveSchedule>(const Task& task, const TaskGroup& group)>;
    /** \return node id of a rank of the job. */
    using ContextFunction = std::function<uint32_t(uint32_t rank)>;

    /** What a job needs of a network. */
    struct Services
    {
        CommunicatorFunction communicators; //!< for the groups
        ChannelFunction channels;           //!< for messages
        ScheduleFunction schedules;         //!< asked once for collectives that differ in rank only
        ContextFunction contexts;           //!< in which the tasks of a rank run
    };

    Job();
    ~Job() override;

    /**
     * Give it what it needs, once, before Start. Makes all channels, so that the same job gives the
     * same connections. Throws std::invalid_argument if the graph is not valid.
     * \param graph what to do
     * \param services what it needs of a network
     */
    void Setup(Ptr<const TaskGraph> graph, const Services& services);

    /** Start now, once; std::logic_error without Setup, or if it has started. */
    void Start();

    /** \param done called once, when the last task has ended, at that time */
    void SetDoneCallback(Callback<void> done);

    /** \return what it does */
    Ptr<const TaskGraph> GetGraph() const
    {
        return m_graph;
    }

    /** \return when each task ran */
    const JobResult& GetResult() const
    {
        return m_result;
    }

    /** \return whether all tasks have ended */
    bool IsFinished() const
    {
        return m_order && m_order->GetDone() == m_graph->GetTasks();
    }

    /** \return bytes sent and acknowledged by collectives of a group. \param group its number */
    uint64_t GetGroupBytes(uint32_t group) const;

    /** \return bytes of messages sent and acknowledged, without those of collectives */
    uint64_t GetMessageBytes() const
    {
        return m_messageBytes;
    }

    /** \return the schedule that a collective of the job runs. \param task its id */
    Ptr<const CollectiveSchedule> GetSchedule(uint32_t task) const;

    /** \return whether a message has failed; the job can then not finish */
    bool HasFailed() const
    {
        return m_failed;
    }

    /** \return what it waits for, in words; empty if it is finished */
    std::string Describe() const;

    /** TracedCallback signature. \param [in] task its id \param [in] begun tick of its start
     *  \param [in] ended tick of its end */
    typedef void (*TaskTracedCallback)(uint32_t task, Tick begun, Tick ended);

  private:
    /** What decides which schedule runs: group, operation, algorithm, bytes, root. */
    using Plan = std::tuple<uint32_t, std::string, std::string, uint64_t, uint32_t>;
    using Pair = std::pair<uint32_t, uint32_t>;

    /** Messages of one rank to another. */
    struct Lane
    {
        Ptr<MessageChannel> channel;
        std::deque<uint32_t> sends;  //!< tasks not acknowledged
        std::deque<uint32_t> coming; //!< sends whose message is not in
    };

    /** One stream of a rank. */
    struct Stream
    {
        bool busy{false};
        std::set<uint32_t> ready; //!< tasks
    };

    void DoDispose() override;
    Plan PlanOf(const Task& task) const;
    void PrepareCollectives();
    void PrepareMessages();
    void StartReady();
    void StartTask(uint32_t id);
    void StartCompute(uint32_t id);
    void RunStream(Pair stream);
    void StartCollective(uint32_t id);
    void StartReceive(uint32_t id);
    void OnMessage(Pair pair, const MessageEnd& record);
    void OnSent(Pair pair, const MessageEnd& record);
    void End(uint32_t id);
    void EndCompute(uint32_t id, Pair stream);
    void RunTask(uint32_t id);

    Ptr<const TaskGraph> m_graph;
    Services m_services;
    std::unique_ptr<TaskOrder> m_order;
    JobResult m_result;
    std::vector<Ptr<Communicator>> m_communicators; //!< by group; nullptr if not used
    std::map<Plan, Ptr<CollectiveSchedule>> m_schedules;
    std::map<Pair, Lane> m_lanes;
    std::vector<uint32_t> m_receives;     //!< by send: the receive of its message
    std::vector<bool> m_arrived;          //!< by receive: its message is in
    std::map<Pair, Stream> m_streams;     //!< by rank and stream
    std::map<uint32_t, EventId> m_events; //!< by task: its end or start to come
    Callback<void> m_done;
    uint64_t m_messageBytes{0};
    Tick m_start{NEVER};
    bool m_starting{false};
    bool m_failed{false};
    TracedCallback<uint32_t, Tick, Tick> m_taskDone;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_JOB_H
