/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-switch-mmu.h"

#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3::roce;

namespace
{
/** \return a frame. \param size bytes \param priority priority */
Frame
MakeFrame(uint32_t size, unsigned priority)
{
    Frame frame{};
    frame.size = static_cast<uint16_t>(size);
    frame.priority = static_cast<uint8_t>(priority);
    return frame;
}

/** Workload b of the HPCC artifact: 17 ports at 100G and 1 us, 1 MiB, one lossless priority. */
SwitchMmuConfig
ArtifactConfig()
{
    SwitchMmuConfig config;
    config.numPorts = 17;
    config.bufferBytes = 1 << 20;
    config.losslessMask = 1 << 3;
    config.usedMask = 1 << 3;
    config.lossyPoolFraction = 0;
    config.headroomBytes.assign(17, 37500); // 3 * 100e9 * 1e-6 / 8
    return config;
}

/** \return what Configure says to a config it refuses */
std::string
Refusal(const SwitchMmuConfig& config)
{
    SwitchMmu mmu;
    try
    {
        mmu.Configure(config);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "accepted";
}
} // namespace

TEST_CASE("switch MMU: D5, DCQCN section 4, static threshold", "[switch-mmu]")
{
    // 32 ports, 12 MB, 8 lossless priorities, headroom 22.4 KB:
    // (12e6 - 8*32*22400) / (8*32) = 6265600 / 256 = 24475 B
    SwitchMmuConfig config;
    config.numPorts = 32;
    config.bufferBytes = 12000000;
    config.losslessMask = 0xff;
    config.reserveBytes = 0;
    config.lossyPoolFraction = 0;
    config.headroomBytes.assign(32, 22400);
    config.alpha = 1.0 / 256;
    SwitchMmu mmu;
    mmu.Configure(config);
    CHECK(mmu.GetPool(true).size == 6265600);
    CHECK(mmu.GetThreshold(0, 0) == 24475);
    CHECK(mmu.GetThreshold(31, 7) == 24475);
    // an egress queue is fed by all 32 ports: marked before any of them is paused it would have
    // to be below 24475 / 32 = 764 B, less than a packet of 1000 B: not feasible
    CHECK(mmu.GetThreshold(0, 0) / 32 == 764);
}

TEST_CASE("switch MMU: D5, DCQCN section 4, dynamic threshold", "[switch-mmu]")
{
    // beta = 8: one queue is paused at s = 8 * (6265600 - s), s = 8/9 * 6265600 = 5569422.2;
    // over 256 queues that is the ECN bound of 21755 B (21.75 KB). In frames of 100 B: the
    // 55695th reaches it.
    SwitchMmuConfig config;
    config.numPorts = 32;
    config.bufferBytes = 12000000;
    config.losslessMask = 0xff;
    config.reserveBytes = 0;
    config.lossyPoolFraction = 0;
    config.headroomBytes.assign(32, 22400);
    config.alpha = 8;
    SwitchMmu mmu;
    mmu.Configure(config);
    Frame frame = MakeFrame(100, 5);
    uint32_t frames = 0;
    while (!mmu.XoffDue(7, 5))
    {
        REQUIRE(mmu.Admit(&frame, 7));
        ++frames;
    }
    CHECK(frames == 55695);
    CHECK(mmu.GetTotal().used / 256 == 21755);
    CHECK(mmu.CheckInvariants() == "");
}

TEST_CASE("switch MMU: thresholds of the HPCC artifact by hand", "[switch-mmu]")
{
    SwitchMmu mmu;
    mmu.Configure(ArtifactConfig());
    // 1048576 - 17 * (37500 + 4096) = 341444; one eighth of it, rounded down
    REQUIRE(mmu.GetPool(true).size == 341444);
    REQUIRE(mmu.GetThreshold(2, 3) == 42680);
    Frame data = MakeFrame(1048, 3);
    // after 40 frames: 41920 - 4096 = 37824 over the reserve, threshold (341444-37824)/8 = 37952
    for (int i = 0; i < 40; ++i)
    {
        REQUIRE(mmu.Admit(&data, 2));
        REQUIRE_FALSE(mmu.XoffDue(2, 3));
    }
    CHECK((data.flags & FRAME_LOSSLESS) != 0);
    CHECK(mmu.GetPool(true).used == 37824);
    CHECK(mmu.GetThreshold(2, 3) == 37952);

    SECTION("the threshold counts after admission")
    {
        // 37944 <= 37952 before, but >= (341444 - 37944) / 8 = 37937 after
        Frame small = MakeFrame(120, 3);
        REQUIRE(mmu.Admit(&small, 2));
        CHECK(mmu.GetHeadroomUsed(2, 3) == 0);
        CHECK(mmu.GetThreshold(2, 3) == 37937);
        CHECK(mmu.XoffDue(2, 3));
        // XON at over + 3072 <= threshold: 36896+3072 > 38068, 35848+3072 > 38199,
        // 34800+3072 = 37872 <= 38330
        mmu.Release(&data, 2);
        CHECK_FALSE(mmu.XonDue(2, 3));
        mmu.Release(&data, 2);
        CHECK_FALSE(mmu.XonDue(2, 3));
        mmu.Release(&data, 2);
        CHECK(mmu.GetThreshold(2, 3) == 38330);
        CHECK(mmu.XonDue(2, 3));
    }
    SECTION("what would pass it goes to headroom as a whole; drops only when that is full")
    {
        // 38872 > 37952; 37500 / 1048 = 35.8
        for (uint32_t i = 1; i <= 35; ++i)
        {
            REQUIRE(mmu.Admit(&data, 2));
            CHECK(mmu.GetHeadroomUsed(2, 3) == 1048 * i);
            CHECK(mmu.XoffDue(2, 3));
        }
        CHECK(mmu.GetPool(true).used == 37824);
        CHECK_FALSE(mmu.Admit(&data, 2));
        CHECK(mmu.GetDrops(3) == 1);
        CHECK(mmu.GetHeadroomLevel().peak == 35 * 1048);
        // headroom empties first, and blocks the XON until it has
        for (uint32_t i = 34; i + 1 > 0; --i)
        {
            CHECK_FALSE(mmu.XonDue(2, 3));
            mmu.Release(&data, 2);
            CHECK(mmu.GetHeadroomUsed(2, 3) == 1048 * i);
        }
        CHECK(mmu.GetBytes(2, 3) == 41920);
        CHECK_FALSE(mmu.XonDue(2, 3)); // 37824 + 3072 > 37952
    }
    SECTION("another port sees what is left of the pool")
    {
        // (341444 - 37824) / 8 = 37952 over its own reserve
        Frame one = MakeFrame(4096 + 37952, 3);
        CHECK(mmu.Admit(&one, 9));
        CHECK(mmu.GetHeadroomUsed(9, 3) == 0);
        CHECK(mmu.XoffDue(9, 3));
        CHECK(mmu.XoffDue(2, 3)); // 37824 >= (341444 - 75776) / 8 = 33208: others were heard
    }
    CHECK(mmu.CheckInvariants() == "");
}

TEST_CASE("switch MMU: limits that are just reached", "[switch-mmu]")
{
    // pool 9000: 1000 over the reserve leave a threshold of 8000 / 8 = 1000, which pauses
    SwitchMmuConfig config = ArtifactConfig();
    config.bufferBytes = 17 * (37500 + 4096) + 9000;
    SwitchMmu mmu;
    mmu.Configure(config);
    Frame frame = MakeFrame(4096 + 1000, 3);
    REQUIRE(mmu.Admit(&frame, 0));
    CHECK(mmu.GetHeadroomUsed(0, 3) == 0);
    CHECK(mmu.XoffDue(0, 3));
    // one byte less: 999 < 8001 / 8 = 1000
    mmu.Configure(config);
    frame = MakeFrame(4096 + 999, 3);
    REQUIRE(mmu.Admit(&frame, 0));
    CHECK_FALSE(mmu.XoffDue(0, 3));
    // pool 5072, alpha 1: 1000 + 3072 = 5072 - 1000, which lets go; 1001 do not
    config.bufferBytes = 17 * (37500 + 4096) + 5072;
    config.alpha = 1;
    for (uint32_t over : {1000, 1001})
    {
        mmu.Configure(config);
        frame = MakeFrame(4096 + over, 3);
        REQUIRE(mmu.Admit(&frame, 0));
        CHECK(mmu.XonDue(0, 3) == (over == 1000));
    }
}

TEST_CASE("switch MMU: XON when nothing is over the reserve", "[switch-mmu]")
{
    // pool 8192: alpha 1/8 gives a threshold of at most 1024, less than the offset of 3072
    SwitchMmuConfig config = ArtifactConfig();
    config.bufferBytes = 17 * (37500 + 4096) + 8192;
    SwitchMmu mmu;
    mmu.Configure(config);
    Frame frame = MakeFrame(2500, 3);
    REQUIRE(mmu.Admit(&frame, 0)); // 2500 within 4096
    REQUIRE(mmu.Admit(&frame, 0)); // 904 over <= 1024; 904 < (8192-904)/8 = 911
    CHECK_FALSE(mmu.XoffDue(0, 3));
    CHECK_FALSE(mmu.XonDue(0, 3)); // 904 + 3072 > 911
    mmu.Release(&frame, 0);
    CHECK(mmu.XonDue(0, 3));
}

TEST_CASE("switch MMU: lossy classes drop at their threshold, pools are separate", "[switch-mmu]")
{
    SwitchMmuConfig config;
    config.numPorts = 2;
    config.bufferBytes = 1000000;
    config.losslessMask = 1 << 3;
    config.usedMask = (1 << 3) | (1 << 0);
    config.reserveBytes = 0;
    config.lossyReserveBytes = 0;
    config.lossyPoolFraction = 0.5;
    config.headroomBytes = {100000, 100000};
    SwitchMmu mmu;
    mmu.Configure(config);
    // 800000 shared, halves of 400000
    REQUIRE(mmu.GetPool(false).size == 400000);
    Frame lossy = MakeFrame(1000, 0);
    lossy.flags = FRAME_LOSSLESS; // of an earlier switch
    uint32_t stored = 0;
    while (mmu.Admit(&lossy, 0))
    {
        ++stored;
    }
    // alpha 1: the next would pass when 1000(k+1) > 400000 - 1000k, so 200 fit
    CHECK(stored == 200);
    CHECK((lossy.flags & FRAME_LOSSLESS) == 0);
    CHECK(mmu.GetDrops(0) == 1);
    CHECK_FALSE(mmu.XoffDue(0, 0));
    CHECK(mmu.GetPool(true).used == 0);
    CHECK(mmu.GetThreshold(0, 3) == 50000); // untouched: 400000 / 8
    Frame unused = MakeFrame(1000, 6);      // no reserve, but may share
    CHECK(mmu.Admit(&unused, 1));

    config.lossyPoolFraction = 0; // one pool: what lossy frames take is missed
    mmu.Configure(config);
    for (int i = 0; i < 200; ++i)
    {
        REQUIRE(mmu.Admit(&lossy, 0));
    }
    CHECK(mmu.GetThreshold(0, 3) == 75000); // (800000 - 200000) / 8
    CHECK(&mmu.GetPool(false) == &mmu.GetPool(true));
    CHECK(mmu.CheckInvariants() == "");
}

TEST_CASE("switch MMU: alpha of one port", "[switch-mmu]")
{
    SwitchMmuConfig config = ArtifactConfig();
    config.portAlpha.assign(17, 0.125);
    config.portAlpha[4] = 0.25;
    SwitchMmu mmu;
    mmu.Configure(config);
    CHECK(mmu.GetThreshold(3, 3) == 42680);
    CHECK(mmu.GetThreshold(4, 3) == 85361); // 341444 / 4
}

TEST_CASE("switch MMU: refusals name both numbers", "[switch-mmu]")
{
    SwitchMmuConfig config = ArtifactConfig();
    config.bufferBytes = 700000;
    // 17 * 37500 = 637500 and 17 * 4096 = 69632 make 707132
    const std::string text = Refusal(config);
    CHECK_THAT(text, Catch::Contains("707132") && Catch::Contains("700000"));
    CHECK_THAT(text, Catch::Contains("637500") && Catch::Contains("69632"));
    CHECK_THAT(text, Catch::Contains("BufferSize"));
    config.bufferBytes = 707132; // just fits, with nothing to share
    CHECK(Refusal(config) == "accepted");

    config = ArtifactConfig();
    config.headroomBytes[5] = 0;
    CHECK_THAT(Refusal(config), Catch::Contains("headroom of port 5 is 0"));
    config.losslessMask = 0; // lossy: no headroom needed
    CHECK(Refusal(config) == "accepted");
    config = ArtifactConfig();
    config.headroomBytes.pop_back();
    CHECK_THAT(Refusal(config), Catch::Contains("16 ports, needed for 17"));
    config = ArtifactConfig();
    config.usedMask = 0;
    CHECK_THAT(Refusal(config), Catch::Contains("mask 8"));
    config = ArtifactConfig();
    config.alpha = 0;
    CHECK_THAT(Refusal(config), Catch::Contains("alpha of lossless classes is 0"));
    config.alpha = 0.125;
    config.alphaLossy = 1000;
    CHECK_THAT(Refusal(config), Catch::Contains("alpha of lossy classes is 1000"));
    config = ArtifactConfig();
    config.lossyPoolFraction = 1;
    CHECK_THAT(Refusal(config), Catch::Contains("is 1, must be"));
    config = ArtifactConfig();
    config.bufferBytes = 0;
    CHECK_THAT(Refusal(config), Catch::Contains("size is 0 bytes"));
}

TEST_CASE("switch MMU: headroom formula", "[switch-mmu]")
{
    const auto bytes = SwitchMmuConfig::HeadroomBytes;
    constexpr int64_t NS = 1000000000;
    // 100G, 1 us: cable 2 * 1e-6 * 100e9 / 8 = 25000; 1048 + 2 * 1068 + 84 = 3268
    CHECK(bytes(100000000000, 1000, NS, 1048, 64, 0, 20) == 28268);
    // 400G, 1 us, 4174 B: 100000 + 4174 + 2 * 4194 + 84
    CHECK(bytes(400000000000, 1000, NS, 4174, 64, 0, 20) == 112646);
    // 394 quanta of 64 bytes: 25216 more
    CHECK(bytes(400000000000, 1000, NS, 4174, 64, 394, 20) == 137862);
    // 25G, 3 ns: 2 * 3e-9 * 25e9 / 8 = 18.75, rounded up; in ps the same
    CHECK(bytes(25000000000, 3, NS, 0, 0, 0, 0) == 19);
    CHECK(bytes(25000000000, 3000, 1000 * NS, 0, 0, 0, 0) == 19);
    // 1.6T over 100 km: 2 * 500 us * 1.6e12 / 8 = 200 MB, beyond 32 bits in bits
    CHECK(bytes(1600000000000, 500000, NS, 0, 0, 0, 0) == 200000000);
}

namespace
{
/** Random sizes, ports and priorities, against a plain list of what is stored. */
class RandomRun
{
  public:
    RandomRun(const SwitchMmuConfig& config, uint32_t seed)
        : m_config(config),
          m_random(seed)
    {
        m_mmu.Configure(config);
    }

