/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/node-list.h"
#include "ns3/roce-experiment-runner.h"
#include "ns3/test.h"

#include <memory>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using Json = nlohmann::json;

/** \return an incast of 3 on a star of 4 hosts */
Json
Document()
{
    return {{"schema", "roce-experiment/1"},
            {"topology", {{"star", {{"hosts", 4}}}}},
            {"cc", "none"},
            {"traffic", {{{"type", "incast"}, {"senders", 3}, {"bytes", "1kB"}}}}};
}

/** What a document says that cannot be is refused before anything is built. */
class RefusalTest : public TestCase
{
  public:
    RefusalTest()
        : TestCase("refusals, by path, before anything is built")
    {
    }

  private:
    /** \param key of the document, a pointer \param value it \param path expected
     *  \param says expected in the message */
    void Refuses(const std::string& key,
                 const Json& value,
                 const std::string& path,
                 const std::string& says)
    {
        Json document = Document();
        document[Json::json_pointer(key)] = value;
        std::string why = "accepted";
        try
        {
            ExperimentRunner(ExperimentDocument::Parse("x", document.dump()));
        }
        catch (const std::invalid_argument& error)
        {
            why = error.what();
        }
        catch (const std::runtime_error& error)
        {
            why = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(why.compare(0, 5 + path.size(), "x: " + path + ": "), 0, why);
        NS_TEST_EXPECT_MSG_NE(why.find(says), std::string::npos, why << " lacks " << says);
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), 0, "nothing is built");
    }

    void DoRun() override
    {
        Fabrics();
        Attributes();
        Traffic();
    }

    void Fabrics()
    {
        Refuses("/topology", "homelap", "/topology", "homelab");
        Refuses("/topology", {{"file", "no/such.json"}}, "/topology/file", "no/such.json");
        Refuses("/topology", {{"fat_tree", {{"k", 5}}}}, "/topology/fat_tree", "5");
        Refuses("/topology", {{"fabric", {{"schema", "x"}}}}, "/topology/fabric", "/schema");
        Refuses("/links", {{{"at", "1us"}, {"link", 4}, {"state", "up"}}}, "/links/0", "0 to 3");
        Refuses("/links",
                {{{"at", "1us"}, {"between", {0, 1}}, {"state", "up"}}},
                "/links/0",
                "0-1");
        Refuses("/gpus", {{"per_server", 3}}, "/gpus/per_server", "divisor");
    }

    void Attributes()
    {
        Refuses("/cc", "dqcn", "/cc", "dcqcn");
        Refuses("/cc", {"none", "dqcn"}, "/cc/1", "dcqcn");
        Refuses("/cc", {"none", "none"}, "/cc/1", "two runs are called");
        Refuses("/lb", "emcp", "/lb", "ecmp");
        Refuses("/recovery", "go-back-5", "/recovery", "go-back-n");
        Refuses("/nic", {{"PathMTU", 1024}}, "/nic/PathMTU", "did you mean \"PathMtu\"?");
        Refuses("/nic", {{"PathMtu", "x"}}, "/nic/PathMtu", "whole number");
        Refuses("/nic", {{"PathMtu", 100000}}, "/nic/PathMtu", "1:9216");
        Refuses("/nic", {{"AckTimeout", 5}}, "/nic/AckTimeout", "with a unit");
        Refuses("/nic", {{"AckTimeout", "5 bananas"}}, "/nic/AckTimeout", "bananas");
        Refuses("/nic", {{"EcnCapable", "maybe"}}, "/nic/EcnCapable", "maybe");
        Refuses("/nic", {{"CnpGenerator", "x"}}, "/nic/CnpGenerator", "read only");
        Refuses("/port", {{"Scheduler", "x"}}, "/port/Scheduler", "object");
        Refuses("/ecn", {{"Mode", "foo"}}, "/ecn/Mode", "red|step");
        Refuses("/ecn", {{"ReferenceRate", "10"}}, "/ecn/ReferenceRate", "unit");
        Refuses("/ecn", {{"Pmax", 2}}, "/ecn/Pmax", "0:1");
        Refuses("/congestion_control", {{"Gain", 1}}, "/congestion_control/Gain", "run 'none'");
        Refuses("/attributes",
                {{"ns3::roce::Nic::PathMTU", 1}},
                "/attributes/ns3::roce::Nic::PathMTU",
                "PathMtu");
        Refuses("/attributes", {{"PathMtu", 1}}, "/attributes/PathMtu", "TYPE::Attribute");
        Refuses("/attributes",
                {{"ns3::roce::Nik::PathMtu", 1}},
                "/attributes/ns3::roce::Nik::PathMtu",
                "did you mean \"ns3::roce::Nic\"?");
    }

    void Traffic()
    {
        Refuses("/traffic/0/senders", 4, "/traffic/0/senders", "3 hosts");
        Refuses("/traffic/0/senders", 0, "/traffic/0/senders", "expected 1");
        Refuses("/traffic/0/senders", {0, 0}, "/traffic/0/senders/1", "twice");
        Refuses("/traffic/0/senders", {0, 3}, "/traffic/0/senders/1", "is the receiver");
        Refuses("/traffic/0/receiver", 4, "/traffic/0/receiver", "no host 4");
        const auto entry = [this](const Json& value, const std::string& path, const char* says) {
            Refuses("/traffic/0", value, "/traffic/0" + path, says);
        };
        const Json self = {{"from", 1}, {"to", 1}, {"bytes", "1B"}};
        entry({{"type", "messages"}, {"messages", {self}}}, "/messages/0/to", "itself");
        entry({{"type", "permutation"}, {"bytes", "1B"}, {"shift", 8}}, "/shift", "themselves");
        entry({{"type", "permutation"}, {"bytes", "1B"}, {"hosts", {1}}}, "/hosts", "at least 2");
        entry({{"type", "flows"}, {"file", "no/such.txt"}}, "/file", "no/such.txt");
        entry({{"type", "open_loop"}, {"sizes", "no/such.txt"}}, "", "no/such.txt");
        entry({{"type", "open_loop"}, {"bytes", "1B"}, {"links", "a-b"}}, "", "a-b");
        entry({{"type", "collective"}}, "/size", "expected this key");
        entry({{"type", "collective"}, {"size", "1B"}, {"ranks", 5}}, "", "5 ranks");
        entry({{"type", "collective"}, {"size", "1B"}, {"algorithm", "rings"}}, "", "rings");
        entry({{"type", "collective"}, {"size", "1B"}, {"gpus", {0, 4}}}, "/gpus/1", "0 to 3");
        entry({{"type", "workload"}, {"file", "no/such.json"}}, "/file", "no/such.json");
        entry({{"type", "workload"}, {"workload", {{"schema", "x"}}}}, "/workload", "/schema");
        entry({{"type", "training"}, {"tp", 3}}, "", "3");
        entry({{"type", "training"}, {"all_reduce", "rings"}}, "", "rings");
        const Json two = {{"type", "collective"}, {"size", "1B"}, {"ranks", 3}};
        Refuses("/traffic", {two, two}, "/traffic/1", "1 are free");
    }
};

