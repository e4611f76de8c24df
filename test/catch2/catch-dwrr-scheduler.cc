/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/object.h"
#include "ns3/roce-dwrr-scheduler.h"
#include "ns3/roce-frame-pool.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

using namespace ns3::roce;
using Catch::Matchers::Contains;
using ns3::CreateObject;
using ns3::Ptr;
using ns3::StringValue;
using ns3::UintegerValue;

namespace
{

/** Eight queues and a scheduler, without a port. */
class Bench
{
  public:
    explicit Bench(const std::string& weights, uint32_t quantum = 2048)
        : m_scheduler(CreateObject<DwrrScheduler>())
    {
        m_scheduler->SetAttribute("Weights", StringValue(weights));
        m_scheduler->SetAttribute("Quantum", UintegerValue(quantum));
    }

    ~Bench()
    {
        for (TransmitQueue& queue : m_queues)
        {
            while (!queue.IsEmpty())
            {
                m_pool.Free(queue.Pop());
            }
        }
    }

    /** Queue a frame. \param priority where \param size its bytes */
    void Push(unsigned priority, uint16_t size)
    {
        Frame* frame = m_pool.Get();
        frame->size = size;
        m_queues[priority].Push(frame);
    }

    /** Serve one frame. \param paused bit p: priority p may not be served \return its priority */
    unsigned Serve(uint8_t paused = 0)
    {
        uint8_t eligible = 0;
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            eligible |= (m_queues[p].IsEmpty() ? 0u : 1u) << p;
        }
        eligible &= static_cast<uint8_t>(~paused);
        REQUIRE(eligible != 0);
        const unsigned p = m_scheduler->Pick(eligible, m_queues);
        REQUIRE(((eligible >> p) & 1) == 1); // the contract of Pick
        Frame* frame = m_queues[p].Pop();
        m_served[p] += frame->size;
        m_pool.Free(frame);
        return p;
    }

    /** \return bytes served so far. \param priority of this priority */
    int64_t GetServed(unsigned priority)
    {
        return m_served[priority];
    }

  private:
    FramePool m_pool;
    TransmitQueue m_queues[NUM_PRIORITIES];
    Ptr<DwrrScheduler> m_scheduler;
    std::map<unsigned, int64_t> m_served;
};

} // namespace

TEST_CASE("DwrrScheduler: bytes are as the weights, to a quantum and a frame", "[dwrr]")
{
    // (Shreedhar and Varghese, lemma 2: what a backlogged flow got differs from its share by less
    // than a quantum of its own and a largest frame, at all times)
    const uint16_t sizes[3] = {1500, 64, 4158};
    Bench bench("0,1,2,4,0,0,0,0", 2048);
    for (int i = 0; i < 3000; ++i)
    {
        for (unsigned p : {1u, 2u, 3u})
        {
            bench.Push(p, sizes[(i + p) % 3]);
        }
    }
    for (int i = 0; i < 3000; ++i)
    {
        bench.Serve();
        const double round =
            double(bench.GetServed(1) + bench.GetServed(2) + bench.GetServed(3)) / 7;
        for (unsigned p : {1u, 2u, 3u})
        {
            const double weight = 1u << (p - 1);
            // each class may be a quantum and a frame off, and the mean of all is off by as much
            REQUIRE(std::abs(double(bench.GetServed(p)) - weight * round) <=
                    weight * (2048 + 4158) + 2048 * weight + 4158);
        }
    }
    // long run: shares 1/7, 2/7, 4/7 to 1 %
    const double all = double(bench.GetServed(1) + bench.GetServed(2) + bench.GetServed(3));
    CHECK(bench.GetServed(1) / all == Approx(1 / 7.0).epsilon(0.01));
    CHECK(bench.GetServed(2) / all == Approx(2 / 7.0).epsilon(0.01));
    CHECK(bench.GetServed(3) / all == Approx(4 / 7.0).epsilon(0.01));
}

TEST_CASE("DwrrScheduler: frames of a quantum go 1, 2, 4 a round", "[dwrr]")
{
    Bench bench("1,2,4,0,0,0,0,0", 1000);
    for (int i = 0; i < 40; ++i)
    {
        for (unsigned p : {0u, 1u, 2u})
        {
            bench.Push(p, 1000);
        }
    }
    for (int round = 0; round < 5; ++round)
    {
        for (unsigned expected : {0u, 1u, 1u, 2u, 2u, 2u, 2u})
        {
            REQUIRE(bench.Serve() == expected);
        }
    }
}

