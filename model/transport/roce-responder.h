/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_H
#define ROCE_RESPONDER_H

#include "ns3/roce-frame.h"
#include "ns3/roce-psn.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The receiving side of an RC queue pair.
 *
 * Models: the responder of IBTA 9.7.5 for WRITE: in-order packets are taken, a gap is answered by
 * one sequence NAK until it is filled, a duplicate with AckReq is acknowledged again with the
 * last good PSN and the same MSN. Sans-IO.
 *
 * Invariants: bytes are taken once and in order; the MSN grows by one a message; one NAK a gap.
 *
 * Leaves out: memory protection, receive queues and READ (wire and verbs chapter).
 */
class Responder
{
  public:
    /** What is to be answered. */
    enum class Answer : uint8_t
    {
        NONE, //!< nothing
        ACK,  //!< acknowledge
        NAK,  //!< negative acknowledge
    };

    /** What came of one packet. */
    struct Result
    {
        Answer answer{Answer::NONE}; //!< what to answer
        bool accepted{false};        //!< in order, its payload was taken
        bool messageEnd{false};      //!< a message is whole now
        uint8_t syndrome{0};         //!< AETH syndrome of the answer
        uint32_t psn{0};             //!< PSN of the answer
    };

    /**
     * \param initialPsn PSN of the first packet to come
     */
    void Configure(uint32_t initialPsn)
    {
        m_initialPsn = initialPsn;
    }

    /**
     * \param frame a request packet
     * \param now present tick
     * \return what came of it
     */
    Result Receive(const Frame& frame, Tick now);

    /** \return messages completed so far, 24 bit */
    uint32_t GetMsn() const
    {
        return m_messages & MASK_24;
    }

    /** \return messages completed so far */
    uint64_t GetMessages() const
    {
        return m_messages;
    }

    /** \return payload bytes taken so far */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** \return payload bytes of the message that ended last, or of the one under way */
    uint64_t GetMessageBytes() const
    {
        return m_messageBytes;
    }

    /** \return tick of the first packet of that message */
    Tick GetMessageStart() const
    {
        return m_messageStart;
    }

    /** \return number of the packet expected next */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** \return packets that came again after they had been taken */
    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

    /** \return packets dropped because an earlier one was missing */
    uint64_t GetOutOfOrder() const
    {
        return m_outOfOrder;
    }

  private:
    Result Accept(const Frame& frame, Tick now);
    Result Refuse(uint64_t number, uint8_t syndrome) const;

    uint64_t m_expected{0};
    uint32_t m_initialPsn{0};
    bool m_nakSent{false};
    bool m_inMessage{false};
    uint32_t m_dmaLength{0};
    uint64_t m_messageBytes{0};
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
    Tick m_messageStart{0};
    uint64_t m_duplicates{0};
    uint64_t m_outOfOrder{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RESPONDER_H
