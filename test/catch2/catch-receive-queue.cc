/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-receive-queue.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return a queue. \param depth its MaxDepth */
Ptr<ReceiveQueue>
MakeQueue(uint32_t depth)
{
    Ptr<ReceiveQueue> queue = CreateObject<ReceiveQueue>();
    queue->SetAttribute("MaxDepth", UintegerValue(depth));
    return queue;
}

/** \return a request. \param id its id; the other fields follow from it */
ReceiveRequest
Request(uint64_t id)
{
    return {id, 100 + id, 0x1000 * id, uint32_t(7 * id)};
}

/** Post requests. \param queue to \param first id \param count how many, with ids that follow */
void
Post(const Ptr<ReceiveQueue>& queue, uint64_t first, uint64_t count)
{
    for (uint64_t id = first; id < first + count; ++id)
    {
        queue->Post(Request(id));
    }
}

/** Take a request that must be there. \param queue from \return its id */
uint64_t
TakeId(const Ptr<ReceiveQueue>& queue)
{
    ReceiveRequest request;
    REQUIRE(queue->Take(request));
    return request.id;
}

/** What a limit handler and a posted callback hear. */
struct Listener
{
    Ptr<ReceiveQueue> queue;
    std::vector<std::size_t> depths{}; //!< of limit events
    std::size_t rearm{0};              //!< limit set again in the handler; 0: none
    uint64_t refill{0};                //!< requests posted in the handler
    std::vector<std::size_t> posted{}; //!< depth at each posted callback

    /** \param depth of the queue */
    void OnLimit(std::size_t depth)
    {
        depths.push_back(depth);
        Post(queue, 1000, refill);
        if (rearm > 0)
        {
            Arm(rearm);
        }
    }

    /** Notes the depth. */
    void OnPosted()
    {
        posted.push_back(queue->GetDepth());
    }

    /** \param limit set in the queue */
    void Arm(std::size_t limit)
    {
        queue->SetLimit(limit, MakeCallback(&Listener::OnLimit, this));
    }
};

} // namespace

TEST_CASE("ReceiveQueue: first posted, first taken, with all its fields", "[receive-queue]")
{
    Ptr<ReceiveQueue> queue = CreateObject<ReceiveQueue>();
    ReceiveRequest request = Request(77);
    CHECK_FALSE(queue->Take(request));
    CHECK(request.id == 77); // untouched
    Post(queue, 1, 3);
    CHECK(queue->GetDepth() == 3);
    for (uint64_t id = 1; id <= 3; ++id)
    {
        REQUIRE(queue->Take(request));
        CHECK(request.id == id);
        CHECK(request.bytes == 100 + id);
        CHECK(request.localAddress == 0x1000 * id);
        CHECK(request.localKey == 7 * id);
    }
    CHECK_FALSE(queue->Take(request));
    CHECK(queue->GetPosted() == 3);
    CHECK(queue->GetTaken() == 3); // a Take of nothing does not count
    CHECK(queue->GetDepth() == 0);
}

TEST_CASE("ReceiveQueue: one more than MaxDepth is refused", "[receive-queue]")
{
    Ptr<ReceiveQueue> queue = MakeQueue(2);
    Post(queue, 1, 2);
    CHECK_THROWS_AS(queue->Post(Request(3)), std::length_error);
    CHECK_THROWS_WITH(queue->Post(Request(3)),
                      Contains("request 3") && Contains("2 wait") && Contains("MaxDepth is 2"));
    CHECK(queue->GetPosted() == 2);
    CHECK(TakeId(queue) == 1);
    queue->Post(Request(3));
    // a queue that is too long after a change of MaxDepth keeps what it has
    queue->SetAttribute("MaxDepth", UintegerValue(1));
    CHECK(TakeId(queue) == 2);
    CHECK_THROWS_AS(queue->Post(Request(4)), std::length_error);
    CHECK(TakeId(queue) == 3);
    queue->Post(Request(4));
    CHECK_FALSE(queue->SetAttributeFailSafe("MaxDepth", UintegerValue(0)));
    UintegerValue depth;
    CreateObject<ReceiveQueue>()->GetAttribute("MaxDepth", depth);
    CHECK(depth.Get() == 16384);
}

TEST_CASE("ReceiveQueue: the limit event comes once, below the limit", "[receive-queue]")
{
    Ptr<ReceiveQueue> queue = MakeQueue(10);
    Listener listener{queue};
    Post(queue, 1, 5);
    listener.Arm(3);
    CHECK(queue->GetLimit() == 3);
    TakeId(queue);
    TakeId(queue); // 3 left: not below
    CHECK(listener.depths.empty());
    TakeId(queue); // 2 left
    CHECK(listener.depths == std::vector<std::size_t>{2});
    CHECK(queue->GetLimit() == 0);
    TakeId(queue);
    TakeId(queue);
    ReceiveRequest request;
    CHECK_FALSE(queue->Take(request));
    CHECK(listener.depths.size() == 1);
    // armed when below already: the next Take tells, one of nothing does not
    listener.Arm(10);
    CHECK_FALSE(queue->Take(request));
    Post(queue, 6, 1);
    CHECK(listener.depths.size() == 1);
    TakeId(queue);
    CHECK(listener.depths == std::vector<std::size_t>{2, 0});
    // disarmed
    Post(queue, 7, 2);
    listener.Arm(2);
    listener.Arm(0);
    TakeId(queue);
    TakeId(queue);
    CHECK(listener.depths.size() == 2);
}

