/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/roce-tcp-message-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint16_t PORT = 5000;
constexpr double NS_PER_BYTE = 0.08; //!< at 100 Gb/s
/** Full segment on the wire: 1448 + TCP 20 + IPv4 20 + Ethernet 18 + preamble and gap 20. */
constexpr double SEGMENT_NS = 1526 * NS_PER_BYTE;

/** Streams over a fabric of 100 Gb/s. */
class BesideTest : public TestCase
{
  public:
    explicit BesideTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** Build. \param clos the fabric \param roce makes it */
    void Build(ClosHelper clos, RoceHelper& roce)
    {
        clos.SetHostLinks("100Gbps", "100ns");
        m_fabric = clos.Install(roce);
        roce.AssignStreams(m_fabric, 1);
        roce.InstallInternet(m_fabric);
    }

    /** Send messages. \param from host \param to host \param bytes of each \param count how many
     *  \param options of TCP \param at when to begin */
    void AddTcp(uint32_t from,
                uint32_t to,
                uint64_t bytes,
                uint64_t count,
                const TcpOptions& options,
                Time at = Time(0))
    {
        const uint16_t port = static_cast<uint16_t>(PORT + from);
        m_streams.push_back(Create<TcpMessageStream>(m_fabric, from, to, port, bytes, options));
        TcpMessageStream* stream = PeekPointer(m_streams.back());
        stream->Start(at, [stream, count]() { return stream->GetEnded() < count; });
    }

    /** All messages came, whole and no more. \param bytes of each \param count of each stream */
    void ExpectAll(uint64_t bytes, uint64_t count)
    {
        for (const auto& stream : m_streams)
        {
            NS_TEST_EXPECT_MSG_EQ(stream->GetSent(), count, "messages sent");
            NS_TEST_EXPECT_MSG_EQ(stream->GetEnded(), count, "messages acknowledged");
            NS_TEST_EXPECT_MSG_EQ(stream->GetMessages().size(), count, "messages that arrived");
            NS_TEST_EXPECT_MSG_EQ(stream->GetBytesRead(), bytes * count, "bytes");
            NS_TEST_EXPECT_MSG_EQ(stream->HasFailed(), false, "connection");
        }
    }

    /** \return frames that switches dropped. \param reason why */
    uint64_t GetDrops(DropReason reason) const
    {
        uint64_t drops = 0;
        for (uint32_t id : m_fabric->GetGraph().Switches())
        {
            drops += m_fabric->GetSwitch(id)->GetDrops(reason);
        }
        return drops;
    }

    /** The lossless class has not felt TCP. */
    void ExpectLosslessIdle()
    {
        NS_TEST_EXPECT_MSG_EQ(GetDrops(DropReason::LOSSLESS_BUFFER), 0, "lossless drops");
        for (uint32_t id : m_fabric->GetGraph().Switches())
        {
            const Ptr<Switch> device = m_fabric->GetSwitch(id);
            for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
            {
                NS_TEST_EXPECT_MSG_EQ(device->GetPfcController()->GetXoffs(p), 0, "XOFF of " << p);
            }
            NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetPool(true).peak, 0, "lossless pool");
            NS_TEST_EXPECT_MSG_EQ(device->CheckInvariants(), "", "switch " << id);
        }
    }

    /** \return time to data in ns. \param stream which \param message which */
    double GetTtd(std::size_t stream, std::size_t message) const
    {
        const auto& times = m_streams.at(stream)->GetMessages().at(message);
        return (times.arrived - times.sent).ToDouble(Time::NS);
    }

    void DoTeardown() override
    {
        m_streams.clear();
        m_fabric = nullptr;
        Simulator::Destroy();
    }

    Ptr<Fabric> m_fabric;
    std::vector<Ptr<TcpMessageStream>> m_streams;
};

/** Times of a connection that is alone, from arithmetic. */
class LoneTest : public BesideTest
{
  public:
    LoneTest()
        : BesideTest("TCP alone: time to data by hand")
    {
    }

