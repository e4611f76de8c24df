/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cnp-injector.h"

#include "roce-switch.h"

#include "ns3/roce-flow-key.h"
#include "ns3/roce-frame-sizes.h"

namespace ns3
{
namespace roce
{

namespace
{

/** High bits of the opcodes of unreliable datagrams (IBTA table 38). */
constexpr unsigned SERVICE_UD = 3;
/** TTL of a CNP on its way into the switch: 64 when it leaves, as from a host. */
constexpr uint8_t START_TTL = 65;

} // namespace

CnpInjector::CnpInjector(Switch* device, EventCore* core)
    : DelayLine(core),
      m_switch(device),
      m_pool(&core->GetPool())
{
}

bool
CnpInjector::CanTell(const Frame& cause)
{
    const bool datagram = static_cast<unsigned>(cause.opcode) >> 5 == SERVICE_UD;
    return (SourceQpOf(cause) & MASK_24) != 0 && !datagram;
}

void
CnpInjector::Send(const Frame& cause, const CnpBody& body, uint8_t priority, Tick now)
{
    Frame* cnp = m_pool->Get();
    cnp->source = cause.destination;
    cnp->destination = cause.source;
    cnp->sourcePort = cause.sourcePort;
    cnp->destinationPort = cause.destinationPort;
    cnp->hash =
        FlowKey{cnp->source, cnp->destination, cnp->sourcePort, cnp->destinationPort}.Hash();
    cnp->destinationQp = SourceQpOf(cause) & MASK_24;
    cnp->priority = priority;
    cnp->inPort = cause.inPort;
    Launch(cnp, body, now);
}

void
CnpInjector::Follow(const Frame& before, const CnpBody& body, Tick now)
{
    Frame* cnp = m_pool->Get();
    cnp->source = before.source;
    cnp->destination = before.destination;
    cnp->sourcePort = before.sourcePort;
    cnp->destinationPort = before.destinationPort;
    cnp->hash = before.hash;
    cnp->destinationQp = before.destinationQp;
    cnp->priority = before.priority;
    cnp->inPort = before.inPort;
    Launch(cnp, body, now);
}

void
CnpInjector::Launch(Frame* cnp, const CnpBody& body, Tick now)
{
    cnp->kind = FrameKind::CNP;
    cnp->opcode = Opcode::CNP;
    cnp->flags = FRAME_BECN | FRAME_EXTENDED;
    cnp->psn = 0;
    cnp->aeth = 0;
    cnp->payload = 0;
    cnp->size = static_cast<uint16_t>(FrameSizes().cnpBytes);
    cnp->ecn = ECN_NOT_ECT;
    cnp->ttl = START_TTL;
    cnp->stamp = static_cast<uint32_t>(now);
    body.Encode(cnp->cnpBody);
    Push(cnp, now);
}

void
CnpInjector::Release(Frame* frame, Tick now)
{
    m_switch->Receive(frame, frame->inPort, now);
}

} // namespace roce
} // namespace ns3
