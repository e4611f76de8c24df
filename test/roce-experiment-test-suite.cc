/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/node-list.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-runner.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using Json = nlohmann::json;
using Outcome = ResultWriter::Json;

/** \return an experiment on a star of n hosts, 100G, 1 us. \param hosts n \param traffic its key
 *  \param more other keys */
Json
Star(uint32_t hosts, const Json& traffic, const Json& more = Json::object())
{
    Json document = {{"schema", "roce-experiment/1"},
                     {"topology", {{"star", {{"hosts", hosts}}}}},
                     {"cc", "none"},
                     {"traffic", traffic}};
    document.update(more);
    return document;
}

/** \return the runner of a document \param document it */
ExperimentRunner
Make(const Json& document)
{
    return ExperimentRunner(ExperimentDocument::Parse("x", document.dump()));
}

/** \return the result of a document, without what differs from time to time. \param document it */
Outcome
RunOf(const Json& document)
{
    Outcome result = Make(document).Run();
    for (auto& run : result["runs"])
    {
        run.erase("wall_s");
    }
    return result;
}

/** \return an incast. \param senders how many \param bytes of each */
Json
Incast(uint32_t senders, const std::string& bytes)
{
    return Json::array({{{"type", "incast"}, {"senders", senders}, {"bytes", bytes}}});
}

const Json LIST = {{"monitors", {{"messages", true}}}};

/** The same incast by text and by helpers. */
class TwinTest : public TestCase
{
  public:
    explicit TwinTest(const std::string& cc)
        : TestCase("an incast under " + cc + " as text and as a program"),
          m_cc(cc)
    {
    }

  private:
    /** \return completion times in ns, in order; the run's result. \param result gets it */
    std::vector<int64_t> RunHelpers(RunResult& result) const
    {
        ClosHelper star(1, 0, 17);
        star.SetHostLinks("100Gbps", "1us");
        RoceHelper roce;
        roce.SetCongestionControl(m_cc);
        if (m_cc == "none")
        {
            roce.SetNicAttribute("EcnCapable", BooleanValue(false));
        }
        roce.SetNicAttribute("PathMtu", UintegerValue(4096));
        roce.SetSwitchAttribute("BufferSize", UintegerValue(4000000));
        Ptr<Fabric> fabric = star.Install(roce);
        std::vector<int64_t> times;
        {
            ExperimentRun run("x", fabric, false);
            RoceHelper().AssignStreams(fabric, 0);
            for (uint32_t i = 0; i < 16; ++i)
            {
                const Connection connection = fabric->Connect(i, 16);
                WorkRequest request;
                request.bytes = 500000;
                connection.nic->Post(connection.qp, request);
            }
            run.Run();
            result = run.GetResult();
            for (const MessageRecord& record : run.GetMonitor()->GetMessages())
            {
                times.push_back(FromTick(record.completed).GetNanoSeconds());
            }
        }
        Simulator::Destroy();
        return times;
    }

    void DoRun() override
    {
        Json more = LIST;
        more["cc"] = m_cc;
        more["nic"] = {{"PathMtu", 4096}};
        more["switch"] = {{"BufferSize", "4MB"}};
        const Outcome json = RunOf(Star(17, Incast(16, "500kB"), more));
        RunResult result;
        const std::vector<int64_t> times = RunHelpers(result);
        NS_TEST_ASSERT_MSG_EQ(times.size(), 16, "16 messages");
        const Outcome& run = json.at("runs")[0];
        NS_TEST_EXPECT_MSG_EQ((run.at("message_list").at("completed_ns") == Outcome(times)),
                              true,
                              "completion times are the same to the bit");
        Outcome expected = ResultWriter::ToJson(result);
        for (const char* key : {"fct_ns",
                                "goodput_bps",
                                "drops",
                                "drop_reasons",
                                "pfc",
                                "cnp",
                                "utilization",
                                "events",
                                "frame_hops",
                                "ecn_marked",
                                "messages"})
        {
            NS_TEST_EXPECT_MSG_EQ((run.at(key) == expected.at(key)), true, key);
        }
        // a bottleneck of 100 Gb/s: 16 x 500000 bytes of payload alone last 640 us
        NS_TEST_EXPECT_MSG_GT(times.back(), 640000, "not faster than the link");
    }

