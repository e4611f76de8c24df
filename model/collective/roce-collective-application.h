/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_APPLICATION_H
#define ROCE_COLLECTIVE_APPLICATION_H

#include "roce-communicator.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * One rank of a collective.
 *
 * Models: a process that runs its part of a schedule with the engine of its rank in a communicator,
 * from StartTime on. Ranks share nothing but the schedule and the channels, so that they may start
 * at different times. Attributes say how the engine works: how many messages of a channel may be
 * under way, when receives are posted, how long a reduction takes.
 *
 * Source: see CollectiveEngine.
 *
 * Invariants: a rank is finished when each receive is in and each send is acknowledged, and says so
 * once; bytes sent = those of the schedule.
 *
 * Leaves out: several collectives one after the other (Communicator and Job do that).
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
     * \param communicator whose ranks and channels; no other application runs this rank of it
     * \param schedule the schedule
     * \param rank which part; std::out_of_range if the schedule does not have it
     */
    void SetSchedule(Ptr<Communicator> communicator,
                     Ptr<const CollectiveSchedule> schedule,
                     uint32_t rank);

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

    /** \return largest number of messages of a channel that were not acknowledged at a time */
    uint32_t GetPeakInFlight() const;

    /** \return messages that came before the receives were posted */
    uint64_t GetEarlyArrivals() const;

    /** \return whether all is sent, acknowledged and in */
    bool IsFinished() const;

    /** \return whether a message has failed; the rank can then not finish */
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
    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;
    void NoteDone();

    Ptr<Communicator> m_communicator;
    Ptr<CollectiveEngine> m_engine; //!< of the communicator
    Ptr<const CollectiveSchedule> m_schedule;
    uint32_t m_rank{0};
    uint32_t m_inFlight{0};
    Time m_receiveDelay;
    DataRate m_reductionRate;
    Time m_reductionLatency;
    DoneCallback m_done;
    Tick m_startTick{NEVER};
    Tick m_doneTick{NEVER};
    TracedCallback<const CollectiveStepRecord&> m_stepDone;
    TracedCallback<uint32_t, Tick> m_doneTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_APPLICATION_H
