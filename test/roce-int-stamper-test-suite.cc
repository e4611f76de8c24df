/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-recording-control.h"
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-event-core.h"
#include "ns3/roce-hpcc-int.h"
#include "ns3/roce-int-md.h"
#include "ns3/roce-int-stamper.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Host 0, switches 2 and 3, host 1, with a stamper at each switch. */
class IntTest : public FabricTest
{
  public:
    explicit IntTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    /** \param rates of the three links \param layout attribute, or "" for no stampers \param count
     *  attribute CountBytes \param mtu payload of a packet */
    void BuildChain(const std::vector<uint64_t>& rates,
                    const std::string& layout,
                    bool count,
                    uint32_t mtu = 1000)
    {
        helper->SetCongestionControl("ns3::roce::RecordingControl");
        helper->SetNicAttribute("AckInterval", UintegerValue(1));
        helper->SetNicAttribute("PathMtu", UintegerValue(mtu));
        Build(ChainGraph(rates, 1000));
        stampers.clear();
        for (uint32_t id : {2, 3})
        {
            if (!layout.empty())
            {
                auto stamper = CreateObject<IntStamper>();
                stamper->SetAttribute("Layout", StringValue(layout));
                stamper->SetAttribute("CountBytes", BooleanValue(count));
                fabric->GetSwitch(id)->AddStage(stamper);
                stampers.push_back(stamper);
            }
        }
        Open(0, 1);
        control = DynamicCast<RecordingControl>(flows[0].pair.qp->GetCongestionControl());
    }

    /** Run, and all records must have been given back. */
    void Finish()
    {
        Run();
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetRecords().GetLive(), 0, "records");
    }

    /** \return bytes that a port has sent before frame j: one of 1078 (RETH), then 1062 each.
     *  \param j number */
    static uint64_t SentBefore(uint64_t j)
    {
        return j == 0 ? 0 : 1078 + (j - 1) * 1062;
    }

    /**
     * \return when frame j begins to leave switch 3. Links of 100, 100 and 50 Gb/s and 1 us. A
     * frame lasts (1062 + 20) x 8 / 100 = 86.56 ns at 100 and 173.12 ns at 50 Gb/s, the first 87.84
     * and 175.68 ns. \param j number
     */
    static double LeavesSecond(uint64_t j)
    {
        return 2 * (87.84 + 1000) + (j == 0 ? 0 : 175.68 + double(j - 1) * 173.12);
    }

    /**
     * Frames come to switch 3 twice as fast as they leave: when frame j leaves, (175.68 + (j - 1) x
     * 173.12) / 86.56 = 2 j + 0.03 frames have come after frame 0.
     * \return frames that wait behind frame j of n \param j number \param n frames
     */
    static uint64_t Behind(uint64_t j, uint64_t n)
    {
        return j == 0 ? 0 : std::min(2 * j + 1, n) - (j + 1);
    }

    std::vector<Ptr<IntStamper>> stampers;
    Ptr<RecordingControl> control;
};

/** HPCC: queue, bytes, time and rate of two hops, by arithmetic. */
class HpccChainTest : public IntTest
{
  public:
    HpccChainTest()
        : IntTest("HPCC layout over two switches")
    {
    }

  private:
    void CheckHop(const HpccIntHop& hop, uint64_t rate, uint64_t j, uint64_t queue, double at)
    {
        NS_TEST_EXPECT_MSG_EQ(hop.GetRate(), rate * GBPS, "rate");
        NS_TEST_EXPECT_MSG_EQ(hop.bytes, SentBefore(j) / 128, "bytes, frame " << j);
        NS_TEST_EXPECT_MSG_EQ(hop.queue, queue / 80, "queue, frame " << j);
        NS_TEST_EXPECT_MSG_LT(std::abs(hop.time - at), 1.5, "time, frame " << j);
    }