  private:
    void DoRun() override
    {
        ClosHelper clos(2, 1, 2);
        clos.SetFabricLinks("100Gbps", "400ns");
        RoceHelper roce;
        Build(clos, roce);
        AddTcp(0, 2, 4000000, 2, {});
        AddTcp(1, 3, 1448, 1, {}, MilliSeconds(1)); // 8 MB take 680 us
        Simulator::Run();
        // cables: 100 + 400 + 400 + 100 ns. One segment, store and forward over four links
        NS_TEST_EXPECT_MSG_EQ_TOL(GetTtd(1, 0), 1000 + 4 * SEGMENT_NS, 8, "one segment");
        // 4,000,000 = 2762 x 1448 + 624. The last full segment follows 2761 others on the first
        // link and takes three links more; the rest, 624 + 78 bytes, comes right behind it
        const double pipe = 1000 + (2762 + 3) * SEGMENT_NS + 702 * NS_PER_BYTE;
        // by the second message the window is larger than a message: no gap at all
        NS_TEST_EXPECT_MSG_EQ_TOL(GetTtd(0, 1), pipe, 8, "window open");
        // slow start: ACKs (64 + 20 bytes) come after one round trip; 10 segments do not last that
        // long, nor do the 20 of the next round; the 40 of the third do
        const double rtt = 2 * 1000 + 4 * SEGMENT_NS + 4 * 84 * NS_PER_BYTE;
        const double gaps = (rtt - 10 * SEGMENT_NS) + (rtt - 20 * SEGMENT_NS);
        NS_TEST_EXPECT_MSG_GT(40 * SEGMENT_NS, rtt, "third round");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetTtd(0, 0), pipe + gaps, 16, "slow start");
        NS_TEST_EXPECT_MSG_EQ(m_streams[0]->GetSegments(), 2 * 2763, "segments");
        NS_TEST_EXPECT_MSG_EQ(m_streams[0]->GetRetransmissions(), 0, "none is repeated");
        NS_TEST_EXPECT_MSG_EQ(m_streams[0]->GetBytesRead(), 8000000, "bytes");
        NS_TEST_EXPECT_MSG_EQ(GetDrops(DropReason::LOSSY_BUFFER), 0, "drops");
        ExpectLosslessIdle();
    }
};

/** DCTCP as published: full rate, queue at the threshold, nothing lost. */
class DctcpTest : public BesideTest
{
  public:
    DctcpTest()
        : BesideTest("DCTCP: rate, marks and queue")
    {
    }

  private:
    static constexpr uint32_t SENDERS = 4;
    static constexpr uint64_t BYTES = 2000000;
    static constexpr uint64_t COUNT = 6;
    static constexpr uint64_t MARK = 100000;

    /** Look at the queue of the receiver, while all send and slow start is long over. */
    void Sample()
    {
        const Ptr<Switch> leaf = m_fabric->GetSwitch(SENDERS + 1);
        const Port* port = m_fabric->GetPort(SENDERS, 0)->GetPeer();
        m_peak = std::max(m_peak, port->GetTransmitter().GetQueueBytes(0));
        m_least = std::min(m_least, port->GetTransmitter().GetQueueBytes(0));
        m_marks = leaf->GetEcnMarks();
        if (Simulator::Now() < MilliSeconds(3))
        {
            Simulator::Schedule(NanoSeconds(100), &DctcpTest::Sample, this);
        }
    }

    void DoRun() override
    {
        RoceHelper roce;
        roce.SetEcnAttribute("Mode", StringValue("step"));
        roce.SetEcnAttribute("MarkAt", StringValue("enqueue"));
        roce.SetEcnAttribute("KminBytes", UintegerValue(MARK));
        Build(ClosHelper(1, 0, SENDERS + 1), roce);
        TcpOptions options;
        options.law = "ns3::TcpDctcp";
        options.ecn = true;
        for (uint32_t i = 0; i < SENDERS; ++i)
        {
            AddTcp(i, SENDERS, BYTES, COUNT, options);
        }
        Simulator::Schedule(MilliSeconds(1), &DctcpTest::Sample, this);
        Simulator::Run();
        ExpectAll(BYTES, COUNT);
        NS_TEST_EXPECT_MSG_GT(m_marks, 0, "marks");
        NS_TEST_EXPECT_MSG_EQ(GetDrops(DropReason::LOSSY_BUFFER), 0, "drops");
        // 48 MB take 3.84 ms at line rate; 90 % of line rate: published 10:1 runs reach it
        // (Alizadeh et al., SIGCOMM 2010, 4.1)
        Time last;
        for (const auto& stream : m_streams)
        {
            last = std::max(last, stream->GetMessages().back().arrived);
        }
        const double bytes = double(SENDERS * BYTES * COUNT);
        NS_TEST_EXPECT_MSG_LT(last.ToDouble(Time::NS), bytes * NS_PER_BYTE / 0.9, "rate");
        // there, eq. 4: at most K + N segments for marks that act at once and windows that grow
        // evenly. Here N more as they act a round trip later, when the window has shrunk segment by
        // segment, and N more for segments of all senders that arrive together
        NS_TEST_EXPECT_MSG_LT(m_peak, MARK + 3 * SENDERS * 1506, "longest queue");
        // there, 3.4: with K > C x RTT / 7 it does not run empty: here 12.5 x 0.9 us / 7 = 2 kB
        NS_TEST_EXPECT_MSG_GT(m_least, 0, "the link always has work");
        ExpectLosslessIdle();
    }

