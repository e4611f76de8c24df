/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The work of a kernel's requester, done by ours, with the answers the kernel got: are the packets
// the same, and does the work end as it did there? Opcode, PSN, AckReq, RETH, AtomicETH, payload
// and frame size of each request are compared, as a set up to the repetitions.
#include "roce-golden-replay.h"

#include "ns3/roce-completer.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-protection-domain.h"
#include "ns3/roce-requester.h"

#include <catch2/catch.hpp>

using namespace goldentest;
using ns3::CreateObject;
using ns3::PeekPointer;
using ns3::Ptr;

namespace
{

/** Key of the local memory; packet n has its bytes at n x MTU. */
constexpr uint32_t LOCAL_KEY = 1;

/** The kernel asks for an acknowledgement at the end of a message, or after more packets than any
 *  message here has, 32. */
constexpr uint32_t ACK_INTERVAL = 33;

/** Our requester and completer at the place of the kernel's. */
class Asker
{
  public:
    /** \param connection whose requests it has \param trace its packets */
    Asker(const Connection& connection, const Trace& trace)
        : m_trace(trace),
          m_mtu(connection.mtu),
          m_domain(CreateObject<ProtectionDomain>()),
          m_recovery(CreateObject<GoBackN>())
    {
        const Message& last = trace.messages.back();
        m_domain->RegisterWithKey(0,
                                  (last.first + last.packets) * m_mtu,
                                  ACCESS_LOCAL_WRITE,
                                  LOCAL_KEY);
        RequesterConfig config;
        config.mtu = m_mtu;
        config.ackInterval = ACK_INTERVAL;
        config.initialPsn = trace.initialPsn;
        config.domain = PeekPointer(m_domain);
        config.recovery = PeekPointer(m_recovery);
        m_requester.Configure(config);
        m_recovery->Start(RecoveryParameters{0, 0, m_mtu, 0});
        m_completer.Configure(&m_requester,
                              PeekPointer(m_recovery),
                              PeekPointer(m_domain),
                              7,
                              true);
        LoadMemory();
        for (const Message& message : trace.messages)
        {
            Post(connection.operation, message);
        }
        SendAll();
    }

    /** The kernel sent a packet: ours must be as far. \param frame its packet */
    void Sent(const Frame& frame)
    {
        const uint64_t number = m_trace.NumberOf(frame);
        const unsigned times = ++m_theirs[number];
        if (times > m_ours[number].times && number >= m_requester.GetUnacknowledged())
        {
            ++m_timeouts; // no answer made us send it again, so none made the kernel
            m_completer.Timeout();
            SendAll();
        }
        const Packet& ours = m_ours[number];
        REQUIRE((times <= ours.times || number < m_requester.GetUnacknowledged()));
        REQUIRE(ours.text == TextOf(frame));
        REQUIRE(ours.payload == PayloadOf(frame));
    }

    /** The kernel got an answer: so do we, and send what it allows. \param frame the answer */
    void Receive(const Frame& frame)
    {
        const uint64_t number = m_trace.NumberOf(frame);
        const uint64_t una = m_requester.GetUnacknowledged();
        const Completer::Outcome outcome = m_completer.Receive(frame);
        REQUIRE(!outcome.failed);
        m_losses += outcome.loss;
        if (frame.kind == FrameKind::RESPONSE && m_requester.GetUnacknowledged() > una)
        {
            REQUIRE(MemoryAt(number, frame.payload) == PayloadOf(frame));
        }
        SendQueue::OpenRequest open;
        while (m_requester.Retire(open))
        {
            REQUIRE(open.request.id == m_ended);              // in order, each once
            REQUIRE(number == open.first + open.packets - 1); // soft-RoCE answers each message
            ++m_ended;
        }
        SendAll();
    }

    /** \return bytes of local memory. \param number of their packet \param count of bytes */
    Bytes MemoryAt(uint64_t number, std::size_t count) const
    {
        Bytes bytes(count);
        m_domain->Read(LOCAL_KEY, number * m_mtu, bytes.data(), count);
        return bytes;
    }

    /** \return requests that ended */
    uint64_t GetEnded() const
    {
        return m_ended;
    }

    /** \return timeouts that packets of the file showed */
    unsigned GetTimeouts() const
    {
        return m_timeouts;
    }

