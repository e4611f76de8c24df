/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Requester, completer and responder joined by bad lines, against a model that does the requests
// one after the other.
#include "roce-transport-channel.h"

#include "ns3/roce-go-back-zero.h"
#include "ns3/roce-protection-domain.h"
#include "ns3/roce-selective-repeat.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3::roce;
using namespace roce_test;
using ns3::CreateObject;
using ns3::Ptr;

namespace
{

constexpr uint64_t SOURCE = 0x10000;   //!< where this side's data is
constexpr uint64_t LANDING = 0x40000;  //!< where this side's answers land
constexpr uint64_t TARGET = 0x80000;   //!< what WRITEs change and READs read
constexpr uint64_t NUMBERS = 0xa0000;  //!< what atomics change
constexpr uint64_t RECEIVED = 0xc0000; //!< where SENDs land
constexpr uint64_t SPAN = 0x8000;      //!< bytes of SOURCE, TARGET and NUMBERS
constexpr uint64_t SLOTS = 0x40000;    //!< bytes of LANDING and RECEIVED
constexpr uint64_t SLOT = 2048;        //!< bytes of each answer and each receive request

constexpr uint8_t ALL =
    ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;

using Bytes = std::vector<uint8_t>;

/** \return eight bytes as a number, the lowest first. \param bytes memory \param at first one */
uint64_t
Load(const Bytes& bytes, uint64_t at)
{
    uint64_t number = 0;
    for (unsigned i = 8; i-- > 0;)
    {
        number = number << 8 | bytes[at + i];
    }
    return number;
}

/** \param bytes memory \param at first one \param number put there, the lowest byte first */
void
Store(Bytes& bytes, uint64_t at, uint64_t number)
{
    for (unsigned i = 0; i < 8; ++i)
    {
        bytes[at + i] = static_cast<uint8_t>(number >> (8 * i));
    }
}

/** \return the bytes of a region. \param region any */
Bytes
BytesOf(const Ptr<MemoryRegion>& region)
{
    return Bytes(region->GetData(), region->GetData() + region->GetLength());
}

/** What is tried in one run. */
struct Trial
{
    uint32_t seed{0};
    Weather weather;
    uint32_t mtu{256};
    uint64_t packets{8}; //!< most packets of a message
    bool fenced{false};  //!< each request is fenced, so READs and WRITEs may share memory
    bool credits{false}; //!< acknowledgements tell how many receive requests there are
    unsigned count{40};
};

/** One run: memory of both sides, the model, the requests. */
class Run
{
  public:
    Run(const Trial& trial, const Ptr<LossRecovery>& recovery)
        : m_trial(trial),
          m_random(trial.seed),
          m_here(CreateObject<ProtectionDomain>()),
          m_there(CreateObject<ProtectionDomain>())
    {
        m_source = m_here->Register(SOURCE, SPAN, 0);
        m_landing = m_here->Register(LANDING, SLOTS, ACCESS_LOCAL_WRITE);
        m_target = m_there->Register(TARGET, SPAN, ALL);
        m_numbers = m_there->Register(NUMBERS, SPAN, ALL);
        m_received = m_there->Register(RECEIVED, SLOTS, ACCESS_LOCAL_WRITE);
        for (uint64_t i = 0; i < SPAN; ++i)
        {
            m_source->GetData()[i] = static_cast<uint8_t>(m_random());
            m_target->GetData()[i] = static_cast<uint8_t>(m_random());
        }
        m_modelTarget = BytesOf(m_target);
        m_modelNumbers = BytesOf(m_numbers);
        m_modelLanding = BytesOf(m_landing);
        m_modelReceived = BytesOf(m_received);
        RequesterConfig config =
            Sender::Config(trial.mtu, 1 + m_random() % 5, m_random() % 2 ? 0xfffff0 : m_random());
        config.initialPsn &= MASK_24;
        config.maxReads = 1 + m_random() % 4;
        config.domain = ns3::PeekPointer(m_here);
        if (!recovery->AsksInsideMessages())
        {
            config.ackInterval = MASK_24;
        }
        // in a smaller window no packet would ask for an acknowledgement
        const uint64_t least = recovery->AsksInsideMessages() ? config.ackInterval : trial.packets;
        m_window = trial.mtu * (least + m_random() % 24);
        m_channel = std::make_unique<Channel>(config,
                                              recovery,
                                              config.maxReads,
                                              m_there,
                                              trial.seed,
                                              trial.weather);
        if (trial.credits)
        {
            m_channel->TellCredits();
        }
    }

