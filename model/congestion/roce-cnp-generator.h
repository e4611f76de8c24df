/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_GENERATOR_H
#define ROCE_CNP_GENERATOR_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/roce-tick.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace ns3
{
namespace roce
{

class CnpTagTable;
class TagEcho;
struct CnpBody;

/**
 * The notification point of DCQCN: decides which marked packet causes a CNP.
 *
 * Models: the receiver's pacing of congestion notification packets, one pacer a queue pair, by
 * Timing. AtMark: a marked packet causes a CNP at once unless the queue pair sent one less than
 * Interval ago; nothing is owed afterwards. Periodic: the first mark causes a CNP, and from then on
 * each Interval ends with one if a packet was marked in it. One object a NIC; the caller keeps one
 * Tick a queue pair.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section
 * 3.1 (NP algorithm, N = 50 us); CNP format IBTA A17.9.3. ConnectX: MIN_TIME_BETWEEN_CNPS = 4 us
. Periodic:
 * the simulator of the same authors (github.com/bobzhuyb/ns3-rdma), whose intervals begin with the
 * first packet of a flow. EchoInAck is the way of the HPCC artifact, which sends no CNP.
 *
 * Tags: with a table, a marked packet that carries a tag causes a CNP with a body instead, by the
 * rules of TagEcho, whether Enabled or not.
 *
 * Invariants: two CNPs of a queue pair are at least Interval apart, so over a duration T there are
 * at most floor(T / Interval) + 1; with Interval 0 each marked packet causes one at once; with
 * EchoInAck there is none; none either if it is not Enabled; GetMarked() >= GetCnps() +
GetEchoes().
 *
 * Leaves out: building and sending the frame, and the wait of ProcessingDelay, which the NIC does.
 */
class CnpGenerator : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    CnpGenerator();
    ~CnpGenerator() override;

    /** When a marked packet causes its CNP. */
    enum Timing : uint8_t
    {
        AT_MARK,  //!< as it arrives, or never
        PERIODIC, //!< when its interval ends
    };

    /** Start value of a queue pair's lastCnp: none sent yet. */
    static constexpr Tick NO_CNP = -1;

    /**
     * A packet with CE arrived.
     * \param [in,out] lastCnp tick of the queue pair's last CNP, NO_CNP at first; with PERIODIC it
     *                 may be to come
     * \param now present tick, >= 0
     * \return whether to send a CNP at the tick that lastCnp says now (plus GetProcessingDelay())
     */
    bool OnMarked(Tick& lastCnp, Tick now)
    {
        ++m_marked;
        if (!m_enabled)
        {
            return false;
        }
        if (m_echoInAck)
        {
            ++m_echoes;
            return false;
        }
        // a mark in the tick in which an interval ends is one of that interval
        const bool periodic = m_timing == PERIODIC;
        if (lastCnp >= 0 &&
            now - lastCnp < (periodic ? std::min<Tick>(1, m_intervalTicks) : m_intervalTicks))
        {
            return false;
        }
        lastCnp = periodic ? NextCheck(lastCnp, now) : now;
        ++m_cnps;
        return true;
    }

    /** \return whether tags of marked packets are heeded: OnTagged instead of OnMarked */
    bool HeedsTags() const
    {
        return m_echo != nullptr;
    }

    /**
     * A packet with CE and a tag arrived; only if HeedsTags().
     * \param flow name of the flow at this NIC
     * \param psn its PSN
     * \param tag its tag
     * \param bytes of it
     * \param now present tick, >= 0
     * \param body what the CNP is to say
     * \return whether to send a CNP now (plus GetProcessingDelay())
     */
    bool OnTagged(uint64_t flow,
                  uint32_t psn,
                  uint8_t tag,
                  uint32_t bytes,
                  Tick now,
                  CnpBody& body);

    /**
     * \return whether CE is echoed in the ACK and no CNP frame is made
     */
    bool GetEchoInAck() const
    {
        return m_echoInAck;
    }

    /**
     * \return ticks between the marked packet's arrival and the CNP's departure
     */
    Tick GetProcessingDelay() const
    {
        return m_delayTicks;
    }

    /**
     * \return marked packets heard of
     */
    uint64_t GetMarked() const
    {
        return m_marked;
    }

    /**
     * \return CNPs allowed
     */
    uint64_t GetCnps() const
    {
        return m_cnps;
    }

    /**
     * \return marks left to the ACK (EchoInAck)
     */
    uint64_t GetEchoes() const
    {
        return m_echoes;
    }

  private:
    Tick NextCheck(Tick lastCnp, Tick now) const;
    void SetInterval(Time interval);
    Time GetInterval() const;
    void SetDelay(Time delay);
    Time GetDelay() const;
    void DoDispose() override;
    void SetTags(Ptr<CnpTagTable> tags);
    Ptr<CnpTagTable> GetTags() const;
    void SetTagWindow(uint8_t packets);
    uint8_t GetTagWindow() const;
    void SetTagInterval(Time interval);
    Time GetTagInterval() const;
    void SetTagInterval3(Time interval);
    Time GetTagInterval3() const;
    void RenewEcho();

    bool m_enabled{true};
    bool m_echoInAck{false};
    Timing m_timing{AT_MARK};
    Tick m_intervalTicks{0};
    Tick m_delayTicks{0};
    std::unique_ptr<TagEcho> m_echo; //!< empty: tags mean nothing here
    Ptr<CnpTagTable> m_tags;
    uint8_t m_tagWindow{0};
    Tick m_tagInterval{0};
    Tick m_tagInterval3{0};
    uint64_t m_marked{0};
    uint64_t m_cnps{0};
    uint64_t m_echoes{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_GENERATOR_H
