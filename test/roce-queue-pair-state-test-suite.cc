/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include "ns3/roce-event-core.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;
using State = QueuePairState;

constexpr uint32_t MTU = 1000;

/** \return message of the exception that a step ends with; empty if it is done. \param nic NIC
 *  \param qp queue pair \param to state */
std::string
Step(Ptr<Nic> nic, Ptr<QueuePair> qp, State to)
{
    try
    {
        nic->Modify(qp, to);
    }
    catch (const std::invalid_argument& e)
    {
        return e.what();
    }
    return "";
}

/** All steps from each state to each other one. */
class TransitionTest : public VerbsTest
{
  public:
    TransitionTest()
        : VerbsTest("legal and illegal transitions")
    {
    }

  private:
    void DoRun() override
    {
        // IBTA figure 124; rows: RESET, INIT, RTR, RTS, SQD, ERROR; columns in the same order
        const bool legal[6][6] = {{true, true, false, false, false, true},
                                  {true, true, true, false, false, true},
                                  {true, false, false, true, false, true},
                                  {true, false, false, true, true, true},
                                  {true, false, false, true, true, true},
                                  {true, false, false, false, false, true}};
        const State states[] =
            {State::RESET, State::INIT, State::RTR, State::RTS, State::SQD, State::ERROR};
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 1000);
        QueuePairConfig config = pair.a.qp->GetConfig();
        for (unsigned from = 0; from < 6; ++from)
        {
            for (unsigned to = 0; to < 6; ++to)
            {
                const Ptr<QueuePair> qp = pair.a.nic->CreateQueuePair(config);
                for (unsigned i = 1; i <= from && i < 5; ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(Step(pair.a.nic, qp, states[i]), "", "the way there");
                }
                Step(pair.a.nic, qp, states[from]);
                CheckState(qp, states[from], "start");
                const std::string message = Step(pair.a.nic, qp, states[to]);
                const std::string name = std::string(QueuePairStateName(states[from])) + " to " +
                                         QueuePairStateName(states[to]);
                NS_TEST_EXPECT_MSG_EQ(message.empty(), legal[from][to], name);
                CheckState(qp, states[legal[from][to] ? to : from], name);
                if (!message.empty())
                {
                    NS_TEST_EXPECT_MSG_NE(message.find(name), std::string::npos, message);
                }
                pair.a.nic->Destroy(qp);
            }
        }
        config.remoteQpn = 0;
        const Ptr<QueuePair> alone = pair.a.nic->CreateQueuePair(config);
        pair.a.nic->Modify(alone, State::INIT);
        NS_TEST_EXPECT_MSG_NE(Step(pair.a.nic, alone, State::RTR).find("remote queue pair"),
                              std::string::npos,
                              "RTR needs a peer");
        Finish();
        Reset();
    }
};

/** What each state before RTS does. */
class ReadyTest : public VerbsTest
{
  public:
    ReadyTest()
        : VerbsTest("RESET, INIT and RTR")
    {
    }

  private:
    /** \return whether Post is refused naming the state. \param side of it \param request what
     *  \param state its name */
    static bool Refused(const VerbsSide& side, const WorkRequest& request, const std::string& state)
    {
        try
        {
            side.nic->Post(side.qp, request);
        }
        catch (const std::invalid_argument& e)
        {
            return std::string(e.what()).find("state " + state) != std::string::npos;
        }
        return false;
    }

