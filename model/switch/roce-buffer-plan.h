/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BUFFER_PLAN_H
#define ROCE_BUFFER_PLAN_H

#include "roce-switch-mmu-config.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Does a buffer hold what its ports need, and how many senders may meet at one of them?
 *
 * Models: the division of SwitchMmu, before a switch is built. Each port needs
 * L * (headroom + reserve) + (8 - L) * lossy reserve for L lossless priorities; what remains of the
 * buffer is shared. Flows want flows * RTT * rate of it.
 *
 * Fan-in: N ingress ports that send to one output are paused when each has stored
 * T = alpha * (P - N * T) over its reserve, so T = alpha * P / (1 + alpha * N) with P bytes in the
 * pool. N * T < P for any N: the pool never runs out before all are paused, and what comes after
 * that goes to the headroom of its own ingress. So N itself loses nothing; the limit is the number
 * of ports to which the buffer can give their headroom, less the one they send to.
 *
 * Invariants: headroom + reserves + shared = buffer if it fits; SwitchMmu::Configure takes a plan
 * if and only if it fits (without flows).
 *
 * Leaves out: ports of different kinds; a fan-in over several switches, which is this at each.
 */
class BufferPlan
{
  public:
    /** What is given. */
    struct Input
    {
        uint32_t ports{64};                 //!< ports of the switch
        uint64_t rate{400000000000};        //!< bit/s of each
        Tick delay{500};                    //!< of each cable, one way, in ticks
        int64_t ticksPerSecond{1000000000}; //!< resolution
        uint32_t mtu{4174};                 //!< largest frame, destination address to FCS
        uint32_t smallestFrame{64};         //!< counts with cells only
        uint32_t pauseBytes{64};            //!< size of a pause frame
        uint32_t responseQuanta{0};         //!< response time of the peer, 512 bit times each
        uint32_t overhead{20};              //!< preamble and gap of a frame
        uint64_t flows{0};                  //!< that share a buffer at the same time
        Tick rtt{0};                        //!< their round trip in ticks
        uint32_t losslessPriorities{2};     //!< of eight
        SwitchMmuConfig buffer;             //!< size, reserves, alpha, cells; the rest is not read
    };

    /** Throws std::invalid_argument for values that make no sense. \param input what is given */
    explicit BufferPlan(const Input& input);

    /** \return headroom of a port and lossless priority in bytes */
    uint64_t GetHeadroom() const;

    /** \return headroom of all ports and lossless priorities in bytes */
    uint64_t GetTotalHeadroom() const;

    /** \return reserves of all ports and priorities in bytes */
    uint64_t GetReserves() const;

    /** \return bytes that one port needs, headroom and reserves */
    uint64_t GetPortBytes() const;

    /** \return bytes that flows * RTT * rate come to, rounded up */
    uint64_t GetFlowBytes() const;

    /** \return bytes that must be there: all ports and the flows */
    uint64_t GetNeed() const;

    /** \return bytes that remain to be shared; 0 if the ports take more than there is */
    uint64_t GetShared() const;

    /** \return bytes over its reserve at which a sender is paused. \param senders how many are
     *  congested, each by its own port */
    uint64_t GetXoffThreshold(uint32_t senders) const;

    /** \return ports to which the buffer could give what they need, beside the flows */
    uint64_t GetMaxPorts() const;

    /** \return most senders at line rate to one port that lose nothing; 0: none */
    uint64_t GetMaxFanIn() const;

    /** \return whether the buffer holds what must be there */
    bool Fits() const;

    /** Throws std::invalid_argument with both numbers if it does not fit. */
    void Check() const;

  private:
    Input m_input;
    uint64_t m_headroom{0};
    uint64_t m_reserves{0}; //!< of one port
    uint64_t m_flowBytes{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BUFFER_PLAN_H
