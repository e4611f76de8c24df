/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;

/** Bytes of the memory regions. */
constexpr uint64_t REGION = 20000;

/** Ways in which the memory of the other side can be missed. */
enum class Fault
{
    KEY,       //!< R_Key of no region
    BELOW,     //!< begins one byte before the region
    BEHIND,    //!< ends one byte behind it
    RIGHT,     //!< a region that gives the other side nothing
    READ_ONLY, //!< a region that the other side may read
};

/** Accesses that the responder must refuse. */
class RemoteAccessTest : public VerbsTest
{
  public:
    RemoteAccessTest()
        : VerbsTest("remote access errors")
    {
    }

  private:
    /** \param request made wrong \param fault how \param pair of it */
    static void Spoil(WorkRequest& request, Fault fault, const VerbsPair& pair)
    {
        // 8 bytes where the atomics stay aligned: they can only miss by 8
        const uint64_t step = IsAtomic(request.operation) ? 8 : 1;
        Ptr<MemoryRegion> other;
        switch (fault)
        {
        case Fault::KEY:
            request.remoteKey += 77;
            return;
        case Fault::BELOW:
            request.remoteAddress = pair.b.region->GetAddress() - step;
            return;
        case Fault::BEHIND:
            request.remoteAddress = pair.b.region->GetAddress() + REGION - request.bytes + step;
            return;
        case Fault::RIGHT:
            other = pair.b.domain->Register(0x100, REGION, ACCESS_LOCAL_WRITE);
            break;
        case Fault::READ_ONLY:
            other = pair.b.domain->Register(0x100, REGION, ACCESS_REMOTE_READ);
            break;
        }
        request.remoteAddress = 0x100;
        request.remoteKey = other->GetRemoteKey();
    }

    /** \param operation what \param fault of its memory \param bytes length */
    void RunOnce(Operation operation, Fault fault, uint64_t bytes)
    {
        const std::string name = "operation " + std::to_string(int(operation)) + ", fault " +
                                 std::to_string(int(fault)) + ", " + std::to_string(bytes);
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        pair.a.Fill(1);
        pair.b.Fill(2);
        std::vector<uint8_t> b = pair.b.Bytes();
        const std::vector<uint8_t> a = pair.a.Bytes();
        for (uint64_t i = 0; i < 2; ++i)
        {
            pair.b.Receive(i, REGION);
            pair.a.Receive(i, REGION);
        }
        WorkRequest bad = Make(pair, operation, bytes, 1);
        Spoil(bad, fault, pair);
        Post(pair, Make(pair, Operation::WRITE, 3000, 0));
        Post(pair, bad);
        Post(pair, Make(pair, Operation::READ, 3000, 2));
        Post(pair, Make(pair, Operation::WRITE, 5000, 3));
        pair.b.nic->Post(pair.b.qp, MakeBack(pair, Operation::SEND, 0, 0)); // done long before
        Finish();
        std::copy_n(a.begin(), 3000, b.begin());
        NS_TEST_EXPECT_MSG_EQ((pair.b.Bytes() == b), true, name << ": memory of b");
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == a), true, name << ": memory of a");
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::REMOTE_ACCESS, S::FLUSHED, S::FLUSHED}, name);
        CheckState(pair.a.qp, QueuePairState::ERROR, name + ", a");
        CheckState(pair.b.qp, QueuePairState::ERROR, name + ", b");
        CheckReceives(pair, name);
        NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().naksSent, 1, name << ": one NAK");
        Reset();
    }

    void CheckReceives(const VerbsPair& pair, const std::string& name)
    {
        // at b the plain WRITE arrived, then its receives are flushed; a took one SEND before
        NS_TEST_ASSERT_MSG_EQ(pair.b.taken.size(), 3, name << ": told b");
        NS_TEST_EXPECT_MSG_EQ((pair.b.taken[0].kind == CompletionKind::ARRIVAL), true, name);
        const std::vector<Completion> flushed(pair.b.taken.begin() + 1, pair.b.taken.end());
        CheckStatuses(flushed, {S::FLUSHED, S::FLUSHED}, name + ": receives of b");
        CheckStatuses(pair.a.taken, {S::SUCCESS, S::FLUSHED}, name + ": receives of a");
    }

    void DoRun() override
    {
        for (Fault fault : {Fault::KEY, Fault::BELOW, Fault::BEHIND, Fault::RIGHT})
        {
            for (uint64_t bytes : {1, 1000, 3500})
            {
                RunOnce(Operation::WRITE, fault, bytes);
                RunOnce(Operation::WRITE_IMMEDIATE, fault, bytes);
                RunOnce(Operation::READ, fault, bytes);
            }
            RunOnce(Operation::FETCH_ADD, fault, 8);
            RunOnce(Operation::COMPARE_SWAP, fault, 8);
        }
        RunOnce(Operation::WRITE, Fault::READ_ONLY, 1000);
        RunOnce(Operation::FETCH_ADD, Fault::READ_ONLY, 8);
    }
};

