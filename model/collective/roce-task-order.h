/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TASK_ORDER_H
#define ROCE_TASK_ORDER_H

#include "roce-task-graph.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Which tasks of a graph may start.
 *
 * Models: the bookkeeping of dependencies without time. A task is ready when all tasks in its
 * `after` are done; a collective, in addition, when the one before it in its group at its rank has
 * been taken, so that all ranks call the collectives of a group in the same order.
 *
 * Source: none; see TaskGraph.
 *
 * Invariants: each task is taken once, after what it waits for is done; tasks become ready in the
 * order in which SetDone frees them, lower ids first among those one call frees.
 *
 * Leaves out: time, streams.
 */
class TaskOrder
{
  public:
    static constexpr uint32_t NONE = 0xffffffff; //!< no task

    /** \param graph the tasks; must outlive this */
    explicit TaskOrder(const TaskGraph& graph);

    /** \return a task that may start, once each; NONE if there is none now */
    uint32_t TakeReady();

    /** A task is done. \param id it; std::logic_error if it was done before */
    void SetDone(uint32_t id);

    /** \return tasks that are done */
    uint32_t GetDone() const
    {
        return m_done;
    }

    /** \return whether a task is done. \param id it */
    bool IsDone(uint32_t id) const
    {
        return m_states[id] == State::DONE;
    }

    /** \return the first task that is not done and what it waits for, in words; empty if none */
    std::string DescribeFirst() const;

  private:
    /** How far a task is. */
    enum class State : uint8_t
    {
        WAITING, //!< for others
        FREE,    //!< a collective that waits for its turn in the group
        READY,
        TAKEN,
        DONE
    };

    void Free(uint32_t id);

    const TaskGraph* m_graph;
    std::vector<State> m_states;
    std::vector<uint32_t> m_missing;           //!< by task: tasks it waits for
    std::vector<std::vector<uint32_t>> m_next; //!< by task: those that wait for it
    std::vector<uint32_t> m_nextCall;          //!< by task: next of its group at its rank
    std::vector<bool> m_turn;                  //!< by task: the one before has been taken
    std::deque<uint32_t> m_ready;
    uint32_t m_done{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TASK_ORDER_H
