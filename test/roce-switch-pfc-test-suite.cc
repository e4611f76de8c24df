/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Priority of data and of the unaffected neighbour . */
constexpr uint8_t DATA = 3;
constexpr uint8_t OTHER = 4;

/** Case A8: only the congested priority is paused, the other one does not notice. */
class PriorityTest : public SwitchTest
{
  public:
    PriorityTest()
        : SwitchTest("pause only the congested priority")
    {
    }

  private:
    /** \return arrival times of the other priority. \param paused whether host 1 pauses DATA */
    std::vector<Tick> RunOnce(bool paused)
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("BufferSize", UintegerValue(2000000));
        // 8 % load each: 1048 + 20 bytes of 100G every 1068 ns; 400 us
        for (int i = 0; i < 375; ++i)
        {
            star.At(NanoSeconds(1000 + 1068 * i), [&] {
                star.hosts[0]->Send(1, 1, 1048, DATA, ECN_NOT_ECT, 64);
                star.hosts[0]->Send(1, 1, 1048, OTHER, ECN_NOT_ECT, 64);
            });
        }
        if (paused)
        {
            for (int i = 0; i < 4; ++i)
            {
                star.At(MicroSeconds(100 * i), [&] { star.hosts[1]->Pause(DATA, 65535); });
            }
            star.At(MicroSeconds(450), [&] { star.hosts[1]->Pause(DATA, 0); });
        }
        Finish(star);
        auto pfc = star.sw->GetPfcController();
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, "no drops");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->Count(DATA), 375, "all delivered");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->Count(OTHER), 375, "all delivered");
        NS_TEST_EXPECT_MSG_EQ(pfc->GetXoffFrames(OTHER), 0, "no XOFF for the other priority");
        NS_TEST_EXPECT_MSG_EQ(pfc->GetXoffs(DATA), paused ? 1 : 0, "one XOFF if congested");
        const PauseState& state = star.hosts[0]->port->GetPauseState();
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(DATA), pfc->GetXoffFrames(DATA), "XOFF frames");
        NS_TEST_EXPECT_MSG_EQ(state.GetXons(DATA), pfc->GetXonFrames(DATA), "XON frames");
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(OTHER), 0, "XOFF frames of the other priority");
        if (paused)
        {
            CheckChanges(star.Changes(DATA));
        }
        std::vector<Tick> times;
        for (const auto& arrival : star.hosts[1]->arrivals)
        {
            if (arrival.header.priority == OTHER)
            {
                times.push_back(arrival.at);
            }
        }
        Simulator::Destroy();
        return times;
    }

    /** \param changes pause states of DATA */
    void CheckChanges(const std::vector<TestStar::PfcChange>& changes)
    {
        NS_TEST_ASSERT_MSG_EQ(changes.size(), 2, "XOFF, XON");
        NS_TEST_EXPECT_MSG_EQ(changes[0].port, 0, "the sender's port");
        NS_TEST_EXPECT_MSG_EQ(changes[0].xoff, true, "XOFF first");
        // 2000000 - 2 * 2 * headroom - 2 * 2 * 4096 - 2 * 6 * 1536, 80 % lossless, 1/9 of it
        // over the reserve: the first frame that would pass the threshold goes to headroom
        const double headroom = 4174 + 2 * 4194 + 84 + 25000;
        const double pool = std::floor((2000000 - 4 * headroom - 16384 - 18432) * 0.8);
        const double frame = std::ceil((pool / 9 + 4096) / 1048);
        // frame k (from 1) is sent at 1000 + 1068 (k - 1) and lasts 85.44 ns
        const double at = 1000 + 1068 * (frame - 1) + 85.44 + 1000;
        NS_TEST_EXPECT_MSG_EQ_TOL(changes[0].at, at, 90, "the frame that passes the threshold");
        NS_TEST_EXPECT_MSG_EQ((changes[1].at > 451000), true, "XON after the pause ended");
    }

    void DoRun() override
    {
        const auto with = RunOnce(true);
        const auto without = RunOnce(false);
        NS_TEST_ASSERT_MSG_EQ(with.size(), without.size(), "frames");
        for (std::size_t i = 0; i < with.size(); ++i)
        {
            // one packet time: 85.44 ns
            NS_TEST_ASSERT_MSG_EQ_TOL(with[i], without[i], 86, "arrival " << i);
        }
    }
};

