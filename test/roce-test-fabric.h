/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TEST_FABRIC_H
#define ROCE_TEST_FABRIC_H

#include "roce-test-formula.h"

#include "ns3/double.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

inline constexpr uint64_t GBPS = 1000000000ULL; //!< bit/s in a Gb/s

/** \return hosts 0..n-1 on switch n. \param n hosts \param rate of all links \param delayNs of all
 */
inline FabricGraph
StarGraph(uint32_t n, uint64_t rate, int64_t delayNs)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddLink(i, n, rate, delayNs * 1000);
    }
    return graph;
}

/** \return hosts 0 and 1 with a row of switches 2, 3... between them. \param rates of the links
 *  \param delayNs of all links */
inline FabricGraph
ChainGraph(const std::vector<uint64_t>& rates, int64_t delayNs)
{
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    uint32_t last = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const bool end = i + 1 == rates.size();
        const uint32_t next = end ? 1 : static_cast<uint32_t>(2 + i);
        if (!end)
        {
            graph.AddSwitch(next);
        }
        graph.AddLink(last, next, rates[i], delayNs * 1000);
        last = next;
    }
    return graph;
}

/** \return hosts 0..l-1 on one switch, l..l+r-1 on another, one core link. \param l hosts left
 *  \param r hosts right \param edge rate of host links \param core rate of the core link \param
 *  delayNs of all links */
inline FabricGraph
DumbbellGraph(uint32_t l, uint32_t r, uint64_t edge, uint64_t core, int64_t delayNs)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < l + r; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(l + r);
    graph.AddSwitch(l + r + 1);
    for (uint32_t i = 0; i < l + r; ++i)
    {
        graph.AddLink(i, i < l ? l + r : l + r + 1, edge, delayNs * 1000);
    }
    graph.AddLink(l + r, l + r + 1, core, delayNs * 1000);
    return graph;
}

/** A connection of a test, what was posted on it and what came of it. */
struct TestFlow
{
    uint32_t source{0};                            //!< id of the sender
    uint32_t destination{0};                       //!< id of the receiver
    Connection pair;                               //!< the queue pairs
    std::vector<uint64_t> posted;                  //!< bytes by message; the id is the index
    std::vector<Completion> sent;                  //!< at the sender
    std::vector<Completion> arrived;               //!< at the receiver
    std::function<void(const Completion&)> onSent; //!< called with each at the sender

    /** Handler of the sender. \param completion what ended */
    void Sent(const Completion& completion)
    {
        sent.push_back(completion);
        if (onSent)
        {
            onSent(completion);
        }
    }

    /** Handler of the receiver. \param completion what arrived */
    void Arrived(const Completion& completion)
    {
        arrived.push_back(completion);
    }

    /** \return ticks from post to completion. \param message its index */
    Tick Fct(std::size_t message = 0) const
    {
        return sent.at(message).completed - sent.at(message).posted;
    }
};

/**
 * A test over a fabric, with the checks that hold for each run.
 *
 * Order: settings on helper, Build, Open, Post, Run; Reset before the next run of the same test.
 */
class FabricTest : public TestCase
{
  public:
    /** \param name of the case */
    explicit FabricTest(const std::string& name)
        : TestCase(name)
    {
        Renew();
    }

  protected:
    /** \param graph the plan \param partition whether all hosts must reach each other */
    void Build(const FabricGraph& graph, PartitionPolicy partition = PartitionPolicy::Refuse)
    {
        fabric = helper->Install(graph, partition);
    }

    /** \return a new flow. \param source host \param destination host \param options options */
    TestFlow& Open(uint32_t source, uint32_t destination, const ConnectionOptions& options = {})
    {
        flows.emplace_back();
        TestFlow& flow = flows.back();
        flow.source = source;
        flow.destination = destination;
        flow.pair = fabric->Connect(source, destination, options);
        auto queue = CreateObject<CompletionQueue>();
        queue->SetHandler(fabric->GetNode(source)->GetId(), MakeCallback(&TestFlow::Sent, &flow));
        flow.pair.qp->SetSendQueue(queue);
        queue = CreateObject<CompletionQueue>();
        queue->SetHandler(fabric->GetNode(destination)->GetId(),
                          MakeCallback(&TestFlow::Arrived, &flow));
        flow.pair.peerQp->SetReceiveQueue(queue);
        return flow;
    }

    /** Post a message now. \param flow the flow \param bytes length */
    static void Post(TestFlow& flow, uint64_t bytes)
    {
        WorkRequest request;
        request.id = flow.posted.size();
        request.bytes = bytes;
        flow.posted.push_back(bytes);
        flow.pair.nic->Post(flow.pair.qp, request);
    }

    /** Do something later. \param at when \param action what */
    static void At(Time at, std::function<void()> action)
    {
        Simulator::Schedule(at, [action] { action(); });
    }

    /** Run to the end; each message must have been delivered once. */
    void Run()
    {
        Simulator::Run();
        for (const TestFlow& flow : flows)
        {
            CheckFlow(flow);
        }
        CheckIdle();
    }

    /** Forget the run and its settings. */
    void Reset()
    {
        flows.clear();
        fabric = nullptr;
        Simulator::Destroy();
        Renew();
    }

    /** Each message delivered once, in order, not faster than alone. \param flow the flow */
    void CheckFlow(const TestFlow& flow);

    /** Nothing stored, nothing under way, nothing lost track of, no lossless drop. */
    void CheckIdle();

    /** \return work of the NICs of both ends. \param flow the flow */
    static const NicCounters& Sender(const TestFlow& flow)
    {
        return flow.pair.nic->GetCounters();
    }

    /** \return the same of the receiver. \param flow the flow */
    static const NicCounters& Receiver(const TestFlow& flow)
    {
        return flow.pair.peerNic->GetCounters();
    }

    std::unique_ptr<RoceHelper> helper; //!< settings of the next Build
    Ptr<Fabric> fabric;                 //!< the fabric
    std::deque<TestFlow> flows;         //!< in order of Open
    bool checkIdeal{true};              //!< no message is faster than alone

    void DoTeardown() override
    {
        flows.clear();
        fabric = nullptr;
        Simulator::Destroy();
    }

  private:
    void Renew()
    {
        helper = std::make_unique<RoceHelper>();
        helper->SetCongestionControl("none");
        helper->SetNicAttribute("PathMtu", UintegerValue(1000));
    }

    void CheckSwitch(Ptr<Switch> device);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TEST_FABRIC_H
