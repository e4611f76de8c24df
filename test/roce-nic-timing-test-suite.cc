/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-event-core.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;

/** A4: sizes around multiples of the payload, jumbo and tiny ones. */
class SizesTest : public FabricTest
{
  public:
    /** \param mtu payload of a full packet */
    explicit SizesTest(uint32_t mtu)
        : FabricTest("A4: sizes around multiples of " + std::to_string(mtu)),
          m_mtu(mtu)
    {
    }

  private:
    /** \param bytes length \param control congestion control */
    void RunOnce(uint64_t bytes, const std::string& control)
    {
        helper->SetCongestionControl(control);
        helper->SetNicAttribute("PathMtu", UintegerValue(m_mtu));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        uint64_t payload = 0;
        uint64_t packets = 0;
        uint64_t pad = 0;
        fabric->GetPort(1, 0)->SetReceiveFilter([&](const Frame& frame) {
            payload += frame.payload;
            pad += frame.size - frame.payload - 62u - (packets == 0 ? 16u : 0u);
            ++packets;
            return false;
        });
        Post(flow, bytes);
        Run();
        const std::string name = std::to_string(bytes) + " bytes, " + control;
        NS_TEST_EXPECT_MSG_EQ(payload, bytes, name << ": payload");
        NS_TEST_EXPECT_MSG_EQ(packets, (bytes + m_mtu - 1) / m_mtu, name << ": packets");
        // only the last packet can be padded here, as each full payload is a multiple of 4
        NS_TEST_EXPECT_MSG_EQ(pad, (4 - bytes % m_mtu % 4) % 4, name << ": pad");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()),
                                  TestEqualCompletionNs(2, RATE, 1000, bytes, m_mtu),
                                  1.0,
                                  name << ": completion");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.arrived.at(0).completed),
                                  TestEqualArrivalNs(2, RATE, 1000, bytes, m_mtu),
                                  1.0,
                                  name << ": arrival");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).naksReceived, 0, name << ": nothing is misread");
        Reset();
    }

    void DoRun() override
    {
        const uint64_t p = m_mtu;
        for (uint64_t bytes : {uint64_t(1),
                               uint64_t(3),
                               p - 1,
                               p,
                               p + 1,
                               2 * p - 1,
                               uint64_t(1000000),
                               uint64_t(1000001)})
        {
            RunOnce(bytes, "none");
            RunOnce(bytes, "dcqcn");
        }
    }

    uint32_t m_mtu;
};

/** A4: the numbers published with the case, which have no RETH. */
class PublishedTest : public FabricTest
{
  public:
    PublishedTest()
        : FabricTest("A4: published arrival times")
    {
    }

  private:
    /** \param bytes length \param overhead of the link \param pad on the wire \param least frame
     *  \param expected ns */
    void RunOnce(uint64_t bytes, uint32_t overhead, bool pad, uint32_t least, double expected)
    {
        FrameSizes sizes;
        sizes.rethBytes = 0;
        sizes.pad = pad;
        sizes.minBytes = least;
        helper->SetFrameSizes(sizes);
        helper->SetPortAttribute("Overhead", UintegerValue(overhead));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        Post(flow, bytes);
        Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.arrived.at(0).completed),
                                  expected,
                                  1.0,
                                  bytes << " bytes, overhead " << overhead << ", pad " << pad);
        Reset();
    }

    void DoRun() override
    {
        // two links of 80 ps a byte and 1000 ns: total + longest packet + 2000 ns
        RunOnce(1, 0, false, 0, 2010.08);
        RunOnce(999, 0, false, 0, 2169.76);
        RunOnce(1000, 0, false, 0, 2169.92);
        RunOnce(1001, 0, false, 0, 2174.96);
        RunOnce(1000000, 0, false, 0, 87044.96);
        RunOnce(1000001, 0, false, 0, 87050.00);
        RunOnce(1, 20, false, 0, 2013.28);
        RunOnce(999, 20, false, 0, 2172.96);
        RunOnce(1000, 20, false, 0, 2173.12);
        RunOnce(1001, 20, false, 0, 2179.76);
        RunOnce(1000000, 20, false, 0, 88646.56);
        RunOnce(1000001, 20, false, 0, 88653.20);
        RunOnce(1, 0, true, 0, 2010.56);
        RunOnce(999, 0, true, 0, 2169.92);
        RunOnce(1001, 0, true, 0, 2175.20);
        RunOnce(1000001, 0, true, 0, 87050.24);
        RunOnce(1, 0, false, 64, 2010.24);
        RunOnce(0, 0, false, 64, 2010.24);
    }
};