    void Run(uint32_t operations)
    {
        for (uint32_t i = 0; i < operations; ++i)
        {
            // phases of filling and draining
            const bool fill = m_random() % 100 < (i / 20000 % 2 ? 40u : 60u);
            if (fill || m_stored.empty())
            {
                Admit();
            }
            else
            {
                Release(m_random() % m_stored.size());
            }
            REQUIRE(m_mmu.GetTotal().used == m_total);
            if (i % 1000 == 0)
            {
                REQUIRE(m_mmu.CheckInvariants() == "");
            }
        }
        CHECK(m_drops > 0); // the run did reach the limits
    }

    void Drain()
    {
        while (!m_stored.empty())
        {
            Release(m_stored.size() - 1);
        }
        REQUIRE(m_mmu.CheckInvariants() == "");
        CHECK(m_mmu.GetTotal().used == 0);
        CHECK(m_mmu.GetHeadroomLevel().used == 0);
        CHECK(m_mmu.GetPool(true).used == 0);
        CHECK(m_mmu.GetPool(false).used == 0);
        uint64_t counted = 0;
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            counted += m_mmu.GetDrops(p);
            for (uint32_t port = 0; port < m_config.numPorts; ++port)
            {
                REQUIRE(m_mmu.GetBytes(port, p) + m_mmu.GetHeadroomUsed(port, p) == 0);
                REQUIRE(m_mmu.XonDue(port, p));
            }
        }
        CHECK(counted == m_drops);
    }

