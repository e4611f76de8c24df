/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ADMISSION_TEST_H
#define ROCE_ADMISSION_TEST_H

#include "roce-test-fabric.h"

#include "ns3/roce-admission-helper.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

/**
 * \file
 * What the suites of receiver-driven admission share.
 */

namespace ns3
{
namespace roce
{
namespace admission
{

inline constexpr uint64_t RATE = 100 * GBPS;
inline constexpr uint32_t MTU = 1000;
/** ns of full packets, 62 bytes of headers and FCS, 20 of preamble and gap; the first of a WRITE
 *  has a RETH of 16 bytes more. */
inline const double PACKET_NS = TestBytesNs(MTU + 62 + 20, RATE);
inline const double FIRST_NS = TestBytesNs(MTU + 62 + 16 + 20, RATE);
/** ns of an ACK: 66 bytes and 20. */
inline const double ACK_NS = TestBytesNs(66 + 20, RATE);
inline const std::vector<TestHop> PATH{TestHop(), TestHop()};
/** One way of a CTS: a WRITE of 64 bytes, 62 + 16 + 64 + 20 bytes on two links of 1 us each. */
inline const double CTS_NS = 2 * (TestBytesNs(162, RATE) + 1000);

/** \return frames of WRITEs one after the other. \param chunks bytes of each */
inline std::vector<uint32_t>
FramesOf(const std::vector<uint64_t>& chunks)
{
    std::vector<uint32_t> frames;
    for (uint64_t bytes : chunks)
    {
        const std::vector<uint32_t> more = TestFrames(bytes, MTU, FrameSizes());
        frames.insert(frames.end(), more.begin(), more.end());
    }
    return frames;
}

/** A channel and what it told. */
struct Watched
{
    Ptr<AdmittedChannel> channel;
    std::vector<Tick> sent;
    std::vector<Tick> received;
    std::vector<Tick> ctsSent;
    std::vector<Tick> ctsReceived;
    std::vector<uint64_t> granted;
    uint64_t peak{0}; //!< of what Granted says is in flight

    void Sent(uint64_t number, uint64_t)
    {
        NS_ABORT_MSG_IF(number != sent.size(), "messages end in order");
        sent.push_back(ToTick(Simulator::Now()));
    }

    void Received(uint64_t number, uint64_t)
    {
        NS_ABORT_MSG_IF(number != received.size(), "messages come in order");
        received.push_back(ToTick(Simulator::Now()));
    }

    void CtsSent(uint64_t number, uint64_t)
    {
        NS_ABORT_MSG_IF(number != ctsSent.size(), "CTSs leave in order");
        ctsSent.push_back(ToTick(Simulator::Now()));
    }

    void CtsReceived(uint64_t number, uint64_t bytes)
    {
        NS_ABORT_MSG_IF(number != ctsReceived.size(), "CTSs come in order");
        NS_ABORT_MSG_IF(bytes != granted.at(number), "a CTS says what was granted");
        ctsReceived.push_back(ToTick(Simulator::Now()));
    }

    void Granted(uint64_t bytes, uint64_t inFlight)
    {
        granted.push_back(bytes);
        peak = std::max(peak, inFlight);
    }
};

/** A test of channels. */
class AdmissionTest : public FabricTest
{
  public:
    using FabricTest::FabricTest;

  protected:
    /** Build a star. \param hosts on it; the switch is number `hosts` */
    void BuildStar(uint32_t hosts)
    {
        Build(StarGraph(hosts, RATE, 1000));
        admission = std::make_unique<AdmissionHelper>(fabric);
    }

    /** \return a new channel. \param source host \param destination host */
    Watched& Add(uint32_t source, uint32_t destination)
    {
        channels.emplace_back();
        Watched& w = channels.back();
        w.channel = admission->Connect(source, destination);
        w.channel->SetSentCallback(MakeCallback(&Watched::Sent, &w));
        w.channel->SetReceivedCallback(MakeCallback(&Watched::Received, &w));
        const auto connect = [&w](const char* name, const CallbackBase& sink) {
            w.channel->TraceConnectWithoutContext(name, sink);
        };
        connect("CtsSent", MakeCallback(&Watched::CtsSent, &w));
        connect("CtsReceived", MakeCallback(&Watched::CtsReceived, &w));
        connect("Granted", MakeCallback(&Watched::Granted, &w));
        return w;
    }

    /** A message at both ends, now. \param w the channel \param bytes length */
    static void Both(const Watched& w, uint64_t bytes)
    {
        w.channel->Expect(bytes);
        w.channel->Send(bytes);
    }

    /** All is done, nothing is left over. */
    void Finish()
    {
        Run();
        for (const Watched& w : channels)
        {
            NS_TEST_EXPECT_MSG_EQ(w.channel->Describe(), "", "a channel still waits");
            NS_TEST_EXPECT_MSG_EQ(w.channel->GetAdmission()->GetInFlight(), 0, "in flight");
            NS_TEST_EXPECT_MSG_EQ(w.ctsReceived.size(), w.granted.size(), "a CTS a chunk");
        }
    }

    void Clear()
    {
        for (const Watched& w : channels)
        {
            w.channel->Dispose();
        }
        channels.clear();
        admission.reset();
        Reset();
    }

    std::unique_ptr<AdmissionHelper> admission;
    std::deque<Watched> channels;

  private:
    void DoTeardown() override
    {
        channels.clear();
        admission.reset();
        FabricTest::DoTeardown();
    }
};

} // namespace admission
} // namespace roce
} // namespace ns3

#endif // ROCE_ADMISSION_TEST_H
