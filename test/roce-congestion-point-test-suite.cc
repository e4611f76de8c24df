/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-recording-control.h"
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-congestion-point.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/string.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t DATA = 3;
constexpr uint64_t RATE = 100 * GBPS;

/**
 * Step marking by the queue that a frame finds or leaves. 30 frames of 1000 bytes wait for a paused
 * port: frame i found i before it and leaves 29 - i behind. K = 10000 bytes.
 */
class EcnMomentTest : public SwitchTest
{
  public:
    EcnMomentTest()
        : SwitchTest("step marking at enqueue and at dequeue")
    {
    }

  private:
    /** \param moment attribute MarkAt \param due whether frame i is to be marked */
    void RunOnce(const std::string& moment, bool (*due)(uint32_t))
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        const Ptr<EcnMarker> marker = star.sw->GetEcnMarker();
        marker->SetAttribute("Mode", StringValue("step"));
        marker->SetAttribute("MarkAt", StringValue(moment));
        marker->SetAttribute("KminBytes", UintegerValue(10000));
        star.At(MicroSeconds(0), [&] { star.hosts[1]->Pause(DATA, 65535); });
        star.At(MicroSeconds(2), [&] {
            star.hosts[0]->Send(1, 30, 1000, DATA, ECN_ECT0, 64);
            star.hosts[0]->Send(1, 30, 1000, 4, ECN_NOT_ECT, 64); // another class, not paused
        });
        star.At(MicroSeconds(30), [&] { star.hosts[1]->Pause(DATA, 0); });
        Finish(star);
        uint32_t next = 0;
        uint32_t marked = 0;
        for (const auto& arrival : star.hosts[1]->arrivals)
        {
            const bool ce = arrival.header.ecn == ECN_CE;
            marked += ce;
            if (arrival.header.priority == DATA)
            {
                NS_TEST_EXPECT_MSG_EQ(ce, due(next), moment << ": frame " << next);
                ++next;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(next, 30, "delivered");
        NS_TEST_EXPECT_MSG_EQ(marked, 19, moment << ": frames 11 to 29, or 0 to 18");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetEcnMarks(), marked, "counted");
        NS_TEST_EXPECT_MSG_EQ(star.marks, marked, "traced");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        RunOnce("enqueue", [](uint32_t i) { return i * 1000 > 10000; });
        RunOnce("dequeue", [](uint32_t i) { return (29 - i) * 1000 > 10000; });
    }
};

/**
 * CNPs of the switch reach the senders with the numbers of the queue.
 *
 * Hosts 0 and 1 send 20 packets of 1000 bytes each to host 2, whose port is paused, so that 40
 * frames wait in the order A0 B0 A1 B1...: two of 1078 bytes (RETH), then 38 of 1062. When frame i
 * leaves, 39 - i stay. Step at K = 10.5 x 1062: frames 0 to 28 are marked. P = min(i + 1, 16) / 16
 * then. A frame lasts (1062 + 20) x 8 / 100 = 86.56 ns, the first two 87.84 ns; so in 1100 ns go
 * 12.7 of them, and a flow, which has each second frame, gets a CNP for its frames 0, 14, 28 (A)
 * and 1, 15 (B); frame 29 is not marked.
 *
 * FlowsPerInterval 1 makes the interval 2 x 1100 ns for the two flows, 25.4 frames, while P is
 * below 0.95: with a window of 64 frames, of which 29 are marked at most, frames 0 and 26 (A), 1
 * and 27 (B). With a window of 16 P is 1 from frame 15 on: frame 14 is too early, 16 and 15 are
 * not.
 */
class SwitchCnpTest : public FabricTest
{
  public:
    SwitchCnpTest()
        : FabricTest("CNPs of the switch")
    {
    }

  private:
    /** \param clearBytes AllClearBytes \param flowsPerInterval the attribute */
    void RunOnce(uint64_t clearBytes, uint32_t flowsPerInterval)
    {
        helper->SetCongestionControl("ns3::roce::RecordingControl");
        helper->SetEcnAttribute("Mode", StringValue("step"));
        helper->SetEcnAttribute("KminBytes", UintegerValue(11151));
        Build(StarGraph(3, RATE, 1000));
        point = CreateObject<CongestionPoint>();
        point->SetAttribute("FirstPoint", UintegerValue(100));
        point->SetAttribute("Window", UintegerValue(window));
        point->SetAttribute("FlowsPerInterval", UintegerValue(flowsPerInterval));
        point->SetAttribute("CnpInterval", TimeValue(NanoSeconds(1100)));
        point->SetAttribute("AllClearBytes", UintegerValue(clearBytes));
        point->SetPlace(2, {7, 1, 2});
        fabric->GetSwitch(3)->AddStage(point);
        NS_TEST_EXPECT_MSG_EQ(point->GetNumPoints(), 3, "one a port");
        Open(0, 2);
        Open(1, 2);
        const Ptr<Port> last = fabric->GetPort(2, 0);
        const auto pause = [last](uint16_t quanta) {
            const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
            last->SendPause(1 << DATA, times.data(), EventCore::Get()->Now());
        };
        At(Time(0), [pause] { pause(65535); });
        At(MicroSeconds(2), [this] {
            Post(flows[0], 20000);
            Post(flows[1], 20000);
        });
        At(MicroSeconds(30), [pause] { pause(0); });
        Run();
    }

