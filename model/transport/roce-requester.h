/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REQUESTER_H
#define ROCE_REQUESTER_H

#include "roce-send-queue.h"
#include "roce-transport-service.h"

#include "ns3/roce-frame.h"

namespace ns3
{
namespace roce
{

class LossRecovery;
class ProtectionDomain;

/** States of a requester. */
enum class RequesterState : uint8_t
{
    IDLE,      //!< all that was posted is sent
    SENDING,   //!< new packets follow
    RESENDING, //!< packets sent before follow
    WAITING,   //!< the next packet has to wait; SendQueue::GetHolds says why
};

/** What a requester needs to know. */
struct RequesterConfig
{
    TransportService service{TransportService::RC}; //!< transport service
    uint32_t mtu{1024};                             //!< payload bytes of a full packet
    uint32_t ackInterval{1};                        //!< packets between AckReq bits, at least 1
    uint32_t initialPsn{0};                         //!< PSN of packet 0
    uint32_t maxReads{16};             //!< READs and atomics that may be out, at least 1
    uint32_t qpn{0};                   //!< its own number, for datagrams
    ProtectionDomain* domain{nullptr}; //!< where data comes from; nullptr: zeros
    LossRecovery* recovery{nullptr};   //!< picks packets to resend; nullptr: go-back-N
    FrameSizes sizes;                  //!< bytes frames occupy
};

/**
 * The sending side of a queue pair: cuts work requests into packets.
 *
 * Models: the requester of IBTA 9.7.2 and 9.7.3 (RC), 9.8.2 (UC) and 9.8.3 (UD). AckReq is set on
 * READs, atomics, the last packet of each message and on every n-th packet. Sans-IO.
 *
 * Invariants: those of SendQueue; a packet is marked as resent if and only if it was sent before;
 * the payload of a message is cut at multiples of the MTU and only its last packet is shorter.
 *
 * Leaves out: RETH on each packet, which some out-of-order NICs add; alternate paths.
 */
class Requester : public SendQueue
{
  public:
    /** \param config what it needs to know */
    void Configure(const RequesterConfig& config);

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
     * Build the next packet: addresses, opcode, PSN, flags, payload, size and extension headers.
     * To be called only if CanSend says so.
     * \param frame filled in
     * \return false if the local segment may not be read any more (LOCAL_PROTECTION)
     */
    bool Build(Frame& frame);

    /** \return its state */
    RequesterState GetState() const;

    /** \return packets sent again so far */
    uint64_t GetRetransmitted() const
    {
        return m_retransmitted;
    }

  private:
    bool BuildNext(Frame& frame);
    bool BuildSegment(Frame& frame, uint64_t index);
    bool BuildReadOrAtomic(Frame& frame, uint64_t index);
    void AddExtensions(Frame& frame, uint64_t index, uint64_t left);
    bool AddBytes(Frame& frame, uint64_t index) const;
    void AddressDatagram(Frame& frame) const;

    uint32_t m_qpn{0};
    ProtectionDomain* m_domain{nullptr};
    LossRecovery* m_recovery{nullptr};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_REQUESTER_H