    std::string m_cc;
};

/** The same document gives the same result, whatever ran before. */
class RepeatTest : public TestCase
{
  public:
    RepeatTest()
        : TestCase("twice in one process, repeats, seeds")
    {
    }

  private:
    void DoRun() override
    {
        const Json traffic = Json::array({{{"type", "permutation"}, {"bytes", "200kB"}}});
        Json more = LIST;
        more["repeats"] = 3;
        more["cc"] = "dcqcn";
        const Json document = Star(12, traffic, more);
        const uint64_t number = RngSeedManager::GetRun();
        const Outcome first = RunOf(document);
        RunOf(Star(5, Incast(4, "100kB")));
        NS_TEST_EXPECT_MSG_EQ((RunOf(document) == first), true, "the second time is the first");
        NS_TEST_ASSERT_MSG_EQ(first.at("runs").size(), 3, "three repeats");
        NS_TEST_EXPECT_MSG_EQ(Make(document).GetNRuns(), 3, "as it says");
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetRun(), number, "the run number is restored");
        std::set<std::string> pairs;
        for (uint32_t i = 0; i < 3; ++i)
        {
            Json alone = document;
            alone["repeats"] = 1;
            alone["run"] = number + i;
            Outcome run = RunOf(alone).at("runs")[0];
            NS_TEST_EXPECT_MSG_EQ(first.at("runs")[i].at("label").get<std::string>(),
                                  "dcqcn/" + std::to_string(number + i),
                                  "repeats have the run number in their name");
            run["label"] = first.at("runs")[i].at("label");
            NS_TEST_EXPECT_MSG_EQ((run == first.at("runs")[i]), true, "repeat alone " << i);
            const Outcome& list = run.at("message_list");
            std::map<uint32_t, uint32_t> target;
            for (std::size_t k = 0; k < list.at("from").size(); ++k)
            {
                target[list.at("from")[k].get<uint32_t>()] = list.at("to")[k].get<uint32_t>();
            }
            std::set<uint32_t> targets;
            std::string text;
            for (const auto& [from, to] : target)
            {
                NS_TEST_EXPECT_MSG_NE(from, to, "nobody sends to himself");
                targets.insert(to);
                text += std::to_string(to) + " ";
            }
            NS_TEST_EXPECT_MSG_EQ(targets.size(), 12, "each host receives once");
            pairs.insert(text);
        }
        NS_TEST_EXPECT_MSG_GT(pairs.size(), 1, "runs draw other permutations (1 in 10^8 if not)");
    }
};

/** Attributes are set for a run and restored. */
class DefaultsTest : public TestCase
{
  public:
    DefaultsTest()
        : TestCase("attributes of one run do not reach the next")
    {
    }

  private:
    /** \return the default now */
    static std::string Default()
    {
        TypeId::AttributeInformation info;
        Nic::GetTypeId().LookupAttributeByName("PathMtu", &info);
        return info.initialValue->SerializeToString(info.checker);
    }