  private:
    /** A frame in the buffer. */
    struct Stored
    {
        uint32_t port;
        Frame frame;
    };

    void Admit()
    {
        const uint32_t port = m_random() % m_config.numPorts;
        const uint32_t size = 64 + m_random() % 9000;
        const unsigned priority = m_random() % NUM_PRIORITIES;
        const bool lossless = (m_config.losslessMask >> priority) & 1;
        Frame frame = MakeFrame(size, priority);
        const uint64_t headroom = m_mmu.GetHeadroomUsed(port, priority);
        if (m_mmu.Admit(&frame, port))
        {
            m_stored.push_back({port, frame});
            m_total += size;
            // a frame in headroom always asks for a pause
            const bool paused = m_mmu.XoffDue(port, priority);
            REQUIRE((m_mmu.GetHeadroomUsed(port, priority) == headroom || paused));
            REQUIRE((lossless || !paused));
        }
        else
        {
            ++m_drops;
            // lossless frames are dropped only when their headroom is full
            REQUIRE((!lossless || headroom + size > m_mmu.GetHeadroom(port)));
        }
        REQUIRE(((frame.flags & FRAME_LOSSLESS) != 0) == lossless);
    }

    void Release(std::size_t index)
    {
        m_mmu.Release(&m_stored[index].frame, m_stored[index].port);
        m_total -= m_stored[index].frame.size;
        m_stored[index] = m_stored.back();
        m_stored.pop_back();
    }

