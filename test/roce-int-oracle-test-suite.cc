/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-clos-builder.h"
#include "ns3/roce-int-oracle.h"

#include <map>
#include <set>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t LINE = 100 * GBPS;
constexpr uint32_t MTU = 1000;
constexpr uint32_t PACKETS = 500; //!< of a message
constexpr uint32_t MESSAGES = 60; //!< of a flow
constexpr uint32_t LATE = 40;     //!< the first of those that count as settled
constexpr uint32_t SPINES = 4;
constexpr int64_t DELAY = 500; //!< ns, of each link

/** Leaves 4 and 5, spines 6 to 9; hosts 0 and 1 on leaf 4, 2 and 3 on leaf 5. */
FabricGraph
Clos()
{
    LeafSpinePlan plan;
    plan.leaves = 2;
    plan.spines = SPINES;
    plan.hostsPerLeaf = 2;
    plan.hostRateBps = LINE;
    plan.fabricRateBps = LINE;
    plan.hostDelayPs = DELAY * 1000;
    plan.fabricDelayPs = DELAY * 1000;
    return ClosBuilder::Build(plan);
}

constexpr uint32_t FIRST_SPINE = 6;

/**
 * \return ns from post to completion of a message that has its path for itself, with telemetry.
 *
 * A full frame takes 1000 + 62 + 20 bytes on the link of the host, the first one 16 (RETH) more.
 * INT-MD adds 16 + 28 bytes at the first switch and 28 at each other, so the port to the
 * destination is the slowest: 1082 + 100 bytes = 94.56 ns a frame. The ACK of 66 + 20 bytes
 * carries the same 100 bytes all the way.
 */
double
AloneNs()
{
    const double byte = 8e9 / double(LINE);
    double first = 0;
    for (uint32_t telemetry : {0, 44, 72, 100})
    {
        first += (MTU + 62 + 20 + 16 + telemetry) * byte + DELAY;
    }
    return first + (PACKETS - 1) * (MTU + 62 + 20 + 100) * byte +
           4 * ((66 + 20 + 100) * byte + DELAY);
}

/** What a run came to. */
struct Outcome
{
    std::vector<std::vector<Tick>> completed;        //!< by flow and message
    std::vector<std::vector<uint16_t>> ports;        //!< by flow: source ports on the wire
    std::vector<std::vector<uint32_t>> spines;       //!< by flow: spine of each of those
    std::vector<std::vector<uint16_t>> moved;        //!< by flow: as the trace tells
    std::vector<std::pair<uint64_t, uint64_t>> late; //!< by flow: messages, sum of their ns
    uint64_t moves{0};
    uint64_t reads{0};        //!< completed
    uint64_t readerResent{0}; //!< packets
    Tick end{0};
};

/** Two flows of different hosts that ECMP sends over the same uplink. */
class OracleTest : public FabricTest
{
  public:
    /** \param name of the case */
    explicit OracleTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    /** How a run is set up. */
    struct Setup
    {
        std::string cc{"none"};
        std::string paths{"int-oracle"};
        bool telemetry{true};
        uint32_t flows{2};
        int64_t stream{1};
        uint32_t reads{0}; //!< of each receiver from its sender, over the same queue pairs
    };

    /** Find a UDP source port for each flow so that both take one uplink. */
    void Scout()
    {
        Build(Clos());
        std::map<std::pair<uint32_t, uint32_t>, uint16_t> found; // by host and spine
        for (uint32_t spine = 0; spine < SPINES; ++spine)
        {
            fabric->GetPort(FIRST_SPINE + spine, 0)->SetReceiveFilter([&, spine](const Frame& f) {
                const bool first = f.source == fabric->GetAddresses().Address(0, 0);
                found[{first ? 0 : 1, spine}] = f.sourcePort;
                return false;
            });
        }
        for (uint32_t i = 0; i < 64; ++i)
        {
            ConnectionOptions options;
            options.sourcePort = static_cast<uint16_t>(50000 + i);
            Post(Open(i % 2, 2 + i % 2, options), MTU);
        }
        Run();
        for (uint32_t spine = 0; spine < SPINES; ++spine)
        {
            if (found.count({0, spine}) && found.count({1, spine}))
            {
                m_ports = {found[{0, spine}], found[{1, spine}]};
            }
        }
        Reset();
        NS_ABORT_MSG_IF(m_ports.empty(), "64 flows find two that meet");
    }