TEST_CASE("ReceiveQueue: the limit handler may post and arm again", "[receive-queue]")
{
    Ptr<ReceiveQueue> queue = MakeQueue(10);
    Listener listener{queue};
    listener.rearm = 2;
    listener.refill = 2;
    Post(queue, 1, 2);
    listener.Arm(2);
    CHECK(TakeId(queue) == 1); // leaves 1, the handler makes it 3
    CHECK(listener.depths == std::vector<std::size_t>{1});
    CHECK(queue->GetDepth() == 3);
    CHECK(TakeId(queue) == 2); // leaves 2
    CHECK(listener.depths.size() == 1);
    CHECK(TakeId(queue) == 1000); // leaves 1
    CHECK(listener.depths == std::vector<std::size_t>{1, 1});
    CHECK(queue->GetLimit() == 2);
}

TEST_CASE("ReceiveQueue: a limit that makes no sense is refused", "[receive-queue]")
{
    Ptr<ReceiveQueue> queue = MakeQueue(4);
    Listener listener{queue};
    CHECK_THROWS_AS(listener.Arm(5), std::invalid_argument);
    CHECK_THROWS_WITH(listener.Arm(5), Contains("limit 5") && Contains("MaxDepth 4"));
    CHECK_THROWS_AS(queue->SetLimit(1, ReceiveQueue::LimitHandler()), std::invalid_argument);
    CHECK(queue->GetLimit() == 0);
    listener.Arm(4);
    CHECK_THROWS_AS(listener.Arm(5), std::invalid_argument);
    CHECK(queue->GetLimit() == 4); // as it was
    CHECK_NOTHROW(queue->SetLimit(0, ReceiveQueue::LimitHandler()));
}

TEST_CASE("ReceiveQueue: the NIC hears of each post", "[receive-queue]")
{
    Ptr<ReceiveQueue> queue = MakeQueue(3);
    Listener listener{queue};
    Post(queue, 1, 1);
    queue->SetPostedCallback(MakeCallback(&Listener::OnPosted, &listener));
    Post(queue, 2, 2);
    CHECK_THROWS(queue->Post(Request(4)));
    CHECK(listener.posted == std::vector<std::size_t>{2, 3}); // depth with the new one
    TakeId(queue);
    queue->SetPostedCallback(ReceiveQueue::PostedCallback());
    Post(queue, 4, 1);
    CHECK(listener.posted.size() == 2);
    queue->Dispose();
    CHECK(queue->GetDepth() == 0);
}

TEST_CASE("ReceiveQueue: random use agrees with a plain list", "[receive-queue]")
{
    constexpr uint32_t most = 40;
    Ptr<ReceiveQueue> queue = MakeQueue(most);
    Listener listener{queue};
    std::deque<uint64_t> list;
    std::mt19937 random(20240608);
    std::size_t limit = 0;
    std::vector<std::size_t> events;
    uint64_t posted = 0;
    uint64_t taken = 0;
    uint64_t refused = 0;
    for (int step = 0; step < 50000; ++step)
    {
        const unsigned dice = random() % 100;
        // tides of more posts and more takes, so that it runs full and empty
        const unsigned posts = step / 200 % 2 ? 70 : 25;
        if (dice < 5)
        {
            limit = random() % (most + 1);
            listener.Arm(limit);
        }
        else if (dice < posts && list.size() == most)
        {
            REQUIRE_THROWS_AS(queue->Post(Request(posted)), std::length_error);
            ++refused;
        }
        else if (dice < posts)
        {
            queue->Post(Request(posted));
            list.push_back(posted++);
        }
        else if (list.empty())
        {
            ReceiveRequest request;
            REQUIRE_FALSE(queue->Take(request));
        }
        else
        {
            REQUIRE(TakeId(queue) == list.front());
            list.pop_front();
            ++taken;
            if (list.size() < limit)
            {
                events.push_back(list.size());
                limit = 0;
            }
        }
        REQUIRE(queue->GetDepth() == list.size());
        REQUIRE(queue->GetLimit() == limit);
        REQUIRE(queue->GetPosted() == posted);
        REQUIRE(queue->GetTaken() == taken);
        REQUIRE(listener.depths == events);
    }
    CHECK(refused > 0);
    CHECK(events.size() > 100);
}