    void RunOnce(const std::string& layout)
    {
        constexpr uint64_t N = 60;
        BuildChain({100 * GBPS, 100 * GBPS, 50 * GBPS}, layout, false);
        Post(flows[0], N * 1000);
        Finish();
        NS_TEST_EXPECT_MSG_EQ(control->records.size(), N, "one an ACK");
        NS_TEST_EXPECT_MSG_EQ(control->acks, N, "each ACK has one");
        for (uint64_t j = 0; j < control->records.size(); ++j)
        {
            const IntRecord& record = control->records[j];
            NS_TEST_EXPECT_MSG_EQ(record.GetHops(), 2, "two switches");
            NS_TEST_EXPECT_MSG_EQ(record.counted, 0, "not counted");
            // at switch 2 frames leave as they come; the first, longer one delays the others
            const double first = 87.84 + 1000 + (j == 0 ? 0 : 87.84 + double(j - 1) * 86.56);
            CheckHop(record.hpcc.GetHop(0), 100, j, 0, first);
            CheckHop(record.hpcc.GetHop(1), 50, j, Behind(j, N) * 1062, LeavesSecond(j));
        }
        NS_TEST_EXPECT_MSG_EQ(stampers[0]->GetStamps(), N, "stamps");
        NS_TEST_EXPECT_MSG_EQ(stampers[0]->GetSkipped(), 0, "none skipped");
        Reset();
    }

    void DoRun() override
    {
        RunOnce("hpcc");
        RunOnce("hpcc-extended");
        std::string text;
        try
        {
            BuildChain({100 * GBPS, 800 * GBPS, 100 * GBPS}, "hpcc", false);
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        for (const char* part : {"switch 2 port 1", "800000"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in: " << text);
        }
    }
};

/** INT-MD: the latest hop first, exact bytes and times. */
class IntMdChainTest : public IntTest
{
  public:
    IntMdChainTest()
        : IntTest("INT-MD layout over two switches")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 40;
        BuildChain({100 * GBPS, 100 * GBPS, 50 * GBPS}, "int-md", false);
        Post(flows[0], N * 1000);
        Finish();
        NS_TEST_EXPECT_MSG_EQ(control->records.size(), N, "one an ACK");
        for (uint64_t j = 0; j < control->records.size(); ++j)
        {
            const IntRecord& record = control->records[j];
            NS_TEST_EXPECT_MSG_EQ(record.GetHops(), 2, "two switches");
            if (record.GetHops() != 2)
            {
                break;
            }
            const IntMdHop& last = record.md.hops[0];
            NS_TEST_EXPECT_MSG_EQ(last.nodeId, 3, "the last switch");
            NS_TEST_EXPECT_MSG_EQ(last.ingressPort, 0, "from switch 2");
            NS_TEST_EXPECT_MSG_EQ(last.egressPort, 1, "to host 1");
            NS_TEST_EXPECT_MSG_EQ(+last.queueId, 3, "priority of data");
            NS_TEST_EXPECT_MSG_EQ(last.queueOccupancy, Behind(j, N) * 1062, "queue, frame " << j);
            NS_TEST_EXPECT_MSG_LT(std::abs(double(last.egressTime) - LeavesSecond(j)),
                                  1.5,
                                  "time, frame " << j);
            NS_TEST_EXPECT_MSG_EQ(
                (last.domain == std::vector<uint32_t>{50000, uint32_t(SentBefore(j))}),
                true,
                "Mb/s and bytes, frame " << j);
            NS_TEST_EXPECT_MSG_EQ(record.md.hops[1].nodeId, 2, "the first switch");
            NS_TEST_EXPECT_MSG_EQ(record.md.hops[1].domain.at(0), 100000, "Mb/s");
            std::vector<uint8_t> bytes;
            IntMd(record.md).Encode(bytes); // has a wire form: 16 bytes, and 7 words a hop
            NS_TEST_EXPECT_MSG_EQ(bytes.size(), 16 + 2 * 28, "bytes");
        }
    }
};

/** Frames and their ACKs grow by what is counted. */
class CountBytesTest : public IntTest
{
  public:
    CountBytesTest()
        : IntTest("bytes that telemetry takes")
    {
    }

  private:
    /** \param layout attribute \param count CountBytes \param data bytes of a full frame at host 1
     *  \param ack bytes of an ACK at host 0 */
    void RunOnce(const std::string& layout, bool count, uint32_t data, uint32_t ack)
    {
        std::map<std::pair<FrameKind, uint32_t>, uint32_t> sizes;
        BuildChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, layout, count);
        for (uint32_t host : {0, 1})
        {
            fabric->GetPort(host, 0)->SetReceiveFilter([&sizes](const Frame& frame) {
                ++sizes[{frame.kind, frame.size}];
                return false;
            });
        }
        Post(flows[0], 10000);
        Finish();
        NS_TEST_EXPECT_MSG_EQ(sizes.size(), 3, layout << ": first, other data, ACK");
        const uint32_t other = sizes[{FrameKind::REQUEST, data}];
        const uint32_t first = sizes[{FrameKind::REQUEST, data + 16}];
        NS_TEST_EXPECT_MSG_EQ(other, 9, layout << ": data of " << data);
        NS_TEST_EXPECT_MSG_EQ(first, 1, layout << ": the first has a RETH");
        const uint32_t acks = sizes[{FrameKind::ACK, ack}];
        NS_TEST_EXPECT_MSG_EQ(acks, 10, layout << ": ACKs of " << ack);
        Reset();
    }

