/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ptr.h"
#include "ns3/roce-receiver-admission.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using Grants = std::vector<std::pair<uint32_t, uint64_t>>; //!< channel, bytes

/** A receiver whose grants are written down. */
class Book
{
  public:
    explicit Book(uint64_t limit)
        : admission(Create<ReceiverAdmission>(limit))
    {
    }

    /** \return number of a new channel. \param chunk longest chunk \param slots in flight */
    uint32_t Add(uint64_t chunk, uint32_t slots)
    {
        const auto number = static_cast<uint32_t>(admission->GetChannels());
        REQUIRE(admission->AddChannel(chunk, slots, [this, number](uint64_t bytes) {
            m_grants.emplace_back(number, bytes);
        }) == number);
        return number;
    }

    /** \return grants since the last call */
    Grants Take()
    {
        return std::exchange(m_grants, Grants());
    }

    Ptr<ReceiverAdmission> admission;

  private:
    Grants m_grants;
};

/** The rules again, as slow and plain as possible. */
class Mirror
{
  public:
    /** What is known of a channel. */
    struct Channel
    {
        uint64_t chunk;
        uint32_t slots;
        std::deque<uint64_t> messages; //!< rest of each
        std::deque<uint64_t> flying;
        uint64_t expected{0};
        uint64_t granted{0};
    };

    uint64_t limit;
    std::vector<Channel> channels;

    uint64_t InFlight() const
    {
        uint64_t sum = 0;
        for (const Channel& channel : channels)
        {
            for (uint64_t bytes : channel.flying)
            {
                sum += bytes;
            }
        }
        return sum;
    }

    /** A grant came; it must be one that is allowed. */
    void Take(uint32_t number, uint64_t bytes)
    {
        Channel& channel = channels.at(number);
        REQUIRE(channel.flying.size() < channel.slots);
        REQUIRE_FALSE(channel.messages.empty());
        uint64_t longest = channel.chunk;
        if (limit)
        {
            longest = std::min(longest, limit);
        }
        REQUIRE(bytes == std::min(channel.messages.front(), longest));
        channel.messages.front() -= bytes;
        if (channel.messages.front() == 0)
        {
            channel.messages.pop_front();
        }
        channel.granted += bytes;
        channel.flying.push_back(bytes);
        REQUIRE((limit == 0 || InFlight() <= limit));
    }

    /** Whether something could be granted on a channel, but for the limit. */
    bool Waits(const Channel& channel) const
    {
        return !channel.messages.empty() && channel.flying.size() < channel.slots;
    }
};

} // namespace

TEST_CASE("receiver admission: a table by hand", "[receiver-admission]")
{
    // limit 10; chunks of 4 in 2 slots on each of three channels
    Book book(10);
    ReceiverAdmission& a = *book.admission;
    for (int i = 0; i < 3; ++i)
    {
        book.Add(4, 2);
    }
    a.Expect(0, 10); // 4, 4, then both slots are taken
    CHECK(book.Take() == Grants{{0, 4}, {0, 4}});
    CHECK(a.GetInFlight() == 8);
    CHECK(a.GetWaiting(0) == 2);
    a.Expect(1, 6); // its 4 do not fit into the 2 that are left
    CHECK(book.Take().empty());
    a.Expect(2, 2); // would fit, but it is the turn of channel 1
    CHECK(book.Take().empty());
    CHECK(a.Done(0) == 4); // 4 in flight: the line is 1, 2, 0; 1 goes behind 0 afterwards
    CHECK(book.Take() == Grants{{1, 4}, {2, 2}});
    CHECK(a.GetInFlight() == 10);
    CHECK(a.Done(0) == 4); // 6 in flight; the line is 0, 1
    CHECK(book.Take() == Grants{{0, 2}, {1, 2}});
    CHECK(a.GetChunksInFlight(1) == 2);
    CHECK(a.Done(1) == 4);
    CHECK(a.Done(1) == 2);
    CHECK(a.Done(2) == 2);
    CHECK(a.Done(0) == 2);
    CHECK(book.Take().empty());
    CHECK(a.GetInFlight() == 0);
    CHECK(a.GetGranted() == 18);
    CHECK(a.GetGranted(0) == 10);
    CHECK(a.GetGranted(1) == 6);
    CHECK(a.GetGranted(2) == 2);
    CHECK(a.GetPeak() == 10);
}

