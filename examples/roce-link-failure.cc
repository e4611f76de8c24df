/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A spine fails under a permutation and comes back: what is lost until the routes follow, and what
// that costs. Other events with --links.
//
// build/bin/roce-link-failure --route-delay=0us,50us,500us
// build/bin/roce-link-failure --links="100us 20-* rate 25Gbps"
// --ns3::roce::EcmpLoadBalancer::Weights=rate

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-link-schedule.h"
#include "ns3/roce-quantity.h"

#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint32_t LEAVES = 4;
constexpr uint32_t HOSTS = 4; //!< a leaf

/** What the user may choose. */
struct Settings
{
    uint32_t spines{4};
    std::string size{"4MB"};
    std::string links; //!< empty: the first spine
    std::string delays{"0us,50us,500us"};
};

/** \return what happens if the user says nothing: the first spine is gone from 100 us to 1 ms */
std::string
FailFirstSpine()
{
    const std::string spine = std::to_string(LEAVES * HOSTS + LEAVES) + "-*";
    return "100us " + spine + " down; 1ms " + spine + " up";
}

/** Each host writes to the host of its place under the next leaf. \param experiment the program
 *  \param settings what was chosen \param cc congestion control \param delay text of a route delay
 */
void
RunOne(ExperimentHelper& experiment,
       const Settings& settings,
       const std::string& cc,
       const std::string& delay)
{
    RoceHelper roce;
    experiment.Configure(roce, cc);
    Ptr<Fabric> fabric = ClosHelper(LEAVES, settings.spines, HOSTS).Install(roce);
    roce.AssignStreams(fabric, 1);
    fabric->SetRouteDelay(PicoSeconds(Quantity::DelayPs(delay)));
    LinkSchedule schedule(fabric);
    const uint32_t changes =
        schedule.Add(settings.links.empty() ? FailFirstSpine() : settings.links);
    schedule.AssignStreams(1000000);
    const std::string label = experiment.GetCcs().size() > 1 ? cc + " " + delay : delay;
    ExperimentRun& run = experiment.Begin(label, fabric);
    for (uint32_t host = 0; host < LEAVES * HOSTS; ++host)
    {
        const Connection connection = fabric->Connect(host, (host + HOSTS) % (LEAVES * HOSTS));
        WorkRequest request;
        request.bytes = ParseBytes(settings.size);
        connection.nic->Post(connection.qp, request);
    }
    run.Run();
    run.GetExtra()["route_delay_ns"] = static_cast<double>(Quantity::DelayPs(delay)) / 1000;
    run.GetExtra()["link_changes"] = changes;
    run.GetExtra()["drops_link_down"] = run.GetResult().GetDrops(DropReason::LINK_DOWN);
    if (!experiment.IsQuiet())
    {
        std::cerr << "route delay " << delay << ": " << changes << " links changed, "
                  << run.GetResult().GetDrops(DropReason::LINK_DOWN)
                  << " frames lost on links that were down, " << run.GetResult().retransmitted
                  << " sent again, last message complete after "
                  << run.GetResult().fctNs.GetMax() / 1000 << " us\n";
    }
    experiment.End();
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Settings settings;
        ExperimentHelper experiment("roce-link-failure", "a spine fails and comes back");
        experiment.SetDefaults("none");
        experiment.AddFlag("spines", "spines above the 4 leaves of 4 hosts", settings.spines);
        experiment.AddFlag("size", "bytes of each message", settings.size);
        experiment.AddFlag("links",
                           "what happens instead: TIME LINK down|up|rate RATE|errors SHARE; ...",
                           settings.links);
        experiment.AddFlag("route-delay", "from failure to new routes; a list", settings.delays);
        experiment.Parse(argc, argv);
        std::istringstream in(settings.delays);
        std::vector<std::string> delays;
        for (std::string text; std::getline(in, text, ',');)
        {
            if (Quantity::DelayPs(text) < 0)
            {
                throw std::invalid_argument("--route-delay=" + text + ": no time is negative");
            }
            delays.push_back(text);
        }
        if (delays.empty())
        {
            throw std::invalid_argument("--route-delay is empty; give 0us,50us or others");
        }
        for (const std::string& cc : experiment.GetCcs())
        {
            for (const std::string& delay : delays)
            {
                RunOne(experiment, settings, cc, delay);
            }
        }
        return experiment.Finish();
    });
}
