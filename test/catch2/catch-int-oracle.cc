/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-bench.h"

#include "ns3/nstime.h"

#include <catch2/catch.hpp>
#include <set>

using namespace ns3;
using namespace ns3::roce;
using namespace ns3::roce::oracle;

TEST_CASE("IntOracle: candidates are UDP source ports of RoCE, the same each time", "[int-oracle]")
{
    std::set<uint16_t> seen;
    for (uint32_t i = 0; i < 1024; ++i)
    {
        const uint16_t port = Bench::Candidate(i);
        CHECK(port >= 0xc000);
        CHECK(port == Bench::Candidate(i));
        CHECK(port != PORT);
        seen.insert(port);
    }
    // 1024 draws of 16384 give 16384 (1 - exp(-1/16)) = 992.6 different ones, standard deviation
    // sqrt(1024^2 / (2 x 16384)) = 5.7
    CHECK(seen.size() > 992 - 30);
    CHECK(IntOracle::GetCandidate(DESTINATION + 1, 0) != Bench::Candidate(0));
}

TEST_CASE("IntOracle: the first record is no measurement", "[int-oracle]")
{
    Bench bench;
    CHECK(bench.Cost(PORT, 0) == IntOracle::UNKNOWN);
    bench.Hear(PORT, PathRecord(UPLINK, 0, 1000), 4000, 0);
    CHECK(bench.Cost(PORT, 0) == IntOracle::UNKNOWN);
    CHECK(bench.Ask(PORT, 0) == PORT);
    bench.Hear(PORT, PathRecord(UPLINK, SAMPLE - 1, 201000), 4000, SAMPLE - 1);
    CHECK(bench.Cost(PORT, SAMPLE - 1) == IntOracle::UNKNOWN); // the sample is too short
    CHECK(bench.oracle->GetBlind() == 0);
}

TEST_CASE("IntOracle: costs", "[int-oracle]")
{
    struct Row
    {
        uint32_t sent;
        uint64_t own;
        uint32_t queue;
        double cost;
    };

    const Row rows[] = {
        {0, 0, 0, 0},                // idle
        {200000, 0, 0, 0.8},         // others: 200000 / 250000
        {200000, 50000, 0, 0.6},     // own load is taken off: 150000 / 250000
        {200000, 200000, 0, 0},      // all of it is ours
        {200000, 210000, 0, 0},      // never below 0
        {0, 0, 125000, 1},           // what the rate sends in QueueTime
        {0, 0, 12500, 0.1},          // a tenth
        {125000, 25000, 62500, 0.9}, // 0.4 + 0.5
        {125000, 0, 100000, 1},      // 0.5 + 0.8: not above 1
        {224999, 100000, 0, 0.499996},
        {225000, 100000, 0, 1},   // full (0.9): others would take what is left
        {225000, 174999, 0, 1},   // their 0.200004 is more than Margin
        {225000, 175000, 0, 0.2}, // as good as ours alone
    };
    for (const Row& row : rows)
    {
        Bench bench;
        bench.Sample(PORT, UPLINK, row.sent, row.own, row.queue);
        CAPTURE(row.sent, row.own, row.queue);
        CHECK(bench.Cost(PORT) == Approx(row.cost).margin(1e-12));
        CHECK(bench.oracle->GetCost(DESTINATION + 1, PORT, SAMPLE) == IntOracle::UNKNOWN);
        CHECK(bench.Cost(PORT + 1) == IntOracle::UNKNOWN);
    }
}

TEST_CASE("IntOracle: own bytes of all records since the begin count", "[int-oracle]")
{
    Bench bench;
    bench.Hear(PORT, PathRecord(UPLINK, 0, 0), 99999, 0); // the counter was read before these
    bench.Hear(PORT, PathRecord(UPLINK, 5000, 62500), 20000, 5000);
    // another path of this NIC over the same port
    bench.Hear(PORT + 1, PathRecord(UPLINK, 10000, 125000), 30000, 10000);
    bench.Hear(PORT, PathRecord(UPLINK, SAMPLE, 200000), 50000, SAMPLE);
    CHECK(bench.Cost(PORT) == Approx(0.4).epsilon(1e-12)); // (200000 - 100000) / 250000
    CHECK(bench.Cost(PORT + 1) == Approx(0.4).epsilon(1e-12));
    // the next sample begins where that one ended
    bench.Hear(PORT, PathRecord(UPLINK, 2 * SAMPLE, 300000), 25000, 2 * SAMPLE);
    CHECK(bench.Cost(PORT, 2 * SAMPLE) == Approx(0.3).epsilon(1e-12)); // 75000 / 250000
}

