/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-repair.h"
#include "roce-fuzz-targets.h"

#include "ns3/packet.h"
#include "ns3/roce-ether-type.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-pause-frame.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

using namespace ns3::roce;

namespace
{

using Bytes = std::vector<uint8_t>;

/** Bytes of an Ethernet frame without FCS, at least. */
constexpr std::size_t MIN_BYTES = 60;

/** Gives back a frame at the end of its scope. */
struct Holder
{
    FramePool& pool;
    Frame* frame{nullptr};

    ~Holder()
    {
        if (frame != nullptr)
        {
            pool.Free(frame);
        }
    }
};

/** \return what is attached to a frame. \param frame a frame */
Bytes
Attached(const Frame& frame)
{
    if ((frame.flags & FRAME_PACKET) == 0)
    {
        return {};
    }
    Bytes bytes(frame.packet->GetSize());
    frame.packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return bytes;
}

/**
 * \param a a decoded frame
 * \param b the frame that its encoding decodes to
 * \param room payload bytes of the shortest Ethernet frame
 */
void
CheckSame(const Frame& a, const Frame& b, std::size_t room)
{
    using fuzz::Check;
    const bool isCnp = a.kind == FrameKind::CNP;
    Check(b.kind == a.kind && b.opcode == a.opcode, "kind and opcode are kept");
    Check(b.source == a.source && b.destination == a.destination, "addresses are kept");
    Check(b.sourcePort == a.sourcePort && b.destinationPort == a.destinationPort, "ports are kept");
    Check(b.hash == a.hash, "the hash is kept");
    // a CNP always has PSN 0 and BECN
    Check(b.psn == (isCnp ? 0 : a.psn) && b.destinationQp == a.destinationQp, "QP, PSN are kept");
    Check(b.flags == (isCnp ? a.flags | FRAME_BECN : a.flags), "flags are kept");
    Check(b.aeth == a.aeth, "the AETH is kept");
    Check(b.priority == a.priority && b.ecn == a.ecn && b.ttl == a.ttl, "IP fields are kept");
    Check(b.remoteAddress == a.remoteAddress && b.remoteKey == a.remoteKey &&
              b.dmaLength == a.dmaLength && b.immediate == a.immediate,
          "RETH, ImmDt and IETH are kept");
    Check(b.protocol == a.protocol && b.pauseEnable == a.pauseEnable, "type and vector are kept");
    Check(std::equal(a.cnpBody, a.cnpBody + sizeof(a.cnpBody), b.cnpBody),
          "CNP body, pause times, atomic operands or DETH are kept");
    Bytes expected = Attached(a);
    std::size_t payload = a.payload;
    if (a.kind == FrameKind::PACKET && a.protocol != ETHER_TYPE_IPV4)
    {
        // no length of its own: Ethernet padding becomes part of it
        payload = std::max(payload, room);
        expected.resize(payload);
    }
    Check(b.payload == payload, "the payload size is kept");
    Check(Attached(b) == expected, "the attached bytes are kept");
}

/**
 * A frame from the bytes of another program: Encode(Decode(b)) decodes to the same fields.
 *
 * \param pool a pool
 * \param bytes an Ethernet frame
 * \param options how to read it; hasFcs says whether it has one
 * \param addFcs whether Encode adds one
 */
void
RoundTrip(FramePool& pool, const Bytes& bytes, FrameCodecOptions options, bool addFcs)
{
    Holder first{pool};
    try
    {
        first.frame = FrameCodec::Decode(bytes.data(), bytes.size(), pool, options);
    }
    catch (const CodecError&)
    {
        fuzz::Check(pool.GetLive() == 0, "a Decode that throws takes no frame");
        return;
    }
    fuzz::Check(pool.GetLive() == 1, "a Decode takes one frame");
    const std::size_t size = bytes.size() - (options.hasFcs ? 4 : 0);
    fuzz::Check(first.frame->size == size + 4, "the size is that of the bytes and FCS");
    std::size_t header = 14;
    if ((bytes[12] << 8 | bytes[13]) == ETHER_TYPE_VLAN)
    {
        options.vlanId = (bytes[14] << 8 | bytes[15]) & 0xfff;
        header += 4;
    }
    std::copy_n(&bytes[6], 6, options.pauseSource.begin());
    options.hasFcs = addFcs;
    Bytes again;
    FrameCodec::Encode(*first.frame, again, options); // must not throw
    Holder second{pool};
    second.frame = FrameCodec::Decode(again.data(), again.size(), pool, options);
    CheckSame(*first.frame, *second.frame, MIN_BYTES - header);
    fuzz::Check(second.frame->size == again.size() + (addFcs ? 0 : 4), "size of the second");
    fuzz::Check(second.frame->size <= std::max<std::size_t>(first.frame->size, MIN_BYTES + 4),
                "Encode adds nothing but padding");
}

/** \param bytes perhaps a pause frame without FCS */
void
RoundTripPause(const Bytes& bytes)
{
    try
    {
        const PauseFrame a = PauseFrame::Decode(bytes.data(), bytes.size());
        const Bytes again = a.Encode();
        fuzz::Check(again.size() == PauseFrame::BYTES, "a pause frame has 60 bytes");
        const PauseFrame b = PauseFrame::Decode(again.data(), again.size());
        fuzz::Check(a.source == b.source && a.priority == b.priority && a.enable == b.enable &&
                        a.times == b.times && a.time == b.time,
                    "Decode(Encode(f)) of a pause frame equals f");
    }
    catch (const CodecError&)
    {
    }
}

/** Takes fields from bytes, zeros beyond their end. */
class Fields
{
  public:
    /** \param data first byte \param size bytes */
    Fields(const uint8_t* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    /** \param field gets the next bytes, least significant first */
    template <typename T>
    void Take(T& field)
    {
        uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i, ++m_at)
        {
            value |= uint64_t(m_at < m_size ? m_data[m_at] : 0) << (8 * i);
        }
        field = static_cast<T>(value);
    }

