/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-verbs-test-fabric.h"

#include "ns3/object-factory.h"

namespace ns3
{
namespace roce
{

VerbsPair&
VerbsTest::OpenPair(uint32_t source,
                    uint32_t destination,
                    uint64_t bytes,
                    ConnectionOptions options)
{
    const uint8_t all =
        ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;
    pairs.emplace_back();
    VerbsPair& pair = pairs.back();
    pair.a.domain = options.domain ? options.domain : CreateObject<ProtectionDomain>();
    pair.b.domain = options.peerDomain ? options.peerDomain : CreateObject<ProtectionDomain>();
    if (!options.peerDomain)
    {
        pair.b.domain->SetAttribute("FirstKey", UintegerValue(0x2200));
    }
    // addresses of their own, so that no other pair's region would do
    const uint64_t shift = (pairs.size() - 1) * 0x100000000ULL;
    pair.a.region = pair.a.domain->Register(ADDRESS_A + shift, bytes, all);
    pair.b.region = pair.b.domain->Register(ADDRESS_B + shift, bytes, all);
    options.domain = pair.a.domain;
    options.peerDomain = pair.b.domain;
    const Connection made = fabric->Connect(source, destination, options);
    pair.a.nic = made.nic;
    pair.a.qp = made.qp;
    pair.b.nic = made.peerNic;
    pair.b.qp = made.peerQp;
    for (VerbsSide* side : {&pair.a, &pair.b})
    {
        const uint32_t node = fabric->GetNode(side == &pair.a ? source : destination)->GetId();
        auto queue = CreateObject<CompletionQueue>();
        queue->SetHandler(node, MakeCallback(&VerbsSide::Sent, side));
        side->qp->SetSendQueue(queue);
        queue = CreateObject<CompletionQueue>();
        queue->SetHandler(node, MakeCallback(&VerbsSide::Taken, side));
        side->qp->SetReceiveQueue(queue);
    }
    return pair;
}

WorkRequest
VerbsTest::Between(const VerbsSide& from,
                   const VerbsSide& to,
                   Operation operation,
                   uint64_t bytes,
                   uint64_t id)
{
    WorkRequest request;
    request.id = id;
    request.operation = operation;
    request.bytes = bytes;
    request.localAddress = from.region->GetAddress();
    request.localKey = from.region->GetLocalKey();
    if (!TestIsSend(operation))
    {
        request.remoteAddress = to.region->GetAddress();
        request.remoteKey = to.region->GetRemoteKey();
    }
    return request;
}

WorkRequest
VerbsTest::Make(const VerbsPair& pair, Operation operation, uint64_t bytes, uint64_t id)
{
    return Between(pair.a, pair.b, operation, bytes, id);
}

WorkRequest
VerbsTest::MakeBack(const VerbsPair& pair, Operation operation, uint64_t bytes, uint64_t id)
{
    return Between(pair.b, pair.a, operation, bytes, id);
}

void
VerbsTest::CheckStatuses(const std::vector<Completion>& list,
                         const std::vector<CompletionStatus>& statuses,
                         const std::string& what)
{
    NS_TEST_EXPECT_MSG_EQ(list.size(), statuses.size(), what << ": completions");
    Tick last = 0;
    for (std::size_t i = 0; i < std::min(list.size(), statuses.size()); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(list[i].id, i, what << ": order");
        NS_TEST_EXPECT_MSG_EQ(std::string(CompletionStatusName(list[i].status)),
                              CompletionStatusName(statuses[i]),
                              what << ": status of " << i);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(list[i].completed, last, what << ": time of " << i);
        last = list[i].completed;
    }
}

void
VerbsTest::CheckState(Ptr<QueuePair> qp, QueuePairState state, const std::string& what)
{
    NS_TEST_EXPECT_MSG_EQ(std::string(QueuePairStateName(qp->GetState())),
                          QueuePairStateName(state),
                          what << ": state");
}

} // namespace roce
} // namespace ns3
