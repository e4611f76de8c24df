/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_APPLICATION_H
#define ROCE_COLLECTIVE_APPLICATION_H

#include "roce-collective-progress.h"

#include "ns3/application.h"
#include "ns3/roce-completion-queue.h"
#include "ns3/roce-nic.h"
#include "ns3/traced-callback.h"

#include <memory>
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
    Tick ended{0};       //!< send: last ACK; receive: when the rank could use it
};

/**
 * One rank of a collective.
 *
 * Models: a process that runs its part of a schedule over queue pairs: it posts a WRITE for each
 * send whose dependencies are in, at most InFlight at a time on a connection, and learns of
 * arrivals from completion queues. Receives are posted ReceiveDelay after the start; a message that
 * comes before, even before this rank has started, waits in memory and counts from then on.
 * One object a rank shares nothing with the others but the schedule, so that ranks may start at
 * different times.
 *
 * Source: the one-sided rendezvous of NCCL's net transport, without its credits.
 *
 * Invariants: sends on a connection leave in the order of the schedule; unfinished WRITEs on a
 * connection never exceed InFlight; a rank is finished when each receive is in and each send is
 * acknowledged, and says so once; bytes sent = those of the schedule.
 *
 * Leaves out: time for reduction (it takes 0 time) and for copies, credits from the receiver,
 * latency of a proxy, transfers that do not use the fabric.
 */
class CollectiveApplication : public Application
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    CollectiveApplication();
    ~CollectiveApplication() override;

    /** A function called when a rank is finished. */
    typedef Callback<void, Ptr<CollectiveApplication>> DoneCallback;

    /**
     * Give it its part; once, before the start.
     * \param schedule the schedule
     * \param rank which part; std::out_of_range if the schedule does not have it
     */
    void SetSchedule(Ptr<const CollectiveSchedule> schedule, uint32_t rank);

    /**
     * Give it a connection to send on.
     * \param link rank at the other side and channel
     * \param nic NIC of this rank
     * \param qp a connected queue pair of the NIC; its send queue is set
     */
    void AddSender(const CollectiveLink& link, Ptr<Nic> nic, Ptr<QueuePair> qp);

    /**
     * Give it a connection to receive on.
     * \param link rank at the other side and channel
     * \param qp a connected queue pair of this rank; its receive queue is set
     */
    void AddReceiver(const CollectiveLink& link, Ptr<QueuePair> qp);

    /** \param done called once, when the rank is finished, at that time */
    void SetDoneCallback(DoneCallback done);

    /** \return its rank */
    uint32_t GetRank() const;

    /** \return bytes of the buffer of a rank; 0 without a schedule */
    uint64_t GetSize() const;

    /** \return bytes sent and acknowledged */
    uint64_t GetBytesSent() const;

    /** \return bytes that have come in and were taken */
    uint64_t GetBytesReceived() const;

    /** \return largest number of WRITEs that were unfinished on a connection at a time */
    uint32_t GetPeakInFlight() const;

    /** \return messages that came before the receives were posted */
    uint64_t GetEarlyArrivals() const;

    /** \return whether all is sent, acknowledged and in */
    bool IsFinished() const;

    /** \return whether a WRITE has failed; the rank can then not finish */
    bool HasFailed() const;

    /** \return tick of the start; NEVER before */
    Tick GetStarted() const;

    /** \return tick at which it finished; NEVER before */
    Tick GetFinished() const;

    /** \return what the rank still waits for, in words */
    std::string Describe() const;

    /** TracedCallback signature. \param [in] record what has ended */
    typedef void (*StepTracedCallback)(const CollectiveStepRecord& record);

    /** TracedCallback signature. \param [in] rank which rank \param [in] now present tick */
    typedef void (*DoneTracedCallback)(uint32_t rank, Tick now);

  private:
    /** A connection to send on. */
    struct Sender
    {
        CollectiveLink link;
        Ptr<Nic> nic;
        Ptr<QueuePair> qp;
        uint32_t open{0}; //!< WRITEs posted and not ended
    };

    /** A connection to receive on. */
    struct Receiver
    {
        CollectiveLink link;
        Ptr<QueuePair> qp;
        Ptr<CompletionQueue> queue;
    };

    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;

    void CheckLinks() const;
    void PostReceives();
    void OnArrival(std::size_t receiver, const Completion& completion);
    void OnSent(std::size_t sender, const Completion& completion);
    void PostSends(Sender& sender);
    void CheckDone();

    Ptr<const CollectiveSchedule> m_schedule;
    std::unique_ptr<CollectiveProgress> m_progress;
    uint32_t m_rank{0};
    uint32_t m_inFlight{0};
    Time m_receiveDelay;
    std::vector<Sender> m_senders;
    std::vector<Receiver> m_receivers;
    std::vector<Ptr<CompletionQueue>> m_sendQueues; //!< by sender
    std::map<CollectiveLink, std::size_t> m_senderOf;
    EventId m_receiveEvent;
    DoneCallback m_done;
    bool m_started{false};
    bool m_failed{false};
    uint64_t m_open{0};
    uint64_t m_bytesSent{0};
    uint64_t m_bytesReceived{0};
    uint64_t m_early{0};
    uint32_t m_peak{0};
    Tick m_startTick{NEVER};
    Tick m_doneTick{NEVER};
    TracedCallback<const CollectiveStepRecord&> m_stepDone;
    TracedCallback<uint32_t, Tick> m_doneTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_APPLICATION_H
