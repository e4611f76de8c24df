/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-event-core.h"

#include <ctime>
#include <malloc.h>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;
constexpr uint64_t BYTES = 65536; //!< of a message
constexpr uint32_t PAIRS = 100;   //!< of hosts
constexpr uint32_t ROUNDS = 100;  //!< messages a pair, each on fresh queue pairs

/** A25, first half: queue pairs that come and go leave nothing behind. */
class FreshQueuePairsTest : public FabricTest
{
  public:
    FreshQueuePairsTest()
        : FabricTest("A25: 100 pairs, 100 messages each on fresh queue pairs")
    {
    }

  private:
    /** \param pair of hosts 2 * pair and 2 * pair + 1 */
    void Begin(uint32_t pair)
    {
        m_pairs[pair] = fabric->Connect(2 * pair, 2 * pair + 1);
        auto queue = CreateObject<CompletionQueue>();
        queue->SetHandler(fabric->GetNode(2 * pair)->GetId(),
                          MakeCallback(&FreshQueuePairsTest::Ended, this));
        m_pairs[pair].qp->SetSendQueue(queue);
        WorkRequest request;
        request.id = pair;
        request.bytes = BYTES;
        m_pairs[pair].nic->Post(m_pairs[pair].qp, request);
        m_live += 2;
        m_peak = std::max(m_peak, m_live);
    }

    void Ended(const Completion& completion)
    {
        const auto pair = static_cast<uint32_t>(completion.id);
        NS_TEST_EXPECT_MSG_EQ((completion.status == CompletionStatus::SUCCESS), true, "completes");
        Connection& old = m_pairs[pair];
        old.nic->Destroy(old.qp);
        old.peerNic->Destroy(old.peerQp);
        m_live -= 2;
        ++m_done;
        if (m_done == 1000)
        {
            m_early = mallinfo2().uordblks;
        }
        if (m_done == PAIRS * ROUNDS)
        {
            m_late = mallinfo2().uordblks;
        }
        if (++m_rounds[pair] < ROUNDS)
        {
            Begin(pair);
        }
    }

    void DoRun() override
    {
        Build(StarGraph(2 * PAIRS, RATE, 1000));
        m_pairs.resize(PAIRS);
        m_rounds.assign(PAIRS, 0);
        for (uint32_t pair = 0; pair < PAIRS; ++pair)
        {
            Begin(pair);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_done, PAIRS * ROUNDS, "all messages");
        NS_TEST_EXPECT_MSG_EQ(m_live, 0, "queue pairs at the end");
        NS_TEST_EXPECT_MSG_EQ(m_peak,
                              2 * PAIRS,
                              "never more than one pair of them a pair of hosts");
        for (uint32_t host = 0; host < 2 * PAIRS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(host)->GetQueuePairs().size(), 0, "host " << host);
        }
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "frames");
        if (m_early > 0) // a sanitizer's heap tells nothing here
        {
            // the bound of the case; what may grow is one pointer a queue pair number
            NS_TEST_EXPECT_MSG_LT(m_late, m_early * 11 / 10, "heap after 10000 messages and 1000");
        }
        CheckIdle();
    }

    std::vector<Connection> m_pairs;
    std::vector<uint32_t> m_rounds; //!< messages done, by pair
    uint32_t m_live{0};             //!< queue pairs
    uint32_t m_peak{0};
    uint32_t m_done{0};
    std::size_t m_early{0}; //!< heap bytes in use after 1000 messages
    std::size_t m_late{0};  //!< after the last one
};

/** A25, second half: twice as many queue pairs on a NIC cost twice as much, not four times. */
class ManyQueuePairsTest : public FabricTest
{
  public:
    ManyQueuePairsTest()
        : FabricTest("A25: 1000 and 2000 queue pairs on one NIC")
    {
    }

  private:
    /** \return CPU seconds of a run. \param count queue pairs \param events gets its events */
    double Measure(uint32_t count, uint64_t& events)
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1u << 30));
        Build(StarGraph(9, RATE, 1000));
        for (uint32_t i = 0; i < count; ++i)
        {
            Post(Open(0, 1 + i % 8), BYTES);
        }
        const std::clock_t begin = std::clock();
        Run();
        const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
        events = EventCore::Get()->GetEventCount();
        Reset();
        return seconds;
    }

    void DoRun() override
    {
        double least[2] = {1e9, 1e9};
        uint64_t events[2];
        for (int repeat = 0; repeat < 5; ++repeat)
        {
            for (int i = 0; i < 2; ++i)
            {
                least[i] = std::min(least[i], Measure(1000u << i, events[i]));
            }
        }
        NS_TEST_EXPECT_MSG_LT(least[1], 2.6 * least[0], "CPU time, the bound of the case");
        NS_TEST_EXPECT_MSG_LT(double(events[1]), 2.1 * double(events[0]), "events");
    }
};

/** The suite. */
class LeakTestSuite : public TestSuite
{
  public:
    LeakTestSuite()
        : TestSuite("roce-leak", TestSuite::Type::UNIT)
    {
        AddTestCase(new FreshQueuePairsTest, D::QUICK);
        AddTestCase(new ManyQueuePairsTest, D::QUICK);
    }
};

const LeakTestSuite g_leakTestSuite;

} // namespace
