/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-gpus.h"
#include "roce-test-refusal.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-nvlink-channel.h"
#include "ns3/roce-queue-pair-channel.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Keeps what a channel tells. */
struct Log
{
    std::vector<MessageEnd> sent;
    std::vector<MessageEnd> received;

    /** \param channel to listen to */
    void Listen(Ptr<MessageChannel> channel)
    {
        channel->SetSentHandler([this](const MessageEnd& r) { sent.push_back(r); });
        channel->SetReceivedHandler([this](const MessageEnd& r) { received.push_back(r); });
    }
};

/** Common to the cases. */
class NetworkTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /** \param mistake what to do \param part what the message must say */
    void Refuse(const std::function<void()>& mistake, const std::string& part)
    {
        const std::string message = Refusal(mistake);
        NS_TEST_EXPECT_MSG_NE(message.find(part),
                              std::string::npos,
                              "\"" << message << "\" does not say \"" << part << "\"");
    }
};

/** Case A5: shares of a message over 8 queue pairs, three times. */
class SplitTest : public NetworkTest
{
  public:
    SplitTest()
        : NetworkTest("A5: a message over 8 queue pairs")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t bytes : {1, 7, 8, 10, 1000003})
        {
            auto network = MakeTestGpus(2);
            network->SetQueuePairs(8);
            auto channel = DynamicCast<QueuePairChannel>(network->MakeChannel(0, 1));
            Log log;
            log.Listen(channel);
            for (int i = 0; i < 3; ++i)
            {
                channel->Send(bytes);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(log.sent.size(), 3, "3 posts, 3 acknowledged");
            NS_TEST_EXPECT_MSG_EQ(log.received.size(), 3, "3 posts, 3 in");
            uint64_t sum = 0;
            for (std::size_t i = 0; i < 8; ++i)
            {
                // the longer parts come first: of 10 bytes 2, 2, 1, 1, 1, 1, 1, 1
                const uint64_t share = bytes / 8 + (i < bytes % 8 ? 1 : 0);
                NS_TEST_EXPECT_MSG_EQ(channel->GetBytes(i), 3 * share, "share " << i);
                sum += channel->GetBytes(i);
            }
            NS_TEST_EXPECT_MSG_EQ(sum, 3 * bytes, "shares sum to the size");
            NS_TEST_EXPECT_MSG_EQ(network->GetFabric()->GetNic(0)->GetCounters().bytesCompleted,
                                  3 * bytes,
                                  "bytes completed");
            for (const MessageEnd& r : log.received)
            {
                NS_TEST_EXPECT_MSG_EQ(r.bytes, bytes, "length of a message");
            }
            Simulator::Destroy();
        }
    }
};

/** Messages that take turns are told in order although the second is in first. */
class RoundRobinTest : public NetworkTest
{
  public:
    RoundRobinTest()
        : NetworkTest("messages take turns, in order, and a proxy takes its time")
    {
    }

