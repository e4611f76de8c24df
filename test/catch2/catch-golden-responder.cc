/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The requests of a kernel, answered by our responder: do we say what the kernel at the other side
// said? Opcode, PSN, syndrome, MSN, payload and frame size of each answer are compared, in order.
#include "roce-golden-replay.h"

#include "ns3/roce-protection-domain.h"
#include "ns3/roce-receive-queue.h"
#include "ns3/roce-responder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

using namespace goldentest;
using ns3::Create;
using ns3::CreateObject;
using ns3::PeekPointer;
using ns3::Ptr;

namespace
{

constexpr uint8_t ALL_RIGHTS =
    ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;

/** Key of the memory for incoming SENDs; no file uses it. */
constexpr uint32_t RECEIVE_KEY = 1;

/** One packet that our responder sent. */
struct Sent
{
    std::string text; //!< TextOf it
    Bytes payload;    //!< its bytes
};

/** The memory that the requests of a trace are about, as it was before them. */
class Memory
{
  public:
    /** \param trace whose requests name keys and addresses \param mtu payload of a full packet */
    Memory(const Trace& trace, uint32_t mtu)
        : m_domain(CreateObject<ProtectionDomain>())
    {
        std::map<uint32_t, std::pair<uint64_t, uint64_t>> ranges;
        for (const Message& message : trace.messages)
        {
            if (message.top->remoteKey == 0 || !(message.top->flags & FRAME_EXTENDED))
            {
                continue; // a SEND
            }
            const uint64_t begin = message.top->remoteAddress;
            auto& range =
                ranges.emplace(message.top->remoteKey, std::make_pair(begin, begin)).first->second;
            range.first = std::min(range.first, begin);
            range.second = std::max(range.second, begin + message.bytes);
        }
        for (const auto& [key, range] : ranges)
        {
            m_domain->RegisterWithKey(range.first, range.second - range.first, ALL_RIGHTS, key);
        }
        m_domain->RegisterWithKey(0, 1 << 16, ALL_RIGHTS, RECEIVE_KEY);
        Load(trace, mtu);
    }

    /** \return the domain */
    ProtectionDomain& Get()
    {
        return *m_domain;
    }

    /** \return bytes that were in an answer, and again in another one of the same place */
    uint64_t GetAgain() const
    {
        return m_again;
    }

  private:
    /** What the first answer of the file says of a byte was there from the start. */
    void Load(const Trace& trace, uint32_t mtu)
    {
        std::map<uint64_t, uint8_t> known; // by address
        for (const Frame* frame : trace.frames)
        {
            const Message* message = trace.Find(trace.NumberOf(*frame));
            if (frame->opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE)
            {
                // each of the five goes to an address of its own
                m_domain->FetchAdd(message->top->remoteKey,
                                   message->top->remoteAddress,
                                   frame->atomicOriginal);
            }
            if (frame->kind != FrameKind::RESPONSE)
            {
                continue;
            }
            const Bytes bytes = PayloadOf(*frame);
            const uint64_t offset = (trace.NumberOf(*frame) - message->first) * mtu;
            for (std::size_t i = 0; i < bytes.size(); ++i)
            {
                const uint64_t address = message->top->remoteAddress + offset + i;
                if (!known.emplace(address, bytes[i]).second)
                {
                    ++m_again;
                    continue;
                }
                m_domain->Write(message->top->remoteKey, address, &bytes[i], 1);
            }
        }
    }

    Ptr<ProtectionDomain> m_domain;
    uint64_t m_again{0};
};

/** A responder with what it needs, and what it sends. */
class Peer
{
  public:
    /** \param connection whose responder it is \param trace its packets \param memory for it */
    Peer(const Connection& connection, const Trace& trace, Memory& memory)
        : m_trace(trace),
          m_queue(CreateObject<ReceiveQueue>())
    {
        ResponderConfig config;
        config.mtu = connection.mtu;
        config.initialPsn = trace.initialPsn;
        config.domain = &memory.Get();
        // soft-RoCE acknowledges each duplicate of a SEND or WRITE, not just those with AckReq:
        // the six packets of 3514450 and on in linux-rxe-clean.pcap, one of them with AckReq, get
        // six ACKs
        config.ackDuplicates = true;
        m_responder.Configure(config, PeekPointer(m_queue));
        for (const Message& message : trace.messages)
        {
            m_queue->Post(ReceiveRequest{0, message.bytes, 0, RECEIVE_KEY});
        }
    }

    /**
     * Take a request and send all that is due before the next: soft-RoCE's responder does one
     * request after the other.
     * \param request packet of the file
     */
    void Receive(const Frame& request)
    {
        Frame copy = request; // it does not keep frames
        const Responder::Result result = m_responder.Receive(copy, 0);
        REQUIRE(!result.failed);
        REQUIRE(!result.kept);
        if (result.answer == Responder::Answer::READ)
        {
            const Message* message = m_trace.Find(m_trace.NumberOf(request));
            const bool partial = message->first != m_trace.NumberOf(request);
            SendResponses(partial);
            PendingAnswer late;
            REQUIRE(!m_responder.TakeDeferred(late));
        }
        else if (result.answer != Responder::Answer::NONE)
        {
            SendAnswer(result);
        }
    }