    /** Post requests and let the channel work until all have ended. */
    void Go()
    {
        uint64_t receives = 0;
        unsigned step = 0;
        for (; m_posted < m_trial.count || m_channel->sender.requester.HasOpen(); ++step)
        {
            REQUIRE(step < 400000);
            if (m_posted < m_trial.count && m_random() % 16 == 0)
            {
                Post(m_posted++);
            }
            if (receives < m_trial.count && m_random() % 64 == 0)
            {
                ReceiveRequest request;
                request.id = receives;
                request.bytes = SLOT;
                request.localAddress = RECEIVED + receives++ * SLOT;
                request.localKey = m_received->GetLocalKey();
                m_channel->PostReceive(request);
            }
            m_channel->Step(m_window);
            const Requester& requester = m_channel->sender.requester;
            REQUIRE(requester.GetUnacknowledged() <= requester.GetNext());
            REQUIRE(requester.GetUnacknowledged() <= m_channel->responder.GetExpected());
            REQUIRE(requester.GetReads().size() <= 4);
        }
        Check();
    }

    const Channel& GetChannel() const
    {
        return *m_channel;
    }

  private:
    /** Post one and let the model do it. \param id its number */
    void Post(uint64_t id)
    {
        WorkRequest request;
        request.id = id;
        request.operation = static_cast<Operation>(m_random() % 8);
        if (request.operation == Operation::SEND_INVALIDATE)
        {
            request.operation = Operation::READ;
        }
        request.fence = m_trial.fenced;
        request.bytes = m_random() % 5 ? m_random() % (m_trial.packets * m_trial.mtu + 1) : 0;
        request.immediate = static_cast<uint32_t>(id * 3 + 1);
        request.solicited = id % 2;
        const bool reads = IsReadOrAtomic(request.operation);
        const uint64_t from = m_random() % (SPAN - request.bytes);
        const uint64_t to = m_random() % (SPAN / 2 - request.bytes);
        request.localKey = (reads ? m_landing : m_source)->GetLocalKey();
        request.localAddress = reads ? LANDING + id * SLOT : SOURCE + from;
        request.remoteKey = m_target->GetRemoteKey();
        // without a fence WRITEs have the lower half to themselves, and READs the upper one
        const bool upper = request.operation == Operation::READ && !m_trial.fenced;
        const uint64_t place = to + (upper ? SPAN / 2 : 0);
        request.remoteAddress = TARGET + place;
        if (IsAtomic(request.operation))
        {
            PostAtomic(request);
            return;
        }
        const uint8_t* source = m_source->GetData() + from;
        const auto bytes = static_cast<std::ptrdiff_t>(request.bytes);
        if (request.operation == Operation::READ)
        {
            const auto begin = m_modelTarget.begin() + static_cast<std::ptrdiff_t>(place);
            std::copy(begin, begin + bytes, m_modelLanding.begin() + id * SLOT);
        }
        else if (request.operation <= Operation::WRITE_IMMEDIATE)
        {
            std::copy(source, source + bytes, m_modelTarget.begin() + place);
        }
        if (request.operation != Operation::WRITE && !reads)
        {
            if (request.operation != Operation::WRITE_IMMEDIATE)
            {
                std::copy(source,
                          source + bytes,
                          m_modelReceived.begin() + m_expected.size() * SLOT);
            }
            m_expected.push_back(request);
        }
        m_channel->sender.requester.Post(request, 0);
        m_originals.push_back(0);
    }

    void PostAtomic(WorkRequest request)
    {
        const uint64_t place = m_random() % 4 * 8; // few, so that they meet
        const uint64_t before = Load(m_modelNumbers, place);
        request.bytes = 8;
        request.remoteKey = m_numbers->GetRemoteKey();
        request.remoteAddress = NUMBERS + place;
        request.swapAdd = m_random();
        request.compare = m_random() % 2 ? before : before + 1;
        const bool add = request.operation == Operation::FETCH_ADD;
        if (add || before == request.compare)
        {
            Store(m_modelNumbers, place, add ? before + request.swapAdd : request.swapAdd);
        }
        Store(m_modelLanding, request.id * SLOT, before);
        m_channel->sender.requester.Post(request, 0);
        m_originals.push_back(before);
        m_atomics.push_back(request.id);
    }

    void Check()
    {
        REQUIRE(m_channel->done.size() == m_trial.count);
        for (uint64_t id = 0; id < m_trial.count; ++id)
        {
            REQUIRE(m_channel->done[id].first == id);
        }
        for (uint64_t id : m_atomics)
        {
            REQUIRE(m_channel->done[id].second == m_originals[id]);
        }
        REQUIRE(BytesOf(m_target) == m_modelTarget);
        REQUIRE(BytesOf(m_numbers) == m_modelNumbers);
        REQUIRE(BytesOf(m_landing) == m_modelLanding);
        REQUIRE(BytesOf(m_received) == m_modelReceived);
        REQUIRE(m_channel->received.size() == m_expected.size());
        for (std::size_t i = 0; i < m_expected.size(); ++i)
        {
            const Completion& completion = m_channel->received[i];
            const WorkRequest& request = m_expected[i];
            REQUIRE(completion.id == i);
            REQUIRE(completion.bytes == request.bytes);
            REQUIRE(completion.solicited == request.solicited);
            REQUIRE(completion.hasImmediate == (request.operation != Operation::SEND));
            REQUIRE((!completion.hasImmediate || completion.immediate == request.immediate));
        }
        REQUIRE(m_channel->responder.GetMessages() == m_trial.count);
    }

