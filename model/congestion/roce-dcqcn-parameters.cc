/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-dcqcn-parameters.h"

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
Need(bool good, const std::string& set, const char* name, const T& value, const std::string& limit)
{
    if (!good)
    {
        std::ostringstream text;
        text << "DCQCN (preset " << set << "): " << name << " is " << value << ", must be "
             << limit;
        throw std::invalid_argument(text.str());
    }
}

} // namespace

DcqcnParameters
DcqcnParameters::Paper()
{
    DcqcnParameters p;
    p.name = "paper";
    p.law = DcqcnLaw::CUT_ON_CNP;
    p.gain = 1.0 / 256;                    // SIGCOMM 2015 section 5; ns3-rdma config, csg-htsim
    p.initialAlpha = 1;                    // SIGCOMM 2015 section 3.1; csg-htsim
    p.alphaInterval = MicroSeconds(55);    // SIGCOMM 2015 (K > CNP interval); ns3-rdma, csg-htsim
    p.decreaseInterval = Time(0);          // each CNP cuts
    p.increaseInterval = MicroSeconds(55); // SIGCOMM 2015 section 5; HPCC run.py dcqcn_paper
    p.byteCounterBytes = 10000000;         // SIGCOMM 2015 section 5, 10 MB; csg-htsim
    p.fastRecoverySteps = 5;               // SIGCOMM 2015 section 3.1; ns3-rdma, csg-htsim
    p.rateAiBps = 40000000;                // SIGCOMM 2015, 40 Mb/s at 40G; ns3-rdma config
    p.rateHaiBps = 200000000;              // ns3-rdma config (the first author's); not in the paper
    p.minRateBps = 100000000;              // ns3-rdma config; not in the paper
    p.clampTarget = true;                  // Algorithm 1: Rt = Rc on each cut
    p.limitTarget = true;                  // ns3-rdma: target is at most the port's rate
    p.hyperByTimerAlone = false;           // Algorithm 1: min(T, BC) > F
    p.cnpInterval = MicroSeconds(50);      // SIGCOMM 2015 section 3.1, N = 50 us
    return p;
}

DcqcnParameters
DcqcnParameters::ConnectX()
{
    // Names are those of the NIC's configuration tool; values are its factory dump.
    DcqcnParameters p;
    p.name = "connectx";
    p.law = DcqcnLaw::PERIODIC_CUT;         // RATE_REDUCE_MONITOR_PERIOD, see decreaseInterval
    p.gain = 5.0 / 1024;                    // DCE_TCP_G 1019 = 1024 - 5
    p.initialAlpha = 1023.0 / 1024;         // INITIAL_ALPHA_VALUE 1023
    p.alphaInterval = MicroSeconds(1);      // DCE_TCP_RTT 1
    p.decreaseInterval = MicroSeconds(4);   // RATE_REDUCE_MONITOR_PERIOD 4: a CNP in the period
                                            // cuts at the beginning of the next
    p.increaseInterval = MicroSeconds(300); // RPG_TIME_RESET 300
    p.byteCounterBytes = 32767;             // RPG_BYTE_RESET 32767, bytes
    p.fastRecoverySteps = 1;                // RPG_THRESHOLD 1
    p.rateAiBps = 5000000;                  // RPG_AI_RATE 5 Mb/s
    p.rateHaiBps = 50000000;                // RPG_HAI_RATE 50 Mb/s
    p.minRateBps = 1000000;                 // RPG_MIN_RATE 1 Mb/s
    p.minDecreaseFactor = 0.5;              // RPG_MIN_DEC_FAC 50 %
    p.clampTarget = false;                  // CLAMP_TGT_RATE 0
    p.clampTargetAfterTimeIncrease = true;  // CLAMP_TGT_RATE_AFTER_TIME_INC 1
    p.cnpInterval = MicroSeconds(4);        // MIN_TIME_BETWEEN_CNPS 4
    return p;
}

DcqcnParameters
DcqcnParameters::HpccArtifact()
{
    // Behaviour of alibaba-edu/High-Precision-Congestion-Control; values of its run.py "dcqcn" at
    // 100G unless another source is named.
    DcqcnParameters p;
    p.name = "hpcc-artifact";
    p.law = DcqcnLaw::PERIODIC_CUT;
    p.gain = 1.0 / 256;                     // EWMA_GAIN 0.00390625
    p.initialAlpha = 1;                     // set at the first CNP
    p.alphaInterval = MicroSeconds(1);      // ALPHA_RESUME_INTERVAL 1
    p.decreaseInterval = MicroSeconds(4);   // RATE_DECREASE_INTERVAL 4
    p.increaseInterval = MicroSeconds(300); // RP_TIMER 300 (config.txt: 900)
    p.byteCounterBytes = 0;                 // absent
    p.fastRecoverySteps = 1;                // FAST_RECOVERY_TIMES 1
    p.rateAiBps = 20000000;                 // RATE_AI 5 Mb/s x 100G / 25G (config.txt: 50 Mb/s)
    p.rateHaiBps = 200000000;               // RATE_HAI 50 Mb/s x 100G / 25G (config.txt: 100 Mb/s)
    p.minRateBps = 100000000;               // MIN_RATE 100 Mb/s, config.txt (run.py: 1000 Mb/s)
    p.clampTarget = false;                  // CLAMP_TARGET_RATE 0
    p.clampTargetAfterTimeIncrease = true;  // its only increases are the timer's
    p.hyperByTimerAlone = true;             // the timer stage alone picks the phase
    p.integerRates = true;                  // rates are 64-bit bit/s there
    p.cnpInterval = Time(0);                // no pacing: each marked packet counts
    p.echoInAck = true;                     // each ACK echoes CE
    return p;
}

DcqcnParameters
DcqcnParameters::FromName(const std::string& name)
{
    if (name == "paper")
    {
        return Paper();
    }
    if (name == "connectx")
    {
        return ConnectX();
    }
    if (name == "hpcc-artifact")
    {
        return HpccArtifact();
    }
    throw std::invalid_argument("DCQCN: unknown preset '" + name +
                                "'; known are paper, connectx, hpcc-artifact");
}

void
DcqcnParameters::Validate(uint64_t lineRateBps) const
{
    Need(gain > 0 && gain <= 1, name, "gain", gain, "in (0, 1]");
    Need(initialAlpha > 0 && initialAlpha <= 1, name, "initialAlpha", initialAlpha, "in (0, 1]");
    Need(alphaInterval > Time(0), name, "alphaInterval", alphaInterval, "> 0");
    if (law == DcqcnLaw::PERIODIC_CUT)
    {
        Need(decreaseInterval > Time(0), name, "decreaseInterval", decreaseInterval, "> 0");
    }
    else
    {
        Need(decreaseInterval == Time(0),
             name,
             "decreaseInterval",
             decreaseInterval,
             "0, as this law cuts at each CNP; pace the CNPs at the notification point");
    }
    Need(increaseInterval >= Time(0), name, "increaseInterval", increaseInterval, ">= 0");
    Need(increaseInterval > Time(0) || byteCounterBytes > 0,
         name,
         "byteCounterBytes",
         byteCounterBytes,
         "> 0 when increaseInterval is 0, else no rate ever rises again");
    const std::string range = "in [1, " + std::to_string(lineRateBps) + "], the line rate in bit/s";
    Need(minRateBps >= 1 && minRateBps <= lineRateBps, name, "minRateBps", minRateBps, range);
    Need(minDecreaseFactor >= 0 && minDecreaseFactor <= 1,
         name,
         "minDecreaseFactor",
         minDecreaseFactor,
         "in [0, 1]");
}

} // namespace roce
} // namespace ns3
