/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERBS_CASE_H
#define ROCE_VERBS_CASE_H

#include "ns3/roce-transport-service.h"
#include "ns3/roce-work-request.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What is special about an operation. */
enum class VerbsTwist
{
    NONE,
    INLINE,       //!< its bytes are in the work request
    LATE_RECEIVE, //!< the receive request comes 220 us after the message: RNR NAK
    WRONG_KEY,    //!< an R_Key that nobody has: remote access error
    LOST_SECOND,  //!< the second packet is lost once: sequence NAK
};

/** One operation of the tour; each has a queue pair of its own. */
struct VerbsCase
{
    std::string name;                   //!< in the table
    TransportService service;           //!< of its queue pair
    Operation operation;                //!< what to post
    uint64_t bytes;                     //!< length
    VerbsTwist twist{VerbsTwist::NONE}; //!< what is special

    /** \return whether the other side must have posted a receive request */
    bool TakesReceive() const;

    /** \return whether the other side gets ImmDt */
    bool HasImmediate() const;

    /** Payload bytes of a full packet; messages of more take several. */
    static constexpr uint64_t MTU = 1024;

    /**
     * SENDs have at least 32 bytes that are no header of a protocol over RDMA: Wireshark guesses
     * such protocols from the bytes of RC SENDs, and calls a SEND below 16 bytes malformed.
     * The one without bytes has immediate data, where it does not guess.
     * \return operations that together use all opcodes of the standard that RC, UC and UD have
     */
    static std::vector<VerbsCase> All();
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VERBS_CASE_H
