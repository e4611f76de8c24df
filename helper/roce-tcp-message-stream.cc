/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-message-stream.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t MAX_BYTES = uint64_t(1) << 30; //!< largest window with scaling, RFC 7323 2.3

/** A closed socket waits twice this, s; nothing is late enough in a fabric to wait 2 minutes. */
constexpr double SEGMENT_LIFETIME = 0.001;

/** Refuse what cannot be. */
void
Check(uint64_t bytes, const TcpOptions& options)
{
    if (bytes == 0 || bytes > MAX_BYTES)
    {
        throw std::invalid_argument("TCP messages of " + std::to_string(bytes) +
                                    " bytes: 1 to 2^30 are possible");
    }
    if (options.segmentBytes == 0 || options.bufferBytes > MAX_BYTES || options.ackEvery == 0 ||
        options.initialWindow == 0 || options.minRto.IsNegative())
    {
        throw std::invalid_argument(
            "TCP with segments of " + std::to_string(options.segmentBytes) + " bytes, buffers of " +
            std::to_string(options.bufferBytes) + " bytes, " + std::to_string(options.ackEvery) +
            " segments an ACK, an initial window of " + std::to_string(options.initialWindow) +
            ": at least 1 of each is needed, buffers up to 2^30 bytes, no time below 0");
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(options.law, &type))
    {
        throw std::invalid_argument("TCP: \"" + options.law +
                                    "\" is no TypeId; ns3::TcpCubic and ns3::TcpDctcp are");
    }
}

} // namespace

TcpMessageStream::TcpMessageStream(Ptr<Fabric> fabric,
                                   uint32_t source,
                                   uint32_t destination,
                                   uint16_t port,
                                   uint64_t bytes,
                                   const TcpOptions& options)
    : m_fabric(fabric),
      m_source(source),
      m_destination(destination),
      m_port(port),
      m_bytes(bytes),
      m_buffer(std::max(options.bufferBytes, static_cast<uint32_t>(bytes)))
{
    Check(bytes, options);
    m_listener = MakeSocket(destination, options);
    m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&TcpMessageStream::OnAccepted, this));
    m_sender = MakeSocket(source, options);
    m_sender->Bind();
    m_sender->SetConnectCallback(MakeCallback(&TcpMessageStream::OnConnected, this),
                                 MakeCallback(&TcpMessageStream::OnFailed, this));
    m_sender->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeCallback(&TcpMessageStream::OnFailed, this));
    m_sender->SetSendCallback(MakeCallback(&TcpMessageStream::OnSpace, this));
    m_sender->TraceConnectWithoutContext("Tx", MakeCallback(&TcpMessageStream::OnSegment, this));
    m_sender->TraceConnectWithoutContext("CongState",
                                         MakeCallback(&TcpMessageStream::OnState, this));
}

TcpMessageStream::~TcpMessageStream()
{
    m_start.Cancel();
    const auto none = MakeNullCallback<void, Ptr<Socket>>();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
    m_sender->SetConnectCallback(none, none);
    m_sender->SetCloseCallbacks(none, none);
    m_sender->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    m_sender->TraceDisconnectWithoutContext("Tx", MakeCallback(&TcpMessageStream::OnSegment, this));
    m_sender->TraceDisconnectWithoutContext("CongState",
                                            MakeCallback(&TcpMessageStream::OnState, this));
    if (m_reader)
    {
        m_reader->SetRecvCallback(none);
        m_reader->SetCloseCallbacks(none, none);
    }
}

