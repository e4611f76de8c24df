/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TASK_H
#define ROCE_TASK_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a task is. */
enum class TaskKind : uint8_t
{
    COMPUTE,    //!< keeps a stream of the rank busy for a time; 0 ns and no stream: joins others
    COLLECTIVE, //!< the part of the rank in a collective of a group
    SEND,       //!< a message to another rank; done when it is acknowledged
    RECEIVE,    //!< the message of another rank; done when it is in
};

/**
 * One task of one rank of a job.
 *
 * It may start when all tasks in `after` are done and `notBeforeNs` has passed since the start of
 * the job. Which other fields count depends on the kind.
 */
struct Task
{
    static constexpr uint32_t NO_STREAM = 0xffffffff; //!< runs beside everything

    TaskKind kind{TaskKind::COMPUTE}; //!< which fields below count
    uint32_t rank{0};                 //!< whose it is
    std::string name;                 //!< for people
    std::vector<uint32_t> after;      //!< ids of earlier tasks, of any rank
    int64_t notBeforeNs{0};           //!< after the start of the job

    int64_t durationNs{0}; //!< COMPUTE
    uint32_t stream{
        NO_STREAM}; //!< COMPUTE: one at a time there, the ready one with lowest id first

    uint32_t group{0};     //!< COLLECTIVE: which group, from TaskGraph::AddGroup
    std::string operation; //!< COLLECTIVE: as CollectiveCatalog names it
    std::string algorithm; //!< COLLECTIVE: empty: what the job chooses
    uint32_t root{0};      //!< COLLECTIVE: index in the group, of operations that have one

    uint32_t peer{0};  //!< SEND, RECEIVE: the other rank
    uint32_t tag{0};   //!< SEND, RECEIVE: the k-th send of a tag to a rank is its k-th receive
    uint64_t bytes{0}; //!< of the message; COLLECTIVE: size S as nccl-tests counts it
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TASK_H