TEST_CASE("IntOracle: the worst hop counts, that to the destination does not", "[int-oracle]")
{
    Bench bench;
    for (uint64_t n : {0, 1})
    {
        const auto k = static_cast<uint32_t>(n);
        const IntRecord record = RecordOf({HopOf(LAST, n * SAMPLE, k * ROOM),
                                           HopOf(200, n * SAMPLE, k * 150000),
                                           HopOf(UPLINK, n * SAMPLE, k * 50000, k * 12500)});
        bench.Hear(PORT, record, 0, Tick(n) * SAMPLE);
    }
    CHECK(bench.Cost(PORT) == Approx(0.6).epsilon(1e-12)); // not 0.2 + 0.1, not 1
    // a stack that a switch had no room in does not end with the last one
    Bench cut;
    for (uint64_t n : {0, 1})
    {
        IntRecord record = PathRecord(UPLINK, n * SAMPLE, 0);
        record.md.hops.front().domain[1] = static_cast<uint32_t>(n) * ROOM;
        record.md.exceeded = true;
        cut.Hear(PORT, record, 0, Tick(n) * SAMPLE);
    }
    CHECK(cut.Cost(PORT) == Approx(1).epsilon(1e-12));
    // hosts of one leaf: there is nothing to choose
    Bench leaf;
    leaf.Hear(PORT, RecordOf({HopOf(LAST, 0, 0)}), 0, 0);
    leaf.Hear(PORT, RecordOf({HopOf(LAST, SAMPLE, ROOM, 1000000)}), 0, SAMPLE);
    CHECK(leaf.Cost(PORT) == 0);
    CHECK(leaf.Ask(PORT) == PORT);
}

TEST_CASE("IntOracle: telemetry ages", "[int-oracle]")
{
    Bench bench;
    bench.Sample(PORT, UPLINK, 200000, 0);
    CHECK(bench.Cost(PORT, SAMPLE + MAX_AGE) == Approx(0.8).epsilon(1e-12));
    CHECK(bench.Cost(PORT, SAMPLE + MAX_AGE + 1) == IntOracle::UNKNOWN);
    CHECK(bench.Ask(PORT, SAMPLE + MAX_AGE + 1) == PORT);
    // a record after that begins anew: it does not measure over the time without telemetry
    const Tick later = SAMPLE + MAX_AGE + 1;
    bench.Hear(PORT, PathRecord(UPLINK, uint64_t(later), 300000), 0, later);
    CHECK(bench.Cost(PORT, later) == IntOracle::UNKNOWN);
    bench.Hear(PORT, PathRecord(UPLINK, uint64_t(later + SAMPLE), 350000), 0, later + SAMPLE);
    CHECK(bench.Cost(PORT, later + SAMPLE) == Approx(0.2).epsilon(1e-12)); // 50000 / 250000
}

TEST_CASE("IntOracle: the counter of bytes wraps at 2^32", "[int-oracle]")
{
    Bench bench;
    bench.Hear(PORT, PathRecord(UPLINK, 0, 0xffffffff - 49999), 0, 0);
    bench.Hear(PORT, PathRecord(UPLINK, SAMPLE, 100000), 0, SAMPLE);
    CHECK(bench.Cost(PORT) == Approx(0.6).epsilon(1e-12)); // 50000 + 100000 of 250000
    // 2^32 B last 343.6 ms: a gap of as much may hide a round, so that begins anew
    Bench slow;
    slow.oracle->SetAttribute("MaxAge", TimeValue(Seconds(1)));
    slow.Hear(PORT, PathRecord(UPLINK, 0, 0), 0, 0);
    slow.Hear(PORT, PathRecord(UPLINK, 343500000, 2147483648), 0, 343500000);
    // 2147483648 / (12.5 x 343500000) = 2147483648 / 4293750000
    CHECK(slow.Cost(PORT, 343500000) == Approx(0.50014175).epsilon(1e-7));
    slow.Hear(PORT, PathRecord(UPLINK, 687200000, 2147483648), 0, 687200000);
    CHECK(slow.Cost(PORT, 687200000) == IntOracle::UNKNOWN);
}