Ptr<TcpSocketBase>
TcpMessageStream::MakeSocket(uint32_t host, const TcpOptions& options) const
{
    Ptr<TcpL4Protocol> tcp = m_fabric->GetNode(host)->GetObject<TcpL4Protocol>();
    if (!tcp)
    {
        throw std::invalid_argument("host " + std::to_string(host) +
                                    " has no TCP; call RoceHelper::InstallInternet before");
    }
    Ptr<TcpSocketBase> socket =
        DynamicCast<TcpSocketBase>(tcp->CreateSocket(TypeId::LookupByName(options.law)));
    socket->SetAttribute("SegmentSize", UintegerValue(options.segmentBytes));
    socket->SetAttribute("SndBufSize", UintegerValue(m_buffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(m_buffer));
    socket->SetAttribute("InitialCwnd", UintegerValue(options.initialWindow));
    socket->SetAttribute("DelAckCount", UintegerValue(options.ackEvery));
    socket->SetAttribute("MinRto", TimeValue(options.minRto));
    socket->SetAttribute("ClockGranularity", TimeValue(options.clockGranularity));
    socket->SetAttribute("Timestamp", BooleanValue(false));
    socket->SetAttribute("MaxSegLifetime", DoubleValue(SEGMENT_LIFETIME));
    if (options.ecn)
    {
        socket->SetAttribute("UseEcn", StringValue("On"));
    }
    return socket;
}

void
TcpMessageStream::Start(Time at, Decision more)
{
    m_more = std::move(more);
    m_start = Simulator::Schedule(at, [this]() {
        // in the context of the host, as all that its stack does
        Simulator::ScheduleWithContext(m_fabric->GetNode(m_source)->GetId(), Time(0), [this]() {
            Connect();
        });
    });
}

void
TcpMessageStream::Connect()
{
    const Ipv4Address goal(m_fabric->GetAddresses().Address(m_destination));
    m_sender->Connect(InetSocketAddress(goal, m_port));
}

void
TcpMessageStream::SendMessage()
{
    m_sentAt.push_back(Simulator::Now());
    m_sender->Send(Create<Packet>(static_cast<uint32_t>(m_bytes)), 0);
}

void
TcpMessageStream::OnConnected(Ptr<Socket>)
{
    SendMessage();
}

void
TcpMessageStream::OnFailed(Ptr<Socket>)
{
    m_failed = true;
}

void
TcpMessageStream::OnSpace(Ptr<Socket>, uint32_t available)
{
    if (m_ended == m_sentAt.size() || available < m_buffer)
    {
        return; // nothing has ended: some of it is not acknowledged
    }
    ++m_ended;
    if (m_more())
    {
        SendMessage();
        return;
    }
    m_sender->Close();
}

void
TcpMessageStream::OnAccepted(Ptr<Socket> socket, const Address&)
{
    m_reader = socket;
    m_reader->SetRecvCallback(MakeCallback(&TcpMessageStream::OnReadable, this));
    m_reader->SetCloseCallbacks(MakeCallback(&TcpMessageStream::OnPeerClosed, this),
                                MakeCallback(&TcpMessageStream::OnFailed, this));
    m_listener->Close();
}

void
TcpMessageStream::OnReadable(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break; // end of the stream
        }
        m_read += packet->GetSize();
    }
    while (m_read >= (m_messages.size() + 1) * m_bytes)
    {
        m_messages.push_back({m_sentAt.at(m_messages.size()), Simulator::Now()});
    }
}

void
TcpMessageStream::OnPeerClosed(Ptr<Socket> socket)
{
    socket->Close();
}

void
TcpMessageStream::OnSegment(Ptr<const Packet> packet,
                            const TcpHeader& header,
                            Ptr<const TcpSocketBase>)
{
    const uint32_t size = packet->GetSize();
    if (size == 0)
    {
        return;
    }
    const bool repeated = m_segments > 0 && header.GetSequenceNumber() < m_highest;
    m_retransmissions += repeated;
    if (!repeated)
    {
        m_highest = header.GetSequenceNumber() + SequenceNumber32(size);
    }
    ++m_segments;
}

void
TcpMessageStream::OnState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t after)
{
    m_timeouts += after == TcpSocketState::CA_LOSS;
}

const std::vector<TcpMessageStream::Message>&
TcpMessageStream::GetMessages() const
{
    return m_messages;
}

uint64_t
TcpMessageStream::GetSent() const
{
    return m_sentAt.size();
}

uint64_t
TcpMessageStream::GetEnded() const
{
    return m_ended;
}

uint64_t
TcpMessageStream::GetBytesRead() const
{
    return m_read;
}

uint64_t
TcpMessageStream::GetSegments() const
{
    return m_segments;
}

uint64_t
TcpMessageStream::GetRetransmissions() const
{
    return m_retransmissions;
}

uint64_t
TcpMessageStream::GetTimeouts() const
{
    return m_timeouts;
}

bool
TcpMessageStream::HasFailed() const
{
    return m_failed;
}

Ptr<TcpSocketBase>
TcpMessageStream::GetSocket() const
{
    return m_sender;
}

} // namespace roce
} // namespace ns3