/** A lone flow, and A11: DCQCN at any rate. */
class RatesTest : public FabricTest
{
  public:
    /** \param control congestion control */
    explicit RatesTest(const std::string& control)
        : FabricTest("A11: a lone flow at all rates, " + control),
          m_control(control)
    {
    }

  private:
    void RunOnce(uint64_t gbps, uint64_t bytes)
    {
        const uint64_t rate = gbps * GBPS;
        helper->SetCongestionControl(m_control);
        helper->SetNicAttribute("PathMtu", UintegerValue(4096));
        Build(StarGraph(2, rate, 1000));
        TestFlow& flow = Open(0, 1);
        Post(flow, bytes);
        Run();
        const std::string name = std::to_string(gbps) + "G, " + std::to_string(bytes) + " bytes";
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()),
                                  TestEqualCompletionNs(2, rate, 1000, bytes, 4096),
                                  1.0,
                                  name);
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).cnpsSent, 0, name << ": no queue, no CNP");
        // Kmin 400 and Kmax 1600 KB at 100G, in proportion to the rate
        const EcnThresholds ecn = fabric->GetSwitch(2)->GetEcnMarker()->GetThresholds(rate);
        NS_TEST_EXPECT_MSG_EQ(ecn.kmin, 4000 * gbps, name << ": Kmin");
        NS_TEST_EXPECT_MSG_EQ(ecn.kmax, 16000 * gbps, name << ": Kmax");
        Reset();
    }

    void DoRun() override
    {
        for (uint64_t gbps : {1, 10, 25, 40, 100, 200, 400, 800, 1600})
        {
            for (uint64_t bytes : {1, 1000, 4096, 1000000, 10000000})
            {
                RunOnce(gbps, bytes);
            }
        }
    }

    std::string m_control;
};

/** Sends frames back to back, and notes the last that arrives at the far end. */
class FrameSource : public PortOwner
{
  public:
    /** \param rate bit/s \param count frames \param size bytes of each */
    FrameSource(uint64_t rate, uint32_t count, uint16_t size)
        : m_left(count),
          m_size(size)
    {
        for (auto& port : ports)
        {
            port = CreateObject<Port>();
            port->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
        }
        ports[0]->Assemble(this, 0, Transmitter::NIC);
        ports[1]->Assemble(this, 1, Transmitter::NIC);
        cable->SetAttribute("Delay", TimeValue(NanoSeconds(0)));
        cable->Connect(ports[0], ports[1]);
    }

    ~FrameSource() override
    {
        for (auto& port : ports)
        {
            port->Dispose();
        }
    }

    bool Pull(uint32_t port, Tick now) override
    {
        if (port != 0 || m_left == 0)
        {
            return false;
        }
        Frame* frame = EventCore::Get()->GetPool().Get();
        frame->kind = FrameKind::REQUEST;
        frame->size = m_size;
        ports[0]->GetTransmitter().Start(frame, now, 0);
        return --m_left > 0;
    }

    void Receive(Frame* frame, uint32_t, Tick now) override
    {
        last = now;
        ++received;
        EventCore::Get()->GetPool().Free(frame);
    }

    Ptr<Port> ports[2];                       //!< the ends
    Ptr<Cable> cable = CreateObject<Cable>(); //!< between them
    Tick last{0};                             //!< arrival of the last frame
    uint64_t received{0};                     //!< frames

  private:
    uint32_t m_left;
    uint16_t m_size;
};

/** A million frames last what their bits last. */
class BackToBackTest : public FabricTest
{
  public:
    BackToBackTest()
        : FabricTest("back-to-back frames take exact time")
    {
    }

