/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-payload.h"

#include "roce-protection-domain.h"

#include "ns3/packet.h"
#include "ns3/roce-frame.h"

#include <vector>

namespace ns3
{
namespace roce
{

void
AttachPayload(Frame& frame, const uint8_t* bytes)
{
    Ptr<Packet> packet = Create<Packet>(bytes, frame.payload);
    frame.packet = PeekPointer(packet);
    frame.packet->Ref();
    frame.flags |= FRAME_PACKET;
}

void
AttachPayload(Frame& frame, const ProtectionDomain& domain, uint32_t key, uint64_t address)
{
    if (!domain.IsBacked(key))
    {
        return;
    }
    std::vector<uint8_t> bytes(frame.payload);
    domain.Read(key, address, bytes.data(), bytes.size());
    AttachPayload(frame, bytes.data());
}

void
StorePayload(const Frame& frame, ProtectionDomain& domain, uint32_t key, uint64_t address)
{
    if (!domain.IsBacked(key))
    {
        return;
    }
    std::vector<uint8_t> bytes(frame.payload);
    if (frame.flags & FRAME_PACKET)
    {
        frame.packet->CopyData(bytes.data(), frame.payload);
    }
    domain.Write(key, address, bytes.data(), bytes.size());
}

void
StoreNumber(uint64_t number, ProtectionDomain& domain, uint32_t key, uint64_t address)
{
    uint8_t bytes[sizeof(number)];
    for (unsigned i = 0; i < sizeof(number); ++i)
    {
        bytes[i] = static_cast<uint8_t>(number >> (8 * i));
    }
    domain.Write(key, address, bytes, sizeof(bytes));
}

} // namespace roce
} // namespace ns3
