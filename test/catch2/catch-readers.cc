/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-flow-reader.h"
#include "ns3/roce-hpcc-config-reader.h"
#include "ns3/roce-routing.h"
#include "ns3/roce-text-source.h"
#include "ns3/roce-topology-reader.h"
#include "ns3/roce-topology-writer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return the path of a file in test/data. */
std::string
Data(const std::string& name)
{
    return std::string(NS_TEST_SOURCEDIR) + "/data/" + name;
}

/** \return the bytes of a file in test/data. */
std::string
Bytes(const std::string& name)
{
    std::ifstream in(Data(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    REQUIRE(!text.str().empty());
    return text.str();
}

/** \return a topology from a string. */
Topology
ReadTopology(const std::string& text, bool gaps = false)
{
    TopologyReadOptions options;
    options.allowIdGaps = gaps;
    return TopologyReader::Read(TextSource::FromString("t", text), options);
}

/** \return flows from a string. */
FlowList
ReadFlows(const std::string& text, const FabricGraph* graph = nullptr)
{
    return FlowReader::Read(TextSource::FromString("f", text), graph);
}

/** \return a config from a string. */
HpccConfig
ReadConfig(const std::string& text)
{
    return HpccConfigReader::Read(TextSource::FromString("c", text));
}

/// A faulty text and what its error must say.
struct Faulty
{
    const char* text;               //!< the text
    std::vector<const char*> parts; //!< parts of the message
};

/** Check that each text is refused with std::invalid_argument and the right words. */
void
CheckRefused(const std::vector<Faulty>& cases, const std::function<void(const std::string&)>& read)
{
    for (const Faulty& c : cases)
    {
        INFO(c.text);
        CHECK_THROWS_AS(read(c.text), std::invalid_argument);
        for (const char* part : c.parts)
        {
            CHECK_THROWS_WITH(read(c.text), Contains(part));
        }
    }
}

/** \return a text with one to four random faults. */
std::string
Mutate(std::string text, std::mt19937& random)
{
    static const char* odd[] = {"-1",
                                "4294967296",
                                "99999999999999999999",
                                "1e308",
                                "nan",
                                "0",
                                "\n",
                                " ",
                                "\xff\xfe",
                                "1us",
                                "100Gbps",
                                ""};
    const uint32_t faults = 1 + random() % 4;
    for (uint32_t i = 0; i < faults && !text.empty(); i++)
    {
        const size_t at = random() % text.size();
        const size_t length = std::min<size_t>(random() % 12, text.size() - at);
        switch (random() % 5)
        {
        case 0:
            text[at] = static_cast<char>(random() % 256);
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, odd[random() % (sizeof(odd) / sizeof(odd[0]))]);
            break;
        case 3:
            text.insert(at, text.substr(random() % text.size(), 30));
            break;
        default: { // another word in place of one
            const size_t from = text.find_first_of(" \n", at);
            const size_t to = text.find_first_of(" \n", from == std::string::npos ? 0 : from + 1);
            if (from != std::string::npos && to != std::string::npos && to > from)
            {
                text.replace(from + 1,
                             to - from - 1,
                             odd[random() % (sizeof(odd) / sizeof(odd[0]))]);
            }
        }
        }
    }
    return text;
}

/** Feed a reader faulty texts: it returns or throws std::invalid_argument, nothing else. */
void
Fuzz(const std::string& text, const std::function<void(const std::string&)>& read)
{
    std::mt19937 random(11); // fixed seed
    uint32_t accepted = 0;
    uint32_t refused = 0;
    for (int i = 0; i < 3000; i++)
    {
        const std::string faulty = Mutate(text, random);
        try
        {
            read(faulty);
            accepted++;
        }
        catch (const std::invalid_argument& e)
        {
            refused++;
            REQUIRE(std::string(e.what()).find(":") != std::string::npos); // NAME:LINE
        }
    }
    CHECK(refused > 300); // the faults are faults
    CHECK(accepted > 0);  // and some are harmless, such as a blank
}

} // namespace

