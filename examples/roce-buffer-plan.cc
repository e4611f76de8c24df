/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Does the buffer of a switch hold the headroom of its ports, and what is left to share?
//
// build/bin/roce-buffer-plan --preset=tomahawk5 --cable=100m --json=out/buffer-plan.json

#include "ns3/roce-buffer-plan.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-switch-buffer-preset.h"

#include <cmath>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What the user may choose. */
struct Choice
{
    uint32_t ports{64};
    std::string rate{"400Gbps"};
    std::string cable{"100m"};
    uint32_t mtu{4096};
    std::string buffer{"64MB"};
    std::string preset;
    uint32_t lossless{2};
    uint64_t flows{0};
    std::string rtt{"10us"};
};

/** Picoseconds: the steps in which this program counts time. */
constexpr int64_t PS = 1000000000000;

/** \return one-way delay of a cable: a time, or a length at 5 ns a metre. \param text as given */
Tick
CableDelay(const std::string& text)
{
    if (!text.empty() && text.back() == 'm')
    {
        const double metres = Quantity::Real(text.substr(0, text.size() - 1), 0, 1e7);
        return static_cast<Tick>(std::llround(metres * 5000));
    }
    return Quantity::DelayPs(text);
}

/** \return the plan's input. \param choice what the user chose \param given whether a flag was */
BufferPlan::Input
MakeInput(const Choice& choice, const std::function<bool(const char*)>& given)
{
    BufferPlan::Input input;
    input.ports = choice.ports;
    input.ticksPerSecond = PS;
    input.rate = Quantity::RateBps(choice.rate);
    input.delay = CableDelay(choice.cable);
    input.mtu = choice.mtu + ROCE_OVERHEAD_BYTES + RETH_BYTES;
    input.losslessPriorities = choice.lossless;
    input.flows = choice.flows;
    input.rtt = Quantity::DelayPs(choice.rtt);
    input.buffer.bufferBytes = ParseBytes(choice.buffer);
    if (!choice.preset.empty())
    {
        const SwitchBufferPreset& chip = SwitchBufferPreset::Find(choice.preset);
        input.ports = given("ports") ? input.ports : chip.ports;
        input.rate = given("rate") ? input.rate : chip.portRate;
        input.buffer.bufferBytes = given("buffer") ? input.buffer.bufferBytes : chip.bufferBytes;
        input.buffer.cellBytes = chip.cellBytes;
        input.buffer.reserveBytes = chip.reserveBytes;
        input.buffer.lossyReserveBytes = chip.lossyReserveBytes;
        input.buffer.alpha = chip.alpha;
    }
    return input;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Choice choice;
        ExperimentHelper program("roce-buffer-plan", "Headroom and shared bytes of a switch");
        program.AddFlag("ports", "ports of the switch", choice.ports);
        program.AddFlag("rate", "rate of all ports", choice.rate);
        program.AddFlag("cable", "length (5 ns a metre) or one-way delay", choice.cable);
        program.AddFlag("mtu", "payload bytes of a full packet", choice.mtu);
        program.AddFlag("buffer", "packet buffer", choice.buffer);
        program.AddFlag("preset", "chip, in place of --buffer --ports --rate", choice.preset);
        program.AddFlag("lossless-priorities", "how many", choice.lossless);
        program.AddFlag("flows", "flows that want RTT x rate of shared buffer", choice.flows);
        program.AddFlag("rtt", "round trip of these flows", choice.rtt);
        program.Parse(argc, argv);
        const auto given = [&program](const char* flag) { return program.IsGiven(flag); };
        const BufferPlan::Input input = MakeInput(choice, given);
        const BufferPlan plan(input);
        const std::vector<std::pair<std::string, uint64_t>> rows = {
            {"buffer_bytes", input.buffer.bufferBytes},
            {"headroom_bytes", plan.GetHeadroom()},
            {"total_headroom_bytes", plan.GetTotalHeadroom()},
            {"reserve_bytes", plan.GetReserves()},
            {"flow_bytes", plan.GetFlowBytes()},
            {"needed_bytes", plan.GetNeed()},
            {"shared_bytes", plan.GetShared()},
            {"xoff_threshold_bytes", plan.GetXoffThreshold(1)},
            {"max_ports", plan.GetMaxPorts()},
            {"max_fan_in", plan.GetMaxFanIn()},
        };
        auto json = ResultWriter::Json::object();
        for (const auto& row : rows)
        {
            json[row.first] = row.second;
            if (!program.IsQuiet())
            {
                std::cout << std::left << std::setw(22) << row.first << std::right << std::setw(14)
                          << row.second << "\n";
            }
        }
        json["fits"] = plan.Fits();
        program.AddKey("plan", json);
        const int code = program.Finish();
        plan.Check();
        return code;
    });
}
