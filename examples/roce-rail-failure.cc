/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A NIC port of a server with several rails fails in the middle of its messages: what waiting,
// failing and moving the queue pairs come to.
//
// build/bin/roce-rail-failure --delays=10us,100us
// build/bin/roce-rail-failure --policies=move --back=400us --return

#include "roce-example-list.h"

#include "ns3/core-module.h"
#include "ns3/roce-attribute-text.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-rail-failover.h"
#include "ns3/roce-rail-helper.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint32_t SERVERS = 4; //!< on one leaf a rail

/** What the user may choose. */
struct Settings
{
    uint32_t rails{4};
    std::string size{"8MB"};
    std::string policies{"wait,fail,move"};
    std::string delays{"10us,100us"};
    std::string downAt{"100us"};
    std::string back{"0us"};
    std::string timeout{"500us"};
    bool goesBack{false};
};

/** \return a span of time. \param flag its flag \param text its text; negative is refused */
Time
Span(const std::string& flag, const std::string& text)
{
    const int64_t ps = Quantity::DelayPs(text);
    if (ps < 0)
    {
        throw std::invalid_argument("--" + flag + "=" + text + ": no time is negative");
    }
    return PicoSeconds(ps);
}

/** Each server writes over each rail to the next but one; the port of server 0 on rail 0 fails.
 * \param experiment the program \param settings what was chosen \param policy text \param delay
 * text */
void
RunOne(ExperimentHelper& experiment,
       const Settings& settings,
       const std::string& policy,
       const std::string& delay)
{
    RoceHelper roce;
    experiment.Configure(roce, experiment.GetCcs().front());
    roce.SetNicAttribute("AckTimeout", TimeValue(Span("ack-timeout", settings.timeout)));
    Ptr<Fabric> fabric = RailHelper(1, SERVERS, settings.rails, 0).Install(roce);
    roce.AssignStreams(fabric, 1);
    Ptr<RailFailover> failover = CreateObject<RailFailover>();
    if (!AttributeText::MayBe("ns3::roce::RailFailover::Policy", policy))
    {
        throw std::invalid_argument("--policies: " + policy + ", choose from wait, fail and move");
    }
    failover->SetAttribute("Policy", StringValue(policy));
    failover->SetAttribute("DetectionDelay", TimeValue(Span("delays", delay)));
    failover->SetAttribute("Return", BooleanValue(settings.goesBack));
    failover->Install(fabric);
    ExperimentRun& run = experiment.Begin(policy + " " + delay, fabric);
    for (uint32_t i = 0; i < SERVERS * settings.rails; ++i)
    {
        const uint32_t server = i / settings.rails;
        const Connection made = fabric->Connect(server, (server + SERVERS / 2) % SERVERS);
        WorkRequest request;
        request.bytes = ParseBytes(settings.size);
        made.nic->Post(made.qp, request);
    }
    // connections keep to a rail and rails take turns: port 0 has one to send and one to receive
    const uint32_t link = fabric->GetGraph().Neighbours(0)[0].link;
    const Time down = Span("down-at", settings.downAt);
    const Time back = Span("back", settings.back);
    Simulator::Schedule(down, [fabric, link] { fabric->SetLinkUp(link, false); });
    if (back.IsStrictlyPositive())
    {
        Simulator::Schedule(down + back, [fabric, link] { fabric->SetLinkUp(link, true); });
    }
    run.Run();
    const RunResult& result = run.GetResult();
    run.SetExpectedFailures(policy == "move" ? 0 : result.failed);
    ResultWriter::Json& extra = run.GetExtra();
    extra["moved"] = failover->GetMoved();
    extra["failed"] = failover->GetFailed();
    extra["requests_failed"] = result.failed;
    if (!experiment.IsQuiet())
    {
        std::cerr << std::left << std::setw(14) << policy + " " + delay << ": "
                  << failover->GetMoved() << " moved, " << result.completed
                  << " complete, the last "
                  << "after " << result.fctNs.GetMax() / 1000 << " us, " << result.failed
                  << " failed, " << result.timeouts << " timeouts\n";
    }
    experiment.End();
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Settings settings;
        ExperimentHelper experiment("roce-rail-failure", "a NIC port of a multi-rail server fails");
        experiment.SetDefaults("none");
        experiment.AddFlag("rails", "ports of each of the 4 servers", settings.rails);
        experiment.AddFlag("size", "bytes of each message", settings.size);
        experiment.AddFlag("policies", "list of wait, fail, move", settings.policies);
        experiment.AddFlag("delays", "from failure to reaction; a list", settings.delays);
        experiment.AddFlag("down-at", "when the port fails", settings.downAt);
        experiment.AddFlag("back", "how long it is down; 0us: for ever", settings.back);
        experiment.AddFlag("return",
                           "queue pairs go back to a rail that is back",
                           settings.goesBack);
        experiment.AddFlag("ack-timeout", "retransmission timer", settings.timeout);
        experiment.Parse(argc, argv);
        for (const std::string& policy : SplitList(settings.policies))
        {
            std::vector<std::string> delays = SplitList(settings.delays);
            delays.resize(policy == "wait" ? std::min<std::size_t>(delays.size(), 1)
                                           : delays.size()); // it does not matter for wait
            for (const std::string& delay : delays)
            {
                RunOne(experiment, settings, policy, delay);
            }
        }
        return experiment.Finish();
    });
}