TEST_CASE("TextSource: lines, words, blanks and line ends", "[readers]")
{
    const TextSource s = TextSource::FromString("x", "\xef\xbb\xbf a  b\r\n\r\n\t\nc\n\n");
    REQUIRE(s.Count() == 2);
    CHECK(s.At(0).number == 1);
    CHECK(s.At(0).words == std::vector<std::string>{"a", "b"});
    CHECK(s.At(1).number == 4);
    CHECK(s.At(1).words == std::vector<std::string>{"c"});
    CHECK(s.LastLine() == 5);
    CHECK_THROWS_WITH(s.Fail(4, "bad"), "x:4: bad");
    CHECK(TextSource::FromString("x", "").Count() == 0);
    CHECK(TextSource::FromString("x", "").LastLine() == 1);
    CHECK(TextSource::FromFile(Data("flows.txt")).Count() == 6);
    CHECK_THROWS_AS(TextSource::FromFile("no/such/file"), std::runtime_error);
    CHECK_THROWS_WITH(TextSource::FromFile("no/such/file"), Contains("no/such/file: cannot"));
    CHECK_THROWS_WITH(TextSource::FromFile(Data("")), Contains("cannot be read"));
}

TEST_CASE("TopologyReader: HPCC's three numbers", "[readers]")
{
    const Topology t = TopologyReader::Read(TextSource::FromFile(Data("topology-hpcc.txt")));
    CHECK(t.format == TopologyFormat::Hpcc);
    CHECK(t.graph.NodeCount() == 6);
    CHECK(t.graph.Switches() == std::vector<uint32_t>{4, 5});
    CHECK(t.graph.LinkCount() == 5);
    CHECK(t.graph.Link(3).delayPs == 1000000); // 0.001ms
    CHECK(t.graph.Link(3).errorRate == 0.25);
    CHECK(t.graph.Link(4).rateBps == 400000000000);
    CHECK(t.graph.Link(4).delayPs == 500000);
    CHECK(t.ignoredLinkRows == 1); // "7 8 ...": nodes that are not declared
    CHECK_NOTHROW(t.graph.Validate());
}

TEST_CASE("TopologyReader: four numbers, six words, rings of hosts", "[readers]")
{
    const Topology inet = TopologyReader::Read(TextSource::FromFile(Data("topology-inet.txt")));
    CHECK(inet.format == TopologyFormat::InetTub);
    CHECK(inet.tors == 2);
    CHECK(inet.graph.HostCount() == 4);
    CHECK(inet.graph.Link(0).rateBps == 25000000000);
    CHECK(inet.graph.Link(5).delayPs == 5000000);

    const Topology simai = TopologyReader::Read(TextSource::FromFile(Data("topology-simai.txt")));
    CHECK(simai.format == TopologyFormat::SimAi);
    CHECK(simai.gpuType == "H100");
    CHECK(simai.gpusPerServer == 2);
    CHECK(simai.graph.HostCount() == 4);
    CHECK(simai.graph.Node(4).kind == NodeKind::NvSwitch);
    CHECK(simai.graph.Node(6).kind == NodeKind::Switch);
    CHECK(simai.graph.Link(0).rateBps == 2880000000000);
    CHECK(simai.graph.Link(0).delayPs == 25000); // 25 ns
    CHECK(simai.graph.PortCount(0) == 2);        // NVLink and NIC
    CHECK(simai.graph.PortCount(6) == 4);        // two hosts and two parallel links

    const Topology ring = TopologyReader::Read(TextSource::FromFile(Data("topology-ring.txt")));
    CHECK(ring.graph.SwitchCount() == 0);
    CHECK(ring.graph.LinkCount() == 4);
    const Routing routing(ring.graph);
    CHECK_NOTHROW(routing.RequireReachable(3, 0));
    CHECK_THROWS_WITH(routing.RequireReachable(0, 2), Contains("from host 0 to host 2"));
    // the same ring without the empty line; ids over several lines
    CHECK(ReadTopology("2 0 1\n0 1 1Gbps 1us 0").graph.LinkCount() == 1);
    CHECK(ReadTopology("4 2 3\n2\n3\n0 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n")
              .graph.SwitchCount() == 2);
    CHECK(ReadTopology("3 1 0 1 2 A100\n1\n0 1 1Gbps 1us 0\n2 1 1Gbps 1us 0\n").graph.Switches() ==
          std::vector<uint32_t>{1}); // no NVSwitch
}

