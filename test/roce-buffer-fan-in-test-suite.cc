/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/roce-buffer-plan.h"
#include "ns3/roce-buffer-preset-helper.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t DATA = 3;        //!< the lossless priority
constexpr uint8_t REVERSE = 0;     //!< what is in the way of pauses
constexpr uint32_t SIZE = 1230;    //!< with 20 bytes of preamble and gap 100 ns at 100 Gb/s
constexpr Tick FRAME_NS = 100;     //!< the same in ns
constexpr Tick DELAY_NS = 1000;    //!< of each cable
constexpr uint32_t FRAMES = 120;   //!< that each sender has: more than headroom and pool of a port
constexpr uint32_t RESERVE = 1536; //!< of each lossy priority: a frame

/** \return plan of a switch of so many ports. \param ports how many \param buffer its bytes */
BufferPlan
MakePlan(uint32_t ports, uint64_t buffer)
{
    BufferPlan::Input input;
    input.ports = ports;
    input.rate = 100000000000;
    input.delay = DELAY_NS;
    input.ticksPerSecond = TicksPerSecond();
    input.mtu = SIZE;
    input.losslessPriorities = 1;
    input.buffer.reserveBytes = 0;
    input.buffer.lossyReserveBytes = RESERVE;
    input.buffer.bufferBytes = buffer;
    return BufferPlan(input);
}

/** Senders at line rate to one output that takes nothing for a while. */
class FanIn
{
  public:
    uint32_t senders{1};  //!< hosts 1 to this send to host 0
    uint64_t buffer{0};   //!< bytes of the switch
    uint32_t headroom{0}; //!< bytes of each port; 0: automatic
    Tick offset{0};       //!< ns by which frames to the senders are late: 0..99

    /** \return frames lost. \param test reports what else is wrong \param peak gets the most
     *  headroom in use */
    uint64_t Run(uint64_t& peak) const
    {
        TestStar star(senders + 1, "100Gbps", NanoSeconds(DELAY_NS));
        star.sw->SetAttribute("BufferSize", UintegerValue(buffer));
        star.sw->SetAttribute("LosslessMask", UintegerValue(1u << DATA));
        star.sw->SetAttribute("ReserveBytes", UintegerValue(0));
        star.sw->SetAttribute("LossyReserveBytes", UintegerValue(RESERVE));
        star.sw->SetAttribute("MaxFrameBytes", UintegerValue(SIZE));
        star.sw->SetAttribute("HeadroomBytes", UintegerValue(headroom));
        star.sw->Freeze(); // refuses here if it does not fit
        star.At(NanoSeconds(0), [&] { star.hosts[0]->Pause(DATA, 65535); });
        star.At(MicroSeconds(100), [&] { star.hosts[0]->Pause(DATA, 0); });
        // always a frame on its way to sender 1 when its pause wants to go
        star.At(NanoSeconds(500 + offset),
                [&] { star.hosts[0]->Send(1, FRAMES, SIZE, REVERSE, ECN_NOT_ECT, 64); });
        for (uint32_t i = 1; i <= senders; ++i)
        {
            star.At(MicroSeconds(2),
                    [&star, i] { star.hosts[i]->Send(0, FRAMES, SIZE, DATA, ECN_NOT_ECT, 64); });
        }
        Simulator::Run();
        const uint64_t lost = star.sw->GetDrops(DropReason::LOSSLESS_BUFFER);
        peak = star.sw->GetMmu().GetHeadroomLevel().peak;
        wrong = star.sw->CheckInvariants();
        if (star.hosts[0]->Count(DATA) + lost != senders * FRAMES || star.Changes(DATA).empty())
        {
            wrong += "not all is delivered or lost, or nobody was paused";
        }
        Simulator::Destroy();
        return lost;
    }

    mutable std::string wrong; //!< what the last run found
};

/** D6 for one port: planned headroom loses nothing in any alignment, a frame less does in one. */
class OnePortTest : public TestCase
{
  public:
    OnePortTest()
        : TestCase("headroom of one port to within a frame")
    {
    }

