/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-refusal.h"

#include "ns3/log.h"
#include "ns3/roce-hpcc-config-reader.h"
#include "ns3/roce-replay-helper.h"
#include "ns3/roce-tick.h"
#include "ns3/roce-topology-reader.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

using namespace ns3;
using namespace ns3::roce;

NS_LOG_COMPONENT_DEFINE("RoceReplayTestSuite");

namespace
{

/** \return a text of test/data. \param name of the file */
TextSource
Data(const std::string& name)
{
    return TextSource::FromFile(std::string(NS_TEST_SOURCEDIR) + "/data/" + name);
}

/** One row of fct.txt. */
struct Row
{
    std::string key; //!< addresses and ports
    uint64_t bytes;
    uint64_t start;
    uint64_t fct;
};

/** \return the rows. \param text of an fct.txt */
std::vector<Row>
Split(const std::string& text)
{
    std::vector<Row> rows;
    std::istringstream in(text);
    std::string word[4];
    Row row;
    uint64_t standalone;
    while (in >> word[0] >> word[1] >> word[2] >> word[3] >> row.bytes >> row.start >> row.fct >>
           standalone)
    {
        row.key = word[0] + " " + word[1] + " " + word[2] + " " + word[3];
        rows.push_back(row);
    }
    return rows;
}

/** What to replay and how. */
struct Job
{
    FabricGraph graph;
    FlowList flows;
    std::optional<HpccConfig> config;
    ReplayOptions options;
    Time timeout{MilliSeconds(1)};
};

/** What came of it. */
struct Outcome
{
    std::string fct;
    std::string pfc;
    uint64_t completed;
    uint64_t failed;
    uint64_t lost; //!< frames lost with links
};

/** Common parts. */
class ReplayTest : public TestCase
{
  public:
    explicit ReplayTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    static Outcome Run(const Job& job)
    {
        ReplayHelper replay(job.graph, job.flows, job.config, job.options);
        RoceHelper roce;
        replay.Configure(roce, true);
        roce.SetNicAttribute("AckTimeout", TimeValue(job.timeout));
        Ptr<Fabric> fabric = roce.Install(job.graph, PartitionPolicy::Allow);
        roce.AssignStreams(fabric, 1);
        std::ostringstream fct;
        std::ostringstream pfc;
        replay.Schedule(fabric);
        replay.WriteFct(fct);
        replay.WritePfc(pfc, fabric);
        Simulator::Run();
        Outcome outcome{fct.str(), pfc.str(), replay.GetCompleted(), replay.GetFailed(), 0};
        for (uint32_t i = 0; i < job.graph.NodeCount(); ++i)
        {
            const uint32_t id = job.graph.IdOf(i);
            for (uint32_t port = 0; port < job.graph.PortCount(id); ++port)
            {
                outcome.lost += fabric->GetPort(id, port)->GetDrops(DropReason::LINK_DOWN);
            }
        }
        Simulator::Destroy();
        return outcome;
    }

    /** \return the message with which a function throws, or an empty string. */
    static std::string Refusal(const std::function<void()>& function)
    {
        const std::string message = roce::Refusal<std::exception>(function);
        Simulator::Destroy();
        return message;
    }

    void Expect(const std::string& message, const std::vector<std::string>& parts)
    {
        for (const std::string& part : parts)
        {
            NS_TEST_EXPECT_MSG_NE(message.find(part),
                                  std::string::npos,
                                  "\"" << part << "\" in: " << message);
        }
    }
};

/** Files in, fct.txt out, with a link that fails. */
class FilesTest : public ReplayTest
{
  public:
    FilesTest()
        : ReplayTest("topology, flows and config to fct.txt; LINK_DOWN")
    {
    }