    /** \return the congestion control of a flow's sender. \param i which flow */
    Ptr<RecordingControl> ControlOf(std::size_t i) const
    {
        return DynamicCast<RecordingControl>(flows[i].pair.qp->GetCongestionControl());
    }

    /** \param i which flow \param shares of P, in parts of the window \param counts N */
    void Check(std::size_t i, const std::vector<int>& shares, const std::vector<int>& counts)
    {
        const std::vector<CnpBody>& bodies = ControlOf(i)->bodies;
        NS_TEST_EXPECT_MSG_EQ(bodies.size(), shares.size(), "CNPs to flow " << i);
        for (std::size_t k = 0; k < std::min(bodies.size(), shares.size()); ++k)
        {
            const CnpBody& body = bodies[k];
            NS_TEST_EXPECT_MSG_EQ(body.share,
                                  double(shares[k]) / window,
                                  "flow " << i << " P " << k);
            NS_TEST_EXPECT_MSG_EQ(body.flows, counts[k], "flow " << i << " N " << k);
            NS_TEST_EXPECT_MSG_EQ(body.clear, (k >= clearFrom), "flow " << i << " clear " << k);
            NS_TEST_EXPECT_MSG_EQ(body.leave, false, "nobody has been moved");
            NS_TEST_EXPECT_MSG_EQ(body.domain, 7, "place of the port");
            NS_TEST_EXPECT_MSG_EQ(body.point, 102, "100 + port 2");
            NS_TEST_EXPECT_MSG_EQ(+body.tier, 1, "tier");
            NS_TEST_EXPECT_MSG_EQ(+body.stage, 2, "stage");
            NS_TEST_EXPECT_MSG_EQ(+body.hops, 1, "one link from the sender");
            NS_TEST_EXPECT_MSG_EQ(body.rateBps, RATE, "rate of the port");
        }
    }

    void DoRun() override
    {
        clearFrom = 99;
        RunOnce(0, 4);
        Check(0, {1, 15, 16}, {1, 2, 2});
        Check(1, {2, 16}, {2, 2});
        NS_TEST_EXPECT_MSG_EQ(point->GetCnps(), 5, "sent");
        NS_TEST_EXPECT_MSG_EQ(point->GetClears(), 0, "no all-clear");
        // frames 30 to 39 are not marked: among the last 16 (24 to 39) 24 to 28 are
        NS_TEST_EXPECT_MSG_EQ(point->GetState(2, DATA).share, 5.0 / 16, "P in the end");
        NS_TEST_EXPECT_MSG_EQ(point->GetState(1, DATA).share, 0, "no data goes there");
        NS_TEST_EXPECT_MSG_EQ(point->GetState(0, DATA).domain, 0, "a port without a place");
        // the receiver, which sees CE too, has sent one each
        NS_TEST_EXPECT_MSG_EQ(ControlOf(0)->plain, 1, "plain CNP of the receiver");
        Reset();

        // frame 37 (B) leaves 2 x 1062 = 2124 bytes, frame 38 (A) 1062: all clear for both;
        // marked are 22 to 28 of the last 16 frames before 37, and 23 to 28
        clearFrom = 3;
        RunOnce(2124, 4);
        Check(0, {1, 15, 16, 6}, {1, 2, 2, 2});
        clearFrom = 2;
        Check(1, {2, 16, 7}, {2, 2, 2});
        NS_TEST_EXPECT_MSG_EQ(point->GetClears(), 2, "one a flow");
        Reset();

        clearFrom = 99;
        RunOnce(0, 1);
        Check(0, {1, 16}, {1, 2});
        Check(1, {2, 16}, {2, 2});
        Reset();
        window = 64;
        RunOnce(0, 1);
        Check(0, {1, 27}, {1, 2});
        Check(1, {2, 28}, {2, 2});
        Reset();
        RunOnce(0, 0); // never longer
        Check(0, {1, 15, 29}, {1, 2, 2});
        Check(1, {2, 16}, {2, 2});
        point = nullptr;
    }

    Ptr<CongestionPoint> point;
    std::size_t clearFrom{0};
    uint32_t window{16};
};

