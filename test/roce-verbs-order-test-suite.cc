/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Bytes of the memory regions. */
constexpr uint64_t REGION = 100000;

/** Requests that are not signalled complete silently, unless they fail. */
class SignalledTest : public VerbsTest
{
  public:
    SignalledTest()
        : VerbsTest("unsignalled requests")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        for (uint64_t i = 0; i < 12; ++i)
        {
            WorkRequest request =
                Make(pair, i % 2 ? Operation::READ : Operation::WRITE, 1000 + i, i);
            request.signalled = i % 5 == 4; // 4 and 9
            request.remoteKey += i == 10 ? 1 : 0;
            Post(pair, request);
        }
        Finish();
        // 10 fails and 11 is flushed: both are told, though not signalled
        const std::vector<uint64_t> ids = {4, 9, 10, 11};
        NS_TEST_ASSERT_MSG_EQ(pair.a.sent.size(), ids.size(), "completions");
        for (std::size_t i = 0; i < ids.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.a.sent[i].id, ids[i], "id");
        }
        NS_TEST_EXPECT_MSG_EQ((pair.a.sent[2].status == CompletionStatus::REMOTE_ACCESS), true, "");
        NS_TEST_EXPECT_MSG_EQ((pair.a.sent[3].status == CompletionStatus::FLUSHED), true, "");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().requestsCompleted, 10, "completed");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().requestsFailed, 2, "failed");
        Reset();
    }
};

/** Mixed operations complete in the order of posting; flags reach the receiver. */
class OrderTest : public VerbsTest
{
  public:
    OrderTest()
        : VerbsTest("order, solicited flag")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        const std::vector<Operation> list = {Operation::READ,
                                             Operation::WRITE_IMMEDIATE,
                                             Operation::FETCH_ADD,
                                             Operation::SEND,
                                             Operation::READ,
                                             Operation::READ,
                                             Operation::SEND_IMMEDIATE,
                                             Operation::COMPARE_SWAP,
                                             Operation::WRITE};
        for (uint64_t i = 0; i < 3; ++i)
        {
            pair.b.Receive(40 + i, REGION);
        }
        for (std::size_t i = 0; i < list.size(); ++i)
        {
            // the first READ is the longest by far: all others wait for it
            const uint64_t bytes = IsAtomic(list[i]) ? 8 : i == 0 ? 90000 : 500 * i;
            WorkRequest request = Make(pair, list[i], bytes, i);
            request.solicited = i == 3; // the plain SEND
            Post(pair, request);
        }
        Finish();
        CheckStatuses(pair.a.sent,
                      std::vector<CompletionStatus>(list.size(), CompletionStatus::SUCCESS),
                      "mixed");
        NS_TEST_ASSERT_MSG_EQ(pair.b.taken.size(), 4, "three receives and one arrival");
        for (uint64_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.b.taken[i].id, 40 + i, "receives in order");
            NS_TEST_EXPECT_MSG_EQ(pair.b.taken[i].solicited, (i == 1), "solicited");
        }
        Reset();
    }
};

/** A key that a SEND has invalidated is refused later. */
class InvalidateTest : public VerbsTest
{
  public:
    InvalidateTest()
        : VerbsTest("SEND with Invalidate")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 5000);
        const auto window =
            pair.b.domain->Register(0x5000, 1000, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
        pair.b.Receive(0, 5000);
        WorkRequest write = Make(pair, Operation::WRITE, 1000, 0);
        write.remoteAddress = 0x5000;
        write.remoteKey = window->GetRemoteKey();
        Post(pair, write);
        WorkRequest send = Make(pair, Operation::SEND_INVALIDATE, 2500, 1);
        send.remoteKey = window->GetRemoteKey();
        Post(pair, send);
        write.id = 2;
        Post(pair, write);
        Finish();
        CheckStatuses(
            pair.a.sent,
            {CompletionStatus::SUCCESS, CompletionStatus::SUCCESS, CompletionStatus::REMOTE_ACCESS},
            "write, invalidate, write");
        NS_TEST_EXPECT_MSG_EQ(window->IsValid(), false, "invalid");
        NS_TEST_EXPECT_MSG_EQ(pair.b.region->IsValid(), true, "the other region is not");
        Reset();
    }
};

