/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include <random>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;

// Regions of memory of each side, so that a model can follow it: READs may be executed again when
// their answers are lost (IBTA 9.7.5.1.6), so what they read must not change meanwhile.
constexpr uint64_t SOURCE = 0;      //!< never written: requests take their data here
constexpr uint64_t TARGET = 64000;  //!< WRITEs and atomics of the other side
constexpr uint64_t SLOTS = 128000;  //!< answers of READs and atomics, then received messages
constexpr uint64_t SLOT = 16000;    //!< room of each
constexpr unsigned OPERATIONS = 60; //!< of each side
constexpr uint64_t REGION = SLOTS + 2 * OPERATIONS * SLOT;

/** What one side is to do, and what its memory must be in the end. */
struct Plan
{
    std::vector<WorkRequest> requests;
    std::vector<uint8_t> memory;
    std::vector<uint64_t> originals; //!< by request; atomics only
    uint64_t received{0};            //!< SENDs planned for it
};

/** Random operations both ways over links that lose frames. */
class RandomTest : public VerbsTest
{
  public:
    /** \param recovery loss recovery \param loss chance at each link */
    RandomTest(const std::string& recovery, double loss)
        : VerbsTest("random operations and losses, " + recovery),
          m_recovery(recovery),
          m_loss(loss)
    {
    }

  private:
    /** \return a number below a limit. \param limit not 0 */
    uint64_t Draw(uint64_t limit)
    {
        return m_random() % limit; // the same with each library, unlike its distributions
    }

    /** \return 8 bytes as a number. \param from where */
    static uint64_t Load(const uint8_t* from)
    {
        uint64_t number = 0;
        for (unsigned i = 0; i < 8; ++i)
        {
            number |= uint64_t(from[i]) << (8 * i);
        }
        return number;
    }

    /** \param number to store \param to where */
    static void Store(uint64_t number, uint8_t* to)
    {
        for (unsigned i = 0; i < 8; ++i)
        {
            to[i] = static_cast<uint8_t>(number >> (8 * i));
        }
    }

    /** Add a request to a plan and do it on the models. \param mine \param other plans \param from
     *  \param to sides \param dirty whether a READ of memory that changes is on its way */
    void Plan1(Plan& mine, Plan& other, const VerbsSide& from, const VerbsSide& to, bool& dirty)
    {
        WorkRequest r;
        r.id = mine.requests.size();
        r.operation = ALL_OPERATIONS[Draw(ALL_OPERATIONS.size())];
        if (r.operation == Operation::SEND_INVALIDATE)
        {
            r.operation = Operation::READ; // keys are for the other suites
        }
        r.bytes = IsAtomic(r.operation) ? 8 : Draw(3) == 0 ? Draw(10) : Draw(SLOT);
        r.localKey = from.region->GetLocalKey();
        r.remoteKey = to.region->GetRemoteKey();
        uint64_t local = SOURCE + Draw(TARGET - r.bytes);
        uint64_t remote = TARGET + Draw(SLOTS - TARGET - r.bytes) / 8 * 8;
        uint8_t* const there = other.memory.data();
        if (IsReadOrAtomic(r.operation))
        {
            local = SLOTS + r.id * SLOT;
        }
        uint8_t* const here = mine.memory.data() + local;
        if (r.operation == Operation::READ)
        {
            const bool stable = Draw(2) == 0;
            remote = stable ? SOURCE + Draw(TARGET - r.bytes) : remote;
            dirty |= !stable;
            std::copy_n(there + remote, r.bytes, here);
        }
        else
        {
            r.fence = dirty;
            dirty = false;
        }
        mine.originals.push_back(IsAtomic(r.operation) ? Load(there + remote) : 0);
        if (IsAtomic(r.operation))
        {
            r.swapAdd = m_random();
            r.compare = mine.originals.back() + Draw(2);
            const bool add = r.operation == Operation::FETCH_ADD;
            const bool swap = add || r.compare == mine.originals.back();
            Store(mine.originals.back(), here);
            Store(add ? mine.originals.back() + r.swapAdd
                      : (swap ? r.swapAdd : mine.originals.back()),
                  there + remote);
        }
        else if (TestIsSend(r.operation))
        {
            const uint64_t slot = SLOTS + (OPERATIONS + other.received) * SLOT;
            std::copy_n(here, r.bytes, there + slot);
        }
        else if (r.operation != Operation::READ)
        {
            std::copy_n(here, r.bytes, there + remote);
        }
        other.received += TestIsSend(r.operation) || r.operation == Operation::WRITE_IMMEDIATE;
        r.localAddress = from.region->GetAddress() + local;
        r.remoteAddress = to.region->GetAddress() + remote;
        mine.requests.push_back(r);
    }