/**
 * READ responses: the responder is told. Host 0 reads 20000 bytes from host 1 while its own port is
 * paused, so 20 responses wait: the first and the last of 1066 bytes (AETH), the others of 1062.
 * When response i leaves, 19 - i stay; step at K = 10.5 x 1062: 0 to 8 are marked, and with
 * interval 0 each causes a CNP.
 */
class ReadCnpTest : public FabricTest
{
  public:
    ReadCnpTest()
        : FabricTest("CNPs for READ responses")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetCongestionControl("ns3::roce::RecordingControl");
        helper->SetEcnAttribute("Mode", StringValue("step"));
        helper->SetEcnAttribute("KminBytes", UintegerValue(11151));
        Build(StarGraph(2, RATE, 1000));
        auto point = CreateObject<CongestionPoint>();
        point->SetAttribute("CnpInterval", TimeValue(Time(0)));
        fabric->GetSwitch(2)->AddStage(point);
        TestFlow& flow = Open(0, 1);
        const Ptr<Port> reader = fabric->GetPort(0, 0);
        const auto pause = [reader](uint16_t quanta) {
            const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
            reader->SendPause(1 << DATA, times.data(), EventCore::Get()->Now());
        };
        At(Time(0), [pause] { pause(65535); });
        At(MicroSeconds(2), [&flow] {
            WorkRequest request;
            request.operation = Operation::READ;
            request.bytes = 20000;
            flow.pair.nic->Post(flow.pair.qp, request);
        });
        At(MicroSeconds(30), [pause] { pause(0); });
        Simulator::Run();
        CheckIdle();
        NS_TEST_EXPECT_MSG_EQ(flow.sent.size(), 1, "the READ has ended");
        const auto told =
            DynamicCast<RecordingControl>(flow.pair.peerQp->GetCongestionControl())->bodies;
        NS_TEST_EXPECT_MSG_EQ(told.size(), 9, "responses 0 to 8");
        for (std::size_t i = 0; i < told.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(told[i].share, double(i + 1) / 16, "P " << i);
            NS_TEST_EXPECT_MSG_EQ(told[i].flows, 1, "N " << i);
        }
        const auto reading = DynamicCast<RecordingControl>(flow.pair.qp->GetCongestionControl());
        NS_TEST_EXPECT_MSG_EQ(reading->bodies.size(), 0, "the reader sends no data");
    }
};

/** Frames made by hand: marked elsewhere, tags. */
class MarkedFramesTest : public SwitchTest
{
  public:
    MarkedFramesTest()
        : SwitchTest("marks of others, tags")
    {
    }

  private:
    static constexpr uint32_t SIZE = 1062;