    /** \return what was not taken yet */
    Bytes Rest() const
    {
        return m_at < m_size ? Bytes(m_data + m_at, m_data + m_size) : Bytes();
    }

  private:
    const uint8_t* m_data;
    std::size_t m_size;
    std::size_t m_at{0};
};

/**
 * \param frame gets all that may be on the wire
 * \param data bytes
 * \param size how many
 */
void
FillFrame(Frame& frame, const uint8_t* data, std::size_t size)
{
    frame = Frame{};
    Fields in(data, size);
    uint8_t kind = 0;
    in.Take(kind);
    frame.kind = static_cast<FrameKind>(kind % (static_cast<unsigned>(FrameKind::PACKET) + 1));
    in.Take(frame.opcode);
    in.Take(frame.flags);
    const bool hasPacket = (frame.flags & FRAME_PACKET) != 0;
    frame.flags &= FRAME_ACK_REQUEST | FRAME_BECN | FRAME_EXTENDED | FRAME_SOLICITED;
    in.Take(frame.source);
    in.Take(frame.destination);
    in.Take(frame.psn);
    in.Take(frame.destinationQp);
    in.Take(frame.aeth);
    in.Take(frame.sourcePort);
    in.Take(frame.destinationPort);
    in.Take(frame.payload);
    in.Take(frame.priority);
    in.Take(frame.ecn);
    in.Take(frame.ttl);
    in.Take(frame.pauseEnable);
    in.Take(frame.protocol);
    in.Take(frame.remoteAddress);
    in.Take(frame.remoteKey);
    in.Take(frame.dmaLength);
    in.Take(frame.immediate);
    for (uint8_t& byte : frame.cnpBody)
    {
        in.Take(byte);
    }
    if (hasPacket)
    {
        const Bytes rest = in.Rest();
        auto packet = ns3::Create<ns3::Packet>(rest.data(), static_cast<uint32_t>(rest.size()));
        frame.packet = ns3::PeekPointer(packet);
        frame.packet->Ref();
        frame.flags |= FRAME_PACKET;
    }
}

/**
 * A frame of our own making: what Encode takes, Decode reads, and it encodes to the same bytes.
 *
 * \param pool a pool
 * \param data fields of the frame
 * \param size how many
 * \param addFcs whether Encode adds an FCS
 */
void
EncodeAny(FramePool& pool, const uint8_t* data, std::size_t size, bool addFcs)
{
    Holder first{pool, pool.Get()};
    FillFrame(*first.frame, data, size);
    FrameCodecOptions options;
    options.hasFcs = addFcs;
    options.anyUdpPort = true;
    Bytes bytes;
    try
    {
        FrameCodec::Encode(*first.frame, bytes, options);
    }
    catch (const std::invalid_argument&)
    {
        return;
    }
    Holder second{pool};
    try
    {
        second.frame = FrameCodec::Decode(bytes.data(), bytes.size(), pool, options);
    }
    catch (const CodecError&)
    {
        // the packet of another protocol may be anything
        fuzz::Check(first.frame->kind == FrameKind::PACKET, "what Encode made, Decode reads");
        return;
    }
    if (first.frame->kind != FrameKind::PACKET)
    {
        Bytes again;
        FrameCodec::Encode(*second.frame, again, options);
        fuzz::Check(again == bytes, "Encode(Decode(Encode(f))) equals Encode(f)");
    }
}

} // namespace

int
fuzz::FrameCodec(const uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    static FramePool pool;
    const bool addFcs = (data[0] & 2) != 0;
    if (data[0] & 16)
    {
        EncodeAny(pool, data + 1, size - 1, addFcs);
    }
    else
    {
        FrameCodecOptions options;
        options.hasFcs = (data[0] & 1) != 0;
        options.anyUdpPort = (data[0] & 4) != 0;
        Bytes bytes(data + 1, data + size);
        bytes.shrink_to_fit();
        if (data[0] & 8)
        {
            Repair(bytes, options.hasFcs);
        }
        RoundTrip(pool, bytes, options, addFcs);
        RoundTripPause(bytes);
    }
    Check(pool.GetLive() == 0, "no frame is left in use");
    return 0;
}