/** Headroom as computed loses nothing and is used almost up; without cable part it loses (D6). */
class HeadroomTest : public SwitchTest
{
  public:
    /** \param rate of all links \param gigabits the same as a number */
    HeadroomTest(const std::string& rate, double gigabits)
        : SwitchTest("headroom at " + rate),
          m_rate(rate),
          m_gigabits(gigabits)
    {
    }

  private:
    static constexpr uint32_t SIZE = 1048;

    /** \param headroom bytes; 0: automatic */
    void RunOnce(uint32_t headroom)
    {
        TestStar star(2, m_rate, NanoSeconds(1000));
        star.sw->SetAttribute("BufferSize", UintegerValue(4000000));
        star.sw->SetAttribute("MaxFrameBytes", UintegerValue(SIZE));
        star.sw->SetAttribute("HeadroomBytes", UintegerValue(headroom));
        // the cable holds 125 bytes a Gb/s each way
        const double cable = 2 * 125 * m_gigabits;
        const double rest = 3 * SIZE + 40 + 84;
        const auto frames = static_cast<uint32_t>(4000000 / SIZE);
        // host 1 takes nothing for a while, and its own frames are always in the pause's way
        const Time end = NanoSeconds(static_cast<int64_t>(4000000 * 8 / m_gigabits) + 20000);
        for (Time t; t < end; t += NanoSeconds(static_cast<int64_t>(2e7 / m_gigabits)))
        {
            star.At(t, [&] { star.hosts[1]->Pause(DATA, 65535); });
        }
        star.At(end, [&] { star.hosts[1]->Pause(DATA, 0); });
        star.At(MicroSeconds(2), [&] {
            star.hosts[0]->Send(1, frames, SIZE, DATA, ECN_NOT_ECT, 64);
            star.hosts[1]->Send(0, frames, SIZE, 0, ECN_NOT_ECT, 64);
        });
        Finish(star);
        const uint64_t lost = star.sw->GetDrops(DropReason::LOSSLESS_BUFFER);
        const uint64_t peak = star.sw->GetMmu().GetHeadroomLevel().peak;
        NS_TEST_EXPECT_MSG_EQ((star.Changes(DATA).size() >= 2), true, "the sender was paused");
        if (headroom == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(lost, 0, "no loss with the headroom that was computed");
            NS_TEST_EXPECT_MSG_EQ(star.sw->GetMmu().GetHeadroom(0),
                                  static_cast<uint64_t>(std::ceil(cable + rest)),
                                  "headroom");
            NS_TEST_EXPECT_MSG_EQ((peak <= star.sw->GetMmu().GetHeadroom(0)), true, "peak");
            // not wasteful: at least the cable, less the 20 bytes a frame that are not stored
            NS_TEST_EXPECT_MSG_EQ((peak >= cable * SIZE / (SIZE + 20)), true, "cable in use");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ((lost > 0), true, "loss below 2 * delay * rate");
        }
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->Count(DATA) + lost, frames, "data");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetDrops(DropReason::LOSSY_BUFFER), 0, "reverse traffic");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        RunOnce(0);
        RunOnce(static_cast<uint32_t>(2 * 125 * m_gigabits * 0.9));
    }

    std::string m_rate;
    double m_gigabits;
};

/** A pause that lasts is repeated before it expires; without that the sender goes on and loses. */
class RefreshTest : public SwitchTest
{
  public:
    RefreshTest()
        : SwitchTest("pause refresh")
    {
    }