    void DoRun() override
    {
        const std::string before = Default();
        Json more = {
            {"runs",
             {{{"label", "a"}, {"cc", "none"}},
              {{"label", "b"}, {"cc", "none"}, {"attributes", {{"ns3::roce::Nic::PathMtu", 256}}}},
              {{"label", "c"}, {"cc", "none"}, {"nic", {{"PathMtu", 512}}}},
              {{"label", "d"}, {"cc", "none"}}}}};
        Json document = Star(2, Incast(1, "102400B"), more);
        document.erase("cc");
        const Outcome result = RunOf(document);
        const auto hops = [&result](std::size_t i) {
            return result.at("runs")[i].at("frame_hops").get<uint64_t>();
        };
        // 102400 bytes are 400 packets of 256 bytes or 200 of 512; each packet passes 2 links, and
        // an ACK comes back for each or for some
        NS_TEST_EXPECT_MSG_EQ(hops(0), hops(3), "the last is as the first");
        NS_TEST_EXPECT_MSG_EQ((hops(1) >= 800 && hops(1) <= 1600), true, "by type: " << hops(1));
        NS_TEST_EXPECT_MSG_EQ((hops(2) >= 400 && hops(2) <= 800), true, "by part: " << hops(2));
        NS_TEST_EXPECT_MSG_LT(hops(0), hops(2), "the default is larger than 512");
        NS_TEST_EXPECT_MSG_EQ(Default(), before, "restored");

        // after an exception too: headroom does not fit
        more["runs"][1]["attributes"]["ns3::roce::Switch::BufferSize"] = "1kB";
        document.update(more);
        std::string why;
        try
        {
            RunOf(document);
        }
        catch (const std::invalid_argument& error)
        {
            why = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(why.compare(0, 11, "x: /runs/1:"),
                              0,
                              "refused before a run: " << why);
        NS_TEST_EXPECT_MSG_EQ(Default(), before, "restored after an exception");
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), 0, "nothing is left");
    }
};

/** What happens to links. */
class LinksTest : public TestCase
{
  public:
    LinksTest()
        : TestCase("links change during a run")
    {
    }

  private:
    /** \return completion time of the only message, ns. \param links the key links */
    static double Fct(const Json& links)
    {
        Json more = LIST;
        more["nic"] = {{"PathMtu", 1000}};
        more["links"] = links;
        const Outcome result = RunOf(Star(2, Incast(1, "1MB"), more));
        return result.at("runs")[0].at("fct_ns").at("max").get<double>();
    }

    void DoRun() override
    {
        // a packet of 1000 bytes is 1062 with headers and 1082 with preamble and gap: 1000 of them
        // last 86.56 us at 100 Gb/s and 346.24 us at 25 Gb/s
        const double fast = Fct({{{"at", "1s"}, {"link", 0}, {"rate", "25Gbps"}}});
        const double slow = Fct({{{"at", "0us"}, {"link", 0}, {"rate", "25Gbps"}}});
        NS_TEST_EXPECT_MSG_EQ_TOL(slow - fast, 346240 - 86560, 2 * 346.24, "a slower link");
        const double late = Fct({{{"at", "43280ns"}, {"between", {0, 2}}, {"rate", "25Gbps"}}});
        NS_TEST_EXPECT_MSG_EQ_TOL(late - fast,
                                  (346240 - 86560) / 2.0,
                                  2 * 346.24,
                                  "half of the packets are slower");

        Json down = {{"links", {{{"at", "20us"}, {"between", {1, "*"}}, {"state", "down"}}}},
                     {"stop", "1ms"}};
        Outcome run = RunOf(Star(2, Incast(1, "1MB"), down)).at("runs")[0];
        NS_TEST_EXPECT_MSG_EQ(run.at("messages").at("completed"), 0, "nothing comes through");
        Json lossy = {{"links",
                       {{{"at", "0us"}, {"link", 1}, {"errors", 1}},
                        {{"at", "30us"}, {"link", 1}, {"errors", 0}}}}};
        run = RunOf(Star(2, Incast(1, "1MB"), lossy)).at("runs")[0];
        NS_TEST_EXPECT_MSG_EQ(run.at("messages").at("completed"), 1, "complete in the end");
        NS_TEST_EXPECT_MSG_GT(run.at("retransmitted").get<uint64_t>(),
                              0,
                              "what was lost is resent");
    }
};

/** Each type of traffic sends what it says. */
class TrafficTest : public TestCase
{
  public:
    TrafficTest()
        : TestCase("types of traffic")
    {
    }

  private:
    /** \return the run of an entry of traffic on 4 hosts \param entry it \param more other keys */
    static Outcome RunEntry(const Json& entry, const Json& more = LIST)
    {
        return RunOf(Star(4, Json::array({entry}), more)).at("runs")[0];
    }

    void DoRun() override
    {
        Messages();
        Collectives();
        Jobs();
    }