    /** Look at what leaves leaf 4. \param flow number \param frame at a spine \param spine it
     *  \param outcome gets it */
    void See(uint32_t flow, const Frame& frame, uint32_t spine, Outcome& outcome)
    {
        if (outcome.ports[flow].empty() || outcome.ports[flow].back() != frame.sourcePort)
        {
            NS_TEST_EXPECT_MSG_EQ(frame.psn % PACKETS, 0, "a port is for a whole message");
            outcome.ports[flow].push_back(frame.sourcePort);
            outcome.spines[flow].push_back(spine);
        }
        NS_TEST_EXPECT_MSG_EQ(outcome.spines[flow].back(), spine, "a port is one path");
    }

    void Watch(Outcome& outcome)
    {
        for (uint32_t spine = 0; spine < SPINES; ++spine)
        {
            fabric->GetPort(FIRST_SPINE + spine, 0)
                ->SetReceiveFilter([this, spine, &outcome](const Frame& frame) {
                    if (frame.kind == FrameKind::REQUEST)
                    {
                        const bool first = frame.source == fabric->GetAddresses().Address(0, 0);
                        See(first ? 0 : 1, frame, spine, outcome);
                    }
                    return false;
                });
        }
    }

    /** \return what came of a run. \param setup how */
    Outcome RunOnce(const Setup& setup)
    {
        if (setup.cc != "none")
        {
            helper->SetCongestionControl(setup.cc);
        }
        helper->SetPathChooser(setup.paths);
        if (!setup.telemetry)
        {
            helper->SetCongestionStack(CongestionStack());
        }
        checkIdeal = !setup.telemetry || setup.paths == "ecmp";
        Build(Clos());
        helper->AssignStreams(fabric, setup.stream);
        Outcome outcome;
        outcome.ports.resize(setup.flows);
        outcome.spines.resize(setup.flows);
        outcome.moved.resize(setup.flows);
        Watch(outcome);
        for (uint32_t i = 0; i < setup.flows; ++i)
        {
            ConnectionOptions options;
            options.sourcePort = m_ports[i];
            TestFlow& flow = Open(i, 2 + i, options);
            flow.onSent = [&flow](const Completion&) {
                if (flow.posted.size() < MESSAGES)
                {
                    Post(flow, uint64_t(MTU) * PACKETS);
                }
            };
            if (const auto paths = flow.pair.qp->GetConfig().paths)
            {
                m_moved = &outcome.moved;
                paths->TraceConnectWithoutContext("Moved",
                                                  i ? MakeCallback(&OracleTest::Moved1, this)
                                                    : MakeCallback(&OracleTest::Moved0, this));
            }
            Post(flow, uint64_t(MTU) * PACKETS);
            for (uint32_t k = 0; k < setup.reads; ++k)
            {
                At(MicroSeconds(10 * k), [&flow] {
                    WorkRequest read;
                    read.operation = Operation::READ;
                    read.bytes = 20 * MTU;
                    flow.pair.peerNic->Post(flow.pair.peerQp, read);
                });
            }
        }
        if (setup.reads)
        {
            Simulator::Run();
        }
        else
        {
            Run();
        }
        Collect(outcome);
        Reset();
        return outcome;
    }

    /** \return mean ns of the settled messages. \param outcome of a run \param flow number */
    static double LateMean(const Outcome& outcome, uint32_t flow)
    {
        return double(outcome.late[flow].second) / double(outcome.late[flow].first);
    }

    std::vector<uint16_t> m_ports; //!< of the two flows

  private:
    void Moved0(uint32_t, uint16_t from, uint16_t to)
    {
        NoteMove(0, from, to);
    }

    void Moved1(uint32_t, uint16_t from, uint16_t to)
    {
        NoteMove(1, from, to);
    }

    void NoteMove(uint32_t flow, uint16_t from, uint16_t to)
    {
        std::vector<uint16_t>& moved = (*m_moved)[flow];
        if (moved.empty())
        {
            moved.push_back(from);
        }
        NS_TEST_EXPECT_MSG_EQ(moved.back(), from, "each move begins where the last one ended");
        moved.push_back(to);
    }