  private:
    void RunOnce(bool refresh)
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("BufferSize", UintegerValue(2000000));
        star.sw->GetPfcController()->SetAttribute("Refresh", BooleanValue(refresh));
        for (int i = 0; i < 20; ++i)
        {
            star.At(MicroSeconds(100 * i), [&] { star.hosts[1]->Pause(DATA, 65535); });
        }
        star.At(MicroSeconds(2000), [&] { star.hosts[1]->Pause(DATA, 0); });
        star.At(MicroSeconds(2),
                [&] { star.hosts[0]->Send(1, 3000, 1048, DATA, ECN_NOT_ECT, 64); });
        Finish(star);
        auto pfc = star.sw->GetPfcController();
        const auto changes = star.Changes(DATA);
        NS_TEST_ASSERT_MSG_EQ((changes.size() >= 2), true, "XOFF, XON");
        const auto expected = (changes[1].at - changes[0].at) / 167769;
        const uint64_t refreshes = pfc->GetXoffFrames(DATA) - pfc->GetXoffs(DATA);
        if (refresh)
        {
            NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, "the sender stays paused");
            NS_TEST_EXPECT_MSG_EQ(expected, 11, "2 ms less filling the threshold, in 167769 ns");
            NS_TEST_EXPECT_MSG_EQ(refreshes, 11, "refreshes");
            NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->Count(DATA), 3000, "delivered");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(refreshes, 0, "refreshes");
            NS_TEST_EXPECT_MSG_EQ((star.sw->GetDrops(DropReason::LOSSLESS_BUFFER) > 0),
                                  true,
                                  "the pause expires after 335 us and the headroom overflows");
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        RunOnce(true);
        RunOnce(false);
    }
};

/** Case A9: incast without loss; marks are counted. */
class IncastTest : public SwitchTest
{
  public:
    /** \param senders how many */
    explicit IncastTest(uint32_t senders)
        : SwitchTest("incast of " + std::to_string(senders)),
          m_senders(senders)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t FRAMES = 300;
        TestStar star(m_senders + 1, "100Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("BufferSize", UintegerValue(m_senders * 150000 + 300000));
        for (uint32_t i = 1; i <= m_senders; ++i)
        {
            star.At(MicroSeconds(1),
                    [&star, i] { star.hosts[i]->Send(0, FRAMES, 1048, DATA, ECN_ECT0, 64); });
        }
        Finish(star);
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, "no loss");
        NS_TEST_EXPECT_MSG_EQ((star.Changes(DATA).size() > 0), true, "senders were paused");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[0]->Count(DATA), m_senders * FRAMES, "delivered");
        // the output is never idle: one frame and two cables, then 85.44 ns a frame
        const double last = 1000 + 85.44 * (m_senders * FRAMES + 1) + 2000;
        NS_TEST_EXPECT_MSG_EQ_TOL(star.hosts[0]->arrivals.back().at, last, 1, "last frame");
        uint32_t marked = 0;
        for (const auto& arrival : star.hosts[0]->arrivals)
        {
            marked += arrival.header.ecn == ECN_CE;
        }
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetEcnMarks(), marked, "marks counted");
        NS_TEST_EXPECT_MSG_EQ(star.marks, marked, "marks traced");
    }

    uint32_t m_senders;
};

/** Suite roce-switch-pfc. */
class SwitchPfcTestSuite : public TestSuite
{
  public:
    SwitchPfcTestSuite()
        : TestSuite("roce-switch-pfc", TestSuite::Type::UNIT)
    {
        AddTestCase(new PriorityTest, D::QUICK);
        AddTestCase(new HeadroomTest("10Gbps", 10), D::QUICK);
        AddTestCase(new HeadroomTest("100Gbps", 100), D::QUICK);
        AddTestCase(new HeadroomTest("400Gbps", 400), D::QUICK);
        AddTestCase(new HeadroomTest("1600Gbps", 1600), D::QUICK);
        AddTestCase(new RefreshTest, D::QUICK);
        AddTestCase(new IncastTest(2), D::QUICK);
        AddTestCase(new IncastTest(16), D::QUICK);
        AddTestCase(new IncastTest(64), D::QUICK);
        AddTestCase(new IncastTest(127), D::QUICK);
    }
};

SwitchPfcTestSuite g_switchPfcTestSuite;

} // namespace