    void Messages()
    {
        Outcome run = RunEntry({{"type", "all_to_all"}, {"bytes", "10kB"}, {"messages", 2}});
        NS_TEST_EXPECT_MSG_EQ(run.at("messages").at("completed"), 24, "4 x 3 pairs, 2 each");
        NS_TEST_EXPECT_MSG_EQ(run.at("messages").at("bytes"), 240000, "10 kB each");
        run = RunEntry({{"type", "permutation"},
                        {"bytes", "10kB"},
                        {"hosts", {0, 1, 3}},
                        {"shift", 2},
                        {"at", "5us"}});
        const Outcome& list = run.at("message_list");
        std::set<std::pair<int, int>> pairs;
        for (std::size_t i = 0; i < 3; ++i)
        {
            pairs.insert({list.at("from")[i].get<int>(), list.at("to")[i].get<int>()});
            NS_TEST_EXPECT_MSG_EQ(list.at("posted_ns")[i], 5000, "at 5 us");
        }
        NS_TEST_EXPECT_MSG_EQ((pairs == std::set<std::pair<int, int>>{{0, 3}, {1, 0}, {3, 1}}),
                              true,
                              "two further on, of 0, 1, 3");
        Json message = {{"from", 2}, {"to", 0}, {"bytes", "1MB"}, {"at", "3us"}};
        run = RunEntry({{"type", "messages"}, {"messages", {message}}});
        message["operation"] = "read";
        const Outcome read = RunEntry({{"type", "messages"}, {"messages", {message}}});
        NS_TEST_EXPECT_MSG_EQ(read.at("message_list").at("operation")[0], "read", "a READ");
        NS_TEST_EXPECT_MSG_EQ(read.at("message_list").at("from")[0], 2, "posted by host 2");
        // alone on the network a message takes what it takes alone
        NS_TEST_EXPECT_MSG_EQ(run.at("slowdown").at("max"), 1.0, "WRITE");
        NS_TEST_EXPECT_MSG_EQ(read.at("slowdown").at("max"), 1.0, "READ");
        run = RunEntry({{"type", "open_loop"},
                        {"bytes", "10kB"},
                        {"load", 0},
                        {"duration", "95us"},
                        {"incast", {{"fan_in", 3}, {"bytes", "1kB"}, {"every", "10us"}}}});
        NS_TEST_EXPECT_MSG_EQ(run.at("messages").at("completed"), 27, "9 incasts of 3 in 95 us");
    }

    void Collectives()
    {
        Json entry = {{"type", "collective"},
                      {"algorithm", "ring"},
                      {"size", "4MB"},
                      {"repeat", 3}};
        Outcome run = RunEntry(entry);
        const Outcome& report = run.at("traffic")[0];
        NS_TEST_EXPECT_MSG_EQ(report.at("finished"), 3, "three in a row");
        // a ring all-reduce of n ranks sends 2 (n - 1) / n of its size from each rank
        NS_TEST_EXPECT_MSG_EQ(report.at("bytes_sent"), 3 * 6 * 4000000, "4 ranks, 1.5 x 4 MB each");
        double sum = 0;
        for (const auto& seconds : report.at("collective_s"))
        {
            sum += seconds.get<double>();
            // 6 MB at 100 Gb/s last 480 us
            NS_TEST_EXPECT_MSG_EQ((seconds > 480e-6 && seconds < 600e-6), true, "time of one");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(run.at("sim_time_s").get<double>(), sum, 10e-6, "one by one");
        entry = {{"type", "collective"}, {"op", "barrier"}, {"gpus", {3, 1}}};
        run = RunEntry(entry);
        NS_TEST_EXPECT_MSG_EQ(run.at("traffic")[0].at("ranks"), 2, "of the GPUs named");
        std::set<int> hosts;
        for (const auto& from : run.at("message_list").at("from"))
        {
            hosts.insert(from.get<int>());
        }
        NS_TEST_EXPECT_MSG_EQ((hosts == std::set<int>{1, 3}), true, "hosts 1 and 3");
    }

    void Jobs()
    {
        const Json workload = {
            {"schema", "roce-workload/1"},
            {"ranks", 2},
            {"tasks",
             {{{"kind", "compute"}, {"rank", 0}, {"duration", "7us"}},
              {{"kind", "send"}, {"rank", 0}, {"peer", 1}, {"bytes", 1000}, {"after", {0}}},
              {{"kind", "receive"}, {"rank", 1}, {"peer", 0}, {"bytes", 1000}}}}};
        Outcome run = RunEntry({{"type", "workload"}, {"workload", workload}, {"at", "2us"}});
        const Outcome& job = run.at("traffic")[0].at("jobs")[0];
        NS_TEST_EXPECT_MSG_EQ(job.at("finished"), true, "the workload ends");
        NS_TEST_EXPECT_MSG_EQ(run.at("message_list").at("posted_ns")[0], 9000, "2 us + 7 us");
        run = RunEntry({{"type", "training"},
                        {"layers", 2},
                        {"hidden", 64},
                        {"dp", 2},
                        {"jobs", 2},
                        {"micro_batches", 1}});
        NS_TEST_EXPECT_MSG_EQ(run.at("traffic")[0].at("jobs").size(), 2, "two jobs");
        for (const auto& one : run.at("traffic")[0].at("jobs"))
        {
            NS_TEST_EXPECT_MSG_EQ(one.at("finished"), true, "a step ends");
            NS_TEST_EXPECT_MSG_EQ(one.at("ranks"), 2, "2 replicas");
        }
    }
};

/** Runs that are stopped or cannot finish, and what monitors add. */
class EndTest : public TestCase
{
  public:
    EndTest()
        : TestCase("stop, stalls, monitors, files")
    {
    }

