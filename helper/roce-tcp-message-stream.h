/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TCP_MESSAGE_STREAM_H
#define ROCE_TCP_MESSAGE_STREAM_H

#include "roce-fabric.h"

#include "ns3/nstime.h"
#include "ns3/tcp-socket-base.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What both ends of a TCP connection are set to. */
struct TcpOptions
{
    std::string law{"ns3::TcpCubic"};       //!< TypeId name of a TcpCongestionOps
    uint32_t segmentBytes{1448};            //!< largest payload of a segment (MSS)
    uint32_t bufferBytes{16777216};         //!< of each end; the sender's holds a message at least
    uint32_t initialWindow{10};             //!< segments: RFC 6928
    uint32_t ackEvery{1};                   //!< segments an ACK; 1: none is delayed
    Time minRto{MilliSeconds(200)};         //!< Linux: TCP_RTO_MIN = HZ / 5
    Time clockGranularity{MilliSeconds(1)}; //!< least slack of a retransmission timer (RFC 6298)
    bool ecn{false};                        //!< ask for ECN at the handshake (RFC 3168)
};

/**
 * Messages over a TCP connection of ns-3 between two hosts of a fabric, one after the other.
 *
 * Models: an application that gives a message to its socket as a whole, waits until all of it is
 * acknowledged, and goes on with the next; at the other end one that reads at once. The time to
 * data of a message runs from the call of Send to the arrival, in order, of its last byte at the
 * reader; it is the same span as FabricMonitor's for a WRITE: from post to whole at the receiver.
 *
 * Invariants: messages arrive in order, the bytes read are at most the bytes sent, and equal after
 * a close; when the stream ends both sockets are closed, so that a simulation can run dry. Time
 * stamps of TCP are off: those of ns-3 count milliseconds, and a round trip here is
 * microseconds; without them ns-3 measures it exactly.
 *
 * Leaves out: pacing, delayed ACKs by default, tail loss probes and RACK (ns-3 has none of the
 * last two): the loss of a last segment costs a retransmission timeout.
 */
class TcpMessageStream : public SimpleRefCount<TcpMessageStream>
{
  public:
    /** A message that has arrived. */
    struct Message
    {
        Time sent;    //!< Send was called
        Time arrived; //!< the last byte was read
    };

    /** Asked when a message has ended: whether to send one more, or to close. */
    using Decision = std::function<bool()>;

    /**
     * Make both sockets. Keep the object until the run has ended.
     * \param fabric with IPv4 stacks (RoceHelper::InstallInternet)
     * \param source id of a host
     * \param destination id of another host
     * \param port TCP port at the destination, its own for each stream
     * \param bytes of each message, 1 to 2^30
     * \param options what both ends are set to; std::invalid_argument if something is impossible
     */
    TcpMessageStream(Ptr<Fabric> fabric,
                     uint32_t source,
                     uint32_t destination,
                     uint16_t port,
                     uint64_t bytes,
                     const TcpOptions& options = {});
    ~TcpMessageStream();

    /**
     * Connect, and send the first message as soon as that is done.
     * \param at from now
     * \param more asked after each message
     */
    void Start(Time at, Decision more);

    /** \return messages that have arrived, in order */
    const std::vector<Message>& GetMessages() const;

    /** \return messages given to the socket */
    uint64_t GetSent() const;

    /** \return messages that are acknowledged as a whole at the sender */
    uint64_t GetEnded() const;

    /** \return bytes the reader has read */
    uint64_t GetBytesRead() const;

    /** \return segments with payload that the sender has sent, repeated ones too */
    uint64_t GetSegments() const;

    /** \return of those, the ones below the highest byte sent before */
    uint64_t GetRetransmissions() const;

    /** \return entries into the state Loss, which a retransmission timer causes; further expiries
     *  before the state ends do not count */
    uint64_t GetTimeouts() const;

    /** \return whether the connection was refused or given up */
    bool HasFailed() const;

    /** \return the sender's socket, for its trace sources */
    Ptr<TcpSocketBase> GetSocket() const;

  private:
    Ptr<TcpSocketBase> MakeSocket(uint32_t host, const TcpOptions& options) const;
    void Connect();
    void SendMessage();
    void OnConnected(Ptr<Socket> socket);
    void OnFailed(Ptr<Socket> socket);
    void OnSpace(Ptr<Socket> socket, uint32_t available);
    void OnAccepted(Ptr<Socket> socket, const Address& from);
    void OnReadable(Ptr<Socket> socket);
    void OnPeerClosed(Ptr<Socket> socket);
    void OnSegment(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>);
    void OnState(TcpSocketState::TcpCongState_t before, TcpSocketState::TcpCongState_t after);

    Ptr<Fabric> m_fabric;
    uint32_t m_source;
    uint32_t m_destination;
    uint16_t m_port;
    uint64_t m_bytes;
    uint32_t m_buffer; //!< of each end
    Ptr<TcpSocketBase> m_sender;
    Ptr<TcpSocketBase> m_listener;
    Ptr<Socket> m_reader;
    Decision m_more;
    EventId m_start;
    std::vector<Time> m_sentAt;
    std::vector<Message> m_messages;
    uint64_t m_ended{0};
    uint64_t m_read{0};
    uint64_t m_segments{0};
    uint64_t m_retransmissions{0};
    uint64_t m_timeouts{0};
    SequenceNumber32 m_highest{0};
    bool m_failed{false};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TCP_MESSAGE_STREAM_H