    void DoRun() override
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(20)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 10000);
        VerbsSide& b = pair.b;
        b.nic->Modify(b.qp, State::RESET);
        bool refused = false;
        try
        {
            b.Receive(0, 10000);
        }
        catch (const std::invalid_argument& e)
        {
            refused = std::string(e.what()).find("RESET") != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "no receives in RESET");
        NS_TEST_EXPECT_MSG_EQ(Refused(b, MakeBack(pair, Operation::WRITE, 1), "RESET"), true, "");
        b.nic->Modify(b.qp, State::INIT);
        b.Receive(0, 10000);
        NS_TEST_EXPECT_MSG_EQ(Refused(b, MakeBack(pair, Operation::WRITE, 1), "INIT"), true, "");
        // in INIT nothing is taken: the packets are lost until b is in RTR at 30 us
        pair.a.Fill(1);
        Post(pair, Make(pair, Operation::SEND, 5000, 0));
        Post(pair, Make(pair, Operation::READ, 5000, 1));
        At(MicroSeconds(30), [this, &b, &pair] {
            NS_TEST_EXPECT_MSG_EQ(b.taken.size(), 0, "nothing taken in INIT");
            NS_TEST_EXPECT_MSG_GT(b.nic->GetCounters().refused, 0, "dropped");
            b.nic->Modify(b.qp, State::RTR);
            NS_TEST_EXPECT_MSG_EQ(Refused(b, MakeBack(pair, Operation::WRITE, 1), "RTR"), true, "");
        });
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS}, "RTR answers");
        CheckStatuses(b.taken, {S::SUCCESS}, "the receive request posted in INIT");
        // timer at 20 us finds INIT, the one at 40 us finds RTR
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, 2, "timeouts");
        b.nic->Modify(b.qp, State::RTS);
        b.nic->Post(b.qp, MakeBack(pair, Operation::WRITE, 2000, 0));
        Finish();
        CheckStatuses(b.sent, {S::SUCCESS}, "RTS sends");
        Reset();
    }
};

/** SQD: what has begun ends. */
class DrainTest : public VerbsTest
{
  public:
    DrainTest()
        : VerbsTest("SQD drains and goes on")
    {
    }

  private:
    void Drained(uint32_t qpn, Tick now)
    {
        drained.emplace_back(qpn, now);
    }

    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 100000);
        pair.a.nic->TraceConnectWithoutContext("Drained", MakeCallback(&DrainTest::Drained, this));
        for (uint64_t i = 0; i < 3; ++i)
        {
            Post(pair, Make(pair, Operation::WRITE, 100000, i));
        }
        // 100 packets of 86.56 ns: at 5 us the first message is under way
        At(MicroSeconds(5), [&pair] { pair.a.nic->Modify(pair.a.qp, State::SQD); });
        At(MicroSeconds(40), [this, &pair] {
            NS_TEST_EXPECT_MSG_EQ(pair.a.sent.size(), 1, "only what had begun");
            NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().dataSent, 100, "packets");
            Post(pair, Make(pair, Operation::WRITE, 1000, 3)); // may be posted
        });
        At(MicroSeconds(50), [this, &pair] {
            NS_TEST_EXPECT_MSG_EQ(pair.a.sent.size(), 1, "but does not start");
            pair.a.nic->Modify(pair.a.qp, State::RTS);
        });
        Finish();
        CheckStatuses(pair.a.sent, std::vector<S>(4, S::SUCCESS), "SQD");
        NS_TEST_ASSERT_MSG_EQ(drained.size(), 1, "told once");
        NS_TEST_EXPECT_MSG_EQ(drained[0].first, pair.a.qp->GetQpn(), "queue pair");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(drained[0].second),
                                  TestVerbsNs(Operation::WRITE, 100000, MTU),
                                  1.5,
                                  "when the first message is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(pair.a.sent[0].completed, drained[0].second, "in that tick");
        // from 50 us on two messages of 100 packets and one of 1, the train of 201
        const double second =
            TestArrivalNs(TestStarPath(), Train()) + TestArrivalNs(TestStarPath(), {66});
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent[3].completed), 50e3 + second, 2.0, "RTS");
        // idle: drained at once
        pair.a.nic->Modify(pair.a.qp, State::SQD);
        NS_TEST_EXPECT_MSG_EQ(drained.size(), 2, "nothing to drain");
        Reset();
    }

    /** \return frames of the messages after RTS */
    static std::vector<uint32_t> Train()
    {
        std::vector<uint32_t> train;
        for (uint64_t bytes : {100000, 100000, 1000})
        {
            const auto frames = TestRequestFrames(Operation::WRITE, bytes, MTU);
            train.insert(train.end(), frames.begin(), frames.end());
        }
        return train;
    }

    std::vector<std::pair<uint32_t, Tick>> drained;
};