    /** Send WRITE middle packets from host 0 to 1. \param star the network \param count packets
     *  \param ecn code point \param qp of the sender */
    static void Send(TestStar& star, uint32_t count, uint8_t ecn, uint32_t qp)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Frame* frame = EventCore::Get()->GetPool().Get();
            frame->kind = FrameKind::REQUEST;
            frame->opcode = Opcode::RC_WRITE_MIDDLE;
            frame->source = LocatorTable::BASE_ADDRESS;
            frame->destination = LocatorTable::BASE_ADDRESS + 256;
            frame->sourcePort = 50000;
            frame->destinationPort = ROCE_UDP_PORT;
            frame->hash = 1;
            frame->psn = i;
            frame->destinationQp = 0x77;
            frame->aeth = qp;
            frame->size = SIZE;
            frame->payload = 1000;
            frame->priority = DATA;
            frame->ecn = ecn;
            frame->ttl = 64;
            star.hosts[0]->port->GetTransmitter().Enqueue(frame, DATA, EventCore::Get()->Now());
        }
    }

    /** 20 frames wait for a paused port. \param star the network \param ecn code point \param qp of
     *  the sender */
    void RunPaused(TestStar& star, uint8_t ecn, uint32_t qp)
    {
        star.sw->GetEcnMarker()->SetAttribute("Mode", StringValue("step"));
        star.sw->GetEcnMarker()->SetAttribute("KminBytes", UintegerValue(5 * SIZE));
        star.At(MicroSeconds(0), [&] { star.hosts[1]->Pause(DATA, 65535); });
        star.At(MicroSeconds(2), [&star, ecn, qp] { Send(star, 20, ecn, qp); });
        star.At(MicroSeconds(30), [&] { star.hosts[1]->Pause(DATA, 0); });
        Finish(star);
    }

    /** \return a stage of a star. \param star the network \param notify attribute */
    static Ptr<CongestionPoint> Add(TestStar& star, const std::string& notify)
    {
        auto point = CreateObject<CongestionPoint>();
        point->SetAttribute("Notify", StringValue(notify));
        point->SetAttribute("CnpInterval", TimeValue(Time(0)));
        if (notify != "cnp")
        {
            point->SetTags(CreateObject<CnpTagTable>(false));
        }
        star.sw->AddStage(point);
        return point;
    }

    void RunElsewhere()
    {
        {
            TestStar star(2, "100Gbps", NanoSeconds(1000));
            Ptr<CongestionPoint> point = Add(star, "cnp");
            star.At(MicroSeconds(2), [&] { Send(star, 20, ECN_CE, 0x99); });
            Finish(star);
            NS_TEST_EXPECT_MSG_EQ(point->GetState(1, DATA).share, 0, "the queue was short");
            NS_TEST_EXPECT_MSG_EQ(point->GetCnps(), 0, "so it is another one's business");
        }
        Simulator::Destroy();
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        Ptr<CongestionPoint> point = Add(star, "cnp");
        RunPaused(star, ECN_CE, 0x99);
        // frame i leaves 19 - i behind, more than 5 up to i = 13; of the last 16 these are 4 to 13
        NS_TEST_EXPECT_MSG_EQ(point->GetState(1, DATA).share, 10.0 / 16, "P");
        NS_TEST_EXPECT_MSG_EQ(point->GetCnps(), 14, "frames 0 to 13");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetEcnMarks(), 0, "they had CE already");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[0]->arrivals.size(), 14, "CNPs come to the source");
        const Frame cnp =
            star.hosts[0]->arrivals.empty() ? Frame{} : star.hosts[0]->arrivals[0].header;
        NS_TEST_EXPECT_MSG_EQ((cnp.kind == FrameKind::CNP), true, "kind");
        NS_TEST_EXPECT_MSG_EQ(cnp.destinationQp, 0x99, "queue pair of the sender");
        NS_TEST_EXPECT_MSG_EQ(cnp.source, LocatorTable::BASE_ADDRESS + 256, "as from the receiver");
        NS_TEST_EXPECT_MSG_EQ(+cnp.priority, 6, "control class");
        NS_TEST_EXPECT_MSG_EQ(+cnp.ecn, +ECN_NOT_ECT, "not ECT");
        NS_TEST_EXPECT_MSG_EQ(+cnp.ttl, 64, "as a host sends it");
        Simulator::Destroy();
    }

    void RunUnknown()
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        Ptr<CongestionPoint> point = Add(star, "cnp");
        RunPaused(star, ECN_ECT0, 0);
        NS_TEST_EXPECT_MSG_EQ(point->GetUnknown(), 14, "nobody to tell");
        NS_TEST_EXPECT_MSG_EQ(point->GetCnps(), 0, "no CNP");
        Simulator::Destroy();
    }

    void RunTags()
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        Ptr<CongestionPoint> point = Add(star, "tag");
        RunPaused(star, ECN_ECT0, 0x99);
        NS_TEST_EXPECT_MSG_EQ(point->GetCnps(), 0, "the receiver's business");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->arrivals.size(), 20, "delivered");
        std::vector<uint8_t> bytes;
        std::vector<uint8_t> plain;
        for (uint32_t i = 0; i < star.hosts[1]->arrivals.size(); ++i)
        {
            Frame frame = star.hosts[1]->arrivals[i].header;
            const bool marked = i <= 13;
            FrameCodec::Encode(frame, bytes);
            // Ethernet 14, IPv4 20, UDP 8, then byte 4 of the BTH: FECN, BECN and 6 bits
            NS_TEST_EXPECT_MSG_EQ(+bytes[46], (marked ? 2 : 0), "port 1 has the second tag");
            NS_TEST_EXPECT_MSG_EQ((frame.ecn == ECN_CE), marked, "frame " << i);
            frame.flags &= ~FRAME_TAGGED;
            FrameCodec::Encode(frame, plain);
            NS_TEST_EXPECT_MSG_EQ(+plain[46], 0, "no tag");
            bytes[46] = 0;
            NS_TEST_EXPECT_MSG_EQ((bytes == plain), true, "the ICRC does not know of tags");
        }
        Simulator::Destroy();
    }

    void RunRefused()
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        auto point = CreateObject<CongestionPoint>();
        point->SetAttribute("FirstPoint", UintegerValue(65535));
        star.sw->AddStage(point);
        std::string text;
        try
        {
            star.sw->Freeze();
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        for (const char* part : {"65535 to 65536", "FirstPoint"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in: " << text);
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        RunElsewhere();
        RunUnknown();
        RunTags();
        RunRefused();
    }
};

/** Marking moments, congestion points. */
class CongestionPointSuite : public TestSuite
{
  public:
    CongestionPointSuite()
        : TestSuite("roce-congestion-point", TestSuite::Type::UNIT)
    {
        AddTestCase(new EcnMomentTest, D::QUICK);
        AddTestCase(new SwitchCnpTest, D::QUICK);
        AddTestCase(new ReadCnpTest, D::QUICK);
        AddTestCase(new MarkedFramesTest, D::QUICK);
    }
};

CongestionPointSuite g_congestionPointSuite; //!< registers the suite

} // namespace
