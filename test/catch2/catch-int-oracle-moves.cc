/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-bench.h"

#include "ns3/roce-constants.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::roce;
using namespace ns3::roce::oracle;

TEST_CASE("IntOracle: reasons to move", "[int-oracle]")
{
    struct Row
    {
        uint32_t sent;
        uint64_t own;
        uint32_t queue;
        uint32_t last; //!< bytes of the port to the destination
        bool moves;
    };

    // FullLoad 0.9 is 225000 B, Margin 0.2 a queue of 25000 B
    const Row rows[] = {
        {0, 0, 0, 0, false},           // idle
        {224999, 0, 0, 0, false},      // there is room
        {225000, 0, 0, 0, true},       // full of others
        {225000, 100000, 0, 0, true},  // full of both
        {225000, 175000, 0, 0, false}, // others have 0.2 only
        {225000, 174999, 0, 0, true},  // more than that
        {225000, 225000, 0, 0, false}, // full of ourselves
        {0, 0, 25000, 0, false},       // a queue as long as Margin
        {0, 0, 25001, 0, true},        // longer
        {225000, 0, 0, 224999, true},  // the destination has room
        {225000, 0, 0, 225000, false}, // it has none: no path helps
        {0, 0, 125000, 225000, false}, // "
        {100000, 0, 1250, 0, false},   // neither full nor queueing
    };
    for (const Row& row : rows)
    {
        Bench bench;
        bench.Hear(PORT, PathRecord(UPLINK, 0, 0), 0, 0);
        bench.Hear(
            PORT,
            RecordOf({HopOf(LAST, SAMPLE, row.last), HopOf(UPLINK, SAMPLE, row.sent, row.queue)}),
            row.own,
            SAMPLE);
        CAPTURE(row.sent, row.own, row.queue, row.last);
        CHECK((bench.Ask(PORT) != PORT) == row.moves);
        CHECK(bench.oracle->GetMoves() == (row.moves ? 1 : 0));
    }
}

TEST_CASE("IntOracle: it takes a path that is cheaper by more than Margin", "[int-oracle]")
{
    // the present path is full of others and costs 1; Candidates 2: both are known
    const auto ask = [](uint32_t first, uint32_t second) {
        Bench bench;
        bench.oracle->SetAttribute("Candidates", UintegerValue(2));
        bench.Sample(PORT, UPLINK, 225000, 0);
        bench.Sample(Bench::Candidate(0), 101, first, 0);
        bench.Sample(Bench::Candidate(1), 102, second, 0);
        std::set<uint16_t> seen;
        for (int i = 0; i < 64; ++i)
        {
            seen.insert(bench.Ask(PORT));
        }
        return seen;
    };
    const uint16_t first = Bench::Candidate(0);
    const uint16_t second = Bench::Candidate(1);
    using Ports = std::set<uint16_t>;
    CHECK(ask(0, 225000) == Ports{first});
    CHECK(ask(225000, 0) == Ports{second});
    CHECK(ask(200001, 225000) == Ports{PORT});          // 0.800004 is not less than 1 - 0.2
    CHECK(ask(199999, 225000) == Ports{first});         // 0.799996 is
    CHECK(ask(100000, 124999) == Ports{first, second}); // within half of Margin of each other
    CHECK(ask(100000, 125001) == Ports{first});         // 0.4 and 0.500004
}

TEST_CASE("IntOracle: it explores only if nothing known is cheaper", "[int-oracle]")
{
    Bench bench;
    bench.oracle->SetAttribute("Candidates", UintegerValue(4));
    bench.Sample(PORT, UPLINK, 225000, 0);
    bench.Sample(Bench::Candidate(0), 101, 225000, 0);
    std::set<uint16_t> seen;
    for (int i = 0; i < 64; ++i)
    {
        seen.insert(bench.Ask(PORT));
    }
    CHECK(seen ==
          std::set<uint16_t>{Bench::Candidate(1), Bench::Candidate(2), Bench::Candidate(3)});
    bench.Sample(Bench::Candidate(1), 102, 100000, 0);
    for (int i = 0; i < 64; ++i)
    {
        CHECK(bench.Ask(PORT) == Bench::Candidate(1));
    }
    // where it is now there is no reason to explore
    CHECK(bench.Ask(Bench::Candidate(1)) == Bench::Candidate(1));
}