/** The last and the first byte of a region may be used, and nothing is checked for 0 bytes. */
class BoundsTest : public VerbsTest
{
  public:
    BoundsTest()
        : VerbsTest("bounds that are right")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        uint64_t id = 0;
        for (Operation operation : {Operation::WRITE, Operation::READ})
        {
            WorkRequest request = Make(pair, operation, REGION, id++);
            Post(pair, request);
            request = Make(pair, operation, 1, id++);
            request.remoteAddress += REGION - 1;
            Post(pair, request);
            request = Make(pair, operation, 0, id++); // IBTA C9-88
            request.remoteKey = 0;
            request.remoteAddress = 5;
            Post(pair, request);
        }
        WorkRequest atomic = Make(pair, Operation::FETCH_ADD, 8, id++);
        atomic.remoteAddress += REGION - 8;
        Post(pair, atomic);
        atomic = Make(pair, Operation::FETCH_ADD, 8, id++);
        atomic.remoteAddress += 4; // not aligned: invalid request (IBTA 9.4.5)
        Post(pair, atomic);
        Finish();
        std::vector<S> expected(7, S::SUCCESS);
        expected.push_back(S::INVALID_REQUEST);
        CheckStatuses(pair.a.sent, expected, "bounds");
        Reset();
    }
};

/** Local segments that may not be used. */
class LocalProtectionTest : public VerbsTest
{
  public:
    LocalProtectionTest()
        : VerbsTest("local protection errors")
    {
    }

  private:
    /** \param operation what \param change spoils the second of three requests \param good packets
     *  of it that lie within the region, so that they leave before the fault is seen */
    void RunOnce(Operation operation,
                 std::function<void(VerbsPair&, WorkRequest&)> change,
                 uint32_t good)
    {
        const std::string name = "operation " + std::to_string(int(operation));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        pair.b.Receive(0, REGION);
        pair.a.Fill(1);
        pair.b.Fill(2);
        std::vector<uint8_t> b = pair.b.Bytes();
        const std::vector<uint8_t> a = pair.a.Bytes();
        Post(pair, Make(pair, Operation::WRITE, 0, 0));
        Simulator::Run();
        WorkRequest bad = Make(pair, operation, IsAtomic(operation) ? 8 : 2500, 1);
        change(pair, bad);
        Post(pair, bad);
        Post(pair, Make(pair, Operation::WRITE, 1000, 2));
        Finish();
        if (good > 0)
        {
            const uint64_t place = bad.localAddress - pair.a.region->GetAddress();
            std::copy_n(a.begin() + static_cast<std::ptrdiff_t>(place), good * 1000, b.begin());
        }
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::LOCAL_PROTECTION, S::FLUSHED}, name);
        CheckState(pair.a.qp, QueuePairState::ERROR, name);
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == a), true, name << ": memory of a");
        NS_TEST_EXPECT_MSG_EQ((pair.b.Bytes() == b), true, name << ": memory of b");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().dataSent, 1 + good, name << ": sent");
        CheckState(pair.b.qp, QueuePairState::RTS, name + ": the other side does not know");
        Reset();
    }

    void DoRun() override
    {
        for (Operation operation : ALL_OPERATIONS)
        {
            RunOnce(
                operation,
                [](VerbsPair&, WorkRequest& request) { request.localKey += 5; },
                0);
            RunOnce(
                operation,
                [](VerbsPair&, WorkRequest& request) { request.localAddress -= 1; },
                0);
            RunOnce(
                operation,
                [](VerbsPair&, WorkRequest& request) {
                    request.localAddress += REGION - request.bytes + 1;
                },
                IsReadOrAtomic(operation) ? 0 : 2);
            if (IsReadOrAtomic(operation))
            {
                RunOnce(
                    operation,
                    [](VerbsPair& pair, WorkRequest& request) {
                        request.localAddress = 0x100;
                        request.localKey = pair.a.domain->Register(0x100, REGION, 0)->GetLocalKey();
                    },
                    0);
            }
        }
    }
};