    void Collect(Outcome& outcome)
    {
        for (const TestFlow& flow : flows)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.sent.size(), MESSAGES, "all messages");
            outcome.completed.emplace_back();
            outcome.late.emplace_back(0, 0);
            for (std::size_t i = 0; i < flow.sent.size(); ++i)
            {
                outcome.completed.back().push_back(flow.sent[i].completed);
                outcome.end = std::max(outcome.end, flow.sent[i].completed);
                if (i >= LATE)
                {
                    ++outcome.late.back().first;
                    outcome.late.back().second += uint64_t(flow.Fct(i));
                }
            }
            const auto paths = flow.pair.qp->GetConfig().paths;
            outcome.moves += paths ? paths->GetMoves() : 0;
            NS_TEST_EXPECT_MSG_EQ(flow.pair.peerQp->GetResponder().GetOutOfOrder(), 0, "in order");
            NS_TEST_EXPECT_MSG_EQ(Sender(flow).naksReceived, 0, "no NAK");
            NS_TEST_EXPECT_MSG_EQ(Sender(flow).retransmitted, 0, "nothing is sent again");
            NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, "no timeout");
            outcome.readerResent += Receiver(flow).retransmitted;
            outcome.reads += Receiver(flow).requestsCompleted;
        }
    }

    std::vector<std::vector<uint16_t>>* m_moved{nullptr};
};

/** Two flows part, and both are as fast as arithmetic says. */
class PartTest : public OracleTest
{
  public:
    PartTest()
        : OracleTest("two flows on one uplink part")
    {
    }

  private:
    void DoRun() override
    {
        Scout();
        Setup ecmp;
        ecmp.paths = "ecmp";
        const Outcome together = RunOnce(ecmp);
        NS_TEST_EXPECT_MSG_EQ(together.spines[0].back(), together.spines[1].back(), "ECMP: one");
        // all frames go over one link: 1082 bytes each, without telemetry
        const double least = 2.0 * MESSAGES * PACKETS * (MTU + 62 + 20) * 8e9 / double(LINE);
        NS_TEST_EXPECT_MSG_GT(double(together.end), least, "ECMP: an uplink for two");

        const Outcome apart = RunOnce(Setup());
        NS_TEST_EXPECT_MSG_NE(apart.spines[0].back(), apart.spines[1].back(), "paths in the end");
        NS_TEST_EXPECT_MSG_GT(apart.moves, 0, "moves");
        for (uint32_t flow : {0, 1})
        {
            // whole ticks at 8 ports
            NS_TEST_EXPECT_MSG_EQ_TOL(LateMean(apart, flow), AloneNs(), 8, "time of a message");
            if (apart.moved[flow].empty())
            {
                NS_TEST_EXPECT_MSG_EQ(apart.ports[flow].size(), 1, "it stayed");
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(bool(apart.moved[flow] == apart.ports[flow]),
                                  true,
                                  "the trace tells what the wire shows");
        }
        const Outcome again = RunOnce(Setup());
        NS_TEST_EXPECT_MSG_EQ(bool(again.completed == apart.completed), true, "same stream");
        NS_TEST_EXPECT_MSG_EQ(bool(again.ports == apart.ports), true, "same ports");
    }
};

/** Without telemetry, or with nobody in the way, it is ECMP. */
class StayTest : public OracleTest
{
  public:
    StayTest()
        : OracleTest("no telemetry and no trouble: ECMP")
    {
    }

  private:
    void DoRun() override
    {
        Scout();
        Setup ecmp;
        ecmp.paths = "ecmp";
        Setup blind;
        blind.telemetry = false;
        const Outcome plain = RunOnce(ecmp);
        const Outcome other = RunOnce(blind);
        NS_TEST_EXPECT_MSG_EQ(other.moves, 0, "it does not move");
        NS_TEST_EXPECT_MSG_EQ(bool(other.ports == plain.ports), true, "same ports");
        NS_TEST_EXPECT_MSG_EQ(bool(other.completed == plain.completed), true, "to the tick");
        Setup lone;
        lone.flows = 1;
        const Outcome alone = RunOnce(lone);
        NS_TEST_EXPECT_MSG_EQ(alone.moves, 0, "alone there is nothing to flee from");
        NS_TEST_EXPECT_MSG_EQ_TOL(LateMean(alone, 0), AloneNs(), 8, "time of a message");
    }
};

/** A queue pair that answers READs moves only when no response is on the way. */
class ReadTest : public OracleTest
{
  public:
    ReadTest()
        : OracleTest("responses are not overtaken")
    {
    }

