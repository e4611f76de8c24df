/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERBS_RUN_H
#define ROCE_VERBS_RUN_H

#include "roce-verbs-case.h"

#include "ns3/roce-fabric.h"
#include "ns3/roce-result-writer.h"

#include <array>
#include <deque>
#include <set>
#include <vector>

namespace ns3
{
namespace roce
{

/** All operations of the tour from host 0 to host 1, one after the other, and what came of them. */
class VerbsRun
{
  public:
    /**
     * \param fabric hosts 0 and 1 are on it; posts the operations a millisecond apart
     * \param lossy whether the first packet of each operation and the first answer are lost
     */
    VerbsRun(Ptr<Fabric> fabric, bool lossy);

    /** \return a row for each operation: name, bytes, status, ok and so on */
    ResultWriter::Json Collect();

    /** \return how many BTH opcodes the hosts sent */
    std::size_t GetOpcodeCount() const;

    /**
     * \param ecn whether there should be marks and CNPs
     * \return what never came: opcodes of RC, UC, UD, kinds of NAK, marks, pauses
     */
    std::vector<std::string> FindMissing(bool ecn) const;

  private:
    /** An operation on its way. */
    struct Slot
    {
        VerbsCase what;
        Connection connection;
        Ptr<MemoryRegion> source;      //!< at host 0
        Ptr<MemoryRegion> destination; //!< at host 1
        Ptr<MemoryRegion> invalidated; //!< at host 1
        Ptr<CompletionQueue> sends;
        Ptr<CompletionQueue> receives;
        std::array<uint32_t, 2> frames{}; //!< sent by host 0 and 1
        std::array<bool, 2> lost{};       //!< first frame to host 0 and 1 was dropped
        bool second{false};               //!< LOST_SECOND has happened
    };

    void Prepare(Slot& slot, uint32_t index);
    void Post(Slot* slot);
    void PostReceive(Slot* slot);
    void NoteSent(uint32_t host, const Frame& frame);
    bool IsLost(uint32_t host, const Frame& frame);
    Slot* Find(uint32_t host, const Frame& frame);
    bool IsDelivered(const Slot& slot) const;
    bool CheckReceive(Slot& slot) const;
    bool CheckMemory(const Slot& slot, uint64_t original) const;
    static uint64_t GetNumber(const MemoryRegion& region);

    static constexpr uint32_t IMMEDIATE = 0x0badcafe; //!< what ImmDt says
    static constexpr uint32_t QUEUE_KEY = 0x1234567;  //!< of datagrams
    static constexpr uint64_t SWAP_ADD = 2;           //!< what atomics add, or put there
    static constexpr uint64_t GRH = 40; //!< bytes before a datagram in memory (IBTA 11.4.1.2)

    Ptr<Fabric> m_fabric;
    bool m_lossy;
    std::array<Ptr<ProtectionDomain>, 2> m_domains;
    std::deque<Slot> m_slots;
    std::set<uint8_t> m_opcodes;
    std::set<uint8_t> m_syndromes; //!< of acknowledgements
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VERBS_RUN_H