  private:
    /** \return frames lost over all alignments. \param headroom bytes \param peak most in use */
    uint64_t LostWith(uint32_t headroom, uint64_t& peak)
    {
        uint64_t lost = 0;
        peak = 0;
        for (Tick offset = 0; offset < FRAME_NS; offset += 2)
        {
            FanIn run;
            // always the same pool, 0.8 * (142372 - 2 * 7 * 1536) = 96694: after 8 frames the
            // threshold is (96694 - 9840) / 8 = 10856, so that the 9th (11070) goes to headroom
            run.buffer = 142372 + 2 * headroom;
            run.headroom = headroom;
            run.offset = offset;
            uint64_t used = 0;
            lost += run.Run(used);
            peak = std::max(peak, used);
            NS_TEST_EXPECT_MSG_EQ(run.wrong, "", "offset " << offset);
        }
        return lost;
    }

    void DoRun() override
    {
        const uint64_t planned = MakePlan(2, 200000).GetHeadroom();
        // 1230 + 2 * 1250 + 84 + 2 * 1000 ns * 12.5 B/ns
        NS_TEST_ASSERT_MSG_EQ(planned, 28814, "headroom");
        uint64_t peak = 0;
        const uint64_t lost = LostWith(static_cast<uint32_t>(planned), peak);
        NS_TEST_EXPECT_MSG_EQ(lost, 0, "as planned");
        // The pause is on its way for up to 100 + 6.72 + 1000 ns; data that left the peer up to
        // then arrive: those begun at 0, 100, ... 2100 ns after the frame that crossed the
        // threshold began to arrive: 22 of them, and that frame.
        NS_TEST_EXPECT_MSG_EQ(peak, 23 * SIZE, "most in use");
        NS_TEST_EXPECT_MSG_EQ((peak + SIZE > planned), true, "within a frame of the plan");
        const uint64_t more = LostWith(static_cast<uint32_t>(planned - SIZE), peak);
        NS_TEST_EXPECT_MSG_EQ((more > 0), true, "a frame less");
    }
};

/** The largest fan-in that loses nothing, by bisection, is that of the plan. */
class FanInTest : public TestCase
{
  public:
    /** \param kilobytes buffer of the switch */
    explicit FanInTest(uint64_t kilobytes)
        : TestCase("largest fan-in of " + std::to_string(kilobytes) + " kB"),
          m_buffer(kilobytes * 1000)
    {
    }

  private:
    /** Port N + 1 is where they send to. \return whether N senders lose nothing when each port has
     *  an equal part of the buffer, but no more than it needs. \param senders N */
    bool IsLossless(uint32_t senders)
    {
        const BufferPlan plan = MakePlan(senders + 1, m_buffer);
        const uint64_t each = m_buffer / (senders + 1);
        const uint64_t part = each > 7 * RESERVE ? each - 7 * RESERVE : 1;
        for (Tick offset = 0; offset < FRAME_NS; offset += 5)
        {
            FanIn run;
            run.senders = senders;
            run.buffer = m_buffer;
            run.headroom = static_cast<uint32_t>(std::min(plan.GetHeadroom(), part));
            run.offset = offset;
            uint64_t peak = 0;
            const uint64_t lost = run.Run(peak);
            NS_TEST_EXPECT_MSG_EQ(run.wrong, "", senders << " senders, offset " << offset);
            if (lost > 0)
            {
                return false;
            }
        }
        return true;
    }

    void DoRun() override
    {
        const uint64_t planned = MakePlan(64, m_buffer).GetMaxFanIn();
        uint32_t good = 1;
        uint32_t bad = static_cast<uint32_t>(m_buffer / 15000); // more than a port's reserves
        NS_TEST_ASSERT_MSG_EQ((planned > good && planned < bad), true, "limit within the search");
        const bool one = IsLossless(good);
        const bool tooMany = IsLossless(bad);
        NS_TEST_EXPECT_MSG_EQ(one, true, "one sender");
        NS_TEST_EXPECT_MSG_EQ(tooMany, false, "too many");
        while (bad - good > 1)
        {
            const uint32_t middle = (good + bad) / 2;
            (IsLossless(middle) ? good : bad) = middle;
        }
        NS_TEST_EXPECT_MSG_EQ(good, planned, "largest fan-in without loss");
        // and the switch itself refuses the automatic headroom from there on
        const bool less = Refuses(good);
        const bool more = Refuses(bad);
        NS_TEST_EXPECT_MSG_EQ(less, false, "it takes what is lossless");
        NS_TEST_EXPECT_MSG_EQ(more, true, "it refuses what is not");
    }

