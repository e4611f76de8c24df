/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-application.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceCollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

TypeId
CollectiveApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CollectiveApplication")
            .SetParent<Application>()
            .SetGroupName("Roce")
            .AddConstructor<CollectiveApplication>()
            .AddAttribute("InFlight",
                          "Messages of a channel not acknowledged at a time; 0: any number",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CollectiveApplication::m_inFlight),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveDelay",
                          "Time from the start of a rank until it has posted its receives",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CollectiveApplication::m_receiveDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReductionRate",
                          "Rate at which a channel adds what it receives; 0bps: in no time",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&CollectiveApplication::m_reductionRate),
                          MakeDataRateChecker())
            .AddAttribute("ReductionLatency",
                          "Added to the time of each reduction, as to launch it",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CollectiveApplication::m_reductionLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Size",
                          "Bytes of the buffer of a rank; given by the schedule",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&CollectiveApplication::GetSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Rank",
                          "Which part of the schedule it runs",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&CollectiveApplication::GetRank),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("StepDone",
                            "A send is acknowledged, or a receive is in",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_stepDone),
                            "ns3::roce::CollectiveApplication::StepTracedCallback")
            .AddTraceSource("Done",
                            "The rank is finished",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_doneTrace),
                            "ns3::roce::CollectiveApplication::DoneTracedCallback");
    return tid;
}

CollectiveApplication::CollectiveApplication() = default;

CollectiveApplication::~CollectiveApplication() = default;

void
CollectiveApplication::DoDispose()
{
    StopApplication();
    m_done.Nullify();
    m_communicator = nullptr; // the engine stays: what it has counted is asked for later
    Application::DoDispose();
}

void
CollectiveApplication::SetSchedule(Ptr<Communicator> communicator,
                                   Ptr<const CollectiveSchedule> schedule,
                                   uint32_t rank)
{
    if (m_schedule)
    {
        throw std::invalid_argument("collective: rank " + std::to_string(m_rank) +
                                    " has a schedule already; make another application");
    }
    schedule->GetSteps(rank); // refuses a rank that it does not have
    m_engine = communicator->GetRank(rank);
    m_communicator = communicator;
    m_schedule = schedule;
    m_rank = rank;
}

void
CollectiveApplication::SetDoneCallback(DoneCallback done)
{
    m_done = done;
}

uint32_t
CollectiveApplication::GetRank() const
{
    return m_rank;
}

uint64_t
CollectiveApplication::GetSize() const
{
    return m_schedule ? m_schedule->GetBytes() : 0;
}

uint64_t
CollectiveApplication::GetBytesSent() const
{
    return m_engine ? m_engine->GetBytesSent() : 0;
}

uint64_t
CollectiveApplication::GetBytesReceived() const
{
    return m_engine ? m_engine->GetBytesReceived() : 0;
}

uint32_t
CollectiveApplication::GetPeakInFlight() const
{
    return m_engine ? m_engine->GetPeakInFlight() : 0;
}

uint64_t
CollectiveApplication::GetEarlyArrivals() const
{
    return m_engine ? m_engine->GetEarlyArrivals() : 0;
}

bool
CollectiveApplication::IsFinished() const
{
    return m_doneTick != NEVER;
}

bool
CollectiveApplication::HasFailed() const
{
    return m_engine && m_engine->HasFailed();
}

Tick
CollectiveApplication::GetStarted() const
{
    return m_startTick;
}

Tick
CollectiveApplication::GetFinished() const
{
    return m_doneTick;
}

std::string
CollectiveApplication::Describe() const
{
    if (!m_schedule)
    {
        return "a collective application without a schedule";
    }
    if (m_startTick == NEVER)
    {
        return "rank " + std::to_string(m_rank) + " has not started";
    }
    return m_engine ? m_engine->Describe() : "rank " + std::to_string(m_rank) + " is gone";
}

void
CollectiveApplication::StartApplication()
{
    if (!m_schedule)
    {
        throw std::runtime_error("collective application at node " +
                                 std::to_string(GetNode()->GetId()) +
                                 " starts without a schedule; call SetSchedule");
    }
    m_startTick = ToTick(Simulator::Now());
    m_engine->SetOptions(CollectiveEngineOptions{m_inFlight,
                                                 m_receiveDelay,
                                                 m_reductionRate.GetBitRate(),
                                                 m_reductionLatency});
    m_engine->SetStepFunction([this](const CollectiveStepRecord& record) { m_stepDone(record); });
    m_engine->Run(m_schedule, [this]() { NoteDone(); });
}

void
CollectiveApplication::StopApplication()
{
    if (m_engine)
    {
        m_engine->Stop();
    }
}

void
CollectiveApplication::NoteDone()
{
    m_doneTick = ToTick(Simulator::Now());
    NS_LOG_INFO("rank " << m_rank << " is finished");
    m_doneTrace(m_rank, m_doneTick);
    if (!m_done.IsNull())
    {
        m_done(this);
    }
}

} // namespace roce
} // namespace ns3
