/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-hcc.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/**
 * A second implementation of law Domain for one flow, from the rules in doc/hcc.rst: a map instead
 * of a vector, each expiry by itself, numbers instead of parameters.
 */
class Reference
{
  public:
    explicit Reference(Tick baseRtt)
        : m_rtt(baseRtt)
    {
    }

    void Hear(const CnpBody& body, Tick now)
    {
        Expire(now);
        if (body.leave)
        {
            for (auto e = m_entries.begin(); e != m_entries.end();)
            {
                e = e->second.domain == body.domain ? m_entries.erase(e) : std::next(e);
            }
        }
        const auto found = m_entries.find(body.point);
        if (body.clear && found != m_entries.end())
        {
            found->second.rate *= 1.5;
            Remember(found->second, body);
            if (found->second.rate >= LINE)
            {
                m_entries.erase(found);
            }
        }
        if (body.clear || body.leave)
        {
            return;
        }
        if (body.share <= 0.02)
        {
            if (found != m_entries.end())
            {
                Remember(found->second, body);
                found->second.timer = now + found->second.period;
            }
            return;
        }
        Entry& entry = m_entries.try_emplace(body.point).first->second;
        entry.domain = body.domain;
        double alpha = 1;
        for (unsigned tier = 1; tier < body.tier; ++tier)
        {
            alpha /= 2;
        }
        const double phi = body.share < 0.95 ? 1 : 0.9;
        const double floor = std::max(0.1e9, phi * static_cast<double>(body.rateBps) / body.flows);
        if (entry.rate > floor)
        {
            entry.rate = std::max(floor, entry.rate * (1 - alpha * body.share));
        }
        entry.k = 0;
        Remember(entry, body);
        entry.timer = now + entry.period;
    }

    void Expire(Tick now)
    {
        for (auto e = m_entries.begin(); e != m_entries.end();)
        {
            Entry& entry = e->second;
            bool done = false;
            while (entry.timer <= now && !done)
            {
                ++entry.k;
                const double rtt = static_cast<double>(m_rtt);
                const double period = static_cast<double>(entry.period);
                entry.rate += std::min(entry.k, 32u) * 0.03 * LINE * rtt / period / entry.flows;
                entry.timer += entry.period;
                done = entry.rate >= LINE;
            }
            e = done ? m_entries.erase(e) : std::next(e);
        }
    }

    double GetRate() const
    {
        double rate = LINE;
        for (const auto& [point, entry] : m_entries)
        {
            rate = std::min(rate, entry.rate);
        }
        return std::max(0.1e9, rate);
    }

  private:
    static constexpr double LINE = 100e9;

    struct Entry
    {
        double rate{LINE};
        unsigned k{0};
        Tick timer{0};
        Tick period{0};
        unsigned flows{1};
        uint16_t domain{0};
    };

    void Remember(Entry& entry, const CnpBody& body)
    {
        entry.flows = body.flows;
        entry.period = std::max<Tick>(body.stage == 3 ? 50000 : 30000, m_rtt + (m_rtt + 1) / 2);
    }

    Tick m_rtt;
    std::map<uint16_t, Entry> m_entries;
};

} // namespace

TEST_CASE("HCC: a second implementation has the same rates", "[hcc]")
{
    for (const Tick baseRtt : {4000, 12001, 40000})
    {
        FlowParameters flow = HccFlow();
        flow.baseRtt = baseRtt;
        auto cc = CreateObject<Hcc>();
        cc->Start(flow, 0);
        Reference reference(baseRtt);
        std::mt19937 random(static_cast<uint32_t>(baseRtt));
        Tick now = 0;
        unsigned low = 0;
        for (int i = 0; i < 20000; ++i)
        {
            now += random() % (i % 10 == 9 ? 3000000 : 30000);
            CnpBody body = Says(random() % 5, (random() % 17) / 16.0, 1 + random() % 200);
            body.tier = 1 + random() % 3;
            body.domain = 7 + body.point % 2;
            body.stage = 2 + random() % 2;
            body.clear = random() % 8 == 0;
            body.leave = random() % 32 == 0;
            body.rateBps = random() % 2 == 0 ? 100000000000 : 400000000000;
            Hear(cc, body, now);
            reference.Hear(body, now);
            REQUIRE(cc->GetFairRate() == Approx(reference.GetRate()).epsilon(1e-9));
            low += cc->GetFairRate() < 20 * GBPS;
            const Tick later = now + random() % 100000;
            cc->Advance(later);
            reference.Expire(later);
            REQUIRE(cc->GetFairRate() == Approx(reference.GetRate()).epsilon(1e-9));
            now = later;
        }
        CHECK(low > 1000);
        CHECK(low < 19000);
    }
}
