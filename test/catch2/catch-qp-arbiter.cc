/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-no-congestion-control.h"
#include "ns3/roce-qp-arbiter.h"
#include "ns3/roce-queue-pair.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Some queue pairs, numbered from 0. */
class Pairs
{
  public:
    /** \param count how many */
    explicit Pairs(uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            auto control = CreateObject<NoCongestionControl>();
            FlowParameters flow;
            flow.lineRate = 100000000000ULL;
            flow.mtu = 1000;
            flow.frameBytes = 1082;
            flow.qpn = i;
            control->Start(flow, 0);
            m_pairs.push_back(Create<QueuePair>(i,
                                                QueuePairConfig(),
                                                FrameSizes(),
                                                control,
                                                CreateObject<GoBackN>()));
        }
    }

    /** \return one. \param i its number */
    QueuePair* operator[](uint32_t i) const
    {
        return PeekPointer(m_pairs[i]);
    }

  private:
    std::vector<Ptr<QueuePair>> m_pairs;
};

/** What an arbiter holds, as a list. */
struct Waiting
{
    Tick slot;
    unsigned priority;
};

/** Drives an arbiter with random slots and pauses, and compares with a list. */
class RandomLink
{
  public:
    /** \param seed of the random numbers \param count queue pairs */
    RandomLink(unsigned seed, uint32_t count)
        : m_pairs(count),
          m_random(seed)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_outside.push_back(i);
        }
    }

    /** One transmission, or a wait. */
    void Step()
    {
        while (!m_outside.empty() && m_random() % 4 == 0)
        {
            Insert();
        }
        if (m_random() % 8 == 0)
        {
            m_paused = m_random() % 3 ? m_random() & 0xff : 0;
        }
        if (m_random() % 16 == 0)
        {
            Erase();
        }
        const Tick earliest = Earliest();
        const Tick next = m_arbiter.GetNextSlot(m_paused);
        REQUIRE((earliest > m_now ? next == earliest : next <= m_now));
        REQUIRE(m_arbiter.GetActive() == m_waiting.size());
        QueuePair* qp = m_arbiter.Choose(m_now, m_paused);
        REQUIRE((qp != nullptr) == (earliest <= m_now));
        if (!qp)
        {
            m_now += 1 + (earliest == NEVER ? 10 : m_random() % 50);
            return;
        }
        const auto found = m_waiting.find(qp->GetQpn());
        REQUIRE(found != m_waiting.end());
        REQUIRE(found->second.slot <= m_now);
        REQUIRE(!((m_paused >> found->second.priority) & 1));
        const Tick busy = 1 + m_random() % 20;
        if (m_random() % 5 == 0)
        {
            m_arbiter.Remove();
            m_outside.push_back(qp->GetQpn());
            m_waiting.erase(found);
            return; // asked again at once, nothing was sent
        }
        found->second.slot = m_now + (m_random() % 2 ? busy : Tick(m_random() % 200));
        m_arbiter.Reschedule(found->second.slot, m_now + busy);
        m_arbiter.PrefetchNext();
        m_now += busy;
    }

  private:
    void Insert()
    {
        const uint32_t which = m_random() % m_outside.size();
        const uint32_t qpn = m_outside[which];
        m_outside.erase(m_outside.begin() + which);
        const unsigned priority = m_random() % 3 ? 3 : m_random() % 8;
        const Tick slot = m_now + (m_random() % 2 ? 0 : Tick(m_random() % 300));
        m_arbiter.Insert(m_pairs[qpn], priority, slot);
        m_waiting[qpn] = Waiting{slot, priority};
    }

    /** Take out any one, waiting in line or for its slot. */
    void Erase()
    {
        if (m_waiting.empty())
        {
            return;
        }
        auto any = m_waiting.begin();
        std::advance(any, m_random() % m_waiting.size());
        m_arbiter.Erase(m_pairs[any->first], any->second.priority);
        m_outside.push_back(any->first);
        m_waiting.erase(any);
    }

    /** \return earliest slot of those that are not paused */
    Tick Earliest() const
    {
        Tick earliest = NEVER;
        for (const auto& item : m_waiting)
        {
            if (!((m_paused >> item.second.priority) & 1))
            {
                earliest = std::min(earliest, item.second.slot);
            }
        }
        return earliest;
    }

    Pairs m_pairs;
    std::mt19937 m_random;
    QpArbiter m_arbiter;
    std::map<uint32_t, Waiting> m_waiting;
    std::vector<uint32_t> m_outside;
    unsigned m_paused{0};
    Tick m_now{0};
};

} // namespace