    uint64_t m_peak{0};
    uint64_t m_least{UINT64_MAX};
    uint64_t m_marks{0};
};

/** Losses of TCP are TCP's alone. */
class LossTest : public BesideTest
{
  public:
    LossTest()
        : BesideTest("TCP loses, repeats, and delivers all; lossless stays idle")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        roce.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        roce.SetSwitchAttribute("LossyPoolFraction", DoubleValue(0.1));
        Build(ClosHelper(1, 0, 5), roce);
        TcpOptions options;
        options.minRto = MilliSeconds(1);
        for (uint32_t i = 0; i < 4; ++i)
        {
            AddTcp(i, 4, 1000000, 3, options);
        }
        Simulator::Run();
        ExpectAll(1000000, 3);
        uint64_t repeated = 0;
        for (const auto& stream : m_streams)
        {
            repeated += stream->GetRetransmissions();
        }
        // slow start doubles until something is lost, and the pool is below 100 kB
        NS_TEST_EXPECT_MSG_GT(GetDrops(DropReason::LOSSY_BUFFER), 0, "drops");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(repeated, GetDrops(DropReason::LOSSY_BUFFER), "repeated");
        ExpectLosslessIdle();
    }
};

/** RoCE alone and with TCP to the same host. */
class MixedTest : public BesideTest
{
  public:
    MixedTest()
        : BesideTest("RoCE beside TCP: strict priority costs it a frame")
    {
    }

  private:
    /** \return time to data of RoCE in ns. \param tcp whether TCP is there */
    double Run(bool tcp)
    {
        RoceHelper roce;
        roce.SetCongestionControl("none");
        Build(ClosHelper(1, 0, 3), roce);
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(m_fabric);
        const Connection connection = m_fabric->Connect(0, 2);
        // after 300 us TCP has a queue; it sends 2 MB before, with and after RoCE
        Simulator::ScheduleWithContext(0, MicroSeconds(300), [&connection]() {
            WorkRequest request;
            request.bytes = 1000000;
            connection.nic->Post(connection.qp, request);
        });
        if (tcp)
        {
            AddTcp(1, 2, 2000000, 5, {});
        }
        Simulator::Run();
        if (tcp)
        {
            ExpectAll(2000000, 5);
        }
        NS_TEST_EXPECT_MSG_EQ(monitor->GetMessages().size(), 1, "RoCE completes");
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetNic(2)->GetCounters().bytesDelivered, 1000000, "RoCE");
        NS_TEST_EXPECT_MSG_EQ(GetDrops(DropReason::LOSSLESS_BUFFER), 0, "lossless drops");
        const MessageRecord record = monitor->GetMessages().at(0);
        monitor = nullptr;
        DoTeardown();
        return double(record.arrived - record.posted) * 1e9 / double(TicksPerSecond());
    }

    void DoRun() override
    {
        const double alone = Run(false);
        const double beside = Run(true);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(beside, alone, "TCP does not speed RoCE up");
        // RoCE comes at line rate and has the higher priority: once it has begun, TCP's frames wait
        // until it ends. It waits itself for the frame that is being sent when it comes
        NS_TEST_EXPECT_MSG_LT_OR_EQ(beside, alone + SEGMENT_NS + 2, "one frame in the way");
    }
};

/** Suite roce-tcp-beside. */
class TcpBesideTestSuite : public TestSuite
{
  public:
    TcpBesideTestSuite()
        : TestSuite("roce-tcp-beside", TestSuite::Type::UNIT)
    {
        AddTestCase(new LoneTest, D::QUICK);
        AddTestCase(new DctcpTest, D::QUICK);
        AddTestCase(new LossTest, D::QUICK);
        AddTestCase(new MixedTest, D::QUICK);
    }
};

TcpBesideTestSuite g_tcpBesideTestSuite;

} // namespace