/** RESET forgets, and the queue pair can be used again. */
class ReuseTest : public VerbsTest
{
  public:
    ReuseTest()
        : VerbsTest("RESET and reuse")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        ConnectionOptions options;
        options.sendPsn = 0xfffffe;
        options.receivePsn = 77;
        VerbsPair& pair = OpenPair(0, 1, 100000, options);
        pair.a.Fill(1);
        pair.b.Fill(2);
        pair.b.Receive(0, 100000);
        Post(pair, Make(pair, Operation::READ, 100000, 0));
        Post(pair, Make(pair, Operation::WRITE, 1000, 1));
        At(MicroSeconds(5), [&pair] {
            pair.a.nic->Modify(pair.a.qp, State::RESET);
            pair.b.nic->Modify(pair.b.qp, State::RESET);
        });
        Finish();
        NS_TEST_EXPECT_MSG_EQ(pair.a.sent.size(), 0, "told of nothing");
        NS_TEST_EXPECT_MSG_EQ(pair.b.taken.size(), 1, "but that the WRITE is there");
        pair.b.taken.clear();
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().requestsFailed, 2, "both dropped");
        std::vector<uint32_t> psns;
        fabric->GetPort(1, 0)->SetReceiveFilter([&psns](const Frame& frame) {
            psns.push_back(frame.psn);
            return false;
        });
        const Tick start = static_cast<Tick>(Simulator::Now().GetNanoSeconds());
        pair.a.nic->Connect(pair.a.qp, pair.b.qp->GetQpn());
        pair.b.nic->Connect(pair.b.qp, pair.a.qp->GetQpn());
        pair.b.Receive(0, 100000); // the earlier one is forgotten
        pair.a.Fill(3);
        Post(pair, Make(pair, Operation::SEND, 5000, 0));
        WorkRequest read = Make(pair, Operation::READ, 5000, 1);
        read.localAddress += 10000;
        Post(pair, read);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS}, "again");
        CheckStatuses(pair.b.taken, {S::SUCCESS}, "received, and the earlier receive is gone");
        NS_TEST_EXPECT_MSG_GT(pair.a.sent[0].completed, start, "after the reset");
        const std::vector<uint32_t> expected = {0xfffffe, 0xffffff, 0, 1, 2, 3};
        NS_TEST_EXPECT_MSG_EQ((psns == expected), true, "PSNs begin anew");
        const std::vector<uint8_t> a = pair.a.Bytes();
        const std::vector<uint8_t> b = pair.b.Bytes();
        NS_TEST_EXPECT_MSG_EQ(std::equal(b.begin(), b.begin() + 5000, a.begin()), true, "SEND");
        NS_TEST_EXPECT_MSG_EQ(std::equal(b.begin(), b.begin() + 5000, a.begin() + 10000),
                              true,
                              "READ");
        Reset();
    }
};

/** ERROR flushes what is posted, in order. */
class FlushTest : public VerbsTest
{
  public:
    FlushTest()
        : VerbsTest("ERROR flushes")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(1));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 100000);
        for (uint64_t i = 0; i < 4; ++i)
        {
            pair.a.Receive(i, 1000);
            Post(pair, Make(pair, i % 2 ? Operation::READ : Operation::WRITE, 50000, i));
        }
        At(MicroSeconds(10), [&pair] { pair.a.nic->Modify(pair.a.qp, State::ERROR); });
        At(MicroSeconds(20), [&pair] {
            Post(pair, Make(pair, Operation::WRITE, 1000, 4));
            pair.a.Receive(4, 1000);
            pair.b.nic->Post(pair.b.qp, MakeBack(pair, Operation::WRITE, 1000, 0));
        });
        Finish();
        // the WRITE of 50 packets is acknowledged at 4.4 + 4.2 us, the READ is under way at 10 us
        CheckStatuses(pair.a.sent,
                      {S::SUCCESS, S::FLUSHED, S::FLUSHED, S::FLUSHED, S::FLUSHED},
                      "requests");
        CheckStatuses(pair.a.taken, std::vector<S>(5, S::FLUSHED), "receive requests");
        for (unsigned i = 1; i < 5; ++i)
        {
            const Tick when = i < 4 ? 10000 : 20000;
            NS_TEST_EXPECT_MSG_EQ(pair.a.sent.at(i).completed, when, "at once");
            NS_TEST_EXPECT_MSG_EQ(pair.a.taken.at(i).completed, (i < 4 ? 10000 : 20000), "at once");
        }
        CheckStatuses(pair.b.sent, {S::RETRY_EXCEEDED}, "a does not answer any more");
        Reset();
    }
};

