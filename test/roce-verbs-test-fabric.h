/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERBS_TEST_FABRIC_H
#define ROCE_VERBS_TEST_FABRIC_H

#include "roce-test-fabric.h"
#include "roce-verbs-test-formula.h"

#include "ns3/roce-protection-domain.h"
#include "ns3/roce-receive-queue.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** \return a byte of a pattern. \param seed which pattern \param index place */
inline uint8_t
TestByte(uint32_t seed, uint64_t index)
{
    // a multiplicative congruence with a period far above any region here
    const uint64_t mixed = (index + 1) * 6364136223846793005ULL + seed * 1442695040888963407ULL;
    return static_cast<uint8_t>(mixed >> 40);
}

/** One end of a connection with memory, and what it was told. */
struct VerbsSide
{
    Ptr<Nic> nic;                  //!< its NIC
    Ptr<QueuePair> qp;             //!< its queue pair
    Ptr<ProtectionDomain> domain;  //!< its memory
    Ptr<MemoryRegion> region;      //!< one region with all rights
    std::vector<Completion> sent;  //!< of what was posted here
    std::vector<Completion> taken; //!< of what came from the other side

    /** Handler. \param completion of a request */
    void Sent(const Completion& completion)
    {
        sent.push_back(completion);
    }

    /** Handler. \param completion of a message of the other side */
    void Taken(const Completion& completion)
    {
        taken.push_back(completion);
    }

    /** Fill the region with a pattern. \param seed which one */
    void Fill(uint32_t seed)
    {
        for (uint64_t i = 0; i < region->GetLength(); ++i)
        {
            region->GetData()[i] = TestByte(seed, i);
        }
    }

    /** \return its bytes now */
    std::vector<uint8_t> Bytes() const
    {
        const Ptr<const MemoryRegion> memory = region;
        return std::vector<uint8_t>(memory->GetData(), memory->GetData() + memory->GetLength());
    }

    /** Post room for a message. \param id its id \param bytes room \param offset in the region */
    void Receive(uint64_t id, uint64_t bytes, uint64_t offset = 0) const
    {
        ReceiveRequest request;
        request.id = id;
        request.bytes = bytes;
        request.localAddress = region->GetAddress() + offset;
        request.localKey = region->GetLocalKey();
        nic->PostReceive(qp, request);
    }
};

/** Two connected ends; requests go from a to b unless said otherwise. */
struct VerbsPair
{
    VerbsSide a; //!< source
    VerbsSide b; //!< destination
};

/** A test over a fabric with memory at both ends. End each run with Finish and Reset. */
class VerbsTest : public FabricTest
{
  public:
    /** \param name of the case */
    explicit VerbsTest(const std::string& name)
        : FabricTest(name)
    {
    }

  protected:
    static constexpr uint64_t ADDRESS_A = 0x10000;       //!< of the region of a
    static constexpr uint64_t ADDRESS_B = 0x70000000000; //!< of the region of b

    /** \return a new pair with regions of the same length. \param source host \param destination
     *  host \param bytes of each region \param options options but for the domains */
    VerbsPair& OpenPair(uint32_t source,
                        uint32_t destination,
                        uint64_t bytes,
                        ConnectionOptions options = {});

    /** \return a request between the starts of both regions. \param pair of it \param operation
     *  what \param bytes length \param id its id */
    static WorkRequest Make(const VerbsPair& pair,
                            Operation operation,
                            uint64_t bytes,
                            uint64_t id = 0);

    /** \return a request from b to a. \param pair \param operation \param bytes \param id as there
     */
    static WorkRequest MakeBack(const VerbsPair& pair,
                                Operation operation,
                                uint64_t bytes,
                                uint64_t id = 0);

    /** Post to a. \param pair of it \param request what */
    static void Post(const VerbsPair& pair, const WorkRequest& request)
    {
        pair.a.nic->Post(pair.a.qp, request);
    }

    /** Run to the end; nothing may be left over. */
    void Finish()
    {
        Simulator::Run();
        CheckIdle();
    }

    /** Forget the run and its settings. */
    void Reset()
    {
        pairs.clear();
        FabricTest::Reset();
    }

    /** The completions have these statuses and the ids 0, 1, 2... \param list completions \param
     *  statuses as expected \param what for messages */
    void CheckStatuses(const std::vector<Completion>& list,
                       const std::vector<CompletionStatus>& statuses,
                       const std::string& what);

    /** A queue pair is in a state. \param qp the queue pair \param state as expected \param what
     *  for messages */
    void CheckState(Ptr<QueuePair> qp, QueuePairState state, const std::string& what);

    std::deque<VerbsPair> pairs; //!< in order of OpenPair

  private:
    static WorkRequest Between(const VerbsSide& from,
                               const VerbsSide& to,
                               Operation operation,
                               uint64_t bytes,
                               uint64_t id);

    void DoTeardown() override
    {
        pairs.clear();
        FabricTest::DoTeardown();
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VERBS_TEST_FABRIC_H