TEST_CASE("receiver admission: limits, empty messages, closed channels", "[receiver-admission]")
{
    SECTION("without a limit slots alone count")
    {
        Book book(0);
        book.Add(4, 3);
        book.admission->Expect(0, 100);
        CHECK(book.Take() == Grants{{0, 4}, {0, 4}, {0, 4}});
    }
    SECTION("a limit below a chunk cuts it: 3 + 3 + 3 + 1")
    {
        Book book(3);
        book.Add(4, 8);
        book.admission->Expect(0, 10);
        Grants all;
        for (Grants now = book.Take(); !now.empty(); now = book.Take())
        {
            CHECK(now.size() == 1);
            all.push_back(now[0]);
            book.admission->Done(0);
        }
        CHECK(all == Grants{{0, 3}, {0, 3}, {0, 3}, {0, 1}});
    }
    SECTION("messages of 0 bytes take a slot and no bytes; messages are not joined")
    {
        Book book(4);
        book.Add(4, 2);
        book.admission->Expect(0, 0);
        book.admission->Expect(0, 1);
        book.admission->Expect(0, 2);
        CHECK(book.Take() == Grants{{0, 0}, {0, 1}});
        CHECK(book.admission->Done(0) == 0);
        CHECK(book.Take() == Grants{{0, 2}});
    }
    SECTION("a raised limit grants at once")
    {
        Book book(4);
        book.Add(4, 8);
        book.admission->Expect(0, 100);
        CHECK(book.Take().size() == 1);
        book.admission->RaiseLimit(13); // 4 + 2 x 4 = 12
        CHECK(book.Take().size() == 2);
        book.admission->RaiseLimit(0); // the rest of the slots: 8 - 3
        CHECK(book.Take().size() == 5);
        CHECK_THROWS_AS(book.admission->RaiseLimit(13), std::invalid_argument);
    }
    SECTION("what a closed channel had goes to the others")
    {
        Book book(8);
        book.Add(4, 2);
        book.Add(4, 2);
        book.admission->Expect(0, 100);
        book.admission->Expect(1, 100);
        CHECK(book.Take() == Grants{{0, 4}, {0, 4}});
        book.admission->Close(0);
        CHECK(book.admission->GetInFlight() == 0);
        book.admission->GrantWaiting();
        CHECK(book.Take() == Grants{{1, 4}, {1, 4}});
        book.admission->Expect(0, 5);
        CHECK(book.Take().empty());
        CHECK_THROWS_AS(book.admission->Done(0), std::invalid_argument);
        CHECK(book.admission->Done(1) == 4);
    }
    SECTION("a channel in the middle of the line is closed")
    {
        Book book(4);
        for (int i = 0; i < 4; ++i)
        {
            book.Add(4, 2);
            book.admission->Expect(i, 8);
        }
        CHECK(book.Take() == Grants{{0, 4}});
        book.admission->Close(2); // the line was 0, 1, 2, 3
        Grants all;
        for (int i = 0; i < 5; ++i)
        {
            const std::vector<uint32_t> next{0, 0, 1, 3, 1};
            book.admission->Done(next[i]);
            for (const auto& grant : book.Take())
            {
                all.push_back(grant);
            }
        }
        CHECK(all == Grants{{0, 4}, {1, 4}, {3, 4}, {1, 4}, {3, 4}});
    }
    SECTION("the last channel of the line is closed, others come behind")
    {
        Book book(4);
        for (uint32_t i = 0; i < 4; ++i)
        {
            book.Add(4, 2);
        }
        book.admission->Expect(0, 8);
        book.admission->Expect(1, 4);
        book.admission->Expect(2, 4); // the line is 0, 1, 2
        book.admission->Close(2);
        book.admission->Expect(3, 4);
        CHECK(book.Take() == Grants{{0, 4}});
        book.admission->Done(0);
        CHECK(book.Take() == Grants{{0, 4}});
        book.admission->Done(0);
        CHECK(book.Take() == Grants{{1, 4}});
        book.admission->Done(1);
        CHECK(book.Take() == Grants{{3, 4}});
    }
    SECTION("mistakes are refused")
    {
        Book book(4);
        const auto grant = [](uint64_t) {};
        ReceiverAdmission& a = *book.admission;
        CHECK_THROWS_AS(a.AddChannel(0, 1, grant), std::invalid_argument);
        CHECK_THROWS_AS(a.AddChannel(1, 0, grant), std::invalid_argument);
        CHECK_THROWS_AS(a.AddChannel(1, 1, nullptr), std::invalid_argument);
        CHECK_THROWS_AS(a.Expect(0, 1), std::invalid_argument);
        CHECK_THROWS_AS(a.Done(0), std::invalid_argument);
        CHECK_THROWS_AS(a.Close(0), std::invalid_argument);
        CHECK_THROWS_AS(a.GetGranted(0), std::invalid_argument);
        CHECK_THROWS_AS(a.RaiseLimit(3), std::invalid_argument);
        CHECK(a.GetChannels() == 0);
    }
}

