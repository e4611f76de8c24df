/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-deadlock-case.h"

#include "ns3/roce-quantity.h"

#include <stdexcept>

using namespace ns3;

namespace
{

/** Hosts 0, 1, 2 on switches 3, 4, 5, which are a ring. Host i sends to the host two switches on.
 */
void
MakeRing(DeadlockCase& c, uint64_t rate, int64_t delayPs)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        c.graph.AddHost(i);
        c.graph.AddSwitch(3 + i);
        c.flows.emplace_back(i, (i + 2) % 3);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        c.graph.AddLink(i, 3 + i, rate, delayPs);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        c.graph.AddLink(3 + i, 3 + (i + 1) % 3, rate, delayPs);
    }
}

/** Host 0 - switch 2 - switch 3 - switch 4 - host 1, and 3 sends back what is for host 1. */
void
MakeLoop(DeadlockCase& c, uint64_t hostRate, uint64_t rate, int64_t delayPs)
{
    c.graph.AddHost(0);
    c.graph.AddHost(1);
    c.graph.AddSwitch(2);
    c.graph.AddSwitch(3);
    c.graph.AddSwitch(4);
    c.graph.AddLink(0, 2, hostRate, delayPs);
    c.graph.AddLink(2, 3, rate, delayPs);
    c.graph.AddLink(3, 4, rate, delayPs);
    c.graph.AddLink(4, 1, rate, delayPs);
    c.flows = {{0, 1}};
    c.routes = {{3, 1, 2}};
    c.datagrams = true;
}

} // namespace

std::vector<std::string>
DeadlockCase::Names()
{
    return {"ring", "ring-watchdog", "up-down", "loop", "loop-watchdog"};
}

DeadlockCase
DeadlockCase::Make(const std::string& name, const DeadlockOptions& options)
{
    DeadlockCase c;
    c.name = name;
    const uint64_t rate = roce::Quantity::RateBps(options.rate);
    const uint64_t loopRate = roce::Quantity::RateBps(options.loopRate);
    const int64_t delayPs = roce::Quantity::DelayPs(options.delay);
    c.watchdog = name == "ring-watchdog" || name == "loop-watchdog";
    if (name == "ring" || name == "ring-watchdog")
    {
        MakeRing(c, rate, delayPs);
        c.routes = {{3, 2, 4}, {4, 0, 5}, {5, 1, 3}}; // all clockwise
        c.freezes = !c.watchdog;
    }
    else if (name == "up-down")
    {
        MakeRing(c, rate, delayPs);
        c.routes = {{3, 2, 4}, {5, 0, 4}}; // a tree with root 4
    }
    else if (name == "loop" || name == "loop-watchdog")
    {
        MakeLoop(c, loopRate, rate, delayPs);
        // a loop of 2 links carries each frame ttl / 2 times over each of them
        c.freezes = !c.watchdog && loopRate * options.ttl > 2 * rate;
    }
    else
    {
        std::string known;
        for (const std::string& item : Names())
        {
            known += " " + item;
        }
        throw std::invalid_argument("--scenario=" + name + " is not known; choose all or" + known);
    }
    return c;
}
