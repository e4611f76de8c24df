/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_ENGINE_H
#define ROCE_COLLECTIVE_ENGINE_H

#include "roce-collective-progress.h"
#include "roce-message-channel.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** One end of a step, as the trace StepDone shows it. */
struct CollectiveStepRecord
{
    uint32_t rank{0};    //!< whose step
    uint32_t step{0};    //!< index in the list of the rank
    uint32_t peer{0};    //!< rank at the other side
    bool receive{false}; //!< its receive is in; else its send is acknowledged
    uint64_t bytes{0};   //!< length of the message
    Tick begun{0};       //!< send: when it was posted; receive: arrival of the first packet
    Tick ended{0}; //!< send: last ACK; receive: when the rank could use it, reduced if need be
};

/** How an engine works. */
struct CollectiveEngineOptions
{
    uint32_t inFlight{0};     //!< messages of a link not acknowledged at a time; 0: any number
    Time receiveDelay;        //!< from the start of a collective until its receives are posted
    uint64_t reductionBps{0}; //!< bit/s at which a channel reduces; 0: in no time
    Time reductionLatency;    //!< added to the time of each reduction
};

/**
 * Runs the part of one rank in collectives, one after the other.
 *
 * Models: what a rank of a communicator does: it sends each message whose dependencies are in, at
 * most inFlight at a time on a link, and takes what comes in the order of its schedule. What comes
 * before the receives are posted, even before the collective has begun here, waits in memory. A
 * message that is to be added to what is there is in when the reduction is done: bytes /
 * reductionBps + reductionLatency, one at a time on each channel number, as a channel is run by one
 * thread block. Ranks share nothing but schedules and channels, and may start at different times.
 *
 * Source: NCCL: collectives of a communicator run in the order in which they are called.
 *
 * Invariants: messages of a link leave in the order of the schedule; messages of a link that are
 * not acknowledged never exceed inFlight; a collective is finished when each receive is in and each
 * send is acknowledged, and the next begins then; bytes sent = those of the schedules.
 *
 * Leaves out: time for copies; what the reduction takes from computation on the same GPU.
 */
class CollectiveEngine : public SimpleRefCount<CollectiveEngine>
{
  public:
    /** Asks for a link that is missing. \param send whether this rank sends on it */
    using LinkFunction = std::function<void(const CollectiveLink& link, bool send)>;
    /** Told of the end of each step. */
    using StepFunction = std::function<void(const CollectiveStepRecord&)>;
    /** Told that something is finished. */
    using DoneFunction = std::function<void()>;

    /** \param rank of the communicator */
    explicit CollectiveEngine(uint32_t rank);
    ~CollectiveEngine();

    /** \param options how it works from now on */
    void SetOptions(const CollectiveEngineOptions& options);

    /** \param missing is to add the link that a schedule needs and this rank has not */
    void SetLinkFunction(LinkFunction missing);

    /** \param step told of each step; empty: nobody */
    void SetStepFunction(StepFunction step);

    /** Give it a way to send. Throws std::invalid_argument if it has one.
     *  \param link to whom \param channel its way; its sent handler is set */
    void AddSender(const CollectiveLink& link, Ptr<MessageChannel> channel);

    /** Give it a way to receive. Throws std::invalid_argument if it has one.
     *  \param link from whom \param channel its way; its received handler is set */
    void AddReceiver(const CollectiveLink& link, Ptr<MessageChannel> channel);

    /** \return whether it has a way. \param link to or from whom \param send to whom */
    bool HasLink(const CollectiveLink& link, bool send) const;

    /**
     * Run the part of this rank, now or after those it has begun. Throws std::runtime_error if a
     * link is missing when it begins.
     * \param schedule what to do; std::out_of_range if it does not have the rank
     * \param done called once, when it is finished here, within Run if there is nothing to do
     */
    void Run(Ptr<const CollectiveSchedule> schedule, DoneFunction done);

    /** Stop for good; nothing is told any more. */
    void Stop();

    /** \return its rank */
    uint32_t GetRank() const
    {
        return m_rank;
    }

    /** \return bytes sent and acknowledged */
    uint64_t GetBytesSent() const
    {
        return m_bytesSent;
    }

    /** \return bytes that have come in and were taken */
    uint64_t GetBytesReceived() const
    {
        return m_bytesReceived;
    }

    /** \return largest number of messages of a link that were not acknowledged at a time */
    uint32_t GetPeakInFlight() const
    {
        return m_peak;
    }

    /** \return messages that came before the receives were posted */
    uint64_t GetEarlyArrivals() const
    {
        return m_early;
    }

    /** \return whether a message has failed; nothing can finish then */
    bool HasFailed() const
    {
        return m_failed;
    }

    /** \return what it still waits for, in words */
    std::string Describe() const;

  private:
    /** A way to send. */
    struct Sender
    {
        Ptr<MessageChannel> channel;
        std::deque<uint32_t> steps; //!< not acknowledged
    };

    /** A way to receive. */
    struct Receiver
    {
        Ptr<MessageChannel> channel;
        std::deque<MessageEnd> early; //!< came before they were asked for
    };

    /** A collective that has not begun. */
    struct Call
    {
        Ptr<const CollectiveSchedule> schedule;
        DoneFunction done;
    };

    void Begin();
    void CheckLinks();
    void PostReceives();
    void OnArrival(const CollectiveLink& link, const MessageEnd& record);
    void Take(const CollectiveLink& link, const MessageEnd& record);
    void SetIn(uint32_t step, const MessageEnd& record);
    void OnSent(const CollectiveLink& link, const MessageEnd& record);
    void PostSends(const CollectiveLink& link, Sender& sender);
    void CheckDone();

    uint32_t m_rank;
    CollectiveEngineOptions m_options;
    LinkFunction m_missing;
    StepFunction m_step;
    std::map<CollectiveLink, Sender> m_senders;
    std::map<CollectiveLink, Receiver> m_receivers;
    std::deque<Call> m_calls; //!< the first is under way, if m_progress
    std::unique_ptr<CollectiveProgress> m_progress;
    std::map<uint32_t, Tick> m_reducing; //!< by channel number: when it is free
    std::vector<EventId> m_events;
    uint64_t m_begun{0}; //!< collectives
    bool m_accepting{false};
    bool m_failed{false};
    bool m_stopped{false};
    uint64_t m_open{0};
    uint64_t m_bytesSent{0};
    uint64_t m_bytesReceived{0};
    uint64_t m_early{0};
    uint32_t m_peak{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_ENGINE_H
