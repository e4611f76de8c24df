/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hcc-parameters.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Throw unless a parameter lies where it must. */
template <typename T>
void
Need(bool good, const std::string& set, const std::string& name, const T& value, const char* limit)
{
    if (!good)
    {
        std::ostringstream text;
        text << "HCC (profile " << set << "): " << name << " is " << value << ", must be " << limit;
        throw std::invalid_argument(text.str());
    }
}

/** Refuse a stage that cannot work. */
void
NeedStage(const HccParameters::Stage& stage, const std::string& set, const std::string& name)
{
    Need(stage.recovery > Time(0), set, name + ".recovery", stage.recovery, "> 0");
    Need(stage.slope > 0 && std::isfinite(stage.slope), set, name + ".slope", stage.slope, "> 0");
    Need(stage.domainThreshold >= 0 && stage.domainThreshold <= 1,
         set,
         name + ".domainThreshold",
         stage.domainThreshold,
         "in [0, 1]");
    Need(stage.cnpInterval >= Time(0), set, name + ".cnpInterval", stage.cnpInterval, ">= 0");
}

} // namespace

HccParameters
HccParameters::Default()
{
    // Exploration: sweeps with 64 hosts at 100G and 400G, victims of an incast, 48 x 2 and 56 x 8
    // incasts, rings, all-to-all. "+" marks what goodput hardly depends on.
    HccParameters p;
    p.name = "default";
    p.stage2.recovery = MicroSeconds(30);   // below 10 us queues grow, from 40 us on links idle
    p.stage2.slope = 0.03;                  // 0.002 to 0.1 work at T 10 us
    p.stage2.domainThreshold = 0.3;         // + 0.1 to off
    p.stage2.cnpInterval = MicroSeconds(4); // + 1 to 20 us; must be below T. ConnectX: 4 us
    p.stage3.recovery = MicroSeconds(50);   // longer than stage 2: 5 us away instead of 1 us
    p.stage3.slope = 0.03;                  // as stage 2: the BDP already has the distance
    p.stage3.domainThreshold = 0.5;         // +
    p.stage3.cnpInterval = MicroSeconds(10);
    p.noiseThreshold = 0.02;  // + below 1/16, one mark in the window: acts only with longer windows
    p.acceleration = 32;      // idle flows are back in 2 ms; 0 to 32 work
    p.phi = 1;                // a window keeps no queue at C / N
    p.severePhi = 0.9;        // drains one; over 1 errors of N bring PFC back
    p.severeShare = 0.95;     // all packets marked but at most one of 16
    p.alphaMax = 1;           // + 0.1 to 1; 1 has the fewest CNPs
    p.alphaDecay = 0.5;       // + 0.25 to 1
    p.minRateBps = 100000000; // as DCQCN's
    p.capBdp = 1;             // 2 brings pauses back in large incasts
    p.slackBytes = 80000;     // + 40 to 160 KB; about Kmin at 100G
    p.burst = 4;              // + 2 to 8
    p.cableFactor = 1.5;      // below 1, a step of fixed size brings pauses
    p.clearFactor = 1.5;      // 2 brings pauses in permutations
    p.unknownRtt = MicroSeconds(4);     // of a pod: 3.9 us there
    p.plainInterval = MicroSeconds(50); // DCQCN, SIGCOMM 2015 section 3.1
    p.plainCut = 0.5;                   // DCQCN's first cut, 1 - alpha / 2 with alpha 1
    p.plainSilence = MilliSeconds(1);   // a flow at minRate sends a packet each 0.33 ms
    return p;
}

HccParameters
HccParameters::Fast()
{
    HccParameters p = Default();
    p.name = "fast";
    p.stage2.recovery = MicroSeconds(10); // least that has no pauses at an RTT of 4 us
    p.stage2.slope = 0.01;
    p.stage3.slope = 0.01;
    p.acceleration = 8; // 32 overshoots at this T
    p.severePhi = 0.8;  // more CNPs, so more queue to drain
    return p;
}

HccParameters
HccParameters::Steady()
{
    HccParameters p = Default();
    p.name = "steady";
    p.stage2.recovery = MicroSeconds(100); // 8:1 incast: least CNPs, least spread of completions
    p.stage2.slope = 0.05;
    p.stage3.recovery = MicroSeconds(100);
    p.stage3.slope = 0.05;
    p.acceleration = 64; // makes up for T after a pause
    p.severePhi = 0.98;  // needs an exact N
    return p;
}

HccParameters
HccParameters::FromName(const std::string& name)
{
    if (name == "default")
    {
        return Default();
    }
    if (name == "fast")
    {
        return Fast();
    }
    if (name == "steady")
    {
        return Steady();
    }
    throw std::invalid_argument("HCC: unknown profile '" + name +
                                "'; known are default, fast, steady");
}

void
HccParameters::SetLaw(Law which)
{
    law = which;
    if (which == ARTICLE_LAW)
    {
        countFlows = false;
        heedsNoise = false;
        allClear = false;
        pathBinding = false;
        acceleration = 1;
        phi = 0;
        severePhi = 0;
        alphaMax = 0.5; // of the first exploration; 1 would stop a flow at P = 1
        capBdp = 0;
        cableFactor = 0;
        enforce = PACING;
        scope = ALL;
        rateKey = WHOLE_DOMAIN;
    }
}

void
HccParameters::Validate(uint64_t lineRateBps) const
{
    const auto share = [this](double value, const char* what) {
        Need(value >= 0 && value <= 1, name, what, value, "in [0, 1]");
    };
    const auto atLeast = [this](double value, double least, const char* what, const char* limit) {
        Need(value >= least && std::isfinite(value), name, what, value, limit);
    };
    NeedStage(stage2, name, "stage2");
    NeedStage(stage3, name, "stage3");
    share(noiseThreshold, "noiseThreshold");
    share(severeShare, "severeShare");
    share(alphaMax, "alphaMax");
    share(alphaDecay, "alphaDecay");
    share(plainCut, "plainCut");
    Need(acceleration >= 1, name, "acceleration", acceleration, ">= 1");
    atLeast(phi, 0, "phi", ">= 0");
    atLeast(severePhi, 0, "severePhi", ">= 0");
    atLeast(capBdp, 0, "capBdp", ">= 0; 0 means no cap");
    atLeast(slackBytes, 0, "slackBytes", ">= 0");
    atLeast(burst, 1, "burst", ">= 1");
    atLeast(cableFactor, 0, "cableFactor", ">= 0; 0 means no cable rule");
    atLeast(clearFactor, 1, "clearFactor", ">= 1");
    Need(unknownRtt > Time(0), name, "unknownRtt", unknownRtt, "> 0");
    Need(plainInterval >= Time(0), name, "plainInterval", plainInterval, ">= 0");
    Need(plainSilence >= Time(0), name, "plainSilence", plainSilence, ">= 0");
    const std::string range = "in [1, " + std::to_string(lineRateBps) + "], the line rate in bit/s";
    Need(minRateBps >= 1 && minRateBps <= lineRateBps,
         name,
         "minRateBps",
         minRateBps,
         range.c_str());
}

} // namespace roce
} // namespace ns3
