/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-abm-policy.h"
#include "ns3/roce-buffer-plan.h"
#include "ns3/roce-switch-buffer-preset.h"
#include "ns3/roce-switch-mmu.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

using namespace ns3::roce;

namespace
{

constexpr int64_t NS = 1000000000;

/** \return what a call refuses with, or "accepted" */
template <typename F>
std::string
Refusal(F call)
{
    try
    {
        call();
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "accepted";
}

/** \return 100G, 1 us, frames of 1048: headroom 28268, see catch-switch-mmu.cc */
BufferPlan::Input
SmallInput()
{
    BufferPlan::Input input;
    input.ports = 10;
    input.rate = 100000000000;
    input.delay = 1000;
    input.mtu = 1048;
    input.losslessPriorities = 1;
    input.buffer.reserveBytes = 4096;
    input.buffer.lossyReserveBytes = 1000;
    input.buffer.bufferBytes = 1000000;
    return input;
}

/** \return the same as a configuration of a switch. \param input a plan's */
SwitchMmuConfig
ToConfig(const BufferPlan::Input& input)
{
    SwitchMmuConfig config = input.buffer;
    config.numPorts = input.ports;
    config.losslessMask = static_cast<uint8_t>((1u << input.losslessPriorities) - 1);
    const auto headroom = static_cast<uint32_t>(BufferPlan(input).GetHeadroom());
    config.headroomBytes.assign(input.ports, headroom);
    return config;
}

/** Sends frames through a buffer: those of one port wait, or leave as they come. */
class AbmBench
{
  public:
    explicit AbmBench(uint32_t ports)
        : policy(mmu, 1000, 0.9)
    {
        SwitchMmuConfig config;
        config.numPorts = ports;
        config.bufferBytes = 8000000;
        config.losslessMask = 0;
        config.lossyPoolFraction = 0;
        config.lossyReserveBytes = 0;
        config.alphaLossy = 0.5;
        mmu.Configure(config);
        policy.Start(std::vector<uint64_t>(ports, 80000000000), NS); // 10 bytes a ns
    }

    /** Store frames of 1000 bytes until the threshold refuses. \return how many */
    uint32_t Fill(uint16_t port)
    {
        uint32_t stored = 0;
        while (mmu.Admit(Make(port), port))
        {
            ++stored;
        }
        return stored;
    }

    /** A frame of 1000 bytes leaves. \param port by which it came \param now when */
    void Leave(uint16_t port, Tick now)
    {
        mmu.Release(Make(port), port);
        policy.OnDeparture(&frame, 0, now);
    }

    SwitchMmu mmu;
    AbmPolicy policy;
    Frame frame{};

  private:
    Frame* Make(uint16_t port)
    {
        frame.inPort = port;
        frame.size = 1000;
        frame.priority = 2;
        return &frame;
    }
};

} // namespace

TEST_CASE("buffer plan: sums by hand", "[buffer-plan]")
{
    BufferPlan::Input input = SmallInput();
    input.flows = 16;
    input.rtt = 5000;
    input.buffer.bufferBytes = 1500000;
    const BufferPlan plan(input);
    CHECK(plan.GetHeadroom() == 28268);
    CHECK(plan.GetTotalHeadroom() == 282680);
    CHECK(plan.GetReserves() == 10 * (4096 + 7 * 1000));
    CHECK(plan.GetPortBytes() == 39364);
    CHECK(plan.GetFlowBytes() == 1000000); // 16 * 5 us * 100 Gb/s / 8
    CHECK(plan.GetNeed() == 1393640);
    CHECK(plan.GetShared() == 1500000 - 393640);
    CHECK(plan.Fits());
    CHECK(plan.GetMaxPorts() == 12); // 500000 / 39364
    CHECK(plan.GetMaxFanIn() == 9);  // there are ten ports
    // P = 1106360 * 0.8 = 885088; alpha 1/8: one sender 885088/8 / (9/8), eight 885088/8 / 2
    CHECK(plan.GetXoffThreshold(1) == 98343);
    CHECK(plan.GetXoffThreshold(8) == 55318);
}

TEST_CASE("buffer plan: 400G port with a cable of 100 m", "[buffer-plan]")
{
    BufferPlan::Input input; // 64 x 400G, 500 ns, two lossless priorities
    input.buffer.bufferBytes = 64000000;
    const BufferPlan plan(input);
    // 4174 + 4194 + 84 + 4194 + 2 * 500 ns * 50 B/ns
    CHECK(plan.GetHeadroom() == 62646);
    CHECK(plan.GetTotalHeadroom() == 8018688);
    // a response of 394 quanta, and four lossless priorities over 300 m at 800G
    input.responseQuanta = 394;
    CHECK(BufferPlan(input).GetHeadroom() == 62646 + 394 * 64);
}

TEST_CASE("buffer plan: headroom in cells", "[buffer-plan]")
{
    const auto cells = SwitchMmuConfig::HeadroomInCells;
    CHECK(cells(37646, 0, 64, 4174, 20) == 37646);
    // frames of 64 take a cell of 254 but 84 bytes of the link: 37646 * 254 / 84 = 113834.3, that
    // is 449 cells of 254, and one more
    CHECK(cells(37646, 254, 64, 4174, 20) == 450 * 254);
    // only full frames: 17 cells = 4318 of 4194, 38759.1, that is 153 cells, and one more
    CHECK(cells(37646, 254, 4174, 4174, 20) == 154 * 254);
    // 255 bytes take two cells: 508 of 275 is more than 508 of 320 (300 bytes)
    CHECK(cells(1000, 254, 200, 300, 20) == (8 + 1) * 254); // 1000 * 508 / 275 = 1847.3
    // never less than the bytes
    CHECK(cells(10000, 16, 1500, 1500, 20) >= 10000);
}

TEST_CASE("buffer plan: it fits if and only if the switch takes it", "[buffer-plan]")
{
    BufferPlan::Input input = SmallInput();
    input.buffer.bufferBytes = 393640;
    CHECK(BufferPlan(input).Fits());
    CHECK(BufferPlan(input).GetMaxFanIn() == 9);
    CHECK(BufferPlan(input).GetShared() == 0);
    SwitchMmu mmu;
    CHECK_NOTHROW(mmu.Configure(ToConfig(input)));
    input.buffer.bufferBytes = 393639;
    const BufferPlan less(input);
    CHECK_FALSE(less.Fits());
    CHECK(less.GetMaxPorts() == 9);
    CHECK(less.GetMaxFanIn() == 8);
    CHECK_THROWS_AS(mmu.Configure(ToConfig(input)), std::invalid_argument);
    const std::string text = Refusal([&less] { less.Check(); });
    CHECK_THAT(text, Catch::Contains("393640") && Catch::Contains("393639"));
    CHECK_THAT(text, Catch::Contains("282680") && Catch::Contains("for 9 ports"));
    input.losslessPriorities = 0; // nothing to give headroom to
    CHECK(BufferPlan(input).GetHeadroom() == 0);
    CHECK(BufferPlan(input).Fits());
}

TEST_CASE("buffer plan: values that make no sense are named", "[buffer-plan]")
{
    const auto refused = [](auto change) {
        BufferPlan::Input input = SmallInput();
        change(input);
        return Refusal([&input] { BufferPlan plan(input); });
    };
    CHECK_THAT(refused([](auto& i) { i.ports = 0; }), Catch::Contains("number of ports is 0"));
    CHECK_THAT(refused([](auto& i) { i.rate = 0; }), Catch::Contains("rate in bit/s is 0"));
    CHECK_THAT(refused([](auto& i) { i.mtu = 10; }), Catch::Contains("is 10, must be from 64"));
    CHECK_THAT(refused([](auto& i) { i.losslessPriorities = 9; }), Catch::Contains("9"));
    CHECK_THAT(refused([](auto& i) { i.buffer.bufferBytes = 0; }), Catch::Contains("buffer"));
    CHECK_THAT(refused([](auto& i) { i.delay = -1; }), Catch::Contains("delay in ticks is -1,"));
}

TEST_CASE("buffer presets: known by name, and each fits its ports", "[buffer-plan]")
{
    CHECK(SwitchBufferPreset::Find("tomahawk5").bufferBytes == 165000000);
    CHECK(SwitchBufferPreset::Find("shallow-leaf").bufferBytes == 64000000);
    const std::string text = Refusal([] { SwitchBufferPreset::Find("tomahawk6"); });
    CHECK_THAT(text, Catch::Contains("\"tomahawk6\"") && Catch::Contains("tomahawk5, spectrum4"));
    for (const SwitchBufferPreset& preset : SwitchBufferPreset::GetAll())
    {
        BufferPlan::Input input;
        input.ports = preset.ports;
        input.rate = preset.portRate;
        input.buffer.bufferBytes = preset.bufferBytes;
        input.buffer.cellBytes = preset.cellBytes;
        input.buffer.reserveBytes = preset.reserveBytes;
        input.buffer.lossyReserveBytes = preset.lossyReserveBytes;
        CAPTURE(preset.name);
        CHECK(BufferPlan(input).Fits());
        CHECK_FALSE(preset.basis.empty());
        input.buffer.alpha = preset.alpha;
        input.buffer.alphaLossy = preset.alphaLossy;
        SwitchMmu mmu;
        CHECK_NOTHROW(mmu.Configure(ToConfig(input)));
    }
}

TEST_CASE("buffer presets: the deep spine is divided statically", "[buffer-plan]")
{
    const SwitchBufferPreset& deep = SwitchBufferPreset::Find("deep-spine");
    SwitchMmuConfig config;
    config.numPorts = deep.ports;
    config.bufferBytes = deep.bufferBytes;
    config.reserveBytes = deep.reserveBytes;
    config.lossyReserveBytes = deep.lossyReserveBytes;
    config.alpha = deep.alpha;
    config.alphaLossy = deep.alphaLossy;
    config.headroomBytes.assign(deep.ports, 112646);
    SwitchMmu mmu;
    mmu.Configure(config);
    // shared: 8e9 - 36 * (2 * (64e6 + 112646) + 6 * 8e6) = 1655889488, 2^-16 of 80 % is 20213:
    // a port is paused one or three frames of 10000 after its share, however many others are full
    Frame frame{};
    frame.priority = 3;
    frame.size = 10000;
    for (uint32_t port = 0; port < deep.ports; ++port)
    {
        uint32_t frames = 0;
        while (!mmu.XoffDue(port, 3))
        {
            REQUIRE(mmu.Admit(&frame, port));
            ++frames;
        }
        CHECK(frames >= 6400);
        CHECK(frames <= 6403);
    }
}

TEST_CASE("ABM: one queue at line rate is the dynamic threshold", "[abm]")
{
    AbmBench bench(4);
    bench.Fill(0);
    const double alpha = bench.mmu.GetAlpha(0, 2);
    bench.Leave(0, 1000); // measured for the first time: it held nothing before
    CHECK(bench.policy.GetCongested(2) == 1);
    CHECK(bench.mmu.GetAlpha(0, 2) == alpha);
    for (Tick now = 1100; now <= 2000; now += 100) // ten frames of 1000 in 1000 ns: line rate
    {
        bench.Leave(0, now);
    }
    CHECK(bench.mmu.GetAlpha(0, 2) == alpha);
}

TEST_CASE("ABM: the factor falls with congested queues and with the drain rate", "[abm]")
{
    AbmBench bench(4);
    // 8 MB, alpha 1/2: a port takes a third of what is left, to the frame that just reaches it
    CHECK(bench.Fill(0) == 2667);
    CHECK(bench.Fill(1) == 1778);
    CHECK(bench.mmu.GetThreshold(1, 2) == 1777500); // (8000000 - 2667000 - 1778000) / 2
    bench.Leave(0, 1000);
    // queue 0 of 2666000 and queue 1 of 1778000 are above 0.9 * (8000000 - 4444000) / 2 = 1600200
    CHECK(bench.policy.GetCongested(2) == 2);
    CHECK(bench.mmu.GetAlpha(0, 2) == 0.25);
    CHECK(bench.mmu.GetAlpha(3, 2) == 0.25); // n_p is of the priority, not of the queue
    CHECK(bench.mmu.GetAlpha(3, 5) == 0.5);
    // in the next 1000 ns queue 0 loses 5 of 10 possible frames, queue 1 none
    for (Tick now = 1200; now <= 2000; now += 200)
    {
        bench.Leave(0, now);
    }
    CHECK(bench.mmu.GetAlpha(0, 2) == 0.125);
    CHECK(bench.mmu.GetAlpha(1, 2) == 0.25 * AbmPolicy::LEAST_DRAIN);
    CHECK(bench.mmu.GetAlpha(3, 2) == 0.25); // it holds nothing
    CHECK(bench.mmu.CheckInvariants() == "");
}