  private:
    void DoRun() override
    {
        auto network = MakeTestGpus(2);
        network->SetQueuePairs(2);
        network->SetChannelAttribute(
            "Policy",
            CompatEnumValue<QueuePairChannel::Policy>(QueuePairChannel::ROUND_ROBIN));
        auto channel = DynamicCast<QueuePairChannel>(network->MakeChannel(0, 1));
        Log log;
        log.Listen(channel);
        channel->Send(1000000);
        channel->Send(1000); // shares the link and is in long before
        channel->Send(0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(log.received.size(), 3, "messages in");
        NS_TEST_ASSERT_MSG_EQ(log.sent.size(), 3, "messages acknowledged");
        for (uint64_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(log.received[i].number, i, "order at the receiver");
            NS_TEST_EXPECT_MSG_EQ(log.sent[i].number, i, "order at the sender");
        }
        NS_TEST_EXPECT_MSG_LT(log.received[1].ended,
                              log.received[0].ended,
                              "the short one was in first, or this shows nothing");
        NS_TEST_EXPECT_MSG_EQ(channel->GetBytes(0), 1000000, "messages 0 and 2");
        NS_TEST_EXPECT_MSG_EQ(channel->GetBytes(1), 1000, "message 1");
        Simulator::Destroy();

        Tick arrival[2];
        for (const int64_t delayNs : {0, 6000})
        {
            auto slow = MakeTestGpus(2);
            slow->SetChannelAttribute("ProxyDelay", TimeValue(NanoSeconds(delayNs)));
            Log one;
            Ptr<MessageChannel> way = slow->MakeChannel(0, 1);
            one.Listen(way);
            way->Send(5000);
            Simulator::Run();
            arrival[delayNs > 0] = one.received.at(0).ended;
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(arrival[1] - arrival[0], 6000, "the proxy's delay, to the tick");
    }
};

/** Times and rates of NVLink by hand. */
class NvlinkTest : public NetworkTest
{
  public:
    NvlinkTest()
        : NetworkTest("NVLink: a lone transfer, fair shares, direct links")
    {
    }

  private:
    void DoRun() override
    {
        CheckAlone();
        CheckShares();
        CheckDirect();
    }

    /** \return five GPUs, 450 byte a ns, 500 ns */
    static Ptr<NvlinkDomain> MakeDomain()
    {
        auto domain = CreateObject<NvlinkDomain>();
        for (uint32_t i = 0; i < 5; ++i)
        {
            domain->AddGpu(0);
        }
        return domain;
    }

    void CheckAlone()
    {
        auto domain = MakeDomain();
        // alone: 4500000 / 450 = 10000 ns until sent, 10500 ns until in; first byte after 500 ns
        Tick sent = 0;
        Tick came = 0;
        Tick in = 0;
        domain->Transfer(
            0,
            1,
            4500000,
            [&](Tick t) { sent = t; },
            [&](Tick t) {
                came = t;
                in = ToTick(Simulator::Now());
            });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sent, 10000, "last byte out");
        NS_TEST_EXPECT_MSG_EQ(came, 500, "first byte in");
        NS_TEST_EXPECT_MSG_EQ(in, 10500, "last byte in");
        Simulator::Destroy();
    }

    void CheckShares()
    {
        auto domain = MakeDomain();
        // 0->1, 0->2, 3->2, 4->2: into GPU 2 a third each; what is left of GPU 0, two thirds, to 1
        const auto none = [](Tick) {};
        std::vector<Tick> ends(4, 0);
        const std::vector<std::pair<uint32_t, uint32_t>> pairs{{0, 1}, {0, 2}, {3, 2}, {4, 2}};
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            domain->Transfer(
                pairs[i].first,
                pairs[i].second,
                4500000,
                [&ends, i](Tick t) { ends[i] = t; },
                none);
        }
        Simulator::Schedule(NanoSeconds(1), [&]() {
            NS_TEST_EXPECT_MSG_EQ_TOL(domain->GetRate(0, 1), 300e9, 1e3, "two thirds");
            NS_TEST_EXPECT_MSG_EQ_TOL(domain->GetRate(0, 2), 150e9, 1e3, "a third");
            NS_TEST_EXPECT_MSG_EQ_TOL(domain->GetRate(4, 2), 150e9, 1e3, "a third");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends[0], 15000, "4500000 / 300");
        // the others keep their third, as GPU 2 stays full: 4500000 / 150
        NS_TEST_EXPECT_MSG_EQ(ends[1], 30000, "0->2");
        NS_TEST_EXPECT_MSG_EQ(ends[3], 30000, "4->2");
        NS_TEST_EXPECT_MSG_EQ(domain->GetBytesSent(0), 2 * 4500000, "bytes out of GPU 0");
        Simulator::Destroy();
    }

    void CheckDirect()
    {
        auto domain = MakeDomain();
        const auto none = [](Tick) {};
        // without a switch a pair has 450 / 4 byte a ns, whatever the others do
        domain->SetAttribute("Switched", BooleanValue(false));
        Tick first = 0;
        Tick second = 0;
        domain->Transfer(
            0,
            1,
            4500000,
            [&](Tick t) { first = t; },
            none);
        domain->Transfer(
            0,
            1,
            0,
            [&](Tick t) { second = t; },
            none); // follows it
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(first, 40000, "4500000 / 112.5");
        NS_TEST_EXPECT_MSG_EQ(second, 40000, "0 bytes behind it");
        Refuse([&]() { domain->Transfer(0, 5, 1, none, none); }, "GPU 0 to 5");
        Refuse([&]() { domain->Transfer(1, 1, 1, none, none); }, "GPU 1 to 1");
        Simulator::Destroy();
    }
};

/** PXN: over the GPU that has the rail of the receiver. */
class PxnTest : public NetworkTest
{
  public:
    PxnTest()
        : NetworkTest("PXN: NVLink, then the NIC of the rail")
    {
    }

