/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_RESULT_H
#define ROCE_RESPONDER_RESULT_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** States of a responder. */
enum class ResponderState : uint8_t
{
    READY,        //!< the expected packet will be taken
    SEQUENCE_GAP, //!< the expected packet is missing; the requester has been told
    NOT_READY,    //!< the expected packet needs a receive request; the requester has been told
    FAILED,       //!< a request was refused for good; nothing is taken any more
};

/** What a responder is to answer. */
enum class ResponderAnswer : uint8_t
{
    NONE,   //!< nothing
    ACK,    //!< acknowledge
    NAK,    //!< negative acknowledge
    ATOMIC, //!< ATOMIC acknowledge with Responder::GetOriginal()
    READ,   //!< responses wait in the answer queue
};

/** What came of one packet at a responder. */
struct ResponderResult
{
    ResponderAnswer answer{ResponderAnswer::NONE}; //!< what to answer
    bool accepted{false};                          //!< in order, its payload was taken
    bool messageEnd{false};                        //!< a message is whole now
    bool received{false}; //!< a receive request is filled, see Responder::GetReceived()
    bool kept{false};     //!< the responder owns the frame now
    bool failed{false};   //!< the queue pair fails
    bool rewound{false};  //!< bytes taken before do not count, see Responder::GetRevoked()
    uint8_t syndrome{0};  //!< AETH syndrome of the answer
    uint32_t psn{0};      //!< PSN of the answer
    uint32_t msn{0};      //!< MSN field of the answer
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RESPONDER_RESULT_H