    /** \return answers that told of a loss */
    unsigned GetLosses() const
    {
        return m_losses;
    }

    /** \return packets we sent that are not in the file */
    unsigned GetUnseen() const
    {
        unsigned unseen = 0;
        for (const auto& [number, packet] : m_ours)
        {
            unseen += m_theirs.count(number) == 0;
        }
        return unseen;
    }

    /** \return different numbers of the file's packets */
    std::size_t GetSeen() const
    {
        return m_theirs.size();
    }

    /** \return the requester */
    const Requester& Get() const
    {
        return m_requester;
    }

    /** \return the completer */
    const Completer& GetCompleter() const
    {
        return m_completer;
    }

  private:
    /** A packet of ours. */
    struct Packet
    {
        std::string text;  //!< TextOf it
        Bytes payload;     //!< its bytes
        unsigned times{0}; //!< how often it was sent
    };

    /** The bytes that the file's packets carry, where they come from. */
    void LoadMemory()
    {
        for (const Frame* frame : m_trace.frames)
        {
            if (IsRequest(*frame))
            {
                const Bytes bytes = PayloadOf(*frame);
                const uint64_t address = m_trace.NumberOf(*frame) * m_mtu;
                m_domain->Write(LOCAL_KEY, address, bytes.data(), bytes.size());
            }
        }
    }

    void Post(Operation operation, const Message& message)
    {
        WorkRequest request;
        request.id = m_posted++;
        request.operation = operation;
        request.bytes = message.bytes;
        request.localKey = LOCAL_KEY;
        request.localAddress = message.first * m_mtu;
        if (operation != Operation::SEND)
        {
            request.remoteAddress = message.top->remoteAddress;
            request.remoteKey = message.top->remoteKey;
        }
        if (IsAtomic(operation))
        {
            request.swapAdd = message.top->atomic.swapAdd;
        }
        m_requester.Post(request, 0);
    }

    void SendAll()
    {
        while (m_requester.CanSend(~uint64_t(0)))
        {
            Frame frame{};
            REQUIRE(m_requester.Build(frame));
            const uint64_t number = m_trace.NumberOf(frame);
            Packet& packet = m_ours[number];
            const std::string text = TextOf(frame);
            REQUIRE((packet.times == 0 || packet.text == text));
            const bool partial =
                frame.opcode == Opcode::RC_READ_REQUEST && m_trace.Find(number)->first != number;
            REQUIRE(bool(frame.flags & FRAME_RETRANSMIT) == (packet.times > 0 || partial));
            packet.text = text;
            packet.payload = PayloadOf(frame);
            ++packet.times;
            if (frame.flags & FRAME_PACKET)
            {
                FramePool::ReleasePacket(&frame);
            }
        }
    }

    const Trace& m_trace;
    const uint32_t m_mtu;
    Ptr<ProtectionDomain> m_domain;
    Ptr<GoBackN> m_recovery;
    Requester m_requester;
    Completer m_completer;
    std::map<uint64_t, Packet> m_ours;     //!< by number
    std::map<uint64_t, unsigned> m_theirs; //!< how often the file has a number so far
    uint64_t m_posted{0};
    uint64_t m_ended{0};
    unsigned m_timeouts{0};
    unsigned m_losses{0};
};

/** How a connection of CONNECTIONS has to end. */
struct Ending
{
    unsigned ended;    //!< requests whose last answer is in the file
    unsigned unseen;   //!< packets that the file does not have: lost, or behind its end
    unsigned timeouts; //!< repetitions that nothing in the file asks for
    unsigned losses;   //!< NAKs, and gaps between READ responses
    uint64_t resent;   //!< packets we send again
    uint64_t oldest;   //!< number of the oldest packet that is not acknowledged
};

/**
 * In the order of CONNECTIONS; PSNs are tshark's, see there.
 *
 * - Clean runs: all ends. The SEND of 10.0.0.1 with PSN 13040446 to ...451 comes twice without an
 *   answer between: one timeout, six packets. That of 10.0.0.2 with 3514450 comes again after its
 *   ACK is in the file: too late for us.
 * - Lossy WRITE: one ACK of 3769854, NAKs of ...841 and ...865. Four messages of 32 packets are 128
 *   numbers, the file has 113. Each NAK makes us send again up to the end, ...950: 110 + 86.
 * - Lossy READ: 570362 to ...422 are answered, 61 numbers, one whole READ. Gaps at ...408 and
 * ...423 each repeat that READ and what follows: 408, 426, 458, 490, 522, and 423 with the same
 * four.
 * - Lossy SEND: one ACK of 8394206, NAKs of ...220 and ...228. Six messages of 32 packets are 192
 *   numbers, the file has 174. Sent again up to ...366: 147 + 139.
 */
const Ending ENDINGS[] = {{3, 0, 0, 0, 0, 18},
                          {3, 0, 1, 0, 6, 18},
                          {5, 0, 0, 0, 0, 25},
                          {5, 0, 0, 0, 0, 25},
                          {5, 0, 0, 0, 0, 5},
                          {5, 0, 0, 0, 0, 25},
                          {1, 128 - 113, 0, 2, 110 + 86, 42},
                          {1, 0, 0, 2, 5 + 5, 61},
                          {1, 192 - 174, 0, 2, 147 + 139, 53}};

} // namespace