  private:
    void DoRun() override
    {
        // servers {0, 1} and {2, 3}: from GPU 0 to GPU 3 by way of GPU 1
        Tick direct = 0;
        for (const bool pxn : {false, true})
        {
            auto network = MakeTestGpus(4, 2);
            network->SetPxn(pxn);
            Ptr<MessageChannel> way = network->MakeChannel(0, 3);
            Log log;
            log.Listen(way);
            way->Send(450000);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(log.received.size(), 1, "in");
            NS_TEST_ASSERT_MSG_EQ(log.sent.size(), 1, "acknowledged");
            const auto sent = [&](uint32_t host) {
                return network->GetFabric()->GetNic(host)->GetCounters().bytesCompleted;
            };
            NS_TEST_EXPECT_MSG_EQ(sent(pxn ? 1 : 0), 450000, "NIC that sends");
            NS_TEST_EXPECT_MSG_EQ(sent(pxn ? 0 : 1), 0, "NIC that does not");
            if (pxn)
            {
                // 450000 / 450 = 1000 ns, and 500 ns
                NS_TEST_EXPECT_MSG_EQ(log.received[0].ended - direct, 1500, "NVLink comes before");
                NS_TEST_EXPECT_MSG_EQ(log.sent[0].begun, 0, "when it was sent");
            }
            direct = log.received[0].ended;
            Simulator::Destroy();
        }
    }
};

/** Which GPUs can talk, and what is refused. */
class MapTest : public NetworkTest
{
  public:
    MapTest()
        : NetworkTest("GPUs of a fabric, mistakes")
    {
    }

  private:
    void DoRun() override
    {
        const GpuMap shared = GpuMap::SharedNic(MakeTestStar(2), 4);
        NS_TEST_EXPECT_MSG_EQ(shared.GetGpus(), 8, "2 hosts of 4");
        NS_TEST_EXPECT_MSG_EQ(shared.At(5).host, 1, "GPU 5");
        NS_TEST_EXPECT_MSG_EQ(shared.At(5).server, 1, "GPU 5");
        NS_TEST_EXPECT_MSG_EQ(shared.At(5).slot, 1, "GPU 5");
        NS_TEST_EXPECT_MSG_EQ(shared.GpuAt(1, 1), 5, "and back");
        const GpuMap own = GpuMap::NicPerGpu(MakeTestStar(6), 3);
        NS_TEST_EXPECT_MSG_EQ(own.At(4).host, 4, "GPU 4");
        NS_TEST_EXPECT_MSG_EQ(own.At(4).server, 1, "GPU 4");
        NS_TEST_EXPECT_MSG_EQ(own.GpuOf(4), 4, "and back");
        Refuse([&]() { own.At(6); }, "GPU 6");
        Refuse([&]() { own.GpuOf(6); }, "node 6");
        Refuse([&]() { GpuMap::NicPerGpu(MakeTestStar(6), 4); },
               "6 hosts do not make servers of 4");
        Refuse([&]() { GpuMap::SharedNic(MakeTestStar(6), 0); }, "0 GPUs a server");

        auto network = Create<GpuNetwork>(MakeTestGpus(2)->GetFabric(), shared);
        Refuse([&]() { network->MakeCommunicator({0, 1, 0}); }, "rank 0 and rank 2");
        Refuse([&]() { network->MakeCommunicator({}); }, "0 ranks");
        Refuse([&]() { network->MakeChannel(3, 3); }, "itself");
        Refuse([&]() { network->SetQueuePairs(0); }, "0 queue pairs");
        Refuse([&]() { network->SetQueuePairs(1025); }, "1025 queue pairs");
        network->SetNvlink(false);
        Refuse([&]() { network->MakeChannel(0, 1); }, "share the NIC of host 0");
        network->SetQueuePairs(2);
        network->EnableAdmission();
        Refuse([&]() { network->MakeChannel(0, 4); }, "2 queue pairs a connection");
        Simulator::Destroy();
    }
};

/** Suite roce-gpu-network. */
class GpuNetworkTestSuite : public TestSuite
{
  public:
    GpuNetworkTestSuite()
        : TestSuite("roce-gpu-network", TestSuite::Type::UNIT)
    {
        AddTestCase(new SplitTest(), D::QUICK);
        AddTestCase(new RoundRobinTest(), D::QUICK);
        AddTestCase(new NvlinkTest(), D::QUICK);
        AddTestCase(new PxnTest(), D::QUICK);
        AddTestCase(new MapTest(), D::QUICK);
    }
};

GpuNetworkTestSuite g_gpuNetworkTestSuite; //!< registers the suite

} // namespace