    Trial m_trial;
    std::mt19937 m_random;
    Ptr<ProtectionDomain> m_here;
    Ptr<ProtectionDomain> m_there;
    Ptr<MemoryRegion> m_source, m_landing, m_target, m_numbers, m_received;
    Bytes m_modelTarget, m_modelNumbers, m_modelLanding, m_modelReceived;
    std::vector<WorkRequest> m_expected; //!< those that take a receive request
    std::vector<uint64_t> m_originals;   //!< what atomics find, by id
    std::vector<uint64_t> m_atomics;     //!< their ids
    std::unique_ptr<Channel> m_channel;
    uint64_t m_posted{0};
    uint64_t m_window{0};
};

/** Numbers of many runs, to see that they did what they are for. */
struct Sums
{
    uint64_t resent{0};
    uint64_t timeouts{0};
    uint64_t rnrs{0};
    uint64_t duplicates{0};
    uint64_t early{0};
};

/** \return sums of runs with many seeds. \param make a recovery \param trial what is tried */
template <typename F>
Sums
Try(F make, Trial trial)
{
    Sums sums;
    const bool credits = trial.credits;
    for (uint32_t seed = 1; seed <= 60; ++seed)
    {
        trial.seed = seed;
        trial.fenced = seed % 3 == 0;
        trial.credits = credits && seed % 4 == 0;
        CAPTURE(seed);
        Run run(trial, make(seed));
        run.Go();
        const Channel& channel = run.GetChannel();
        sums.resent += channel.resent;
        sums.timeouts += channel.timeouts;
        sums.rnrs += channel.rnrs;
        sums.duplicates += channel.responder.GetDuplicates();
        sums.early += channel.responder.GetOutOfOrder();
    }
    return sums;
}

/** \return go-back-N */
Ptr<LossRecovery>
MakeGoBackN(uint32_t)
{
    return CreateObject<GoBackN>();
}

/** \return go-back-0 */
Ptr<LossRecovery>
MakeGoBackZero(uint32_t)
{
    return CreateObject<GoBackZero>();
}

/** \return selective repeat. \param seed gives its threshold, 1 to 3 */
Ptr<LossRecovery>
MakeSelectiveRepeat(uint32_t seed)
{
    auto recovery = CreateObject<SelectiveRepeat>();
    recovery->SetAttribute("ReorderThreshold", ns3::UintegerValue(1 + seed % 3));
    return recovery;
}

/** What is tried with each recovery. \param make one */
template <typename F>
void
TryAll(F make, uint64_t packets)
{
    Trial trial;
    trial.packets = packets;
    SECTION("a good line")
    {
        const Sums sums = Try(make, trial);
        CHECK(sums.rnrs > 0);
        CHECK(sums.timeouts == 0);
    }
    trial.credits = make(1)->AsksInsideMessages();
    SECTION("losses")
    {
        trial.weather.loss = 30;
        const Sums sums = Try(make, trial);
        CHECK(sums.resent > 60);
        CHECK(sums.early > 60);
    }
    SECTION("many losses")
    {
        trial.weather.loss = 150;
        CHECK(Try(make, trial).timeouts > 60);
    }
    SECTION("frames come twice, timers expire early")
    {
        trial.weather.twice = 100;
        trial.weather.earlyTimer = 20;
        CHECK(Try(make, trial).duplicates > 300);
    }
    SECTION("reordering")
    {
        trial.weather.reorder = 300;
        CHECK(Try(make, trial).early > 600);
    }
    SECTION("all of it")
    {
        trial.weather = Weather{40, 40, 100, 5};
        CHECK(Try(make, trial).resent > 600);
    }
}

} // namespace

TEST_CASE("Transport over a bad channel: go-back-N", "[transport-channel]")
{
    TryAll(MakeGoBackN, 8);
}

TEST_CASE("Transport over a bad channel: go-back-0, short messages", "[transport-channel]")
{
    TryAll(MakeGoBackZero, 3);
}

TEST_CASE("Transport over a bad channel: selective repeat", "[transport-channel]")
{
    TryAll(MakeSelectiveRepeat, 8);
}