TEST_CASE("TopologyReader: ids with gaps on request (case A13)", "[readers]")
{
    const std::string text = "5 2 4\n0 7\n5 0 10Gbps 1us 0\n9 0 10Gbps 1us 0\n"
                             "1000 7 10Gbps 1us 0\n0 7 40Gbps 1us 0\n";
    CHECK_THROWS_WITH(ReadTopology(text), Contains("t:2: ") && Contains("from 0 to 4"));
    const Topology t = ReadTopology(text, true);
    CHECK(t.graph.Hosts() == std::vector<uint32_t>{5, 9, 1000});
    CHECK_NOTHROW(t.graph.Validate());
    CHECK(ReadTopology("1001" + text.substr(1), true).graph.NodeCount() == 5);
    CHECK_THROWS_WITH(ReadTopology("6" + text.substr(1), true),
                      Contains("expected 6 nodes") && Contains("found 5 different ids"));
}

TEST_CASE("TopologyReader: faulty files are refused with line and reason", "[readers]")
{
    const std::vector<Faulty> cases = {
        {"", {"t:1: ", "empty file"}},
        {"\n\n", {"t:1: ", "empty file"}},
        {"6 2", {"t:1: ", "3 numbers", "found 2 words"}},
        {"6 2 5 1 2 3 4", {"t:1: ", "found 7 words"}},
        {"6 2 five\n", {"t:1: number of links", "'five'"}},
        {"-6 2 5\n", {"t:1: number of nodes", "'-6'"}},
        {"6.0 2 5\n", {"t:1: number of nodes", "'6.0'"}},
        {"4294967296 2 5\n", {"t:1: number of nodes", "4294967295"}},
        {"4294967295 1 4\n0\n", {"t:1: ", "4294967294 hosts but only 4 links"}},
        {"2 2 1\n0 1\n0 1 1Gbps 1us 0\n", {"t:1: ", "leaves no host"}},
        {"2 3 1\n0 1\n", {"t:1: ", "2 nodes and 3 switches"}},
        {"4 1 2 3\n3\n", {"t:1: ", "at most 1 ToR", "found 2"}},
        {"4 2 1 1 3 8\n", {"t:1: ", "GPU type", "'8'"}},
        {"3 1 2\n", {"t:1: ", "id of switch 1 of 1", "end of the file"}},
        {"4 2 2\n2\n0 2 1Gbps 1us 0\n", {"t:3: ", "id of switch 2 of 2", "'1Gbps'"}},
        {"3 1 2\n2 1\n0 2 1Gbps 1us 0\n", {"t:2: ", "expected 1 switch ids", "found more"}},
        {"3 1 2\n3\n0 2 1Gbps 1us 0\n", {"t:2: ", "from 0 to 2", "found 3"}},
        {"4 2 2\n2 2\n", {"t:2: ", "2 is listed twice"}},
        {"3 1 2\nx\n", {"t:2: ", "'x'"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\n", {"t:3: ", "link 2 of 2", "end of the file"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\n\n\nhelp text\n", {"t:6: link 2 of 2", "found 2 words"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\nsrc dst rate delay error\n", {"t:4: link 2 of 2", "'src'"}},
        {"3 1 2\n2\n0 2 1Gbps 1us\n1 2 1Gbps 1us 0\n", {"t:3: link 1 of 2", "found 4 words"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 0 0\n1 2 1Gbps 1us 0\n", {"t:3: link 1", "found 6 words"}},
        {"3 1 2\n2\n0 9 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
         {"t:3: link 1 of 2, destination", "from 0 to 2", "found 9"}},
        {"3 1 2\n2\n-1 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n", {"t:3: link 1 of 2", "'-1'"}},
        {"3 1 2\n2\n0 2 1Gbit 1us 0\n1 2 1Gbps 1us 0\n", {"t:3: ", "100Gbps", "'1Gbit'"}},
        {"3 1 2\n2\n0 2 0Gbps 1us 0\n1 2 1Gbps 1us 0\n", {"t:3: ", "rate 0"}},
        {"3 1 2\n2\n0 2 -1Gbps 1us 0\n1 2 1Gbps 1us 0\n", {"t:3: ", "not negative", "'-1Gbps'"}},
        {"3 1 2\n2\n0 2 1Gbps 1 0\n1 2 1Gbps 1us 0\n", {"t:3: ", "a delay with its unit", "'1'"}},
        {"3 1 2\n2\n0 2 1Gbps -1us 0\n1 2 1Gbps 1us 0\n", {"t:3: ", "-1000000 ps", "0 or more"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 2\n1 2 1Gbps 1us 0\n", {"t:3: ", "to 1.0", "'2'"}},
        {"3 1 2\n2\n0 2 1Gbps 1us x\n1 2 1Gbps 1us 0\n", {"t:3: ", "a number", "'x'"}},
        {"3 1 2\n2\n0 0 1Gbps 1us 0\n1 2 1Gbps 1us 0\n", {"t:3: ", "joins a node to itself"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n", {"t:1: ", "host 1 has no link"}},
        {"3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n",
         {"t:5: ", "one more link after the 2", "number of links"}},
        {"3 1 1\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n", {"t:4: ", "one more link after the 1"}},
    };
    CHECK(cases.size() >= 30);
    CheckRefused(cases, [](const std::string& text) { ReadTopology(text); });
}

TEST_CASE("FlowReader: sizes, exact times, rows beyond the count", "[readers]")
{
    const Topology t = TopologyReader::Read(TextSource::FromFile(Data("topology-hpcc.txt")));
    const FlowList list = FlowReader::Read(TextSource::FromFile(Data("flows.txt")), &t.graph);
    REQUIRE(list.flows.size() == 3);
    CHECK(list.ignoredRows == 1);
    CHECK(list.sorted);
    CHECK(list.flows[0].startPs == 2000000000000);
    CHECK(list.flows[1].sizeBytes == 5000000000); // above 2^32
    CHECK(list.flows[1].dport == 200);
    CHECK(list.flows[1].startPs == 2000000001000); // + 1 ns
    CHECK(list.flows[2].sizeBytes == 0);
    CHECK(list.flows[2].pg == 0);
    CHECK(list.flows[2].startPs == 2000000001001);
    CHECK(list.flows[2].line == 4);
    CHECK(ReadFlows("0\n").flows.empty());
    CHECK_FALSE(ReadFlows("2\n0 1 3 100 1 1\n0 1 3 100 1 0.5\n").sorted);
    CHECK(ReadFlows("1\n0 1 3 100 4611686018427387904 1e-05\n").flows[0].startPs == 10000000);
}

TEST_CASE("FlowReader: faulty files are refused with line and reason", "[readers]")
{
    const Topology t = TopologyReader::Read(TextSource::FromFile(Data("topology-hpcc.txt")));
    const std::vector<Faulty> cases = {
        {"", {"f:1: ", "empty file"}},
        {"0 1 3 100 1 0\n", {"f:1: ", "number of flows alone", "6 words"}},
        {"x\n", {"f:1: number of flows", "'x'"}},
        {"-1\n", {"f:1: ", "'-1'"}},
        {"1\n", {"f:1: ", "flow 1 of 1", "end of the file"}},
        {"4000000000\n0 1 3 100 1 0\n", {"f:2: ", "flow 2 of 4000000000", "end of the file"}},
        {"1\n0 1 3 100 1\n", {"f:2: flow 1 of 1", "src dst pg dport size start", "5 words"}},
        {"1\n0 1 3 100 1 0 0\n", {"f:2: ", "7 words"}},
        {"1\na 1 3 100 1 0\n", {"f:2: flow 1 of 1", "'a'"}},
        {"1\n0 1 8 100 1 0\n", {"f:2: ", "from 0 to 7", "'8'"}},
        {"1\n0 1 3 65536 1 0\n", {"f:2: ", "from 0 to 65535", "'65536'"}},
        {"1\n0 1 3 100 -5 0\n", {"f:2: ", "'-5'"}},
        {"1\n0 1 3 100 1.5 0\n", {"f:2: ", "'1.5'"}},
        {"1\n0 1 3 100 4611686018427387905 0\n", {"f:2: ", "to 4611686018427387904"}},
        {"1\n0 1 3 100 99999999999999999999999 0\n", {"f:2: ", "'99999999999999999999999'"}},
        {"1\n0 1 3 100 1 -2\n", {"f:2: ", "not negative", "'-2'"}},
        {"1\n0 1 3 100 1 2s\n", {"f:2: ", "time in seconds", "'2s'"}},
        {"1\n0 1 3 100 1 soon\n", {"f:2: ", "'soon'"}},
        {"1\n0 1 3 100 1 1e30\n", {"f:2: ", "fits 64 bits"}},
        {"1\n0 4 3 100 1 0\n", {"f:2: ", "as destination", "4, which is a switch"}},
        {"1\n6 0 3 100 1 0\n", {"f:2: ", "as source", "6, which does not exist"}},
        {"2\n0 1 3 100 1 0\n1 1 3 100 1 0\n", {"f:3: flow 2 of 2", "two different hosts"}},
    };
    CheckRefused(cases, [&t](const std::string& text) { ReadFlows(text, &t.graph); });
}

TEST_CASE("HpccConfigReader: values, defaults, keys without effect", "[readers]")
{
    const HpccConfig c = HpccConfigReader::Read(TextSource::FromFile(Data("config.txt")));
    CHECK(c.packetPayloadBytes == 1024);
    CHECK(c.topologyFile == "topology-hpcc.txt");
    CHECK(c.fctOutputFile == "fct.out");
    CHECK(c.simulatorStopTimeS == 4e13);
    CHECK(c.rpTimerUs == 300);
    CHECK(c.ewmaGain == 1.0 / 256);
    CHECK((c.rateAiBps == 20000000 && c.rateHaiBps == 200000000));
    CHECK_FALSE(c.hasWin);
    CHECK(c.ackHighPrio);
    CHECK((c.linkDown.timeUs == 150 && c.linkDown.a == 4 && c.linkDown.b == 5));
    CHECK(c.kminKb.at(100000000000) == 400);
    CHECK(c.kmaxKb.at(400000000000) == 6400);
    CHECK(c.pmax.at(400000000000) == 0.5);
    CHECK(c.bufferSizeMiB == 32);
    // lines 7, 9 and 20 of the file: kept or not, nothing acts on them
    REQUIRE(c.ignored.size() == 3);
    CHECK((c.ignored[0].key == "TRACE_FILE" && c.ignored[0].value == "trace.txt"));
    CHECK((c.ignored[0].line == 7 && c.ignored[1].line == 9 && c.ignored[2].line == 20));
    CHECK((c.ignored[1].key == "SIMULATOR_STOP_TIME" && c.ignored[2].key == "ACK_HIGH_PRIO"));

    const HpccConfig d = ReadConfig("");
    CHECK(d.ccMode == 1);
    CHECK(d.packetPayloadBytes == 1000);
    CHECK(d.alphaResumeIntervalUs == 55);
    CHECK(d.rpTimerUs == 1500);
    CHECK(d.fastRecoveryTimes == 5);
    CHECK(d.rateAiBps == 5000000);
    CHECK(d.minRateBps == 100000000);
    CHECK(d.uTarget == 0.95);
    CHECK(d.enablePfc);
    CHECK(d.bufferSizeMiB == 16);
    CHECK(d.kminKb.empty());

    CHECK(HpccConfigReader::Suggest("KMAX_MPA") == "KMAX_MAP");
    CHECK(HpccConfigReader::Suggest("cc-mode") == "CC_MODE");
    CHECK(HpccConfigReader::Suggest("ZZZZZZZZZZZZ").empty());
    // the keys of HPCC's own config.txt, and samples of its relatives
    std::istringstream keys(
        "ENABLE_QCN USE_DYNAMIC_PFC_THRESHOLD PACKET_PAYLOAD_SIZE TOPOLOGY_FILE FLOW_FILE "
        "TRACE_FILE TRACE_OUTPUT_FILE FCT_OUTPUT_FILE PFC_OUTPUT_FILE SIMULATOR_STOP_TIME CC_MODE "
        "ALPHA_RESUME_INTERVAL RATE_DECREASE_INTERVAL CLAMP_TARGET_RATE RP_TIMER EWMA_GAIN "
        "FAST_RECOVERY_TIMES RATE_AI RATE_HAI MIN_RATE DCTCP_RATE_AI ERROR_RATE_PER_LINK "
        "L2_CHUNK_SIZE L2_ACK_INTERVAL L2_BACK_TO_ZERO HAS_WIN GLOBAL_T VAR_WIN FAST_REACT "
        "U_TARGET MI_THRESH INT_MULTI MULTI_RATE SAMPLE_FEEDBACK PINT_LOG_BASE PINT_PROB "
        "RATE_BOUND ACK_HIGH_PRIO LINK_DOWN ENABLE_TRACE KMAX_MAP KMIN_MAP PMAX_MAP BUFFER_SIZE "
        "QLEN_MON_FILE QLEN_MON_START QLEN_MON_END LB_MODE ENABLE_PFC ENABLE_IRN RANDOM_SEED "
        "FLOWGEN_START_TIME CONWEAVE_PATH_PAUSE_TIME VOQ_MON_FILE NIC_TOTAL_PAUSE_TIME "
        "BW_MON_FILE QP_MON_INTERVAL");
    const std::vector<std::string> known = HpccConfigReader::KnownKeys();
    for (std::string key; keys >> key;)
    {
        INFO(key);
        CHECK(std::find(known.begin(), known.end(), key) != known.end());
    }
}

TEST_CASE("HpccConfigReader: faulty files are refused with line and reason", "[readers]")
{
    const std::vector<Faulty> cases = {
        {"ENABLE_QCM 1\n", {"c:1: ", "unknown key 'ENABLE_QCM'", "did you mean ENABLE_QCN?"}},
        {"\n\nBUFER_SIZE 32\n", {"c:3: ", "did you mean BUFFER_SIZE?"}},
        {"buffer_size 32\n", {"c:1: ", "did you mean BUFFER_SIZE?"}},
        {"# comment\n", {"c:1: ", "unknown key '#'", "HPCC's config.txt"}},
        {"CC_MODE 1\nHAS_WIN 0\nCC_MODE 3\n", {"c:3: CC_MODE is given twice", "line 1"}},
        {"CC_MODE\n", {"c:1: CC_MODE", "one value, found 0"}},
        {"CC_MODE 1 3\n", {"c:1: CC_MODE", "one value, found 2"}},
        {"CC_MODE 2\n", {"c:1: CC_MODE", "1 (DCQCN)", "found 2"}},
        {"CC_MODE 10\n", {"c:1: CC_MODE", "PINT", "not part of this module"}},
        {"CC_MODE dcqcn\n", {"c:1: CC_MODE", "'dcqcn'"}},
        {"ENABLE_QCN yes\n", {"c:1: ENABLE_QCN", "from 0 to 1", "'yes'"}},
        {"HAS_WIN 2\n", {"c:1: HAS_WIN", "from 0 to 1"}},
        {"PACKET_PAYLOAD_SIZE 0\n", {"c:1: PACKET_PAYLOAD_SIZE", "from 1 to 65000"}},
        {"PACKET_PAYLOAD_SIZE -1000\n", {"c:1: ", "'-1000'"}},
        {"PACKET_PAYLOAD_SIZE 1000.5\n", {"c:1: ", "'1000.5'"}},
        {"BUFFER_SIZE 0\n", {"c:1: BUFFER_SIZE", "from 1"}},
        {"BUFFER_SIZE -4\n", {"c:1: BUFFER_SIZE", "'-4'"}},
        {"BUFFER_SIZE 32MB\n", {"c:1: BUFFER_SIZE", "'32MB'"}},
        {"RATE_AI 50\nRATE_HAI 50Mbit\n", {"c:2: RATE_HAI", "'50Mbit'"}},
        {"MIN_RATE 0Mb/s\n", {"c:1: MIN_RATE", "above zero"}},
        {"EWMA_GAIN 1.5\n", {"c:1: EWMA_GAIN", "'1.5'"}},
        {"EWMA_GAIN -0.1\n", {"c:1: EWMA_GAIN", "'-0.1'"}},
        {"RP_TIMER 0\n", {"c:1: RP_TIMER", "'0'"}},
        {"ALPHA_RESUME_INTERVAL nan\n", {"c:1: ALPHA_RESUME_INTERVAL", "'nan'"}},
        {"SIMULATOR_STOP_TIME -1\n", {"c:1: SIMULATOR_STOP_TIME", "not negative"}},
        {"ERROR_RATE_PER_LINK 1.1\n", {"c:1: ERROR_RATE_PER_LINK", "'1.1'"}},
        {"KMAX_MAP\n", {"c:1: KMAX_MAP", "a count", "found nothing"}},
        {"KMAX_MAP 2 100 5\n", {"c:1: KMAX_MAP", "count 2 and 2 values"}},
        {"KMAX_MAP 1 100 5 6\n", {"c:1: KMAX_MAP", "count 1 and 3 values"}},
        {"KMAX_MAP 2 100 5 100 6\n", {"c:1: KMAX_MAP", "100 twice"}},
        {"KMAX_MAP 1 0 5\n", {"c:1: KMAX_MAP", "above zero"}},
        {"KMAX_MAP 1 100 -5\n", {"c:1: KMAX_MAP", "'-5'"}},
        {"PMAX_MAP 1 100 2\n", {"c:1: PMAX_MAP", "'2'"}},
        {"KMAX_MAP 1 100 5\n", {"c:1: KMAX_MAP has 100", "KMIN_MAP has not"}},
        {"KMAX_MAP 1 100 5\nKMIN_MAP 1 100 1\n", {"c:2: KMIN_MAP has 100", "PMAX_MAP has not"}},
        {"KMAX_MAP 1 100 5\nKMIN_MAP 1 100 6\nPMAX_MAP 1 100 1\n", {"c:2: ", "Kmin 6 and Kmax 5"}},
        {"LINK_DOWN 5 1\n", {"c:1: LINK_DOWN", "found 2 values"}},
        {"LINK_DOWN 5 1 1\n", {"c:1: LINK_DOWN", "1 twice"}},
        {"QLEN_MON_END 5\nQLEN_MON_START 6\n", {"c:2: ", "QLEN_MON_END 5, found 6"}},
        {"LB_MODE 9\n", {"c:1: LB_MODE", "expected 0", "not part"}},
        {"ENABLE_IRN 1\n", {"c:1: ENABLE_IRN", "expected 0", "not part"}},
        {"SAMPLE_FEEDBACK 1\n", {"c:1: SAMPLE_FEEDBACK", "expected 0"}},
        {"TRACE_FILE\n", {"c:1: TRACE_FILE", "found 0"}},
        {"TOPOLOGY_FILE a b\n", {"c:1: TOPOLOGY_FILE", "found 2"}},
    };
    CheckRefused(cases, [](const std::string& text) { ReadConfig(text); });
}

TEST_CASE("TopologyWriter: what it writes reads back the same", "[readers]")
{
    for (const char* name : {"topology-inet.txt", "topology-simai.txt", "topology-ring.txt"})
    {
        const Topology a = TopologyReader::Read(TextSource::FromFile(Data(name)));
        const std::string text = TopologyWriter::Format(a);
        const Topology b = ReadTopology(text);
        CHECK(b.format == a.format);
        CHECK(b.tors == a.tors);
        CHECK(b.gpuType == a.gpuType);
        REQUIRE(b.graph.NodeCount() == a.graph.NodeCount());
        REQUIRE(b.graph.LinkCount() == a.graph.LinkCount());
        for (uint32_t i = 0; i < a.graph.LinkCount(); i++)
        {
            CHECK(a.graph.Link(i).a == b.graph.Link(i).a);
            CHECK(a.graph.Link(i).b == b.graph.Link(i).b);
            CHECK(a.graph.Link(i).rateBps == b.graph.Link(i).rateBps);
            CHECK(a.graph.Link(i).delayPs == b.graph.Link(i).delayPs);
        }
        for (uint32_t id = 0; id < a.graph.NodeCount(); id++)
        {
            CHECK(a.graph.Node(id).kind == b.graph.Node(id).kind);
        }
    }
    const FlowList flows = FlowReader::Read(TextSource::FromFile(Data("flows.txt")));
    CHECK(TopologyWriter::Format(flows.flows) ==
          "3\n0 1 3 100 500000 2\n2 3 3 200 5000000000 2.000000001\n"
          "3 0 0 65535 0 2.000000001001\n");
}

TEST_CASE("Readers: thousands of damaged files, never a crash", "[readers]")
{
    const auto topology = [](const std::string& text) {
        const Topology t = ReadTopology(text);
        if (t.graph.NodeCount() < 100)
        {
            // what is accepted is whole: it routes, and it reads back
            Routing routing(t.graph);
            CHECK(ReadTopology(TopologyWriter::Format(t)).graph.LinkCount() == t.graph.LinkCount());
        }
    };
    Fuzz(Bytes("topology-hpcc.txt"), topology);
    Fuzz(Bytes("topology-simai.txt"), topology);
    Fuzz(Bytes("topology-inet.txt"), [](const std::string& text) { ReadTopology(text, true); });
    const Topology t = ReadTopology(Bytes("topology-hpcc.txt"));
    Fuzz(Bytes("flows.txt"), [&t](const std::string& text) { ReadFlows(text, &t.graph); });
    Fuzz(Bytes("config.txt"), [](const std::string& text) { ReadConfig(text); });
}