    /** \return whether a switch for so many senders is refused with both numbers */
    bool Refuses(uint32_t senders)
    {
        FanIn run;
        run.senders = senders;
        run.buffer = m_buffer;
        uint64_t peak = 0;
        try
        {
            const uint64_t lost = run.Run(peak);
            NS_TEST_EXPECT_MSG_EQ(lost, 0, "automatic headroom");
        }
        catch (const std::invalid_argument& error)
        {
            const std::string text = error.what();
            const uint64_t need = MakePlan(senders + 1, m_buffer).GetNeed();
            Simulator::Destroy();
            return text.find(std::to_string(need)) != std::string::npos &&
                   text.find(std::to_string(m_buffer)) != std::string::npos;
        }
        return false;
    }

    uint64_t m_buffer;
};

/** Small frames take a cell each: headroom by the byte loses them, headroom in cells does not. */
class CellsTest : public SwitchTest
{
  public:
    CellsTest()
        : SwitchTest("headroom in cells")
    {
    }

  private:
    /** \return frames lost. \param headroom bytes; 0: automatic */
    uint64_t RunOnce(uint32_t headroom)
    {
        TestStar star(3, "100Gbps", NanoSeconds(DELAY_NS));
        star.sw->SetAttribute("BufferSize", UintegerValue(2000000));
        star.sw->SetAttribute("MaxFrameBytes", UintegerValue(SIZE));
        star.sw->SetAttribute("HeadroomBytes", UintegerValue(headroom));
        star.sw->GetBufferOptions()->SetAttribute("CellBytes", UintegerValue(254));
        star.At(NanoSeconds(0), [&] { star.hosts[0]->Pause(DATA, 65535); });
        star.At(MicroSeconds(200), [&] { star.hosts[0]->Pause(DATA, 0); });
        for (uint32_t i = 1; i <= 2; ++i)
        {
            star.At(MicroSeconds(2),
                    [&star, i] { star.hosts[i]->Send(0, 4000, 64, DATA, ECN_NOT_ECT, 64); });
        }
        std::string inside;
        star.At(MicroSeconds(100), [&] {
            inside = star.sw->CheckInvariants();
            // whole cells: 64 bytes take 254
            const uint64_t queued = star.sw->GetPort(0)->GetTransmitter().GetQueueBytes(DATA);
            if (star.sw->GetMmu().GetTotal().used != queued / 64 * 254 || queued == 0)
            {
                inside += "frames do not take a cell each";
            }
        });
        Finish(star);
        NS_TEST_EXPECT_MSG_EQ(inside, "", "while frames wait");
        const uint64_t lost = star.sw->GetDrops(DropReason::LOSSLESS_BUFFER);
        NS_TEST_EXPECT_MSG_EQ(star.hosts[0]->Count(DATA) + lost, 8000, "delivered or lost");
        Simulator::Destroy();
        return lost;
    }

    void DoRun() override
    {
        // 2007 ns and more of frames of 84 bytes on the link, in cells 2006 * 12.5 / 84 * 254
        const uint64_t bytes = MakePlan(3, 2000000).GetHeadroom();
        NS_TEST_ASSERT_MSG_EQ((bytes < 2006 * 12.5 / 84 * 254), true, "too little in cells");
        const uint64_t byBytes = RunOnce(static_cast<uint32_t>(bytes));
        const uint64_t inCells = RunOnce(0);
        NS_TEST_EXPECT_MSG_EQ((byBytes > 0), true, "by the byte");
        NS_TEST_EXPECT_MSG_EQ(inCells, 0, "in cells");
    }
};

/** ABM as an option of a switch: still lossless, other thresholds; unknown rules are refused. */
class PolicyTest : public SwitchTest
{
  public:
    PolicyTest()
        : SwitchTest("buffer policy abm")
    {
    }