TEST_CASE("golden requester: our requests and their ends are the kernel's", "[transport][golden]")
{
    unsigned requests = 0;
    unsigned answers = 0;
    uint64_t ended = 0;
    for (unsigned i = 0; i < std::size(CONNECTIONS); ++i)
    {
        const Connection& connection = CONNECTIONS[i];
        const Ending& ending = ENDINGS[i];
        INFO(connection.file << " queue pair " << connection.qpn << " of " << connection.requester);
        const Capture capture(connection.file);
        const Trace trace = TraceOf(capture, connection);
        REQUIRE(trace.messages.size() == connection.messages);
        Asker asker(connection, trace);
        for (const Frame* frame : trace.frames)
        {
            const bool request = IsRequest(*frame);
            ++(request ? requests : answers);
            request ? asker.Sent(*frame) : asker.Receive(*frame);
        }
        CHECK(asker.GetEnded() == ending.ended);
        CHECK(asker.Get().GetOpen().size() == connection.messages - ending.ended);
        CHECK(asker.GetSeen() == connection.psns);
        CHECK(asker.GetUnseen() == ending.unseen);
        CHECK(asker.GetTimeouts() == ending.timeouts);
        CHECK(asker.GetLosses() == ending.losses);
        CHECK(asker.Get().GetRetransmitted() == ending.resent);
        CHECK(asker.Get().GetUnacknowledged() == ending.oldest);
        if (connection.operation == Operation::READ)
        {
            CHECK(asker.GetCompleter().GetResponses() == ending.oldest); // each number once
        }
        ended += asker.GetEnded();
    }
    CHECK(requests == 480); // sums of CONNECTIONS
    CHECK(answers == 285);
    CHECK(ended == 3 + 3 + 5 + 5 + 5 + 5 + 1 + 1 + 1);
}

TEST_CASE("golden requester: FETCH_ADD gets the number in the file", "[transport][golden]")
{
    const Connection& connection = CONNECTIONS[4];
    const Capture capture(connection.file);
    const Trace trace = TraceOf(capture, connection);
    Asker asker(connection, trace);
    // tshark ... -Y 'infiniband.bth.opcode==18' -T fields -e infiniband.atomicacketh.origremdt
    const uint64_t original[] = {15487909212935925962u,
                                 6231604584088832221u,
                                 2733574871403660082u,
                                 5890763990636072724u,
                                 9563162767270514711u};
    unsigned taken = 0;
    for (const Frame* frame : trace.frames)
    {
        if (IsRequest(*frame))
        {
            continue;
        }
        asker.Receive(*frame);
        REQUIRE(taken < 5);
        CHECK(asker.GetCompleter().GetOriginal() == original[taken]);
        const Bytes bytes = asker.MemoryAt(taken, 8); // as a number of the host, little-endian
        for (unsigned k = 0; k < 8; ++k)
        {
            CHECK(bytes[k] == static_cast<uint8_t>(original[taken] >> (8 * k)));
        }
        ++taken;
    }
    CHECK(taken == 5);
    CHECK(asker.GetEnded() == 5);
}
