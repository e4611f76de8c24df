/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what goes over the wire, and what of it is lost
#include "roce-verbs-run.h"

#include "ns3/roce-constants.h"
#include "ns3/roce-opcode-table.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
VerbsRun::NoteSent(uint32_t host, const Frame& frame)
{
    if (Slot* slot = Find(1 - host, frame))
    {
        m_opcodes.insert(static_cast<uint8_t>(frame.opcode));
        ++slot->frames[host];
        if (frame.kind == FrameKind::ACK)
        {
            m_syndromes.insert(static_cast<uint8_t>(frame.aeth >> 24));
        }
    }
}

bool
VerbsRun::IsLost(uint32_t host, const Frame& frame)
{
    Slot* slot = Find(host, frame);
    if (!slot || frame.kind == FrameKind::CNP)
    {
        return false;
    }
    bool* first = m_lossy ? &slot->lost[host] : nullptr;
    bool* second = slot->what.twist == VerbsTwist::LOST_SECOND && host == 1 && frame.psn == 1
                       ? &slot->second
                       : nullptr;
    bool* once = first && !*first ? first : second;
    if (!once || *once)
    {
        return false;
    }
    *once = true;
    return true;
}

VerbsRun::Slot*
VerbsRun::Find(uint32_t host, const Frame& frame)
{
    if (frame.kind == FrameKind::PFC)
    {
        return nullptr;
    }
    for (Slot& slot : m_slots)
    {
        const Connection& connection = slot.connection;
        if (frame.destinationQp == (host ? connection.peerQp : connection.qp)->GetQpn())
        {
            return &slot;
        }
    }
    return nullptr;
}

std::size_t
VerbsRun::GetOpcodeCount() const
{
    return m_opcodes.size();
}

std::vector<std::string>
VerbsRun::FindMissing(bool ecn) const
{
    std::vector<std::string> missing;
    for (unsigned i = 0; i < 256; ++i)
    {
        const auto opcode = static_cast<uint8_t>(i);
        const OpcodeFacts& facts = OpcodeTable::Get(opcode);
        const bool wanted =
            facts.service != OpcodeService::UNKNOWN && (facts.service != OpcodeService::CNP || ecn);
        if (wanted && !m_opcodes.count(opcode))
        {
            missing.push_back(std::string("frame with opcode ") + facts.name);
        }
    }
    const auto need = [&missing](bool there, const char* what) {
        if (!there)
        {
            missing.emplace_back(what);
        }
    };
    const bool rnr = std::any_of(m_syndromes.begin(), m_syndromes.end(), [](uint8_t syndrome) {
        return (syndrome & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_RNR;
    });
    need(rnr, "RNR NAK");
    need(m_syndromes.count(SYNDROME_NAK_SEQUENCE) > 0, "NAK for a wrong PSN");
    need(m_syndromes.count(SYNDROME_NAK_ACCESS) > 0, "NAK for a remote access error");
    const Ptr<Switch> leaf = m_fabric->GetSwitch(2);
    need(!ecn || leaf->GetEcnMarks() > 0, "CE mark");
    need(leaf->GetPfcController()->GetXoffs(3) > 0, "PFC frame");
    return missing;
}

} // namespace roce
} // namespace ns3