  private:
    void RunOnce(uint64_t gbps, uint16_t size, uint32_t count)
    {
        FrameSource source(gbps * GBPS, count, size);
        At(NanoSeconds(0), [&] { source.ports[0]->GetTransmitter().Kick(0); });
        Simulator::Run();
        const std::string name = std::to_string(gbps) + "G, " + std::to_string(size) + " bytes";
        NS_TEST_EXPECT_MSG_EQ(source.received, count, name);
        // whole nanoseconds of count * (size + 20) * 8 bits at gbps bits a nanosecond
        const uint64_t bits = uint64_t(count) * (size + 20) * 8;
        NS_TEST_EXPECT_MSG_EQ(source.last, static_cast<Tick>(bits / gbps), name);
        Simulator::Destroy();
    }

    void DoRun() override
    {
        for (uint64_t gbps : {1, 10, 25, 40, 50, 56, 100, 200, 400, 800, 1600})
        {
            RunOnce(gbps, 1063, 1000000);
            RunOnce(gbps, 4158, 10007);
            RunOnce(gbps, 64, 10007); // at 1600G 0.42 ns: several in one tick
        }
    }
};

/** A17: the ideal is what a lone flow takes, also over links of mixed rates. */
class IdealTest : public FabricTest
{
  public:
    IdealTest()
        : FabricTest("A17: slowdown of a lone flow is 1")
    {
    }

  private:
    /** \param gbps rates of the links \param bytes length \param delayNs of each link */
    void RunOnce(const std::vector<uint64_t>& gbps, uint64_t bytes, int64_t delayNs)
    {
        std::vector<uint64_t> rates;
        std::vector<TestHop> path;
        for (uint64_t rate : gbps)
        {
            rates.push_back(rate * GBPS);
            path.push_back({rate * GBPS, double(delayNs), 20});
        }
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1u << 30));
        Build(ChainGraph(rates, delayNs));
        TestFlow& flow = Open(0, 1);
        Post(flow, bytes);
        Run();
        const double slow = TestCompletionNs(path, bytes, 1000);
        const double ideal = fabric->GetIdealCompletionNs(0, 1, bytes);
        const std::string name =
            std::to_string(gbps.size()) + " links, " + std::to_string(bytes) + " bytes";
        NS_TEST_EXPECT_MSG_EQ_TOL(ideal, slow, 1e-9 * slow, name << ": packet by packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()), slow, 1.0, name << ": completion");
        if (delayNs >= 1000000)
        {
            // at least 4 ms, of which the tick of 1 ns is less than 1e-6
            NS_TEST_EXPECT_MSG_EQ_TOL(flow.Fct() / ideal, 1.0, 1e-6, name << ": slowdown");
        }
        Reset();
    }

    void DoRun() override
    {
        const std::vector<std::vector<uint64_t>> paths = {{10, 40},
                                                          {40, 10},
                                                          {40, 40},
                                                          {10, 40, 10},
                                                          {40, 10, 40},
                                                          {40, 40, 10},
                                                          {10, 40, 40, 10},
                                                          {40, 10, 40, 10},
                                                          {40, 40, 10, 40}};
        for (const auto& path : paths)
        {
            // last packets that are no shorter than an ACK lasts at 10G: then the ACK before the
            // last is out of its way, as the formula has it
            for (uint64_t bytes : {0, 1, 1000, 1500, 2400, 1000000})
            {
                RunOnce(path, bytes, 1000000);
                RunOnce(path, bytes, 777);
            }
        }
    }
};

/** The suite. */
class NicTimingTestSuite : public TestSuite
{
  public:
    NicTimingTestSuite()
        : TestSuite("roce-nic-timing", TestSuite::Type::UNIT)
    {
        for (uint32_t mtu : {256, 1000, 1024, 4096, 8192, 9000})
        {
            AddTestCase(new SizesTest(mtu), D::QUICK);
        }
        AddTestCase(new PublishedTest, D::QUICK);
        AddTestCase(new RatesTest("none"), D::QUICK);
        AddTestCase(new RatesTest("dcqcn"), D::QUICK);
        AddTestCase(new BackToBackTest, D::QUICK);
        AddTestCase(new IdealTest, D::QUICK);
    }
};

const NicTimingTestSuite g_nicTimingTestSuite;

} // namespace