  private:
    void DoRun() override
    {
        Job job;
        job.graph = TopologyReader::Read(Data("replay-topology.txt")).graph;
        job.flows = FlowReader::Read(Data("replay-flows.txt"), &job.graph);
        job.config = HpccConfigReader::Read(Data("replay-config.txt"));
        const Outcome failing = Run(job);
        NS_TEST_EXPECT_MSG_EQ(failing.completed, 8, "all complete over the other spine");
        NS_TEST_EXPECT_MSG_EQ(failing.failed, 0, "none fails");
        NS_TEST_EXPECT_MSG_GT(failing.lost, 0, "the link that failed lost frames");
        CheckRows(failing.fct);
        job.config->linkDown = HpccLinkDown();
        const Outcome whole = Run(job);
        NS_TEST_EXPECT_MSG_EQ(whole.lost, 0, "no link failed");
        CheckRows(whole.fct);
        // without spine 6 the flows of leaf 4 to leaf 5 share one link: 2 MB instead of 1
        const auto slowest = [](const std::vector<Row>& rows) {
            uint64_t fct = 0;
            for (const Row& row : rows)
            {
                fct = std::max(fct, row.fct);
            }
            return fct;
        };
        NS_TEST_EXPECT_MSG_GT(slowest(Split(failing.fct)),
                              slowest(Split(whole.fct)),
                              "half the fabric is slower");
    }

    void CheckRows(const std::string& text)
    {
        const std::regex format(
            "[0-9a-f]{8} [0-9a-f]{8} [0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+");
        std::istringstream in(text);
        uint32_t lines = 0;
        for (std::string line; std::getline(in, line); ++lines)
        {
            NS_TEST_EXPECT_MSG_EQ(std::regex_match(line, format), true, "\"" << line << "\"");
        }
        NS_TEST_EXPECT_MSG_EQ(text.back(), '\n', "the last line ends");
        const auto rows = Split(text);
        NS_TEST_EXPECT_MSG_EQ(lines, 8, "a line a flow");
        NS_TEST_EXPECT_MSG_EQ(rows.size(), 8, "a row a flow");
        uint64_t before = 0;
        std::map<std::string, uint64_t> sizes;
        for (const Row& row : rows)
        {
            NS_TEST_EXPECT_MSG_EQ((row.start + row.fct >= before), true, "order of completion");
            before = row.start + row.fct;
            sizes[row.key] = row.bytes;
        }
        NS_TEST_EXPECT_MSG_EQ(sizes.size(), 8, "a key a flow");
        // host i is 0x0b000001 + 256 i; the second flow of a pair has port 10001
        NS_TEST_EXPECT_MSG_EQ(sizes.at("0b000001 0b000201 10000 100"), 1000000, "0 -> 2");
        NS_TEST_EXPECT_MSG_EQ(sizes.at("0b000001 0b000201 10001 100"), 500, "0 -> 2 again");
        NS_TEST_EXPECT_MSG_EQ(sizes.at("0b000301 0b000001 10000 100"), 1000000, "3 -> 0");
        NS_TEST_EXPECT_MSG_EQ(sizes.at("0b000001 0b000301 10000 100"), 1, "0 -> 3");
        NS_TEST_EXPECT_MSG_EQ(sizes.at("0b000001 0b000301 10001 100"), 0, "empty message");
    }
};

/** The rules of the artifact, by hand. */
class CompatTest : public ReplayTest
{
  public:
    CompatTest()
        : ReplayTest("compat rules by arithmetic")
    {
    }

  private:
    /** \return the only row. \param bytes of the flow \param start in seconds \param options how */
    Row Lone(uint64_t bytes, const std::string& start, const ReplayOptions& options)
    {
        Job job;
        job.graph = TopologyReader::Read(TextSource::FromString("t",
                                                                "3 1 2\n2\n"
                                                                "0 2 100Gbps 1us 0\n"
                                                                "1 2 100Gbps 1us 0\n"))
                        .graph;
        job.flows = FlowReader::Read(
            TextSource::FromString("f",
                                   "1\n0 1 3 100 " + std::to_string(bytes) + " " + start + "\n"),
            &job.graph);
        job.options = options;
        const auto rows = Split(Run(job).fct);
        NS_TEST_EXPECT_MSG_EQ(rows.size(), 1, "one row");
        return rows.empty() ? Row() : rows[0];
    }

