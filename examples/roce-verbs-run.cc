/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-verbs-run.h"

#include "ns3/core-module.h"

namespace ns3
{
namespace roce
{

VerbsRun::VerbsRun(Ptr<Fabric> fabric, bool lossy)
    : m_fabric(fabric),
      m_lossy(lossy)
{
    for (uint32_t host : {0, 1})
    {
        m_domains[host] = CreateObject<ProtectionDomain>();
        fabric->GetPort(host, 0)->TraceConnectWithoutContext(
            "FrameSent",
            MakeCallback(&VerbsRun::NoteSent, this).Bind(host));
        fabric->GetPort(host, 0)->SetReceiveFilter(
            [this, host](const Frame& frame) { return IsLost(host, frame); });
    }
    uint32_t index = 0;
    for (const VerbsCase& what : VerbsCase::All())
    {
        m_slots.emplace_back();
        m_slots.back().what = what;
        Prepare(m_slots.back(), index++);
        Simulator::Schedule(MilliSeconds(index), &VerbsRun::Post, this, &m_slots.back());
    }
}

void
VerbsRun::Prepare(Slot& slot, uint32_t index)
{
    const uint64_t address = (index + 1) * 0x100000;
    const uint8_t all =
        ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;
    const uint64_t room = slot.what.bytes + GRH;
    slot.source = m_domains[0]->Register(address, room, ACCESS_LOCAL_WRITE);
    slot.destination = m_domains[1]->Register(address, room, all);
    slot.invalidated = m_domains[1]->Register(address, 1, all);
    const bool reads = IsReadOrAtomic(slot.what.operation);
    uint8_t* bytes = reads ? slot.destination->GetData() : slot.source->GetData();
    for (uint64_t i = 0; i < slot.what.bytes; ++i)
    {
        bytes[i] = static_cast<uint8_t>('a' + (i * 7 + index) % 26); // letters, easy to see
    }
    ConnectionOptions options;
    options.service = slot.what.service;
    options.queueKey = QUEUE_KEY;
    options.domain = m_domains[0];
    options.peerDomain = m_domains[1];
    slot.connection = m_fabric->Connect(0, 1, options);
    slot.sends = CreateObject<CompletionQueue>();
    slot.receives = CreateObject<CompletionQueue>();
    slot.connection.qp->SetSendQueue(slot.sends);
    slot.connection.peerQp->SetReceiveQueue(slot.receives);
}

void
VerbsRun::PostReceive(Slot* slot)
{
    ReceiveRequest room;
    room.bytes = slot->destination->GetLength();
    room.localAddress = slot->destination->GetAddress();
    room.localKey = slot->destination->GetLocalKey();
    slot->connection.peerNic->PostReceive(slot->connection.peerQp, room);
}

void
VerbsRun::Post(Slot* slot)
{
    const VerbsCase& what = slot->what;
    if (what.twist == VerbsTwist::LATE_RECEIVE)
    {
        Simulator::Schedule(MicroSeconds(220), &VerbsRun::PostReceive, this, slot);
    }
    else if (what.TakesReceive())
    {
        PostReceive(slot);
    }
    const QueuePairConfig& peer = slot->connection.peerQp->GetConfig();
    WorkRequest request;
    request.operation = what.operation;
    request.bytes = what.bytes;
    request.localAddress = slot->source->GetAddress();
    request.localKey = slot->source->GetLocalKey();
    request.remoteAddress = slot->destination->GetAddress();
    request.remoteKey = what.operation == Operation::SEND_INVALIDATE
                            ? slot->invalidated->GetRemoteKey()
                            : slot->destination->GetRemoteKey();
    request.immediate = IMMEDIATE;
    request.datagramAddress = peer.localAddress;
    request.datagramQpn = slot->connection.peerQp->GetQpn();
    request.datagramKey = peer.queueKey;
    request.compare = GetNumber(*slot->destination); // so COMPARE_SWAP finds what it wants
    request.swapAdd = SWAP_ADD;
    if (what.twist == VerbsTwist::WRONG_KEY)
    {
        request.remoteKey = 0xbad;
    }
    if (what.twist == VerbsTwist::INLINE)
    {
        const uint8_t* bytes = slot->source->GetData();
        request.inlineData.assign(bytes, bytes + what.bytes);
        request.localKey = 0;
    }
    slot->connection.nic->Post(slot->connection.qp, request);
}

} // namespace roce
} // namespace ns3