TEST_CASE("Arbiter: empty", "[qp-arbiter]")
{
    QpArbiter arbiter;
    CHECK(arbiter.Choose(100, 0) == nullptr);
    CHECK(arbiter.GetNextSlot(0) == NEVER);
    CHECK(arbiter.GetActive() == 0);
}

TEST_CASE("Arbiter: not before the slot, not while paused", "[qp-arbiter]")
{
    Pairs pairs(2);
    QpArbiter arbiter;
    arbiter.Insert(pairs[0], 3, 50);
    arbiter.Insert(pairs[1], 4, 70);
    CHECK(arbiter.Choose(49, 0) == nullptr);
    CHECK(arbiter.GetNextSlot(0) == 50);
    CHECK(arbiter.GetNextSlot(1 << 3) == 70);
    CHECK(arbiter.GetNextSlot(0xff) == NEVER);
    CHECK(arbiter.Choose(60, 1 << 3) == nullptr);
    CHECK(arbiter.Choose(60, 0) == pairs[0]);
    CHECK(arbiter.Choose(80, 1 << 3) == pairs[1]);
    arbiter.Remove();
    CHECK(arbiter.Choose(80, 1 << 3) == nullptr);
    CHECK(arbiter.Choose(80, 0) == pairs[0]);
    arbiter.Remove();
    CHECK(arbiter.GetActive() == 0);
}

TEST_CASE("Arbiter: slots in order, first come first served among equals", "[qp-arbiter]")
{
    Pairs pairs(1000);
    std::mt19937 random(9);
    QpArbiter arbiter;
    std::vector<std::pair<Tick, uint32_t>> expected;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const Tick slot = random() % 300;
        arbiter.Insert(pairs[i], 3, slot);
        expected.emplace_back(slot, i);
    }
    std::sort(expected.begin(), expected.end());
    for (const auto& item : expected)
    {
        REQUIRE(arbiter.GetNextSlot(0) == item.first);
        QueuePair* qp = arbiter.Choose(item.first, 0);
        REQUIRE(qp == pairs[item.second]);
        arbiter.Remove();
    }
    CHECK(arbiter.Choose(10000, 0) == nullptr);
}

TEST_CASE("Arbiter: unpaced queue pairs take turns", "[qp-arbiter]")
{
    Pairs pairs(7);
    QpArbiter arbiter;
    for (uint32_t i = 0; i < 7; ++i)
    {
        arbiter.Insert(pairs[i], 3, 0);
    }
    for (uint32_t round = 0; round < 700; ++round)
    {
        const Tick now = round * 10;
        QueuePair* qp = arbiter.Choose(now, 0);
        REQUIRE(qp == pairs[round % 7]);
        arbiter.Reschedule(now + 10, now + 10);
    }
}

TEST_CASE("Arbiter: priorities with slots due share in order of slots", "[qp-arbiter]")
{
    Pairs pairs(2);
    QpArbiter arbiter;
    arbiter.Insert(pairs[0], 3, 0);
    arbiter.Insert(pairs[1], 4, 0);
    int turns[2] = {0, 0};
    for (Tick now = 0; now < 1000; now += 10)
    {
        QueuePair* qp = arbiter.Choose(now, 0);
        REQUIRE(qp);
        ++turns[qp == pairs[1]];
        arbiter.Reschedule(now + 10, now + 10);
    }
    CHECK(turns[0] == 50);
    CHECK(turns[1] == 50);
}

TEST_CASE("Arbiter: a paced queue pair gets its share beside greedy ones", "[qp-arbiter]")
{
    Pairs pairs(5);
    QpArbiter arbiter;
    for (uint32_t i = 0; i < 5; ++i)
    {
        arbiter.Insert(pairs[i], 3, 0);
    }
    int paced = 0;
    Tick slot = 0;
    for (Tick now = 0; now < 100000; now += 10)
    {
        QueuePair* qp = arbiter.Choose(now, 0);
        REQUIRE(qp);
        if (qp == pairs[4])
        {
            ++paced;
            REQUIRE(now >= slot);
            REQUIRE(now <= slot + 5 * 10); // at most the others once each, and its own wait
            slot = now + 200;
            arbiter.Reschedule(slot, now + 10);
            continue;
        }
        arbiter.Reschedule(now + 10, now + 10);
    }
    // every 200 to 250 ticks
    CHECK(paced >= 400);
    CHECK(paced <= 500);
}

TEST_CASE("Arbiter: random slots and pauses against a list", "[qp-arbiter]")
{
    for (unsigned seed = 1; seed <= 20; ++seed)
    {
        RandomLink link(seed, 1 + seed * 3);
        for (int i = 0; i < 5000; ++i)
        {
            link.Step();
        }
    }
}