    void DoRun() override
    {
        checkIdeal = false; // FrameSizes does not know of bytes that switches add
        RunOnce("", true, 1062, 66);
        RunOnce("hpcc", false, 1062, 66);
        RunOnce("hpcc", true, 1062 + 42, 66 + 42);
        RunOnce("hpcc-extended", true, 1062 + 62, 66 + 62);
        RunOnce("int-md", true, 1062 + 16 + 2 * 28, 66 + 16 + 2 * 28);
        helper->SetFrameSizes(FrameSizes().WithInt(HpccInt::ARTIFACT_BYTES));
        RunOnce("hpcc", false, 1062 + 42, 66 + 42);
    }
};

/** Time and bytes wrap: sums of differences are right. */
class WrapTest : public IntTest
{
  public:
    WrapTest()
        : IntTest("counters wrap")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 51200;
        BuildChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, "hpcc", false, 4096);
        Post(flows[0], N * 4096);
        Finish();
        NS_TEST_EXPECT_MSG_EQ(control->records.size(), N, "one an ACK");
        uint64_t bytes = 0;
        uint64_t time = 0;
        uint32_t wraps = 0;
        for (uint64_t j = 1; j < control->records.size(); ++j)
        {
            const HpccIntHop& older = control->records[j - 1].hpcc.GetHop(1);
            const HpccIntHop& newer = control->records[j].hpcc.GetHop(1);
            bytes += newer.BytesDelta(older, 1);
            time += newer.TimeDelta(older);
            wraps += (newer.bytes < older.bytes) + (newer.time < older.time);
        }
        // the first frame has 4096 + 62 + 16 = 4174 bytes, the others 4158: before the last one
        // 4174 + 51198 x 4158 = 212885458, in units of 128 rounded down. They leave back to back:
        // (4174 + 20) x 0.08 = 335.52 ns, then 334.24 ns each
        NS_TEST_EXPECT_MSG_EQ(bytes, 212885458 / 128 * 128, "sum of bytes");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(time), 335.52 + 51198 * 334.24, 1.5, "sum of times");
        // 2^27 bytes go once into these, and 2^24 ns once
        NS_TEST_EXPECT_MSG_EQ(wraps, 2, "one of each");
    }
};

/** Without stampers there are no records, and nothing else changes with them. */
class NoTelemetryTest : public IntTest
{
  public:
    NoTelemetryTest()
        : IntTest("no stamper, no cost")
    {
    }

  private:
    /** \return FCT. \param layout attribute or "" */
    Tick RunOnce(const std::string& layout)
    {
        BuildChain({100 * GBPS, 100 * GBPS, 50 * GBPS}, layout, false);
        Post(flows[0], 100000);
        Finish();
        made = EventCore::Get()->GetPool().GetRecords().GetAllocated();
        const Tick fct = flows[0].Fct();
        kept = control->records.size();
        control = nullptr;
        Reset();
        return fct;
    }

    void DoRun() override
    {
        const Tick without = RunOnce("");
        NS_TEST_EXPECT_MSG_EQ(made, 0, "no record is made");
        NS_TEST_EXPECT_MSG_EQ(kept, 0, "none arrives");
        const Tick with = RunOnce("hpcc");
        NS_TEST_EXPECT_MSG_EQ(with, without, "the same time");
        NS_TEST_EXPECT_MSG_EQ(kept, 100, "each ACK");
        NS_TEST_EXPECT_MSG_GT(made, 0, "records are made");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(made, 100, "and used again");
    }

    uint64_t made{0};
    std::size_t kept{0};
};

/** Telemetry. */
class IntStamperSuite : public TestSuite
{
  public:
    IntStamperSuite()
        : TestSuite("roce-int-stamper", TestSuite::Type::UNIT)
    {
        AddTestCase(new HpccChainTest, D::QUICK);
        AddTestCase(new IntMdChainTest, D::QUICK);
        AddTestCase(new CountBytesTest, D::QUICK);
        AddTestCase(new WrapTest, D::QUICK);
        AddTestCase(new NoTelemetryTest, D::QUICK);
    }
};

IntStamperSuite g_intStamperSuite; //!< registers the suite

} // namespace
