/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COMMUNICATOR_H
#define ROCE_COMMUNICATOR_H

#include "roce-collective-engine.h"

#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Ranks that do collectives together, and the channels between them.
 *
 * Models: a communicator of NCCL or MPI: an engine a rank, and a channel for each sender, receiver
 * and channel number that a schedule uses, made once and used by all later collectives.
 *
 * Source: see CollectiveEngine.
 *
 * Invariants: Prepare makes channels in the order of rank, peer and channel number, so the same
 * calls give the same connections.
 *
 * Leaves out: how channels are made, which is up to the function it is given.
 */
class Communicator : public SimpleRefCount<Communicator>
{
  public:
    /** Makes the channel from one rank to another. */
    using ChannelFunction =
        std::function<Ptr<MessageChannel>(uint32_t from, uint32_t to, uint32_t channel)>;

    /**
     * \param ranks how many, at least 1; std::invalid_argument if 0
     * \param make makes channels
     */
    Communicator(uint32_t ranks, ChannelFunction make);
    ~Communicator();

    /** \return number of ranks */
    uint32_t GetRanks() const
    {
        return static_cast<uint32_t>(m_engines.size());
    }

    /** \return what runs a rank. \param rank 0..GetRanks()-1; std::out_of_range if not */
    Ptr<CollectiveEngine> GetRank(uint32_t rank) const
    {
        return m_engines.at(rank);
    }

    /** \param options how each rank works from now on */
    void SetOptions(const CollectiveEngineOptions& options);

    /** Make all channels a schedule needs; those that are missing when it runs are made then.
     *  \param schedule for as many ranks; std::invalid_argument if not */
    void Prepare(const CollectiveSchedule& schedule);

    /** \return the channel; nullptr if no schedule has needed it. \param from sender
     *  \param to receiver \param channel its number */
    Ptr<MessageChannel> GetChannel(uint32_t from, uint32_t to, uint32_t channel) const;

    /** \return number of channels made */
    std::size_t GetChannels() const
    {
        return m_channels.size();
    }

    /** Stop all ranks for good. */
    void Stop();

  private:
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>; //!< from, to, channel

    void Make(uint32_t from, uint32_t to, uint32_t channel);

    ChannelFunction m_make;
    std::vector<Ptr<CollectiveEngine>> m_engines;
    std::map<Key, Ptr<MessageChannel>> m_channels;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COMMUNICATOR_H