    void DoRun() override
    {
        const ReplayOptions all = ReplayOptions::Parse("all", "descending");
        // 1000 + 48 bytes are 83.84 ns, cut to 83; the ACK of 60 bytes 4.8, cut to 4. N packets on
        // the first link, the last one on the second, four cables of 1000, the ACK twice:
        // 83 N + 83 + 4000 + 8
        NS_TEST_EXPECT_MSG_EQ(Lone(10000, "0", all).fct, 83 * 10 + 83 + 4008, "10 packets");
        NS_TEST_EXPECT_MSG_EQ(Lone(1000, "0", all).fct, 83 + 83 + 4008, "one packet");
        NS_TEST_EXPECT_MSG_EQ(Lone(2000000, "0", all).fct, 83 * 2000 + 83 + 4008, "2000 packets");
        // the last of 500 + 48 bytes: 43.84, cut to 43: the second link ends 83 * 11 + 43 after
        NS_TEST_EXPECT_MSG_EQ(Lone(10500, "0", all).fct, 83 * 11 + 43 + 4008, "a short last one");
        // 1 + 48 bytes: 3.92, cut to 3
        NS_TEST_EXPECT_MSG_EQ(Lone(1, "0", all).fct, 3 + 3 + 4008, "one byte");
        // without cut times: 83.84 N + 83.84 + 4000 + 9.6, and the tick may cut half a one
        ReplayOptions exact = all;
        exact.truncateTicks = false;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Lone(2000000, "0", exact).fct),
                                  83.84 * 2001 + 4009.6,
                                  1,
                                  "times kept");
        // real: 1000 + 82, first 98; ACK 66 + 20: 1082 * .08 = 86.56; 6.88
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Lone(2000000, "0", ReplayOptions()).fct),
                                  86.56 * 2001 + 1.28 + 4000 + 2 * 6.88,
                                  1,
                                  "real headers");
        // starts: 0.000001010 s is 1009.99... ns in binary
        NS_TEST_EXPECT_MSG_EQ(Lone(1, "0.000001010", all).start, 1009, "a start loses a ns");
        NS_TEST_EXPECT_MSG_EQ(Lone(1, "0.000001010", exact).start, 1010, "and is kept else");
        NS_TEST_EXPECT_MSG_EQ(Lone(1, "2.0", all).start, 2000000000, "whole seconds");
        NS_TEST_EXPECT_MSG_EQ(TruncateToTicks(8.384e-5, 1000000000), 83839, "1048 B at 100 Mb/s");
        NS_TEST_EXPECT_MSG_EQ(TruncateToTicks(1048 * 8 / 1e11, 1000000000), 83, "and at 100 Gb/s");
        Expect(Refusal([]() { ReplayOptions::Parse("hash,acks", "descending"); }),
               {"\"acks\"", "hash,ack,headers,ticks,switch"});
        Expect(Refusal([]() { ReplayOptions::Parse("all", "up"); }),
               {"\"up\"", "descending", "ascending"});
    }
};

/** Inputs that cannot be replayed. */
class RefusalTest : public ReplayTest
{
  public:
    RefusalTest()
        : ReplayTest("what cannot be replayed is refused with names")
    {
    }

  private:
    void DoRun() override
    {
        Job job;
        job.graph = TopologyReader::Read(Data("replay-topology.txt")).graph;
        job.flows = FlowReader::Read(Data("replay-flows.txt"), &job.graph);
        job.config =
            HpccConfigReader::Read(TextSource::FromString("c.txt", "CC_MODE 3\nRP_TIMER 300\n"));
        Expect(Refusal([&job]() { Run(job); }), {"CC_MODE 3", "1 (DCQCN)", "12 (none)"});

        const FabricGraph& graph = job.graph;
        Expect(Refusal([&graph]() {
                   FlowReader::Read(TextSource::FromString("f.txt", "1\n0 77 3 100 1 0\n"), &graph);
               }),
               {"f.txt:2", "77"});
        Expect(Refusal([&graph]() {
                   FlowReader::Read(TextSource::FromString("f.txt", "1\n0 4 3 100 1 0\n"), &graph);
               }),
               {"f.txt:2", "4"}); // a switch
        Expect(Refusal([&graph]() {
                   FlowReader::Read(TextSource::FromString("f.txt", "2\n0 1 3 100 1 0\n"), &graph);
               }),
               {"f.txt:", "2"}); // fewer than declared
        Expect(Refusal([]() { TextSource::FromFile("no-such-file.txt"); }), {"no-such-file.txt"});

        Job ring;
        ring.graph = TopologyReader::Read(Data("topology-ring.txt")).graph;
        ring.flows =
            FlowReader::Read(TextSource::FromString("f.txt", "1\n0 2 3 100 1 0\n"), &ring.graph);
        Expect(Refusal([&ring]() { Run(ring); }), {"no path", "host 0", "host 2"});
        // neighbors on the ring can talk
        ring.flows.flows[0].dst = 3;
        NS_TEST_EXPECT_MSG_EQ(Run(ring).completed, 1, "0 -> 3 has a cable");
    }
};