TEST_CASE("receiver admission: a grant may expect more, and throw", "[receiver-admission]")
{
    Ptr<ReceiverAdmission> admission = Create<ReceiverAdmission>(8);
    std::vector<uint64_t> seen;
    admission->AddChannel(4, 8, [&](uint64_t bytes) {
        seen.push_back(bytes);
        if (seen.size() == 1)
        {
            admission->Expect(0, 3); // a nested call grants nothing by itself
            CHECK(seen.size() == 1);
        }
        if (seen.size() == 3)
        {
            throw std::runtime_error("a NIC says no");
        }
    });
    admission->Expect(0, 4);
    CHECK(seen == std::vector<uint64_t>{4, 3});
    CHECK_THROWS_AS(admission->Expect(0, 1), std::runtime_error);
    CHECK(admission->Done(0) == 4);
    admission->Expect(0, 2); // it goes on
    CHECK(seen == std::vector<uint64_t>{4, 3, 1, 2});
}

TEST_CASE("receiver admission: backlogged channels are even", "[receiver-admission]")
{
    // limits that are no multiple of a chunk, so that turns wait; slots that never run out
    for (uint64_t limit : {7u, 20u, 33u, 401u})
    {
        Book book(limit);
        std::vector<uint64_t> chunks(5, 0);
        for (uint32_t i = 0; i < chunks.size(); ++i)
        {
            book.Add(4, 1000);
            book.admission->Expect(i, 40000);
        }
        book.Take(); // the first may take all while the others do not expect anything yet
        std::mt19937 engine(1);
        for (int i = 0; i < 2000; ++i)
        {
            // chunks end in any order, so that some channels wait long for theirs
            uint32_t c = engine() % chunks.size();
            while (book.admission->GetChunksInFlight(c) == 0)
            {
                c = engine() % chunks.size();
            }
            book.admission->Done(c);
            for (const auto& grant : book.Take())
            {
                ++chunks[grant.first];
            }
            const auto ends = std::minmax_element(chunks.begin(), chunks.end());
            REQUIRE(*ends.second - *ends.first <= 1);
        }
        REQUIRE(*std::min_element(chunks.begin(), chunks.end()) == 400); // 2000 / 5
    }
}

TEST_CASE("receiver admission: random", "[receiver-admission]")
{
    for (uint32_t seed = 1; seed <= 200; ++seed)
    {
        std::mt19937 engine(seed);
        Mirror mirror;
        mirror.limit = engine() % 3 ? 1 + engine() % 60 : 0;
        Book book(mirror.limit);
        const uint32_t count = 1 + engine() % 6;
        for (uint32_t i = 0; i < count; ++i)
        {
            mirror.channels.push_back(
                Mirror::Channel{1 + engine() % 20, 1 + uint32_t(engine() % 4), {}, {}});
            book.Add(mirror.channels[i].chunk, mirror.channels[i].slots);
        }
        const auto follow = [&]() {
            for (const auto& grant : book.Take())
            {
                mirror.Take(grant.first, grant.second);
            }
            REQUIRE(book.admission->GetInFlight() == mirror.InFlight());
            for (uint32_t i = 0; i < count; ++i)
            {
                const Mirror::Channel& channel = mirror.channels[i];
                REQUIRE(book.admission->GetGranted(i) == channel.granted);
                REQUIRE(book.admission->GetWaiting(i) == channel.expected - channel.granted);
                // nobody waits while nothing is under way
                REQUIRE((!mirror.Waits(channel) || mirror.InFlight() > 0));
            }
        };
        uint64_t open = 0; // chunks in flight
        for (int step = 0; step < 400 || open > 0; ++step)
        {
            const uint32_t c = engine() % count;
            Mirror::Channel& channel = mirror.channels[c];
            if (step < 400 && engine() % 3 == 0)
            {
                const uint64_t bytes = engine() % 50;
                channel.messages.push_back(bytes);
                channel.expected += bytes;
                book.admission->Expect(c, bytes);
            }
            else if (!channel.flying.empty())
            {
                const uint64_t bytes = channel.flying.front();
                channel.flying.pop_front();
                REQUIRE(book.admission->Done(c) == bytes);
            }
            follow();
            open = 0;
            for (const Mirror::Channel& any : mirror.channels)
            {
                open += any.flying.size();
            }
        }
        for (const Mirror::Channel& channel : mirror.channels)
        {
            REQUIRE(channel.granted == channel.expected); // each byte once
            REQUIRE(channel.messages.empty());
        }
        REQUIRE((mirror.limit == 0 || book.admission->GetPeak() <= mirror.limit));
    }
}