  private:
    void DoRun() override
    {
        Json more = {{"stop", "20us"}, {"monitors", {{"queues", "1us"}, {"deadlock", true}}}};
        Outcome run = RunOf(Star(4, Incast(3, "10MB"), more)).at("runs")[0];
        NS_TEST_EXPECT_MSG_EQ(run.at("messages").at("completed"), 0, "10 MB need 800 us");
        NS_TEST_EXPECT_MSG_EQ(run.at("stalled").size(), 0, "stopped is not stalled");
        NS_TEST_EXPECT_MSG_EQ(run.at("queues").at("interval_ns"), 1000, "queues are sampled");
        NS_TEST_EXPECT_MSG_GT(run.at("queues").at("max_bytes").get<uint64_t>(), 0, "3 to 1 queue");
        NS_TEST_EXPECT_MSG_EQ(run.at("deadlocks").size(), 0, "a star cannot lock");

        const std::string json = CreateTempDirFilename("sub/result.json");
        const std::string fct = CreateTempDirFilename("sub/fct.csv");
        more = {{"output", {{"json", json}, {"fct", fct}}}, {"cc", {"none", "dcqcn"}}};
        Outcome result = Make(Star(4, Incast(3, "10kB"), more)).Run();
        std::ifstream file(json);
        NS_TEST_EXPECT_MSG_EQ((Outcome::parse(file) == result), true, "the file is the result");
        NS_TEST_EXPECT_MSG_EQ(result.at("schema"), "roce-result/1", "schema");
        NS_TEST_EXPECT_MSG_EQ(result.at("config").at("experiment").at("cc").size(), 2, "as given");
        std::ifstream lines(fct);
        std::string line;
        uint32_t count = 0;
        while (std::getline(lines, line))
        {
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(count, 7, "a head and 3 messages of 2 runs");
    }
};

/** The suite of experiments as text. */
class ExperimentSuite : public TestSuite
{
  public:
    ExperimentSuite()
        : TestSuite("roce-experiment", TestSuite::Type::UNIT)
    {
        using D = Durations<TestCase>;
        for (const char* cc : {"none", "dcqcn", "hcc"})
        {
            AddTestCase(new TwinTest(cc), D::QUICK);
        }
        AddTestCase(new RepeatTest, D::QUICK);
        AddTestCase(new DefaultsTest, D::QUICK);
        AddTestCase(new LinksTest, D::QUICK);
        AddTestCase(new TrafficTest, D::QUICK);
        AddTestCase(new EndTest, D::QUICK);
    }
};

ExperimentSuite g_experimentSuite; //!< registers the suite

} // namespace