/** An observer sees each run begin and end, and may end all of it. */
class ObserverTest : public TestCase
{
  public:
    ObserverTest()
        : TestCase("observers of runs")
    {
    }

  private:
    void DoRun() override
    {
        Json document = Document();
        document["cc"] = {"none", "dcqcn", "hcc"};
        ExperimentRunner runner(ExperimentDocument::Parse("x", document.dump()));
        std::string seen;
        ExperimentRunner::Observer observer;
        observer.begun = [&seen](ExperimentRun& run, Ptr<Fabric> fabric) {
            // a star of 4 hosts has a node more, the switch; nothing is posted yet
            seen += run.GetLabel() + std::to_string(NodeList::GetNNodes());
            seen +=
                fabric->GetHosts().Get(0)->GetObject<Nic>()->GetCounters().bytesPosted ? "?" : "";
            return std::shared_ptr<void>(nullptr, [&seen](void*) {
                seen += NodeList::GetNNodes() == 5 ? " dropped " : " too late ";
            });
        };
        observer.ended = [&seen](ExperimentRun& run) {
            seen += " ended" + std::to_string(run.GetResult().completed);
        };
        const auto runs = runner.Run(observer).at("runs");
        NS_TEST_EXPECT_MSG_EQ(seen,
                              "none5 ended3 dropped dcqcn5 ended3 dropped hcc5 ended3 dropped ",
                              "each run, 3 messages");
        NS_TEST_EXPECT_MSG_EQ(runs.size(), 3, "the result is whole");
        seen.clear();
        observer.ended = [](ExperimentRun&) { throw std::runtime_error("enough"); };
        NS_TEST_EXPECT_MSG_EQ(Why(runner, observer), "enough", "it is thrown on");
        NS_TEST_EXPECT_MSG_EQ(seen, "none5 dropped ", "no run begins after it");
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), 0, "no simulation is left");
        NS_TEST_EXPECT_MSG_EQ(runner.Run().at("runs").size(), 3, "it can run again");
    }

    /** \return what a run throws */
    static std::string Why(ExperimentRunner& runner, const ExperimentRunner::Observer& observer)
    {
        try
        {
            runner.Run(observer);
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        return "nothing";
    }
};

/** The suite of experiments that are refused. */
class ExperimentRefusalsSuite : public TestSuite
{
  public:
    ExperimentRefusalsSuite()
        : TestSuite("roce-experiment-refusals", TestSuite::Type::UNIT)
    {
        AddTestCase(new RefusalTest, Durations<TestCase>::QUICK);
        AddTestCase(new ObserverTest, Durations<TestCase>::QUICK);
    }
};

ExperimentRefusalsSuite g_experimentRefusalsSuite; //!< registers the suite

} // namespace