    /** \return what it sent */
    const std::vector<Sent>& GetSent() const
    {
        return m_sent;
    }

    /** \return READs answered from their middle on */
    unsigned GetPartial() const
    {
        return m_partial;
    }

    /** \return the responder */
    const Responder& Get() const
    {
        return m_responder;
    }

  private:
    /** As Nic::SendAnswer fills an answer in. \param result what to say */
    void SendAnswer(const Responder::Result& result)
    {
        const bool atomic = result.answer == Responder::Answer::ATOMIC;
        Frame frame{};
        frame.opcode = atomic ? Opcode::RC_ATOMIC_ACKNOWLEDGE : Opcode::RC_ACKNOWLEDGE;
        frame.psn = result.psn;
        frame.aeth = uint32_t(result.syndrome) << 24 | result.msn;
        frame.size = FrameSizes().ackBytes + (atomic ? ATOMIC_ACK_BYTES : 0);
        frame.atomicOriginal = m_responder.GetOriginal();
        m_sent.push_back({TextOf(frame), {}});
    }

    /**
     * A READ asked for again from its middle on is a request of its own to us, and its responses
     * begin with FIRST or ONLY (IBTA table 38). soft-RoCE goes on in its old answer instead, with
     * MIDDLE or LAST, and a MIDDLE has no AETH; its requester takes both, and so does ours. This
     * turns our FIRST into the other form.
     * \param partial whether it is such a READ
     */
    void SendResponses(bool partial)
    {
        m_partial += partial;
        for (bool first = true; m_responder.IsAnswering(); first = false)
        {
            Frame frame{};
            REQUIRE(m_responder.BuildResponse(frame));
            if (partial && first)
            {
                REQUIRE(frame.opcode == Opcode::RC_READ_RESPONSE_FIRST);
                frame.opcode = Opcode::RC_READ_RESPONSE_MIDDLE;
                frame.size -= AETH_BYTES;
            }
            m_sent.push_back({TextOf(frame), PayloadOf(frame)});
            if (frame.flags & FRAME_PACKET)
            {
                FramePool::ReleasePacket(&frame);
            }
        }
    }

    const Trace& m_trace;
    Ptr<ReceiveQueue> m_queue;
    Responder m_responder;
    std::vector<Sent> m_sent;
    unsigned m_partial{0};
};

/** What a replay of all requests of a connection showed. */
struct Comparison
{
    unsigned requests{0};   //!< packets our responder got
    unsigned equal{0};      //!< answers of the kernel that we sent too, in this order
    unsigned skipped{0};    //!< answers of ours before the last of them that are not in the file
    unsigned behind{0};     //!< answers of ours after the last of them
    uint64_t bytes{0};      //!< payload bytes compared
    uint64_t again{0};      //!< of them, bytes that did not come from this very packet
    unsigned partial{0};    //!< READs answered from their middle on
    uint64_t duplicates{0}; //!< Responder::GetDuplicates
    uint64_t early{0};      //!< Responder::GetOutOfOrder
    uint64_t taken{0};      //!< Responder::GetBytes
    uint64_t messages{0};   //!< Responder::GetMessages
};

/** Look for the kernel's answers in ours. \param trace theirs \param sent ours \param found gets
 *  the counts */
void
Compare(const Trace& trace, const std::vector<Sent>& sent, Comparison& found)
{
    std::size_t next = 0;
    for (const Frame* frame : trace.frames)
    {
        if (IsRequest(*frame))
        {
            continue;
        }
        const std::string text = TextOf(*frame);
        const auto at = std::find_if(sent.begin() + next, sent.end(), [&text](const Sent& ours) {
            return ours.text == text;
        });
        INFO("the kernel said: " << text << "; we had next: "
                                 << (next < sent.size() ? sent[next].text : "nothing"));
        REQUIRE(at != sent.end());
        REQUIRE(at->payload == PayloadOf(*frame));
        found.bytes += at->payload.size();
        found.skipped += at - sent.begin() - next;
        next = at - sent.begin() + 1;
        ++found.equal;
    }
    found.behind = sent.size() - next;
}

/** \return what our responder makes of a connection. \param connection it */
Comparison
Replay(const Connection& connection)
{
    const Capture capture(connection.file);
    const Trace trace = TraceOf(capture, connection);
    REQUIRE(trace.messages.size() == connection.messages);
    Memory memory(trace, connection.mtu);
    Peer peer(connection, trace, memory);
    Comparison found;
    for (const Frame* frame : trace.frames)
    {
        if (IsRequest(*frame))
        {
            peer.Receive(*frame);
            ++found.requests;
        }
    }
    Compare(trace, peer.GetSent(), found);
    found.again = memory.GetAgain();
    found.partial = peer.GetPartial();
    found.duplicates = peer.Get().GetDuplicates();
    found.early = peer.Get().GetOutOfOrder();
    found.taken = peer.Get().GetBytes();
    found.messages = peer.Get().GetMessages();
    return found;
}

} // namespace

