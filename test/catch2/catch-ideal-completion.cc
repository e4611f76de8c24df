/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../roce-test-formula.h"

#include "ns3/roce-ideal-completion.h"

#include <catch2/catch.hpp>
#include <random>

using namespace ns3::roce;

namespace
{

/** \return the same path as IdealCompletion sees it. \param path of the recursion */
std::vector<IdealLink>
LinksOf(const std::vector<TestHop>& path)
{
    std::vector<IdealLink> links;
    for (const TestHop& hop : path)
    {
        links.push_back({double(hop.rate) / 8e9, hop.delayNs, hop.overhead, false});
    }
    return links;
}

} // namespace

TEST_CASE("IdealCompletion: closed formula for equal links", "[ideal-completion]")
{
    for (uint32_t n = 1; n <= 6; ++n)
    {
        const std::vector<TestHop> path(n, TestHop{100000000000ULL, 1000, 20});
        const IdealCompletion ideal(LinksOf(path), FrameSizes(), 1000);
        for (uint64_t bytes : {0, 1, 999, 1000, 1001, 2000, 2001, 2999, 123456, 1000000})
        {
            const double arrival = TestEqualArrivalNs(n, 100000000000ULL, 1000, bytes, 1000);
            CHECK(ideal.ArrivalNs(bytes) == Approx(arrival).epsilon(1e-12));
            // the ACK: 86 bytes are 6.88 ns at 100G
            CHECK(ideal.CompletionNs(bytes) == Approx(arrival + n * 1006.88).epsilon(1e-12));
        }
    }
}

TEST_CASE("IdealCompletion: any rates, against the packet by packet recursion",
          "[ideal-completion]")
{
    std::mt19937_64 random(6);
    const uint64_t rates[] = {1, 10, 25, 40, 100, 400, 800};
    for (int i = 0; i < 20000; ++i)
    {
        std::vector<TestHop> path(1 + random() % 6);
        for (TestHop& hop : path)
        {
            hop.rate = rates[random() % 7] * 1000000000ULL;
            hop.delayNs = double(random() % 3000);
            hop.overhead = random() % 3 ? 20 : 0;
        }
        FrameSizes sizes = random() % 4 ? FrameSizes() : FrameSizes::HpccArtifact();
        sizes.rethBytes = random() % 8 ? sizes.rethBytes : 0;
        const uint32_t mtu = 1 + random() % 9000;
        const uint64_t packets = random() % (random() % 10 ? 8 : 100);
        const uint64_t bytes = packets * mtu + random() % (mtu + 1);
        const IdealCompletion ideal(LinksOf(path), sizes, mtu);
        CAPTURE(path.size(), mtu, bytes);
        REQUIRE(ideal.CompletionNs(bytes) ==
                Approx(TestCompletionNs(path, bytes, mtu, sizes)).epsilon(1e-12));
    }
}

TEST_CASE("IdealCompletion: SEND, READ and atomics, packet by packet", "[ideal-completion]")
{
    std::mt19937_64 random(7);
    const uint64_t rates[] = {10, 25, 40, 100, 400};
    for (int i = 0; i < 5000; ++i)
    {
        std::vector<TestHop> path(1 + random() % 5);
        for (TestHop& hop : path)
        {
            hop.rate = rates[random() % 5] * 1000000000ULL;
            hop.delayNs = double(random() % 3000);
        }
        const std::vector<TestHop> back(path.rbegin(), path.rend());
        const FrameSizes sizes;
        const uint32_t mtu = 1 + random() % 9000;
        const uint64_t bytes = random() % (8 * mtu);
        const IdealCompletion ideal(LinksOf(path), sizes, mtu);
        CAPTURE(path.size(), mtu, bytes);

        // a SEND has no extension header; a READ response has an AETH of 4 bytes in its first and
        // last packet
        std::vector<uint32_t> send;
        std::vector<uint32_t> responses;
        const auto payloads = TestPayloads(bytes, mtu);
        for (std::size_t p = 0; p < payloads.size(); ++p)
        {
            const bool edge = p == 0 || p + 1 == payloads.size();
            send.push_back(sizes.Bytes(payloads[p], 0));
            responses.push_back(sizes.Bytes(payloads[p], edge ? 4 : 0));
        }
        const double sent = TestArrivalNs(path, send);
        REQUIRE(ideal.ArrivalNs(bytes, Operation::SEND) == Approx(sent).epsilon(1e-12));
        REQUIRE(ideal.CompletionNs(bytes, Operation::SEND_IMMEDIATE) ==
                Approx(sent + TestAckNs(path, sizes)).epsilon(1e-12));
        REQUIRE(ideal.CompletionNs(bytes, Operation::SEND, TransportService::UC) ==
                Approx(sent).epsilon(1e-12));
        // READ request: 62 + RETH 16 = 78 bytes; atomic: 62 + 28 = 90, its answer 62 + 12 = 74
        REQUIRE(ideal.CompletionNs(bytes, Operation::READ) ==
                Approx(TestArrivalNs(path, {78}) + TestArrivalNs(back, responses)).epsilon(1e-12));
        REQUIRE(ideal.CompletionNs(8, Operation::FETCH_ADD) ==
                Approx(TestArrivalNs(path, {90}) + TestArrivalNs(back, {74})).epsilon(1e-12));
    }
}