TEST_CASE("IntOracle: MoveProbability", "[int-oracle]")
{
    const auto moves = [](double probability, int64_t stream) {
        Bench bench;
        CHECK(bench.oracle->AssignStreams(stream) == 1);
        bench.oracle->SetAttribute("MoveProbability", DoubleValue(probability));
        bench.Sample(PORT, UPLINK, 225000, 0);
        std::vector<uint16_t> ports;
        for (int i = 0; i < 1000; ++i)
        {
            ports.push_back(bench.Ask(PORT, SAMPLE, uint32_t(i)));
        }
        const auto stays = std::count(ports.begin(), ports.end(), PORT);
        CHECK(bench.oracle->GetMoves() == static_cast<uint64_t>(1000 - stays));
        return ports;
    };
    const auto stays = [](const std::vector<uint16_t>& ports) {
        return std::count(ports.begin(), ports.end(), PORT);
    };
    CHECK(stays(moves(0, 1)) == 1000);
    CHECK(stays(moves(1, 1)) == 0);
    // binomial: 500 with a standard deviation of 15.8; 5 of them
    CHECK(std::abs(stays(moves(0.5, 1)) - 500) < 80);
    CHECK(moves(0.5, 3) == moves(0.5, 3));
    CHECK(moves(0.5, 3) != moves(0.5, 4));
}

TEST_CASE("IntOracle: who came last moves on", "[int-oracle]")
{
    Bench bench;
    bench.oracle->SetAttribute("MoveProbability", DoubleValue(0.5));
    bench.oracle->SetAttribute("Candidates", UintegerValue(8));
    bench.Sample(PORT, UPLINK, 225000, 0);         // trouble
    bench.Sample(PORT + 1, UPLINK + 1, 100000, 0); // none
    uint32_t guests = 0;
    uint32_t again = 0;
    for (uint32_t qpn = 0; qpn < 400; ++qpn)
    {
        const bool moved = bench.Ask(PORT, SAMPLE, qpn) != PORT;
        guests += moved;
        if (moved)
        {
            // nothing is known of where it went: no answer, and still a guest
            CHECK(bench.Ask(Bench::Candidate(0), SAMPLE, qpn) == Bench::Candidate(0));
            // trouble again: it moves for certain, however often
            CHECK(bench.Ask(PORT, SAMPLE, qpn) != PORT);
            CHECK(bench.Ask(PORT, SAMPLE, qpn) != PORT);
            // a message without trouble: it is at home, and may stay when somebody comes
            CHECK(bench.Ask(PORT + 1, SAMPLE, qpn) == PORT + 1);
            again += bench.Ask(PORT, SAMPLE, qpn) != PORT;
        }
    }
    // binomial: 200 with a standard deviation of 10, and half of those; 5 of them
    CHECK(std::abs(int(guests) - 200) < 50);
    CHECK(std::abs(2 * int(again) - int(guests)) < 75);
}

TEST_CASE("IntOracle: any record and any question are taken", "[int-oracle]")
{
    std::mt19937_64 engine(5);
    Bench bench;
    Tick now = 0;
    uint64_t known = 0;
    for (int i = 0; i < 200000; ++i)
    {
        IntRecord record;
        record.layout = engine() % 8 ? IntRecord::INT_MD : IntRecord::HPCC;
        record.md.domainId = engine() % 8 ? IntRecord::MD_DOMAIN_ID : uint16_t(engine());
        record.md.exceeded = engine() % 8 == 0;
        for (uint64_t hops = engine() % 5; hops > 0; --hops)
        {
            IntMdHop hop = HopOf(uint32_t(engine() % 6),
                                 engine() % 4 ? uint64_t(now) : engine(),
                                 uint32_t(engine()),
                                 uint32_t(engine() % 0x1000000));
            hop.domain.resize(engine() % 16 ? 2 : engine() % 4);
            if (engine() % 8 == 0 && !hop.domain.empty())
            {
                hop.domain[0] = uint32_t(engine());
            }
            record.md.hops.push_back(hop);
        }
        const uint16_t port =
            engine() % 2 ? Bench::Candidate(uint32_t(engine() % 16)) : uint16_t(0xc000 + i % 9);
        bench.Hear(port, record, engine() % 3 ? engine() % 100000 : engine(), now);
        const double cost = bench.Cost(port, now);
        REQUIRE((cost == IntOracle::UNKNOWN || (cost >= 0 && cost <= 1)));
        known += cost >= 0;
        REQUIRE(bench.Ask(port, now) >= ROCE_UDP_SOURCE_PORT_MIN);
        now += Tick(engine() % 30000);
    }
    CHECK(known > 1000); // it was not blind all the time
    CHECK(bench.oracle->GetMoves() > 0);
}
