/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_PROGRESS_H
#define ROCE_COLLECTIVE_PROGRESS_H

#include "roce-collective-schedule.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** One connection of a rank, in one direction. */
struct CollectiveLink
{
    uint32_t peer{0};    //!< rank at the other side
    uint32_t channel{0}; //!< which of the connections to it

    /** \return the order of peer, then channel. \param other another one */
    bool operator<(const CollectiveLink& other) const
    {
        return peer != other.peer ? peer < other.peer : channel < other.channel;
    }
};

/**
 * How far one rank has come with its steps.
 *
 * Models: the part of the engine that needs no time: which send may leave now, which step a message
 * that has arrived belongs to, and what it sets free. Sends of a link leave in the order of their
 * steps, so that the other side can match them by counting, without a word about them on the wire.
 * Links do not wait for each other.
 *
 * Source: the ordering rule of reliable connections (IBTA 9.5): messages of a queue pair arrive in
 * the order of posting.
 *
 * Invariants: each send is taken once, after all it waits for is in; a message that comes before
 * its step is of any use is remembered, never lost; GetWaiting() + steps that are in = receives.
 *
 * Leaves out: time, queue pairs, limits to what is in flight (CollectiveEngine).
 */
class CollectiveProgress
{
  public:
    /**
     * \param schedule the schedule; must outlive this
     * \param rank a legal one
     */
    CollectiveProgress(const CollectiveSchedule& schedule, uint32_t rank);

    /** \return links this rank sends on, in order */
    std::vector<CollectiveLink> GetSendLinks() const;

    /** \return links this rank receives on, in order */
    std::vector<CollectiveLink> GetReceiveLinks() const;

    /**
     * Take the next send of a link if it may leave now.
     * \param link a link
     * \return its step, or CollectiveStep::NONE; SetIn names the link when that changes
     */
    uint32_t TakeSend(const CollectiveLink& link);

    /** \return whether the schedule has a receive left that no message has come for.
     *  \param link a link */
    bool IsExpecting(const CollectiveLink& link) const;

    /**
     * A message has arrived. Throws std::runtime_error if the schedule has none left on the link.
     * \param link a link
     * \return the step it belongs to
     */
    uint32_t Match(const CollectiveLink& link);

    /**
     * What a step receives is in.
     * \param step a step that Match gave
     * \return links whose next send waited for it
     */
    std::vector<CollectiveLink> SetIn(uint32_t step);

    /** \return sends not taken yet */
    uint64_t GetUnsent() const
    {
        return m_unsent;
    }

    /** \return receives that are not in */
    uint64_t GetWaiting() const
    {
        return m_waiting;
    }

    /** \return whether all is sent and in */
    bool IsFinished() const
    {
        return m_unsent == 0 && m_waiting == 0;
    }

    /** \return what is missing, in words */
    std::string Describe() const;

  private:
    /** Steps of one link in order. */
    struct Lane
    {
        std::vector<uint32_t> steps;
        std::size_t next{0};
    };

    uint32_t FirstMissing(uint32_t step);

    const CollectiveSchedule* m_schedule;
    uint32_t m_rank;
    std::map<CollectiveLink, Lane> m_sends;
    std::map<CollectiveLink, Lane> m_receives;
    std::multimap<uint32_t, CollectiveLink> m_blocked; //!< step missing, link that waits
    std::vector<bool> m_in;                            //!< by step
    uint64_t m_unsent{0};
    uint64_t m_waiting{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_PROGRESS_H
