/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CATCH_INT_LOOP_H
#define ROCE_CATCH_INT_LOOP_H

#include "roce-catch-int.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

/**
 * \file
 * A bottleneck for the tests of laws that hear telemetry.
 */

namespace ns3
{
namespace roce
{

/**
 * Flows over one bottleneck of 100 Gb/s, in slots of one packet of 1000 B (80 ns).
 *
 * A packet takes 80 slots to the queue, leaves it one a slot, and its ACK takes 80 slots back: the
 * base RTT is 160 slots = 12.8 us and the product 160 packets. Senders keep window and pace.
 */
class IntLoop
{
  public:
    static constexpr Tick SLOT = 80;            //!< ns
    static constexpr int64_t WAY = 80;          //!< slots, one way
    static constexpr Tick RTT = 2 * WAY * SLOT; //!< ns
    static constexpr double BDP = 160000;       //!< bytes

    /** \param laws one a flow, not started \param stagger slots between the starts */
    explicit IntLoop(const std::vector<Ptr<CongestionControl>>& laws, int64_t stagger = 0)
    {
        for (const auto& law : laws)
        {
            Sender sender;
            sender.law = law;
            sender.start = stagger * static_cast<int64_t>(m_senders.size());
            law->Start(IntFlow(RTT), 0);
            m_senders.push_back(sender);
        }
    }

    /** Run on, and count from here. \param rtts how long, in base RTTs */
    void Run(int64_t rtts)
    {
        m_from = m_slot;
        m_queueSum = 0;
        for (Sender& sender : m_senders)
        {
            sender.acked = 0;
        }
        for (const int64_t end = m_slot + rtts * 2 * WAY; m_slot < end; ++m_slot)
        {
            Acknowledge();
            for (std::size_t i = 0; i < m_senders.size(); ++i)
            {
                // no flow is always the first of a slot
                Send(static_cast<std::size_t>(m_slot + i) % m_senders.size());
            }
            Serve();
            m_queueSum += static_cast<double>(m_queue.size()) * 1000;
        }
    }

    /** \return bit/s of a flow in the last Run. \param i the flow */
    double GetRate(std::size_t i) const
    {
        return double(m_senders[i].acked) * 8000 / (double(m_slot - m_from) * SLOT) * 1e9;
    }

    /** \return bit/s of all flows in the last Run */
    double GetTotal() const
    {
        double total = 0;
        for (std::size_t i = 0; i < m_senders.size(); ++i)
        {
            total += GetRate(i);
        }
        return total;
    }

    /** \return mean queue of the last Run, bytes */
    double GetMeanQueue() const
    {
        return m_queueSum / static_cast<double>(m_slot - m_from);
    }

    /** \return bytes that wait now */
    double GetQueue() const
    {
        return static_cast<double>(m_queue.size()) * 1000;
    }

  private:
    /** One flow. */
    struct Sender
    {
        Ptr<CongestionControl> law;
        int64_t start{0};     //!< slot
        double nextAt{0};     //!< slot
        uint64_t inflight{0}; //!< packets
        uint64_t acked{0};    //!< packets
    };

    /** A packet or its ACK. */
    struct Packet
    {
        std::size_t flow;
        int64_t sentAt;
        int64_t dueAt;
        IntRecord record;
    };

    void Send(std::size_t i)
    {
        Sender& sender = m_senders[i];
        if (m_slot < sender.start || double(m_slot) < sender.nextAt ||
            sender.inflight * 1000 >= sender.law->GetWindow())
        {
            return;
        }
        ++sender.inflight;
        sender.nextAt = std::max(sender.nextAt, double(m_slot - 1)) +
                        double(INT_LINE) / static_cast<double>(sender.law->GetRate());
        m_onWay.push_back({i, m_slot, m_slot + WAY, IntRecord()});
    }

    void Serve()
    {
        while (!m_onWay.empty() && m_onWay.front().dueAt <= m_slot)
        {
            m_queue.push_back(m_onWay.front());
            m_onWay.pop_front();
        }
        if (m_queue.empty())
        {
            return;
        }
        Packet packet = m_queue.front();
        m_queue.pop_front();
        packet.record.hpcc.Push(HpccIntHop::Make(INT_LINE / 1000000,
                                                 static_cast<uint64_t>(m_slot * SLOT),
                                                 m_sent,
                                                 m_queue.size() * 1000,
                                                 1));
        m_sent += 1000;
        packet.dueAt = m_slot + WAY;
        m_back.push_back(packet);
    }

    void Acknowledge()
    {
        while (!m_back.empty() && m_back.front().dueAt <= m_slot)
        {
            Sender& sender = m_senders[m_back.front().flow];
            --sender.inflight;
            ++sender.acked;
            AckInfo ack;
            ack.ackedBytes = 1000;
            ack.inflight = sender.inflight * 1000;
            ack.rtt = (m_slot - m_back.front().sentAt) * SLOT;
            ack.record = &m_back.front().record;
            sender.law->OnAck(ack, m_slot * SLOT);
            m_back.pop_front();
        }
    }

    std::vector<Sender> m_senders;
    std::deque<Packet> m_onWay;
    std::deque<Packet> m_queue;
    std::deque<Packet> m_back;
    int64_t m_slot{0};
    int64_t m_from{0};
    uint64_t m_sent{0};
    double m_queueSum{0};
};

/** \param flows how many \return laws of a type that have not started */
template <class Law>
std::vector<Ptr<CongestionControl>>
IntLaws(unsigned flows)
{
    std::vector<Ptr<CongestionControl>> laws;
    for (unsigned i = 0; i < flows; ++i)
    {
        laws.push_back(CreateObject<Law>());
    }
    return laws;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_CATCH_INT_LOOP_H