/** Queue pairs that end while frames are kept or READs are in progress leave nothing behind. */
class DestroyTest : public VerbsTest
{
  public:
    DestroyTest()
        : VerbsTest("A25: destroyed in the middle")
    {
    }

  private:
    /** \param recovery loss recovery \param atNs when both ends go \param how 0: Destroy, 1: RESET,
     *  2: ERROR, 3: only b is destroyed */
    void RunOnce(const std::string& recovery, uint64_t atNs, int how)
    {
        helper->SetLossRecovery(recovery);
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(50)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 100000);
        // packet 3 is lost each time, so that a responder that keeps frames has to keep them
        fabric->GetPort(1, 0)->SetReceiveFilter(
            [](const Frame& frame) { return frame.kind == FrameKind::REQUEST && frame.psn == 3; });
        pair.a.Receive(0, 100000);
        Post(pair, Make(pair, Operation::WRITE, 20000, 0));
        Post(pair, Make(pair, Operation::READ, 50000, 1));
        pair.b.nic->Post(pair.b.qp, MakeBack(pair, Operation::READ, 100000, 0));
        pair.b.nic->Post(pair.b.qp, MakeBack(pair, Operation::SEND, 100000, 1));
        At(NanoSeconds(atNs), [&pair, how] {
            for (VerbsSide* side : {&pair.a, &pair.b})
            {
                if (how == 0 || (how == 3 && side == &pair.b))
                {
                    side->nic->Destroy(side->qp);
                }
                else if (how < 3)
                {
                    side->nic->Modify(side->qp, how == 1 ? State::RESET : State::ERROR);
                }
            }
        });
        Finish(); // no frame, no event, no request is left
        const std::string name = recovery + " at " + std::to_string(atNs);
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetOpenRequests() + pair.b.nic->GetOpenRequests(),
                              0,
                              name << ": open");
        Reset();
    }

    void DoRun() override
    {
        for (const char* recovery : {"go-back-n", "go-back-0", "irn"})
        {
            for (uint64_t at : {0, 500, 2200, 3000, 4400, 6000, 9000, 60000})
            {
                for (int how = 0; how < 4; ++how)
                {
                    RunOnce(recovery, at, how);
                }
            }
        }
        // and when the simulation ends with frames kept
        helper->SetLossRecovery("irn");
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 100000);
        fabric->GetPort(1, 0)->SetReceiveFilter([](const Frame& frame) { return frame.psn == 3; });
        Post(pair, Make(pair, Operation::WRITE, 20000, 0));
        Simulator::Stop(MicroSeconds(6));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(EventCore::Get()->GetPool().GetLive(), 0, "frames are kept");
        Reset();
    }
};

/** The suite. */
class QueuePairStateTestSuite : public TestSuite
{
  public:
    QueuePairStateTestSuite()
        : TestSuite("roce-queue-pair-state", TestSuite::Type::UNIT)
    {
        AddTestCase(new TransitionTest, D::QUICK);
        AddTestCase(new ReadyTest, D::QUICK);
        AddTestCase(new DrainTest, D::QUICK);
        AddTestCase(new ReuseTest, D::QUICK);
        AddTestCase(new FlushTest, D::QUICK);
        AddTestCase(new DestroyTest, D::QUICK);
    }
};

const QueuePairStateTestSuite g_queuePairStateTestSuite;

} // namespace