    /** \param seed of operations and losses */
    void RunOnce(uint32_t seed)
    {
        m_random.seed(seed);
        helper->SetLossRecovery(m_recovery);
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(300)));
        helper->SetNicAttribute("AckInterval", UintegerValue(1 + seed % 3));
        helper->SetNicAttribute("RetryLimit", UintegerValue(30));
        helper->SetTransportAttribute("MaxReads", UintegerValue(1 + 3 * (seed % 4)));
        helper->SetTransportAttribute("RnrTimer", UintegerValue(1));
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddLink(0, 2, VERBS_RATE, 1000000, m_loss);
        graph.AddLink(1, 2, VERBS_RATE, 1000000, m_loss);
        Build(graph);
        helper->AssignStreams(fabric, 1000 * seed);
        ConnectionOptions options;
        options.sendPsn = 0xffff00;
        options.receivePsn = 0xffffc0;
        VerbsPair& pair = OpenPair(0, 1, REGION, options);
        pair.a.Fill(2 * seed);
        pair.b.Fill(2 * seed + 1);
        Plan a;
        Plan b;
        a.memory = pair.a.Bytes();
        b.memory = pair.b.Bytes();
        bool dirtyA = false;
        bool dirtyB = false;
        for (unsigned i = 0; i < OPERATIONS; ++i)
        {
            Plan1(a, b, pair.a, pair.b, dirtyA);
            Plan1(b, a, pair.b, pair.a, dirtyB);
        }
        Execute(pair.a, a);
        Execute(pair.b, b);
        Finish();
        const std::string name = m_recovery + ", seed " + std::to_string(seed);
        Check(pair.a, a, name + ", a");
        Check(pair.b, b, name + ", b");
        uint64_t lost = 0;
        for (uint32_t i = 0; i < 2; ++i)
        {
            lost += fabric->GetPort(i, 0)->GetDrops(DropReason::CORRUPT);
            lost += fabric->GetPort(2, i)->GetDrops(DropReason::CORRUPT);
        }
        NS_TEST_EXPECT_MSG_GT(lost, 0, name << ": frames were lost");
        Reset();
    }

    /** Post all of a plan in bursts; receive requests come some time after what needs them. \param
     *  side of it \param plan what */
    void Execute(VerbsSide& side, const Plan& plan)
    {
        for (uint64_t i = 0; i < plan.received; ++i)
        {
            At(MicroSeconds(5 * i),
               [&side, i] { side.Receive(i, SLOT, SLOTS + (OPERATIONS + i) * SLOT); });
        }
        for (const WorkRequest& request : plan.requests)
        {
            At(MicroSeconds(Draw(3) + 10 * (request.id / 8)),
               [&side, &plan, id = request.id] { PostInOrder(side, plan, id); });
        }
    }

    /** Post all requests up to one that have not been posted. \param side of them \param plan of
     *  them \param id the last one */
    static void PostInOrder(VerbsSide& side, const Plan& plan, uint64_t id)
    {
        const NicCounters& counters = side.nic->GetCounters();
        for (uint64_t next = counters.requestsPosted; next <= id; ++next)
        {
            side.nic->Post(side.qp, plan.requests[next]);
        }
    }

    void Check(const VerbsSide& side, const Plan& plan, const std::string& name)
    {
        CheckStatuses(side.sent, std::vector<S>(OPERATIONS, S::SUCCESS), name);
        const std::vector<uint8_t> bytes = side.Bytes();
        std::size_t different = 0;
        std::size_t where = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            if (bytes[i] != plan.memory[i] && different++ == 0)
            {
                where = i;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(different, 0, name << ": bytes differ from " << where << " on");
        for (const Completion& done : side.sent)
        {
            NS_TEST_EXPECT_MSG_EQ(done.original, plan.originals[done.id], name << ": original");
        }
        uint64_t received = 0;
        for (const Completion& done : side.taken)
        {
            const bool arrival = done.kind == CompletionKind::ARRIVAL;
            NS_TEST_EXPECT_MSG_EQ((arrival || done.id == received), true, name << ": receives");
            received += !arrival;
        }
        NS_TEST_EXPECT_MSG_EQ(received, plan.received, name << ": received");
    }

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 5; ++seed)
        {
            RunOnce(seed);
        }
    }

    std::string m_recovery;
    double m_loss;
    std::mt19937_64 m_random;
};

/** The suite. */
class VerbsRandomTestSuite : public TestSuite
{
  public:
    VerbsRandomTestSuite()
        : TestSuite("roce-verbs-random", TestSuite::Type::UNIT)
    {
        for (const char* recovery : {"go-back-n", "go-back-0", "irn"})
        {
            AddTestCase(new RandomTest(recovery, 0.01), D::QUICK);
        }
    }
};

const VerbsRandomTestSuite g_verbsRandomTestSuite;

} // namespace
