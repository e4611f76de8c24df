/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ANSWER_QUEUE_H
#define ROCE_ANSWER_QUEUE_H

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3
{
namespace roce
{

/** One answer that a responder owes. */
struct PendingAnswer
{
    bool read{false};     //!< responses of a READ, else one acknowledgement
    uint32_t psn{0};      //!< acknowledgement: its PSN
    uint32_t aeth{0};     //!< syndrome << 24 | MSN
    uint32_t stamp{0};    //!< Frame::stamp of the request
    bool atomic{false};   //!< ATOMIC acknowledge
    bool again{false};    //!< READ: it had been answered before
    bool failed{false};   //!< acknowledgement: a NAK with which the queue pair fails
    uint64_t original{0}; //!< of an atomic
    uint64_t begin{0};    //!< READ: number of the first response
    uint64_t next{0};     //!< READ: number of the next response to send
    uint64_t end{0};      //!< READ: number behind the last response
    uint64_t address{0};  //!< READ: where the first response reads
    uint64_t bytes{0};    //!< READ: bytes of all responses
    uint32_t key{0};      //!< READ: R_Key
};

/**
 * What a responder still has to send, in the order of the requests.
 *
 * Models: the rule that answers leave in PSN order (IBTA 9.7.5.1.9): an acknowledgement behind a
 * READ waits until the responses of the READ have left.
 *
 * Invariants: the first entry is a READ, or the queue is empty.
 *
 * Leaves out: priorities between queue pairs (the NIC's arbiter).
 */
class AnswerQueue
{
  public:
    /** \return whether responses of a READ wait */
    bool IsAnswering() const
    {
        return !m_answers.empty();
    }

    /** \return READs that have not been answered to the end even once */
    uint32_t GetReads() const
    {
        return m_reads;
    }

    /**
     * \param answer responses; an unfinished job that ends with the same number is replaced, so a
     *        READ asked for again goes back instead of being answered twice
     */
    void PushRead(const PendingAnswer& answer);

    /** \param answer an acknowledgement; there must be a READ before it */
    void PushAcknowledge(const PendingAnswer& answer);

    /** \return the READ to be answered now; there must be one */
    PendingAnswer& Front()
    {
        return m_answers.front();
    }

    /** The READ at the front is answered to its end. */
    void PopRead();

    /** \return false if the next entry is no acknowledgement. \param answer the acknowledgement */
    bool PopAcknowledge(PendingAnswer& answer);

    /** Forget all. */
    void Clear();

  private:
    void Push(const PendingAnswer& answer);

    boost::circular_buffer<PendingAnswer> m_answers; //!< grows
    uint32_t m_reads{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ANSWER_QUEUE_H