  private:
    void DoRun() override
    {
        Scout();
        uint64_t moves = 0;
        for (int64_t stream : {1, 20, 40})
        {
            Setup setup;
            setup.stream = stream;
            setup.reads = 300;
            const Outcome outcome = RunOnce(setup);
            moves += outcome.moves;
            NS_TEST_EXPECT_MSG_EQ(outcome.reads, 600, "READs");
            NS_TEST_EXPECT_MSG_EQ(outcome.readerResent, 0, "no response came early");
        }
        NS_TEST_EXPECT_MSG_GT(moves, 0, "moves");
    }
};

/** With a law, a flow that has parted is as fast as without the other one. */
class LawTest : public OracleTest
{
  public:
    /** \param cc congestion control */
    explicit LawTest(const std::string& cc)
        : OracleTest("two flows part under " + cc),
          m_cc(cc)
    {
    }

  private:
    void DoRun() override
    {
        Scout();
        Setup setup;
        setup.cc = m_cc;
        const Outcome apart = RunOnce(setup);
        setup.flows = 1;
        const Outcome alone = RunOnce(setup);
        NS_TEST_EXPECT_MSG_NE(apart.spines[0].back(), apart.spines[1].back(), "paths in the end");
        for (uint32_t flow : {0, 1})
        {
            const double mean = LateMean(alone, 0);
            NS_TEST_EXPECT_MSG_EQ_TOL(LateMean(apart, flow), mean, mean / 20, m_cc);
        }
    }

    std::string m_cc;
};

/** Names. */
class NameTest : public TestCase
{
  public:
    NameTest()
        : TestCase("names and attributes")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        const auto refused = [](const std::function<void()>& action) {
            try
            {
                action();
            }
            catch (const std::invalid_argument& error)
            {
                return std::string(error.what());
            }
            return std::string();
        };
        const std::string unknown = refused([&roce] { roce.SetPathChooser("crystal-ball"); });
        NS_TEST_EXPECT_MSG_NE(unknown.find("crystal-ball"), std::string::npos, "the value");
        NS_TEST_EXPECT_MSG_NE(unknown.find("int-oracle"), std::string::npos, "what there is");
        const auto early = refused([&roce] {
            roce.SetPathChooser("ecmp", {{"Candidates", UintegerValue(4).Copy()}});
        });
        NS_TEST_EXPECT_MSG_NE(early.find("SetPathChooser"), std::string::npos, "the fix");
        roce.SetPathChooser("ns3::roce::IntOracle", {{"Candidates", UintegerValue(4).Copy()}});
        Ptr<Fabric> fabric = roce.Install(Clos());
        UintegerValue candidates;
        fabric->GetNic(0)->GetDefaults().paths->GetAttribute("Candidates", candidates);
        NS_TEST_EXPECT_MSG_EQ(candidates.Get(), 4, "attribute");
        NS_TEST_EXPECT_MSG_NE(fabric->GetNic(0)->GetDefaults().paths,
                              fabric->GetNic(1)->GetDefaults().paths,
                              "one a NIC");
        NS_TEST_EXPECT_MSG_EQ((roce.AssignStreams(fabric, 0) >= 4), true, "a stream each");
        Simulator::Destroy();
    }
};

/** Suite roce-int-oracle. */
class IntOracleTestSuite : public TestSuite
{
  public:
    IntOracleTestSuite()
        : TestSuite("roce-int-oracle", TestSuite::Type::UNIT)
    {
        AddTestCase(new NameTest, D::QUICK);
        AddTestCase(new PartTest, D::QUICK);
        AddTestCase(new StayTest, D::QUICK);
        AddTestCase(new ReadTest, D::QUICK);
        for (const char* cc : {"dcqcn", "hpcc", "hcc"})
        {
            AddTestCase(new LawTest(cc), D::QUICK);
        }
    }
};

IntOracleTestSuite g_intOracleTestSuite; //!< registers the suite

} // namespace
