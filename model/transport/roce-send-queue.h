/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SEND_QUEUE_H
#define ROCE_SEND_QUEUE_H

#include "roce-frame-address.h"
#include "roce-work-request.h"

#include "ns3/roce-frame-sizes.h"
#include "ns3/roce-psn.h"
#include "ns3/roce-tick.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>

namespace ns3
{
namespace roce
{

/**
 * The open work requests of a queue pair and how far they are sent and acknowledged.
 *
 * Models: the send queue of IBTA 10.8 with the packet numbers of 9.7.1. Packets are numbered
 * without wrapping from 0 on; packet s travels with PSN (initial + s) mod 2^24. A READ takes as
 * many numbers as its response has packets (9.7.3.2). A request longer than 2^31 bytes is several
 * messages (9.3.3.1). Requester sends from it, Completer retires from it, LossRecovery moves it.
 *
 * Invariants: una <= next <= posted; at most 2^23 numbers are outstanding; requests retire in the
 * order in which they were posted, each once; una never passes a READ or atomic whose answer is
 * not here, whatever a later acknowledgement says.
 *
 * Leaves out: what packets look like (Requester).
 */
class SendQueue
{
  public:
    /** Why the next new packet has to wait; bits. */
    enum Hold : uint8_t
    {
        HOLD_RNR = 1,    //!< the responder asked to wait
        HOLD_READS = 2,  //!< as many READs and atomics are out as allowed, or a fence
        HOLD_CREDIT = 4, //!< the responder has no receive request left
        HOLD_DRAIN = 8,  //!< the queue pair drains (state SQD)
        RESEND = 16,     //!< no hold: LossRecovery picks what is sent
        ON_CREDIT = 32,  //!< no hold: the responder tells how many messages it takes
    };

    /** A work request that has not been retired. */
    struct OpenRequest
    {
        WorkRequestCore request;                 //!< what was asked for
        uint64_t first{0};                       //!< number of its first packet
        uint64_t packets{0};                     //!< how many numbers it takes, at least 1
        uint64_t serial{0};                      //!< messages posted before it
        Tick posted{0};                          //!< when it was posted
        std::shared_ptr<const WorkRequest> full; //!< all of it, unless WorkRequest::IsPlain
    };

    /** Numbers of a READ or atomic on its way. */
    struct ReadRange
    {
        uint64_t first; //!< of the request
        uint64_t end;   //!< behind the last one of its answer
    };

    /** \param request what to do \param now present tick */
    void Post(const WorkRequest& request, Tick now);

    /** \return whether a packet may be built now. \param window bytes that may be outstanding */
    bool CanSend(uint64_t window) const
    {
        if (__builtin_expect(m_holds, 0))
        {
            return CanSendHeld(window);
        }
        return m_next < m_posted && m_next - m_una < MAX_OUTSTANDING_PSNS && GetInflight() < window;
    }

    /** \return packets newly acknowledged. \param psn all up to it have arrived */
    uint64_t Acknowledge(uint32_t psn);

    /** \return whether an acknowledgement without credits means no more than Acknowledge does */
    bool IsPlain() const
    {
        return !m_hasReads && !(m_holds & ON_CREDIT);
    }

    /** Packets before one have arrived. \return newly acknowledged \param una its number */
    uint64_t AcknowledgeBefore(uint64_t una);

    /** The answers of the oldest READ or atomic are here up to a number. \param una the next one */
    void AdvanceRead(uint64_t una);

    /** Send on from a packet. \param number its number, una <= number <= posted */
    void Seek(uint64_t number);

    /** \return whether the oldest request is acknowledged to its end */
    bool HasDone() const
    {
        return m_una >= m_oldestEnd;
    }

    /** \return false if the oldest request is not acknowledged to its end. \param request it */
    bool Retire(OpenRequest& request)
    {
        return HasDone() && Flush(request);
    }

    /** \return false if none is open. \param request the oldest, acknowledged or not */
    bool Flush(OpenRequest& request);

    /** \return payload bytes sent and not acknowledged, full packets assumed */
    uint64_t GetInflight() const
    {
        return (m_next - m_una) * m_mtu;
    }

    /** \return whether packets wait for an acknowledgement */
    bool IsWaiting() const
    {
        return m_high > m_una;
    }

    /** \return whether a work request is not retired */
    bool HasOpen() const
    {
        return m_posted > m_una || m_oldestEnd != ~uint64_t(0);
    }

    /** \return requests that are not retired, in order */
    const boost::circular_buffer<OpenRequest>& GetOpen() const
    {
        return m_open;
    }