TEST_CASE("IntOracle: a port of another rate is measured anew", "[int-oracle]")
{
    Bench bench;
    bench.Sample(PORT, UPLINK, 200000, 0);
    IntRecord record = PathRecord(UPLINK, 2 * SAMPLE, 201000);
    record.md.hops.back().domain[0] = 400000;
    bench.Hear(PORT, record, 0, 2 * SAMPLE);
    CHECK(bench.Cost(PORT, 2 * SAMPLE) == IntOracle::UNKNOWN);
    for (IntMdHop& hop : record.md.hops)
    {
        hop.egressTime = 3 * SAMPLE;
    }
    record.md.hops.back().domain[1] += 200000;
    bench.Hear(PORT, record, 0, 3 * SAMPLE);
    CHECK(bench.Cost(PORT, 3 * SAMPLE) == Approx(0.2).epsilon(1e-12)); // 200000 of 1000000
}

TEST_CASE("IntOracle: a record that was overtaken changes neither queue nor load", "[int-oracle]")
{
    Bench bench;
    bench.Sample(PORT, UPLINK, 100000, 0, 25000);
    // made before the sample began, so what it acknowledges is in an earlier count
    bench.Hear(PORT, PathRecord(UPLINK, SAMPLE - 1, 90000, 125000), 70000, SAMPLE + 10);
    CHECK(bench.Cost(PORT) == Approx(0.6).epsilon(1e-12)); // 0.4 + 0.2
    bench.Hear(PORT, PathRecord(UPLINK, SAMPLE + 1000, 111000, 0), 0, SAMPLE + 1000);
    // made in the sample, but before the newest record: its bytes count, its queue does not
    bench.Hear(PORT, PathRecord(UPLINK, SAMPLE + 500, 106000, 125000), 10000, SAMPLE + 1100);
    CHECK(bench.Cost(PORT) == Approx(0.4).epsilon(1e-12));
    bench.Hear(PORT, PathRecord(UPLINK, 2 * SAMPLE, 201000, 0), 15000, 2 * SAMPLE);
    CHECK(bench.Cost(PORT) == Approx(0.3).epsilon(1e-12)); // (100000 - 25000) / 250000
}

TEST_CASE("IntOracle: without telemetry that names ports it is blind and stays", "[int-oracle]")
{
    Bench bench;
    const PathKey path{DESTINATION, PORT, 17};
    std::vector<IntRecord> records(2); // as HPCC writes it, empty and not
    HpccIntHop hpcc;
    hpcc.rate = 100000;
    records[1].hpcc.Push(hpcc);
    IntRecord bad = PathRecord(UPLINK, 0, 0);
    bad.md.domainId = IntRecord::MD_DOMAIN_ID + 1; // words of another meaning
    records.push_back(bad);
    records.push_back(RecordOf({}));
    for (std::size_t words : {0, 1})
    {
        bad = PathRecord(UPLINK, 0, 0);
        bad.md.hops.back().domain.resize(words);
        records.push_back(bad);
    }
    for (uint32_t rate : {0u, 0xffffffffu}) // a switch that does not know the domain writes ones
    {
        bad = PathRecord(UPLINK, 0, 0);
        bad.md.hops.front().domain[0] = rate;
        records.push_back(bad);
    }
    bad = PathRecord(UPLINK, 0, 0);
    bad.md.hops.back().egressTime = ~uint64_t(0);
    records.push_back(bad);
    bad = PathRecord(UPLINK, 0, 0, 0xffffff);
    records.push_back(bad);
    bad = PathRecord(0xffffffff, 0, 0);
    records.push_back(bad);
    bench.oracle->Observe(path, 4000, nullptr, 0);
    for (Tick now : {Tick(1), SAMPLE + 1, 2 * SAMPLE + 1})
    {
        for (IntRecord& record : records)
        {
            bench.Hear(PORT, record, 4000, now);
            for (IntMdHop& hop : record.md.hops)
            {
                hop.egressTime += hop.egressTime == ~uint64_t(0) ? 0 : SAMPLE;
            }
        }
    }
    CHECK(bench.oracle->GetBlind() == 1 + 3 * records.size());
    CHECK(bench.Cost(PORT, 2 * SAMPLE + 1) == IntOracle::UNKNOWN);
    for (int i = 0; i < 100; ++i)
    {
        CHECK(bench.Ask(PORT, 2 * SAMPLE + 1) == PORT);
    }
    CHECK(bench.oracle->GetMoves() == 0);
}