/** The artifact's own results, where they are: the files are not part of the project. */
class PeerTest : public ReplayTest
{
  public:
    /** Names of the files, and what must agree. */
    struct Case
    {
        std::string topology;
        std::string flows;
        std::string config;
        std::string fct;
        bool step;
        uint32_t exact; //!< at least so many flows are equal to the ns
        uint32_t near;  //!< at least so many are within 10 ns
        uint32_t close; //!< at least so many are within 1 %
    };

    explicit PeerTest(const Case& c)
        : ReplayTest("HPCC artifact: " + c.fct),
          m_case(c)
    {
    }

  private:
    static std::string Folder()
    {
        const char* set = std::getenv("ROCE_SHARED");
        return (set ? std::string(set) : std::string(NS_TEST_SOURCEDIR) + "/../../shared") +
               "/crosscheck/";
    }

    void DoRun() override
    {
        std::ifstream file(Folder() + "fct/hpcc317." + m_case.fct + ".fct");
        if (!file)
        {
            NS_LOG_UNCOND(GetName() << ": skipped, no crosscheck files; set ROCE_SHARED to the "
                                       "folder that has them");
            return;
        }
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        Job job;
        job.graph = TopologyReader::Read(TextSource::FromFile(Folder() + m_case.topology)).graph;
        job.flows = FlowReader::Read(TextSource::FromFile(Folder() + m_case.flows), &job.graph);
        job.config =
            HpccConfigReader::Read(TextSource::FromFile(Folder() + "conf/" + m_case.config));
        job.options = ReplayOptions::Artifact();
        if (m_case.step)
        {
            job.config->kmaxKb = job.config->kminKb;
        }
        std::map<std::string, Row> ours;
        for (const Row& row : Split(Run(job).fct))
        {
            ours[row.key] = row;
        }
        const auto theirs = Split(text);
        NS_TEST_ASSERT_MSG_EQ(ours.size(), theirs.size(), "flows");
        uint32_t exact = 0;
        uint32_t near = 0;
        uint32_t close = 0;
        for (const Row& row : theirs)
        {
            NS_TEST_EXPECT_MSG_EQ(ours[row.key].start, row.start, "start of " << row.key);
            const uint64_t off =
                std::max(ours[row.key].fct, row.fct) - std::min(ours[row.key].fct, row.fct);
            exact += off == 0;
            near += off <= 10;
            close += double(off) < 0.01 * double(row.fct);
        }
        NS_TEST_EXPECT_MSG_EQ((exact >= m_case.exact), true, exact << " flows exact");
        NS_TEST_EXPECT_MSG_EQ((near >= m_case.near), true, near << " flows within 10 ns");
        NS_TEST_EXPECT_MSG_EQ((close >= m_case.close), true, close << " flows within 1 %");
    }

    Case m_case;
};

/** Suite roce-replay. */
class ReplayTestSuite : public TestSuite
{
  public:
    ReplayTestSuite()
        : TestSuite("roce-replay", TestSuite::Type::UNIT)
    {
        AddTestCase(new FilesTest, D::QUICK);
        AddTestCase(new CompatTest, D::QUICK);
        AddTestCase(new RefusalTest, D::QUICK);
        AddTestCase(new PeerTest({"star17.topo",
                                  "b_staggered.flow",
                                  "b_incast16_2MB.dcqcn.txt",
                                  "b_step_staggered.dcqcn",
                                  true,
                                  0,
                                  16,
                                  16}),
                    D::QUICK);
        AddTestCase(new PeerTest({"ft_k8.topo",
                                  "c_ring_k8_4MB.flow",
                                  "c_ring_k8_4MB.dcqcn.txt",
                                  "c_ring_k8_4MB.dcqcn",
                                  false,
                                  120,
                                  120,
                                  128}),
                    D::QUICK);
        AddTestCase(new PeerTest({"ft_k16.topo",
                                  "d_perm_k16_1MB.flow",
                                  "d_perm_k16_1MB.dcqcn.txt",
                                  "d_step.dcqcn",
                                  true,
                                  0,
                                  922,
                                  1024}),
                    D::EXTENSIVE);
    }
};

ReplayTestSuite g_replayTestSuite;

} // namespace