    /** \return the open request that holds a packet, or nullptr. \param number of the packet */
    const OpenRequest* FindOpen(uint64_t number) const;

    /** \return READs and atomics whose answers are not all here, in order */
    const boost::circular_buffer<ReadRange>& GetReads() const
    {
        return m_reads;
    }

    /** \return number of the oldest unacknowledged packet */
    uint64_t GetUnacknowledged() const
    {
        return m_una;
    }

    /** \return number of the packet to be sent next */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** \return number after the highest packet sent so far */
    uint64_t GetHigh() const
    {
        return m_high;
    }

    /** \return the number nearest to the oldest unacknowledged one. \param psn of a packet */
    int64_t NumberOf(uint32_t psn) const
    {
        return Psn::Unwrap(psn, m_initialPsn, m_una);
    }

    /** \return bits of Hold */
    uint8_t GetHolds() const
    {
        return m_holds;
    }

    /** \param bit of HOLD_RNR, HOLD_DRAIN, RESEND \param on whether it is set from now on */
    void SetHold(Hold bit, bool on);

    /** \return messages posted so far */
    uint64_t GetSerial() const
    {
        return m_serial;
    }

    /** The responder allows messages. \param limit how many in all since the beginning */
    void SetCreditLimit(uint64_t limit);

    /** \return payload bytes of a full packet */
    uint32_t GetMtu() const
    {
        return m_mtu;
    }

  protected:
    void Load();        //!< copy the facts of the request at m_cursor to where sending reads them
    void UpdateHolds(); //!< see again which bits of Hold keep m_next back
    /** \param number of a packet \return index in m_open of its request; the size if none */
    std::size_t IndexOf(uint64_t number) const;
    /** CanSend if m_holds is not 0. \param window bytes in flight allowed \return whether it can */
    bool CanSendHeld(uint64_t window) const;
    /** \param una acknowledged up to here \return the same, not past the first open READ */
    uint64_t ClipToReads(uint64_t una);
    /** \param una new oldest unacknowledged packet \return packets that acknowledges */
    uint64_t Advance(uint64_t una);

    // first cache line: what sending and each ACK need
    uint64_t m_next{0};                 //!< next packet to build
    uint64_t m_una{0};                  //!< oldest unacknowledged packet
    uint64_t m_posted{0};               //!< packets of all requests so far
    uint64_t m_high{0};                 //!< packets sent at least once
    uint64_t m_oldestEnd{~uint64_t(0)}; //!< number after the last packet of the oldest request
    uint64_t m_first{0};                //!< first packet of the request that m_next belongs to
    uint64_t m_packets{0};              //!< its packets; 0: there is none
    uint32_t m_initialPsn{0};           //!< PSN of packet 0
    uint16_t m_mtu{1024};               //!< payload bytes of a full packet
    uint8_t m_holds{0};                 //!< bits of Hold
    bool m_hasReads{false};             //!< m_reads is not empty
    // second cache line: what sending needs
    uint64_t m_bytes{0};          //!< bytes of the request that m_next belongs to
    FrameAddress m_address;       //!< what each frame of it says
    uint32_t m_ackInterval{1};    //!< an AckReq each so many packets
    uint32_t m_sinceAck{0};       //!< packets since the last AckReq
    uint32_t m_cursor{0};         //!< open request that m_next belongs to
    uint32_t m_messagePackets{1}; //!< of the longest message
    uint16_t m_fullBytes{0};      //!< frame bytes of a full packet without extension headers
    bool m_segmented{true};       //!< the present request is cut into packets (SEND, WRITE)
    bool m_plain{true};           //!< its core says everything
    uint8_t m_service{0};         //!< bits of the opcode for UC and UD
    uint8_t m_opcodes[4]{};       //!< of the present request: first, middle, last, only
    uint8_t m_extensions[3]{};    //!< header bytes of its first, last and only packet
    // what each message needs
    boost::circular_buffer<OpenRequest> m_open; //!< posted and not retired, oldest first
    FrameSizes m_sizes;                         //!< bytes frames occupy
    bool m_keepFull{false};                     //!< keep all of each request
    uint64_t m_serial{0};                       //!< messages posted so far
    // the rest
    uint32_t m_maxReads{16};                   //!< READs and atomics open at a time
    uint64_t m_later{0};                       //!< acknowledged behind an open READ
    uint64_t m_creditLimit{0};                 //!< messages the responder takes
    uint64_t m_retransmitted{0};               //!< packets sent again
    boost::circular_buffer<ReadRange> m_reads; //!< open READs and atomics, oldest first
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SEND_QUEUE_H