/** A fence, and the limit of outstanding READs. */
class FenceTest : public VerbsTest
{
  public:
    FenceTest()
        : VerbsTest("fence and MaxReads")
    {
    }

  private:
    /** \return ticks of READs of 8000 bytes, then a WRITE of 8000. \param reads how many \param
     *  most MaxReads \param fence of the WRITE */
    Tick Measure(uint32_t reads, uint32_t most, bool fence)
    {
        helper->SetTransportAttribute("MaxReads", UintegerValue(most));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        for (uint32_t i = 0; i < reads; ++i)
        {
            Post(pair, Make(pair, Operation::READ, 8000, i));
        }
        WorkRequest write = Make(pair, Operation::WRITE, 8000, reads);
        write.fence = fence;
        Post(pair, write);
        Finish();
        CheckStatuses(pair.a.sent,
                      std::vector<CompletionStatus>(reads + 1, CompletionStatus::SUCCESS),
                      "fence");
        const Tick ticks = pair.a.sent.back().completed;
        Reset();
        return ticks;
    }

    void DoRun() override
    {
        const double read = TestVerbsNs(Operation::READ, 8000, 1000);
        const double write = TestVerbsNs(Operation::WRITE, 8000, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Measure(1, 16, true)), read + write, 3.0, "fenced");
        NS_TEST_EXPECT_MSG_LT(double(Measure(1, 16, false)), read + 1000, "not fenced");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Measure(3, 1, true)), 3 * read + write, 5.0, "one a time");
        // three at once: the first READ takes its time, the others follow it without a gap:
        // 8 responses each, 6 of 1062 and 2 of 1066 bytes, and 20 on the link
        const double train = TestBytesNs(6 * 1082 + 2 * 1086, VERBS_RATE);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Measure(3, 16, true)),
                                  read + 2 * train + write,
                                  5.0,
                                  "together");
    }
};

/** Atomics in a row, the first request of which is lost: each gets its own answer. */
class AtomicOrderTest : public VerbsTest
{
  public:
    AtomicOrderTest()
        : VerbsTest("atomics in a row")
    {
    }

  private:
    /** \param recovery loss recovery */
    void RunOnce(const std::string& recovery)
    {
        helper->SetLossRecovery(recovery);
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 64);
        bool lost = false;
        fabric->GetPort(1, 0)->SetReceiveFilter([&lost](const Frame& frame) {
            const bool drop = frame.psn == 0 && !lost;
            lost |= drop;
            return drop;
        });
        uint64_t sum = 0;
        std::vector<uint64_t> originals;
        for (uint64_t i = 0; i < 5; ++i)
        {
            WorkRequest request = Make(pair, Operation::FETCH_ADD, 8, i);
            request.localAddress += 8 * i + 16;
            request.swapAdd = i + 1; // 1, 2, 3... so before them there is 0, 1, 3, 6, 10
            originals.push_back(sum);
            sum += request.swapAdd;
            Post(pair, request);
        }
        Finish();
        CheckStatuses(pair.a.sent, std::vector<CompletionStatus>(5, CompletionStatus::SUCCESS), "");
        const std::vector<uint8_t> bytes = pair.a.Bytes();
        for (std::size_t i = 0; i < pair.a.sent.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.a.sent[i].original, originals[i], recovery << ": " << i);
            NS_TEST_EXPECT_MSG_EQ(+bytes[16 + 8 * i], originals[i], recovery << ": memory " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(+pair.b.Bytes()[0], sum, recovery << ": each once");
        Reset();
    }

    void DoRun() override
    {
        for (const char* recovery : {"go-back-n", "go-back-0", "irn"})
        {
            RunOnce(recovery);
        }
    }
};

/** The suite. */
class VerbsOrderTestSuite : public TestSuite
{
  public:
    VerbsOrderTestSuite()
        : TestSuite("roce-verbs-order", TestSuite::Type::UNIT)
    {
        AddTestCase(new SignalledTest, D::QUICK);
        AddTestCase(new OrderTest, D::QUICK);
        AddTestCase(new InvalidateTest, D::QUICK);
        AddTestCase(new FenceTest, D::QUICK);
        AddTestCase(new AtomicOrderTest, D::QUICK);
    }
};

const VerbsOrderTestSuite g_verbsOrderTestSuite;

} // namespace
