/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_IDEAL_QUEUE_H
#define ROCE_IDEAL_QUEUE_H

#include "roce-law-test.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * N flows that always have data, one FIFO queue of rate C, round trip = base + wait + service. All
 * of base lies behind the queue. Packets are paced one by one; each has its ACK; CE is set on
 * packets that meet more than so many bytes.
 */
class IdealQueue
{
  public:
    IdealQueue(uint64_t bps, Tick base, double markAbove = 1e18)
        : m_bps(bps),
          m_base(base),
          m_markAbove(markAbove),
          m_service(8e9 * BYTES / static_cast<double>(bps))
    {
    }

    /** \param law not yet started \param hops links \param start of the flow */
    void Add(Ptr<CongestionControl> law, uint32_t hops = 0, Tick start = 0)
    {
        law->Start(LawFlow(m_bps, m_base + static_cast<Tick>(m_service), hops), start);
        m_flows.push_back({law, static_cast<double>(start), 0, 0});
    }

    /** Run. \param until tick; statistics are of this call alone */
    void Run(Tick until)
    {
        const double from = m_now;
        for (Flow& flow : m_flows)
        {
            flow.acked = 0;
        }
        m_sumQueue = m_sumRtt = m_maxQueue = m_acked = 0;
        while (Step(static_cast<double>(until)))
        {
        }
        m_now = static_cast<double>(until);
        m_utilization = 8e9 * BYTES * m_acked / (static_cast<double>(m_bps) * (m_now - from));
    }

    /** \return mean round trip, ticks */
    double MeanRtt() const
    {
        return m_sumRtt / m_acked;
    }

    /** \return mean bytes in the queue that a packet made, itself included */
    double MeanQueue() const
    {
        return m_sumQueue / m_acked;
    }

    /** \return greatest such queue */
    double MaxQueue() const
    {
        return m_maxQueue;
    }

    /** \return share of C that was used */
    double Utilization() const
    {
        return m_utilization;
    }

    /** \param i flow \return its part of all bytes */
    double Share(size_t i) const
    {
        return m_flows[i].acked / m_acked;
    }

    /** \return Jain's index of the shares */
    double Jain() const
    {
        double squares = 0;
        for (const Flow& flow : m_flows)
        {
            squares += flow.acked * flow.acked;
        }
        return m_acked * m_acked / (static_cast<double>(m_flows.size()) * squares);
    }

  private:
    struct Flow
    {
        Ptr<CongestionControl> law;
        double slot;       //!< earliest next start
        uint64_t inflight; //!< bytes
        double acked;      //!< packets
    };

    struct Answer
    {
        double time; //!< when the ACK arrives
        double sent; //!< when its packet left
        size_t flow;
        bool marked;
    };

    bool Step(double until)
    {
        size_t next = m_flows.size();
        double send = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < m_flows.size(); ++i)
        {
            const Flow& flow = m_flows[i];
            if (flow.slot < send && flow.inflight < flow.law->GetWindow())
            {
                send = flow.slot;
                next = i;
            }
        }
        send = std::max(send, m_now);
        const bool answer = !m_answers.empty() && m_answers.front().time <= send;
        const double time = answer ? m_answers.front().time : send;
        if (time > until)
        {
            return false;
        }
        m_now = time;
        answer ? Hear() : Send(next);
        return true;
    }

    void Send(size_t i)
    {
        Flow& flow = m_flows[i];
        const double wait = std::max(0.0, m_free - m_now);
        m_free = m_now + wait + m_service;
        const bool marked = wait * static_cast<double>(m_bps) / 8e9 > m_markAbove;
        m_answers.push_back({m_free + static_cast<double>(m_base), m_now, i, marked});
        flow.inflight += BYTES;
        flow.slot = m_now + 8e9 * BYTES / static_cast<double>(flow.law->GetRate());
        flow.law->OnSent(BYTES, static_cast<Tick>(m_now));
    }

    void Hear()
    {
        const Answer answer = m_answers.front();
        m_answers.pop_front();
        Flow& flow = m_flows[answer.flow];
        flow.inflight -= BYTES;
        flow.acked += 1;
        m_acked += 1;
        const double rtt = answer.time - answer.sent;
        const double queue = (rtt - static_cast<double>(m_base)) * static_cast<double>(m_bps) / 8e9;
        m_sumRtt += rtt;
        m_sumQueue += queue;
        m_maxQueue = std::max(m_maxQueue, queue);
        const Tick now = static_cast<Tick>(m_now);
        Ack(flow.law, BYTES, flow.inflight, std::llround(rtt), answer.marked, now);
    }

    static constexpr uint32_t BYTES = 1000; //!< of a packet

    uint64_t m_bps;
    Tick m_base;
    double m_markAbove;
    double m_service;
    double m_now{0};
    double m_free{0}; //!< when the queue is empty
    std::vector<Flow> m_flows;
    std::deque<Answer> m_answers;
    double m_sumQueue{0};
    double m_sumRtt{0};
    double m_maxQueue{0};
    double m_acked{0};
    double m_utilization{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_IDEAL_QUEUE_H