  private:
    /** \return most bytes stored. \param policy dt or abm */
    uint64_t RunOnce(const std::string& policy)
    {
        TestStar star(9, "100Gbps", NanoSeconds(DELAY_NS));
        star.sw->SetAttribute("BufferSize", UintegerValue(4000000));
        star.sw->GetBufferOptions()->SetAttribute("Policy", StringValue(policy));
        star.sw->GetBufferOptions()->SetAttribute("AbmInterval", TimeValue(MicroSeconds(5)));
        star.sw->Freeze(); // refuses here, not in the run, where events would leak
        for (uint32_t i = 1; i <= 8; ++i)
        {
            star.At(MicroSeconds(1),
                    [&star, i] { star.hosts[i]->Send(0, 2000, SIZE, DATA, ECN_NOT_ECT, 64); });
        }
        Finish(star);
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, policy << " loses nothing");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[0]->Count(DATA), 16000, "delivered");
        // the output is never idle
        const double last = 1000 + 16001 * 100 + 2 * DELAY_NS;
        NS_TEST_EXPECT_MSG_EQ_TOL(star.hosts[0]->arrivals.back().at, last, 1, "last frame");
        const uint64_t peak = star.sw->GetMmu().GetTotal().peak;
        Simulator::Destroy();
        return peak;
    }

    void DoRun() override
    {
        // queues drain at an eighth of their ports' rate, which is known before they are full
        const uint64_t dt = RunOnce("dt");
        const uint64_t abm = RunOnce("abm");
        NS_TEST_EXPECT_MSG_EQ((abm < dt), true, "abm stores less: " << abm << " of " << dt);
        std::string text;
        try
        {
            RunOnce("fifo");
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ((text.find("\"fifo\", known are dt and abm") != std::string::npos),
                              true,
                              "refusal: " << text);
        Simulator::Destroy();
    }
};

/** A limit of lossy output queues drops there and leaves lossless frames alone. */
class EgressTest : public SwitchTest
{
  public:
    EgressTest()
        : SwitchTest("limit of an output queue")
    {
    }

  private:
    void DoRun() override
    {
        TestStar star(3, "100Gbps", NanoSeconds(DELAY_NS));
        star.sw->GetBufferOptions()->SetAttribute("EgressQueueBytes", UintegerValue(10 * SIZE));
        for (uint32_t i = 1; i <= 2; ++i)
        {
            star.At(MicroSeconds(1),
                    [&star, i] { star.hosts[i]->Send(0, 100, SIZE, REVERSE, ECN_NOT_ECT, 64); });
            star.At(MicroSeconds(100),
                    [&star, i] { star.hosts[i]->Send(0, 100, SIZE, DATA, ECN_NOT_ECT, 64); });
        }
        Finish(star);
        // two frames come and one leaves each 100 ns: ten wait, then every second one is lost;
        // a hundred leave meanwhile and the ten afterwards
        NS_TEST_EXPECT_MSG_EQ_TOL(star.hosts[0]->Count(REVERSE), 110, 1, "lossy");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[0]->Count(REVERSE) +
                                  star.sw->GetDrops(DropReason::LOSSY_BUFFER),
                              200,
                              "delivered or dropped");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetMmu().GetDrops(REVERSE),
                              star.sw->GetDrops(DropReason::LOSSY_BUFFER),
                              "counted");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[0]->Count(DATA), 200, "lossless");
        Simulator::Destroy();
    }
};

/** A preset reaches the switches of a fabric. */
class PresetTest : public TestCase
{
  public:
    PresetTest()
        : TestCase("buffer preset of a fabric")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        BufferPresetHelper::Apply(roce, "deep-spine");
        BufferPresetHelper::Apply(roce, "tomahawk5");
        Ptr<Fabric> fabric = ClosHelper(1, 0, 4).Install(roce);
        const SwitchMmu& mmu = fabric->GetSwitch(4)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu.GetTotal().size, 165000000, "size");
        NS_TEST_EXPECT_MSG_EQ(mmu.GetCharge(255), 508, "two cells");
        NS_TEST_EXPECT_MSG_EQ(mmu.GetAlpha(0, DATA), 0.125, "not of the preset before");
        std::string text;
        try
        {
            BufferPresetHelper::Apply(roce, "tomahawk9");
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ((text.find("shallow-leaf") != std::string::npos),
                              true,
                              "names the known ones: " << text);
        Simulator::Destroy();
    }
};

/** Suite roce-buffer-fan-in. */
class BufferFanInTestSuite : public TestSuite
{
  public:
    BufferFanInTestSuite()
        : TestSuite("roce-buffer-fan-in", TestSuite::Type::UNIT)
    {
        AddTestCase(new OnePortTest, D::QUICK);
        AddTestCase(new FanInTest(300), D::QUICK);
        AddTestCase(new FanInTest(1000), D::QUICK);
        AddTestCase(new CellsTest, D::QUICK);
        AddTestCase(new PolicyTest, D::QUICK);
        AddTestCase(new EgressTest, D::QUICK);
        AddTestCase(new PresetTest, D::QUICK);
    }
};

BufferFanInTestSuite g_bufferFanInTestSuite;

} // namespace
