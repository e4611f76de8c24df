/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REQUESTER_H
#define ROCE_REQUESTER_H

#include "roce-completion.h"
#include "roce-frame-address.h"
#include "roce-work-request.h"

#include "ns3/roce-frame-sizes.h"
#include "ns3/roce-frame.h"
#include "ns3/roce-psn.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The sending side of an RC queue pair: cuts work requests into packets and retires them.
 *
 * Models: requester and completer of IBTA 9.7 with go-back-N. Packets are numbered without
 * wrapping from 0 on; packet s travels with PSN (initial + s) mod 2^24. A work request longer than
 * 2^31 bytes travels as several messages (IBTA 9.3.3.1). AckReq is set on the last packet of each
 * message and on every n-th packet. Sans-IO.
 *
 * Invariants: una <= next <= posted; at most 2^23 packets are outstanding; requests retire in the
 * order in which they were posted, each once; a packet is marked as resent if and only if it was
 * sent before.
 *
 * Leaves out: READ, SEND and atomics; selective repeat.
 */
class Requester
{
  public:
    /** A work request that has not been retired. */
    struct OpenRequest
    {
        WorkRequest request; //!< what was asked for
        uint64_t first{0};   //!< number of its first packet
        uint64_t packets{0}; //!< how many packets it takes, at least 1
        Tick posted{0};      //!< when it was posted
    };

    /**
     * \param mtu payload bytes of a full packet, at least 1
     * \param ackInterval packets between AckReq bits, at least 1
     * \param initialPsn PSN of packet 0
     * \param sizes bytes frames occupy
     */
    void Configure(uint32_t mtu,
                   uint32_t ackInterval,
                   uint32_t initialPsn,
                   const FrameSizes& sizes);

    /**
     * \param address what all frames have in common
     */
    void SetAddress(const FrameAddress& address)
    {
        m_address = address;
    }

    /** \return what all frames have in common */
    const FrameAddress& GetAddress() const
    {
        return m_address;
    }

    /**
     * \param request what to do
     * \param now present tick
     */
    void Post(const WorkRequest& request, Tick now);

    /**
     * \param window payload bytes that may be outstanding
     * \return whether a packet may be built now
     */
    bool CanSend(uint64_t window) const
    {
        return m_next < m_posted && m_next - m_una < MAX_OUTSTANDING_PSNS && GetInflight() < window;
    }

    /**
     * Build the next packet: addresses, opcode, PSN, flags, payload, size and RETH fields.
     * \param frame filled in
     */
    void Build(Frame& frame);

    /**
     * An ACK arrived: packets up to and including its PSN are acknowledged.
     * \param psn the PSN
     * \return packets newly acknowledged
     */
    uint64_t Acknowledge(uint32_t psn);

    /**
     * A sequence NAK arrived: packets before its PSN are acknowledged, and sending goes on there.
     * \param psn the PSN that the responder expects
     * \return packets newly acknowledged
     */
    uint64_t GoBack(uint32_t psn);

    /** Send again from the oldest unacknowledged packet (timeout). */
    void GoBackToOldest();

    /**
     * \param request filled with the oldest request if it is acknowledged to the end
     * \return false if it is not
     */
    bool Retire(OpenRequest& request)
    {
        return m_una >= m_oldestEnd && Flush(request);
    }

    /**
     * \param request filled with the oldest request, acknowledged or not
     * \return false if none is open
     */
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

    /** \return whether packets wait to be sent */
    bool HasPackets() const
    {
        return m_next < m_posted;
    }

    /** \return whether a work request is not retired */
    bool HasOpen() const
    {
        return m_posted > m_una || m_oldestEnd != ~uint64_t(0);
    }

    /** \return work requests that are not retired */
    std::size_t GetOpen() const
    {
        return m_open.size();
    }

    /** \return the oldest open request; there must be one */
    const OpenRequest& GetOldest() const
    {
        return m_open.front();
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

    /** \return packets sent again so far */
    uint64_t GetRetransmitted() const
    {
        return m_retransmitted;
    }

    /** \return payload bytes of a full packet */
    uint32_t GetMtu() const
    {
        return m_mtu;
    }

    /** \return packets of the longest message a request is cut into */
    uint64_t GetMessagePackets() const
    {
        return m_messagePackets;
    }

  private:
    uint64_t Advance(uint64_t una);
    void Seek(uint64_t next);
    void Load();

    // first cache line: what sending and each ACK need
    uint64_t m_next{0};                 //!< next packet to build
    uint64_t m_una{0};                  //!< oldest unacknowledged packet
    uint64_t m_posted{0};               //!< packets of all requests so far
    uint64_t m_high{0};                 //!< packets sent at least once
    uint64_t m_oldestEnd{~uint64_t(0)}; //!< number after the last packet of the oldest request
    uint64_t m_first{0};                //!< first packet of the request that m_next belongs to
    uint64_t m_packets{0};              //!< its packets; 0: not loaded
    uint32_t m_mtu{1024};
    uint32_t m_initialPsn{0};
    // second cache line: what sending needs
    uint64_t m_bytes{0}; //!< bytes of the request that m_next belongs to
    FrameAddress m_address;
    uint32_t m_ackInterval{1};
    uint32_t m_sinceAck{0};  //!< packets since the last AckReq
    uint32_t m_fullBytes{0}; //!< frame bytes of a full packet without RETH
    uint32_t m_cursor{0};    //!< open request that m_next belongs to
    uint64_t m_messagePackets{1};
    uint64_t m_retransmitted{0};
    // the rest
    FrameSizes m_sizes;
    boost::circular_buffer<OpenRequest> m_open;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_REQUESTER_H
