/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOSS_RECOVERY_TRAFFIC_H
#define ROCE_LOSS_RECOVERY_TRAFFIC_H

#include "ns3/nstime.h"
#include "ns3/roce-fabric.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Messages of many sizes between random hosts.
 *
 * Models: Poisson arrivals over all hosts; sender and another host as receiver by equal chance;
 * sizes heavy-tailed as in IRN (Mittal et al., SIGCOMM 2018, section 4.1): half of the messages
 * have 32 to 1000 bytes, 15 in 100 have 200 kB to 3 MB, the others lie between; straight lines
 * between these points. Each message has a queue pair of its own, as each flow has there.
 *
 * Invariants: the same random streams give the same messages, whatever fabric they go over.
 *
 * Leaves out: answers, dependencies.
 */
class LossRecoveryTraffic
{
  public:
    /** \return mean bytes of a message: 0.5 * 516 + 0.35 * 100500 + 0.15 * 1600000 = 275433 */
    static double GetMeanBytes();

    /**
     * Draw messages.
     * \param hosts how many hosts there are
     * \param messages how many in all
     * \param perSecond how many arrive in a second
     * \param stream first random stream; four are used
     */
    LossRecoveryTraffic(uint32_t hosts, uint32_t messages, double perSecond, int64_t stream);

    /**
     * Connect, and post each message at its time. Keep this object until the run has ended.
     * \param fabric hosts 0.. of it send and receive
     */
    void Schedule(Ptr<Fabric> fabric) const;

    /** \return bytes of all messages */
    uint64_t GetBytes() const;

  private:
    struct Message
    {
        Time at;
        uint32_t source;
        uint32_t destination;
        uint64_t bytes;
    };

    std::vector<Message> m_messages;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOSS_RECOVERY_TRAFFIC_H
