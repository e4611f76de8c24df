/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BALANCER_TEST_H
#define ROCE_BALANCER_TEST_H

#include "ns3/roce-flow-key.h"
#include "ns3/roce-frame-pool.h"
#include "ns3/roce-frame.h"
#include "ns3/roce-load-balancer.h"
#include "ns3/roce-transmitter.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/** \return a frame of 1000 bytes of flow i from 11.0.0.1 to 11.0.34.1. \param i added to the source
 *  port \param qp destination QP */
inline Frame
FlowFrame(uint32_t i, uint32_t qp = 0)
{
    FlowKey key{0x0b000001, 0x0b002201, static_cast<uint16_t>(49152 + i), 4791};
    Frame frame{};
    frame.source = key.source;
    frame.destination = key.destination;
    frame.sourcePort = key.sourcePort;
    frame.destinationPort = key.destinationPort;
    frame.destinationQp = qp;
    frame.size = 1000;
    frame.hash = key.Hash();
    return frame;
}

/** Ports of a switch that is not there: cables of given rates, queues that never move. */
class StillPorts
{
  public:
    /** \param rates bit/s, one a port \param delay of all, in ns */
    explicit StillPorts(const std::vector<uint64_t>& rates, uint32_t delay = 0)
    {
        for (uint64_t rate : rates)
        {
            m_timings.emplace_back(rate, 20, false, 1000000000);
            m_transmitters.emplace_back();
            m_transmitters.back().Attach(&m_timings.back(), delay, 0);
            pointers.push_back(&m_transmitters.back());
        }
    }

    /** Leave a frame in a queue. \param port the port \param bytes its size */
    void Queue(uint32_t port, uint16_t bytes)
    {
        m_frames.push_back(FlowFrame(0));
        m_frames.back().size = bytes;
        m_transmitters[port].SetPaused(0xff);
        m_transmitters[port].Enqueue(&m_frames.back(), 3, 0);
    }

    std::vector<const Transmitter*> pointers; //!< for LoadBalancer::Assemble

  private:
    std::deque<LinkTiming> m_timings;
    std::deque<Transmitter> m_transmitters;
    std::deque<Frame> m_frames;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BALANCER_TEST_H