TEST_CASE("golden responder: our answers are the kernel's", "[transport][golden]")
{
    unsigned requests = 0;
    unsigned answers = 0;
    for (const Connection& connection : CONNECTIONS)
    {
        INFO(connection.file << " queue pair " << connection.qpn);
        const Comparison found = Replay(connection);
        CHECK(found.requests == connection.requests);
        CHECK(found.equal == connection.answers);
        if (connection.file != std::string("linux-rxe-lossy-read.pcap"))
        {
            // no answer of these was lost, and each request that asks for one has it in the file
            CHECK(found.skipped == 0);
            CHECK(found.behind == 0);
        }
        requests += found.requests;
        answers += found.equal;
    }
    CHECK(requests == 480); // sums of CONNECTIONS
    CHECK(answers == 285);
}

TEST_CASE("golden responder: messages, duplicates and gaps", "[transport][golden]")
{
    // PSNs here and below: those of `tshark ... -e infiniband.bth.psn`, as at CONNECTIONS
    for (unsigned i : {0, 1}) // SENDs of 6000 bytes, 5 x 1024 + 880; one of three came twice
    {
        const Comparison sends = Replay(CONNECTIONS[i]);
        CHECK(sends.messages == 3);
        CHECK(sends.taken == 18000);
        CHECK(sends.duplicates == 6);
        CHECK(sends.early == 0);
    }
    const Comparison clean = Replay(CONNECTIONS[5]); // WRITEs with MTU 4096, none lost
    CHECK(clean.messages == 5);
    CHECK(clean.taken == 5 * 20000);
    CHECK(clean.duplicates + clean.early == 0);
    // taken are 3769823 to ...864, 42 packets; all other 127 - 42 come while one is missing
    const Comparison writes = Replay(CONNECTIONS[6]);
    CHECK(writes.messages == 1);
    CHECK(writes.taken == 42 * 1024);
    CHECK(writes.early == 85);
    CHECK(writes.duplicates == 0);
    // taken are 8394175 to ...227, 53 packets; all other 231 - 53 come while one is missing
    const Comparison sends = Replay(CONNECTIONS[8]);
    CHECK(sends.messages == 1);
    CHECK(sends.taken == 53 * 1024);
    CHECK(sends.early == 178);
    CHECK(sends.duplicates == 0);
}

TEST_CASE("golden responder: READs and their bytes", "[transport][golden]")
{
    const Comparison clean = Replay(CONNECTIONS[3]); // five READs of the same 5001 bytes
    CHECK(clean.bytes == 5 * 5001);
    CHECK(clean.again == 4 * 5001);
    CHECK(clean.messages == 5);
    CHECK(clean.partial == 0);

    const Comparison lossy = Replay(CONNECTIONS[7]);
    CHECK(lossy.messages == 6);
    CHECK(lossy.duplicates == 8); // 14 requests, 6 of them for the first time
    CHECK(lossy.bytes == 221 * 1024);
    CHECK(lossy.again == 221 * 1024 - 32768); // all READs are of the same 32768 bytes
    CHECK(lossy.partial == 2);                // 570408, 18 packets, and 570423, 3 packets
    // Up to the last answer in the file, 570480, the requests in their order ask for the numbers
    // 362 to 521 (5 x 32), 408 to 425 (18), 426 to 457 (32), 458 to 480 (23): 233. The file has
    // 221, so 12 were lost, 5.2 %; of 233 with 4 % loss 9.3 +- 3.0 are.
    CHECK(lossy.skipped == 233 - 221);
    // Then 481 to 489 (9), 490 to 553 (2 x 32), 423 to 425 (3), 426 to 521 (3 x 32). In all
    // tshark ... -Y 'infiniband.bth.opcode==12' -T fields -e infiniband.reth.dmalen
    //   | awk '{n+=$1/1024} END{print n}'    prints 405 = 233 + 172
    CHECK(lossy.behind == 9 + 64 + 3 + 96);
}

TEST_CASE("golden responder: FETCH_ADD changes memory as it says", "[transport][golden]")
{
    const Connection& connection = CONNECTIONS[4];
    const Capture capture(connection.file);
    const Trace trace = TraceOf(capture, connection);
    Memory memory(trace, connection.mtu);
    Peer peer(connection, trace, memory);
    // tshark ... -Y 'infiniband.bth.opcode==18' -T fields -e infiniband.atomicacketh.origremdt
    const uint64_t original[] = {15487909212935925962u,
                                 6231604584088832221u,
                                 2733574871403660082u,
                                 5890763990636072724u,
                                 9563162767270514711u};
    for (unsigned i = 0; i < 5; ++i)
    {
        const Frame& top = *trace.messages[i].top;
        for (unsigned times = 0; times < 2; ++times) // the second is a duplicate
        {
            peer.Receive(top);
            CHECK(peer.Get().GetOriginal() == original[i]);
        }
        Bytes bytes(8);
        memory.Get().Read(top.remoteKey, top.remoteAddress, bytes.data(), 8);
        uint64_t now = 0;
        for (unsigned k = 8; k-- > 0;)
        {
            now = now << 8 | bytes[k];
        }
        CHECK(now == original[i] + 1); // perftest adds 1, once
    }
}
