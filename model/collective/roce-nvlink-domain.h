/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NVLINK_DOMAIN_H
#define ROCE_NVLINK_DOMAIN_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The links between the GPUs of a server.
 *
 * Models: GPUs that write to each other without the network. With a switch (NVSwitch) each GPU has
 * Bandwidth in each direction to all others together; without, a link of Bandwidth / (GPUs - 1) to
 * each other one. Transfers share links max-min fairly at any time, as fluids; bytes arrive Latency
 * after they were sent. Transfers between one pair of GPUs follow each other.
 *
 * Source: NVIDIA H100: 18 NVLink 4 links of 25 GB/s in each direction (Hopper architecture white
 * paper). SimAI's template has 2880 Gbit/s and 25 ns for the A100 generation's links and a switch.
 * Max-min fairness: Bertsekas and Gallager, Data Networks, section 6.5.2.
 *
 * Invariants: at any time the rates out of a GPU, and into it, sum to Bandwidth at most; a transfer
 * that could be faster has a direction full in which nobody is faster; a lone transfer takes
 * bytes / Bandwidth + Latency, rounded up to a tick; each ends once.
 *
 * Leaves out: packets and their headers, in-network reduction (NVLS), copies within a GPU, PCIe.
 */
class NvlinkDomain : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    NvlinkDomain();
    ~NvlinkDomain() override;

    /** A function told of a time. */
    using Handler = std::function<void(Tick)>;

    /** Add a GPU. \param context node id whose context its handlers run in \return its number */
    uint32_t AddGpu(uint32_t context);

    /** \return number of GPUs */
    uint32_t GetGpus() const
    {
        return static_cast<uint32_t>(m_contexts.size());
    }

    /**
     * Move bytes. Throws std::invalid_argument if a GPU is not there, or they are the same.
     * \param from GPU that has them
     * \param to GPU that gets them
     * \param bytes how many; 0 takes the latency
     * \param sent called when the last byte has left, with that time
     * \param received called when it is in, with the time at which the first byte came
     */
    void Transfer(uint32_t from, uint32_t to, uint64_t bytes, Handler sent, Handler received);

    /** \return bytes that have left a GPU, of whole transfers. \param gpu its number */
    uint64_t GetBytesSent(uint32_t gpu) const
    {
        return m_bytesSent.at(gpu);
    }

    /** \return rate of the transfer that leaves now between two GPUs, in byte/s; 0 if none.
     *  \param from a GPU \param to another */
    double GetRate(uint32_t from, uint32_t to) const;

  private:
    /** One transfer. */
    struct Move
    {
        uint64_t bytes;
        double left; //!< bytes
        Tick begun;  //!< when its first byte left
        Handler sent;
        Handler received;
    };

    /** The transfers of a pair, the first one under way. */
    struct Lane
    {
        std::deque<Move> queue;
        double rate{0}; //!< byte a tick
    };

    using Pair = std::pair<uint32_t, uint32_t>;

    void DoDispose() override;
    void Advance();
    void Share();
    void Arm();
    void OnEvent();
    void End(const Pair& pair, const Move& move);

    DataRate m_bandwidth;
    Time m_latency;
    bool m_switched;
    std::vector<uint32_t> m_contexts;
    std::vector<uint64_t> m_bytesSent;
    std::map<Pair, Lane> m_lanes; //!< those with a transfer
    Tick m_now{0};                //!< up to where lanes are advanced
    EventId m_event;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NVLINK_DOMAIN_H
