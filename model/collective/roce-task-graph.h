/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TASK_GRAPH_H
#define ROCE_TASK_GRAPH_H

#include "roce-task.h"

#include "ns3/simple-ref-count.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/** Ranks that do collectives together: a communicator. */
struct TaskGroup
{
    std::string name;            //!< such as "tensor" or "data"; for results, need not be unique
    std::vector<uint32_t> ranks; //!< of the job, each once; the place is the rank in the group
};

/**
 * What a job does: computation and communication of each rank, and what waits for what.
 *
 * Models: a workload as data, separate from the Job that runs it; what a generator of training
 * steps makes and what files of workloads are read into.
 *
 * Source: the form is that of execution traces (MLCommons Chakra) with groups as in MPI.
 *
 * Invariants: a task waits for earlier ones only, so there is no cycle; each collective of a group
 * is called by all of its ranks, in the same order, alike; the k-th send from a to b with a tag has
 * the bytes of the k-th receive of b from a with it, counted in the order of ids; nothing waits for
 * itself through others (a send does not wait for its receive).
 * Validate() checks all of them.
 *
 * Leaves out: places of ranks, and time of anything but computation.
 */
class TaskGraph : public SimpleRefCount<TaskGraph>
{
  public:
    /** \param ranks of the job, from 0 on; std::invalid_argument if 0 */
    explicit TaskGraph(uint32_t ranks);

    /** \return ranks of the job */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /**
     * Add a group. Throws std::invalid_argument naming the rank if one is unknown or there twice,
     * or there is none.
     * \param name for results
     * \param ranks of the job
     * \return its number, from 0 on
     */
    uint32_t AddGroup(const std::string& name, const std::vector<uint32_t>& ranks);

    /** \return number of groups */
    uint32_t GetGroups() const
    {
        return static_cast<uint32_t>(m_groups.size());
    }

    /** \return the group. \param group 0..GetGroups()-1; std::out_of_range if not */
    const TaskGroup& GetGroup(uint32_t group) const
    {
        return m_groups.at(group);
    }

    /** \return place of a rank in a group; GetGroup(group).ranks.size() if it is not in it.
     *  \param group a group \param rank of the job */
    uint32_t PlaceOf(uint32_t group, uint32_t rank) const;

    /** Add a task. Throws std::invalid_argument naming what is out of range.
     *  \param task the task \return its id, from 0 on */
    uint32_t Add(const Task& task);

    /** Add a computation. \param rank whose \param name for people \param durationNs its time
     *  \param after ids it waits for \param stream where \return its id */
    uint32_t AddCompute(uint32_t rank,
                        const std::string& name,
                        int64_t durationNs,
                        const std::vector<uint32_t>& after = {},
                        uint32_t stream = Task::NO_STREAM);

    /** \return number of tasks */
    uint32_t GetTasks() const
    {
        return static_cast<uint32_t>(m_tasks.size());
    }

    /** \return the task. \param id 0..GetTasks()-1; std::out_of_range if not */
    const Task& GetTask(uint32_t id) const
    {
        return m_tasks.at(id);
    }

    /** \return a task in words for messages: its id, name, kind and rank. \param id a task */
    std::string Describe(uint32_t id) const;

    /** Check the invariants. Throws std::invalid_argument naming the first task that breaks one. */
    void Validate() const;

  private:
    void CheckCall(const Task& task, const std::string& name) const;
    void CheckCollectives() const;
    /** \return by task: of a send its receive and the other way round */
    std::vector<uint32_t> CheckMessages() const;
    void CheckProgress(const std::vector<uint32_t>& counterparts) const;

    uint32_t m_ranks;
    std::vector<TaskGroup> m_groups;
    std::vector<std::unordered_map<uint32_t, uint32_t>> m_places; //!< by group: rank to place
    std::vector<Task> m_tasks;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TASK_GRAPH_H
