/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_H
#define ROCE_RESPONDER_H

#include "roce-answer-queue.h"
#include "roce-completion.h"
#include "roce-receive-request.h"
#include "roce-reorder-buffer.h"
#include "roce-responder-config.h"
#include "roce-responder-resources.h"
#include "roce-responder-result.h"

#include "ns3/roce-frame.h"
#include "ns3/roce-opcode-table.h"
#include "ns3/roce-psn.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

class ReceiveQueue;

/**
 * The receiving side of a queue pair.
 *
 * Models: the responder of IBTA 9.7.5 (RC), 9.8.2 (UC) and 9.8.3 (UD). In-order packets are taken,
 * an early one is treated by EarlyPolicy, a duplicate SEND or WRITE is acknowledged again with the
 * same MSN, a duplicate READ or atomic is answered again. Memory keys, bounds and rights are
 * checked before a byte is written. Sans-IO.
 *
 * Invariants: bytes are taken once and in order; the MSN grows by one a message; one NAK a gap
 * (EarlyPolicy::KEEP: one an early packet); an acknowledgement of a duplicate never reaches past
 * a later READ or atomic; after FAILED nothing changes.
 *
 * Leaves out: receive requests with several segments.
 */
class Responder
{
  public:
    using Answer = ResponderAnswer; //!< what is to be answered
    using Result = ResponderResult; //!< what came of one packet

    /** \param config what it needs to know \param queue receive requests; may be nullptr */
    void Configure(const ResponderConfig& config, ReceiveQueue* queue);

    /** \param queue where receive requests are from now on */
    void SetReceiveQueue(ReceiveQueue* queue)
    {
        m_queue = queue;
    }

    /** \return what came of a request packet. \param frame the packet \param now present tick */
    Result Receive(Frame& frame, Tick now);

    /** \return whether it keeps frames */
    bool HasKept() const
    {
        return m_early == EarlyPolicy::KEEP && m_kept.GetHeld() > 0;
    }

    /** \return a kept frame whose turn has come, or nullptr; Receive it and free it */
    Frame* TakeKept();

    /** \return a kept frame, or nullptr if none is left; for the end of the queue pair */
    Frame* DropKept();

    /** \return whether responses or answers behind them wait */
    bool IsAnswering() const
    {
        return m_answers.IsAnswering();
    }

    /** An answer has to wait for the responses before it. \param answer it */
    void Defer(const PendingAnswer& answer);

    /**
     * Build the next READ response; IsAnswering() must be true.
     * \param frame filled in, but for what FrameAddress says
     * \return false if the memory may not be read any more: the frame is not filled in, the
     *         answer is NAK with GetFailure()
     */
    bool BuildResponse(Frame& frame);

    /** \return false if no acknowledgement is due. \param answer behind responses that have left */
    bool TakeDeferred(PendingAnswer& answer)
    {
        return m_answers.PopAcknowledge(answer);
    }

    /** \return the refusal that BuildResponse made */
    const Result& GetFailure() const
    {
        return m_failure;
    }

    /** \return completion of the receive request that ended last, but for qpn and completed */
    const Completion& GetReceived() const
    {
        return m_received;
    }

    /** The queue pair ends. \return false if no receive request is in use. \param completion of
     *  the one that is, but for qpn and completed */
    bool AbortReceive(Completion& completion);

    /** \return an acknowledgement. \param number of the last packet it acknowledges */
    Result Acknowledge(uint64_t number) const;

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

    /** \return payload bytes that the last rewinding gave up */
    uint64_t GetRevoked() const
    {
        return m_revoked;
    }

    /** \return what the atomic that was executed or repeated last found */
    uint64_t GetOriginal() const
    {
        return m_original;
    }

    /** \return number of the packet expected next */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** \return its state */
    ResponderState GetState() const
    {
        return m_state;
    }

    /** \return packets that came again after they had been taken */
    uint64_t GetDuplicates() const
    {
        return m_duplicates;
    }

    /** \return packets that came before their predecessor */
    uint64_t GetOutOfOrder() const
    {
        return m_outOfOrder;
    }

  private:
    /** \return AETH syndrome of an acknowledgement now, with credits if they are told */
    uint8_t GetAckSyndrome() const;
    void Begin(const Frame& frame, Tick now);
    Result Accept(const Frame& frame, const OpcodeFacts& facts, Tick now);
    Result AcceptRead(const Frame& frame);
    Result AcceptAtomic(const Frame& frame);
    Result ReceiveEarly(Frame& frame, uint64_t number);
    Result ReceiveDuplicate(const Frame& frame, uint64_t number);
    Result ReceiveUnreliable(const Frame& frame, Tick now);
    Result ReceiveDatagram(const Frame& frame, Tick now);
    void RepeatRead(const Frame& frame, uint64_t number, const ResponderResource& resource);
    void PushRead(uint64_t first, const ResponderResource& part, bool again);
    void Rewind();
    uint8_t Prepare(const Frame& frame, const OpcodeFacts& facts);
    uint8_t PrepareSend(const Frame& frame, const OpcodeFacts& facts);
    uint8_t PrepareWrite(const Frame& frame, const OpcodeFacts& facts);
    bool MayAccess(uint32_t key, uint64_t address, uint64_t length, uint8_t access) const;
    bool TakeReceive();
    void EndReceive(const Frame& frame, const OpcodeFacts& facts);
    Result Refuse(uint8_t syndrome);
    Result RefuseMessage(uint8_t syndrome);

    // first cache line: what a packet in order needs
    uint64_t m_expected{0};
    uint32_t m_initialPsn{0};
    ResponderState m_state{ResponderState::READY};
    OpcodeOperation m_operation{OpcodeOperation::NONE}; //!< of the message under way
    EarlyPolicy m_early{EarlyPolicy::DISCARD};
    bool m_reliable{true};
    bool m_checks{false};     //!< WRITEs concern memory or rights
    bool m_credits{false};    //!< acknowledgements tell them
    bool m_hasReceive{false}; //!< m_request belongs to the message under way
    uint16_t m_mtu{0};
    uint32_t m_dmaLength{0};
    uint64_t m_messageBytes{0};
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
    Tick m_messageStart{0};
    // second cache line
    uint64_t m_messageFirst{0}; //!< number of the first packet of the message under way
    ProtectionDomain* m_domain{nullptr};
    ReceiveQueue* m_queue{nullptr};
    uint64_t m_duplicates{0};
    uint64_t m_outOfOrder{0};
    // the rest
    ResponderConfig m_config;
    ReceiveRequest m_request;   //!< receive request of the message under way
    uint64_t m_writeAddress{0}; //!< of the WRITE under way
    uint32_t m_writeKey{0};     //!< of the WRITE under way
    uint64_t m_original{0};
    uint64_t m_revoked{0};
    Completion m_received;
    CompletionStatus m_abortStatus{CompletionStatus::FLUSHED}; //!< of the receive request in use
    Result m_failure;
    AnswerQueue m_answers;
    ResponderResources m_resources;
    ReorderBuffer m_kept;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RESPONDER_H