/** Receive requests that the message does not fit. */
class ReceiveErrorTest : public VerbsTest
{
  public:
    ReceiveErrorTest()
        : VerbsTest("receive requests that are too short or wrong")
    {
    }

  private:
    /** \param bytes of the SEND \param room for it \param wrongKey of the receive request */
    void RunOnce(uint64_t bytes, uint64_t room, bool wrongKey)
    {
        const std::string name = std::to_string(bytes) + " bytes into " + std::to_string(room);
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        ReceiveRequest request;
        request.bytes = room;
        request.localAddress = pair.b.region->GetAddress();
        request.localKey = pair.b.region->GetLocalKey() + (wrongKey ? 1 : 0);
        for (request.id = 0; request.id < 2; ++request.id)
        {
            pair.b.nic->PostReceive(pair.b.qp, request);
        }
        Post(pair, Make(pair, Operation::SEND, bytes, 0));
        Post(pair, Make(pair, Operation::SEND, 1, 1));
        Finish();
        CheckStatuses(pair.a.sent,
                      {wrongKey ? S::REMOTE_OPERATION : S::INVALID_REQUEST, S::FLUSHED},
                      name);
        CheckStatuses(pair.b.taken,
                      {wrongKey ? S::LOCAL_PROTECTION : S::LOCAL_LENGTH, S::FLUSHED},
                      name + " at b");
        CheckState(pair.a.qp, QueuePairState::ERROR, name);
        CheckState(pair.b.qp, QueuePairState::ERROR, name);
        const std::vector<uint8_t> b = pair.b.Bytes();
        // full packets before the one that does not fit are there
        NS_TEST_EXPECT_MSG_EQ(std::all_of(b.begin() + room, b.end(), [](int x) { return x == 0; }),
                              true,
                              name << ": nothing behind the room");
        Reset();
    }

    void DoRun() override
    {
        for (uint64_t bytes : {1, 1000, 1001, 3500})
        {
            RunOnce(bytes, bytes - 1, false);
            RunOnce(bytes, 0, false);
            RunOnce(bytes, bytes, true);
        }
    }
};

/** Errors behind a READ wait for its responses. */
class ErrorBehindReadTest : public VerbsTest
{
  public:
    ErrorBehindReadTest()
        : VerbsTest("errors and READs in progress")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        pair.b.Fill(2);
        Post(pair, Make(pair, Operation::READ, REGION, 0));
        WorkRequest bad = Make(pair, Operation::WRITE, 10, 1);
        bad.remoteKey += 1;
        Post(pair, bad);
        Post(pair, Make(pair, Operation::READ, 10, 2));
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::REMOTE_ACCESS, S::FLUSHED}, "bad WRITE");
        CheckState(pair.b.qp, QueuePairState::ERROR, "bad WRITE");
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, "the READ is whole");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, 0, "told at once");
        Reset();

        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& gone = OpenPair(0, 1, REGION);
        Post(gone, Make(gone, Operation::READ, REGION, 0));
        Post(gone, Make(gone, Operation::WRITE, 10, 1));
        // the request is there after 2 us and 16 ns, the 20 responses last 87 ns each
        At(NanoSeconds(2500), [&gone] { gone.b.domain->Deregister(gone.b.region); });
        Finish();
        CheckStatuses(gone.a.sent, {S::REMOTE_ACCESS, S::FLUSHED}, "memory gone");
        CheckState(gone.b.qp, QueuePairState::ERROR, "memory gone");
        NS_TEST_EXPECT_MSG_EQ(gone.a.nic->GetCounters().timeouts, 0, "told at once");
        Reset();
    }
};

/** The suite. */
class VerbsErrorsTestSuite : public TestSuite
{
  public:
    VerbsErrorsTestSuite()
        : TestSuite("roce-verbs-errors", TestSuite::Type::UNIT)
    {
        AddTestCase(new RemoteAccessTest, D::QUICK);
        AddTestCase(new BoundsTest, D::QUICK);
        AddTestCase(new LocalProtectionTest, D::QUICK);
        AddTestCase(new ReceiveErrorTest, D::QUICK);
        AddTestCase(new ErrorBehindReadTest, D::QUICK);
    }
};

const VerbsErrorsTestSuite g_verbsErrorsTestSuite;

} // namespace
