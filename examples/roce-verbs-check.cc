/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what came of the operations: completions and memory
#include "roce-verbs-run.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

uint64_t
VerbsRun::GetNumber(const MemoryRegion& region)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; ++i)
    {
        number |= uint64_t(region.GetData()[i]) << (8 * i); // little-endian, as on x86 hosts
    }
    return number;
}

bool
VerbsRun::IsDelivered(const Slot& slot) const
{
    // nobody sends UC and UD again: without its first packet a message is gone
    return slot.what.twist != VerbsTwist::WRONG_KEY &&
           (slot.what.service == TransportService::RC || !m_lossy);
}

bool
VerbsRun::CheckReceive(Slot& slot) const
{
    const VerbsCase& what = slot.what;
    const uint64_t extra = what.service == TransportService::UD ? GRH : 0;
    uint32_t good = 0;
    uint32_t bad = 0;
    Completion completion;
    while (slot.receives->Poll(completion))
    {
        if (completion.kind == CompletionKind::ARRIVAL)
        {
            continue; // a WRITE, which the application of real hardware would not hear of
        }
        const bool fits = completion.status == CompletionStatus::SUCCESS &&
                          completion.bytes == what.bytes + extra &&
                          completion.hasImmediate == what.HasImmediate() &&
                          (!what.HasImmediate() || completion.immediate == IMMEDIATE);
        ++(fits ? good : bad);
    }
    const bool invalidate = what.operation == Operation::SEND_INVALIDATE;
    return bad == 0 && good == (what.TakesReceive() && IsDelivered(slot) ? 1 : 0) &&
           slot.invalidated->IsValid() != (invalidate && IsDelivered(slot));
}

bool
VerbsRun::CheckMemory(const Slot& slot, uint64_t original) const
{
    const VerbsCase& what = slot.what;
    const uint8_t* source = slot.source->GetData();
    const uint8_t* destination = slot.destination->GetData();
    if (IsAtomic(what.operation))
    {
        // done once, whatever was lost: the old number is here, the new one there
        const uint64_t old = GetNumber(*slot.source);
        const bool adds = what.operation == Operation::FETCH_ADD;
        return old == original && old > SWAP_ADD &&
               GetNumber(*slot.destination) == (adds ? old + SWAP_ADD : SWAP_ADD);
    }
    const uint64_t skip = what.service == TransportService::UD ? GRH : 0;
    if (IsDelivered(slot))
    {
        return std::equal(source, source + what.bytes, destination + skip);
    }
    return std::all_of(destination, destination + slot.destination->GetLength(), [](uint8_t byte) {
        return byte == 0;
    });
}

ResultWriter::Json
VerbsRun::Collect()
{
    ResultWriter::Json rows = ResultWriter::Json::array();
    for (Slot& slot : m_slots)
    {
        auto expected = CompletionStatus::SUCCESS;
        if (slot.what.twist == VerbsTwist::WRONG_KEY)
        {
            // the NAK is sent once: then the queue pair at host 1 has failed and is silent
            expected = m_lossy ? CompletionStatus::RETRY_EXCEEDED : CompletionStatus::REMOTE_ACCESS;
        }
        Completion completion;
        const bool ended = slot.sends->Poll(completion);
        const bool memory = CheckMemory(slot, completion.original);
        const bool receive = CheckReceive(slot);
        ResultWriter::Json row;
        row["name"] = slot.what.name;
        row["qpn"] = slot.connection.qp->GetQpn();
        row["bytes"] = slot.what.bytes;
        row["status"] = ended ? CompletionStatusName(completion.status) : "open";
        row["delivered"] = IsDelivered(slot);
        row["memory_ok"] = memory;
        row["time_ns"] = ended ? completion.completed - completion.posted : 0;
        row["sent"] = slot.frames[0];
        row["answered"] = slot.frames[1];
        row["ok"] = ended && completion.status == expected && memory && receive &&
                    slot.sends->GetDepth() == 0;
        rows.push_back(row);
    }
    return rows;
}

} // namespace roce
} // namespace ns3