TEST_CASE("DwrrScheduler: a frame larger than a quantum waits for its rounds", "[dwrr]")
{
    // 1000 bytes earn 300 a round: served in rounds 4, 7, 10, 14 (4 * 300 >= 1000, 7 * 300 >=
    // 2000...) while the other class gets three frames of 100 a round
    Bench bench("1,1,0,0,0,0,0,0", 300);
    for (int i = 0; i < 4; ++i)
    {
        bench.Push(0, 1000);
    }
    for (int i = 0; i < 100; ++i)
    {
        bench.Push(1, 100);
    }
    std::vector<int> before;
    int others = 0;
    while (before.size() < 4)
    {
        if (bench.Serve() == 0)
        {
            before.push_back(others);
        }
        else
        {
            ++others;
        }
    }
    CHECK(before == std::vector<int>{9, 18, 27, 39}); // 3 a round in the rounds before
}

TEST_CASE("DwrrScheduler: classes of weight 0 are strict and above all others", "[dwrr]")
{
    Bench bench("0,1,1,0,0,0,0,0");
    for (int i = 0; i < 2; ++i)
    {
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            bench.Push(p, 500);
        }
    }
    // strict: 7..3 and 0, the highest first; 0 is strict too and so before 1 and 2
    for (unsigned expected : {7u, 7u, 6u, 6u, 5u, 5u, 4u, 4u, 3u, 3u, 0u, 0u})
    {
        CHECK(bench.Serve() == expected);
    }
    for (int i = 0; i < 4; ++i)
    {
        const unsigned p = bench.Serve();
        CHECK((p == 1 || p == 2));
    }
}

TEST_CASE("DwrrScheduler: a class that is paused or empties loses its deficit", "[dwrr]")
{
    Bench bench("1,1,0,0,0,0,0,0", 900);
    bench.Push(0, 1000);
    for (int i = 0; i < 10; ++i)
    {
        bench.Push(1, 900);
    }
    // round 1: class 0 gets 900, not enough; class 1 sends
    CHECK(bench.Serve() == 1);
    // class 0 is paused when its turn comes: the 900 are gone
    CHECK(bench.Serve(0x01) == 1);
    // so it needs two rounds again; had it kept them, it would go now
    CHECK(bench.Serve() == 1);
    CHECK(bench.Serve() == 0);

    // the rest of a class that empties is gone too: 900 - 100 = 800 would make 1000 do at once
    Bench other("1,1,0,0,0,0,0,0", 900);
    for (int i = 0; i < 10; ++i)
    {
        other.Push(1, 900);
    }
    other.Push(0, 100);
    CHECK(other.Serve() == 0);
    CHECK(other.Serve() == 1);
    CHECK(other.Serve() == 1); // class 0 is empty at its turn
    other.Push(0, 1000);
    CHECK(other.Serve() == 1); // 900 are not enough
    CHECK(other.Serve() == 0);
}

TEST_CASE("DwrrScheduler: weights are read back, bad ones are refused", "[dwrr]")
{
    Ptr<DwrrScheduler> scheduler = CreateObject<DwrrScheduler>();
    CHECK(scheduler->GetWeights() == "1,1,1,1,1,1,0,0");
    scheduler->SetWeights("255,0,10,1,2,3,4,5");
    CHECK(scheduler->GetWeights() == "255,0,10,1,2,3,4,5");
    for (const char* bad : {"",
                            "1,1,1,1,1,1,0",
                            "1,1,1,1,1,1,0,0,0",
                            "1,1,1,1,1,1,0,256",
                            "1,1,1,1,1,1,0,-1",
                            "1,1,1,1,1,1,0,x",
                            "1,1,1,1,1,1,,0",
                            "1,1,1,1,1,1,0,0 ",
                            "1;1;1;1;1;1;0;0",
                            "1,1,1,1,1,1,0,0,"})
    {
        INFO("\"" << bad << "\"");
        CHECK_THROWS_AS(scheduler->SetWeights(bad), std::invalid_argument);
        CHECK_THROWS_WITH(scheduler->SetWeights(bad),
                          Contains("Weights \"" + std::string(bad) + "\""));
        CHECK(scheduler->GetWeights() == "255,0,10,1,2,3,4,5"); // as before
    }
}
