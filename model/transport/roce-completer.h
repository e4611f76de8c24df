/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COMPLETER_H
#define ROCE_COMPLETER_H

#include "roce-completion.h"

#include "ns3/roce-frame.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

class LossRecovery;
class ProtectionDomain;
class Requester;

/** States of a completer. */
enum class CompleterState : uint8_t
{
    IDLE,        //!< nothing is outstanding
    WAIT_ACK,    //!< the oldest outstanding packet waits for an acknowledgement
    WAIT_ANSWER, //!< the oldest outstanding request is a READ or atomic
    WAIT_RNR,    //!< the responder was not ready; the RNR timer runs
    WAIT_RETRY,  //!< an answer was missing and has been asked for again
};

/**
 * The part of a requester that takes answers.
 *
 * Models: what IBTA 9.7.5.2 and 9.7.6 say of acknowledgements, NAKs, READ responses and atomic
 * acknowledges, with retry counters. An answer to a later request acknowledges all earlier ones
 * but READs and atomics, which need their own; a response behind a missing one makes it ask again
 * from there, once a gap. The arithmetic of numbers is SendQueue's, the choice of what is sent
 * again LossRecovery's. Sans-IO.
 *
 * Invariants: an answer that is old, or to what was never sent, changes nothing; no READ
 * completes without each byte of its data.
 *
 * Leaves out: data of answers that reach a queue pair after its failure.
 */
class Completer
{
  public:
    /** RNR retry limit that means for ever (IBTA 9.7.5.2.8). */
    static constexpr uint32_t RNR_FOR_EVER = 7;

    /** What an answer leads to. */
    struct Outcome
    {
        uint64_t acked{0};                                  //!< packets newly acknowledged
        bool progress{false};                               //!< some request may have ended
        bool loss{false};                                   //!< packets are to be sent again
        bool failed{false};                                 //!< the queue pair fails with status
        CompletionStatus status{CompletionStatus::SUCCESS}; //!< if it fails
        uint64_t waitNs{0}; //!< the responder asks to wait as long as this
    };

    /**
     * \param requester whose answers these are
     * \param recovery chooses what is sent again
     * \param domain where data goes; nullptr: nowhere
     * \param rnrRetries RNR NAKs in a row before it gives up, RNR_FOR_EVER: never
     * \param answersInOrder whether nothing overtakes a READ response on the way, so that an
     *        acknowledgement behind it means that it is lost
     */
    void Configure(Requester* requester,
                   LossRecovery* recovery,
                   ProtectionDomain* domain,
                   uint32_t rnrRetries,
                   bool answersInOrder);

    /** \return what comes of it. \param frame an ACK, NAK, READ response or ATOMIC acknowledge */
    Outcome Receive(const Frame& frame);

    /** The retransmission timer expired. */
    void Timeout();

    /** The RNR timer expired. */
    void Resume();

    /** \return its state */
    CompleterState GetState() const;

    /** \return what the atomic that completed last found */
    uint64_t GetOriginal() const
    {
        return m_original;
    }

    /** \return RNR NAKs in a row for a packet that is not acknowledged yet, else 0 */
    uint32_t GetRnrNaks() const;

    /** \return how long the last RNR NAK asked to wait, ns; 0 if none came */
    uint64_t GetRnrWaitNs() const
    {
        return m_rnrWaitNs;
    }

    /** \return READ responses taken so far */
    uint64_t GetResponses() const
    {
        return m_responses;
    }

  private:
    Outcome ReceiveAck(const Frame& frame);
    Outcome ReceiveNak(const Frame& frame);
    Outcome ReceiveAnswer(const Frame& frame);
    void TakeCredits(const Frame& frame, uint8_t syndrome);
    bool TakeResponse(const Frame& frame, uint64_t number, Outcome& outcome);
    Outcome Finish(Outcome outcome);
    void AskAgain(uint64_t number, Outcome& outcome);

    Requester* m_requester{nullptr};
    LossRecovery* m_recovery{nullptr};
    ProtectionDomain* m_domain{nullptr};
    uint32_t m_rnrRetries{7};
    uint32_t m_rnrCount{0};
    uint64_t m_rnrPacket{0}; //!< number of the packet that got the last RNR NAK
    uint64_t m_rnrWaitNs{0}; //!< what it asked for
    bool m_answersInOrder{true};
    bool m_askedAgain{false}; //!< for the response that is missing now
    bool m_hearsAcks{false};
    uint64_t m_original{0};
    uint64_t m_responses{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COMPLETER_H