    SwitchMmuConfig m_config;
    SwitchMmu m_mmu;
    std::mt19937 m_random;
    std::vector<Stored> m_stored;
    uint64_t m_total{0};
    uint64_t m_drops{0};
};

/** Run and drain. */
void
RunRandom(const SwitchMmuConfig& config, uint32_t seed, uint32_t operations)
{
    RandomRun run(config, seed);
    run.Run(operations);
    run.Drain();
}
} // namespace

TEST_CASE("switch MMU: invariants over random sequences", "[switch-mmu]")
{
    SwitchMmuConfig config;
    config.numPorts = 6;
    config.bufferBytes = 2000000;
    for (uint32_t port = 0; port < 6; ++port)
    {
        config.headroomBytes.push_back(20000 + 5000 * port);
    }
    SECTION("two pools, two lossless priorities")
    {
        RunRandom(config, 1, 400000);
    }
    SECTION("one pool, alpha above 1")
    {
        config.lossyPoolFraction = 0;
        config.alpha = 4;
        config.alphaLossy = 16;
        RunRandom(config, 2, 300000);
    }
    SECTION("all lossless, hardly anything to share")
    {
        config.losslessMask = 0xff;
        config.bufferBytes = 8 * (20000 * 6 + 5000 * 15) + 48 * 4096 + 10000;
        RunRandom(config, 3, 300000);
    }
}
