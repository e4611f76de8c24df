/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_LOAD_H
#define ROCE_PORT_LOAD_H

#include "ns3/roce-tick.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

class Transmitter;

/**
 * How busy the output ports of a switch are, in time, so that ports of unlike rates compare.
 *
 * Models: what waits (the time to send all queues and the rest of the present frame), and a
 * discounting rate estimator: a register that grows by the bytes sent and shrinks by the part A
 * each period T, so that it holds about rate x T / A. It is brought up to date when it is read.
 *
 * Clause: Alizadeh et al., CONGA, SIGCOMM 2014, 3.2 (the estimator).
 *
 * Invariants: an idle port that sent nothing lately has load 0; a constant rate r gives a register
 * of r x T / A within the bytes of one period; no value depends on how often it is read.
 *
 * Leaves out: frames that had no choice of port; the estimator counts frames when they are chosen
 * for the port, not when they leave.
 */
class PortLoad
{
  public:
    /**
     * \param transmitters ports; must outlive this object's use
     * \param period T in ticks, at least 1
     * \param part A, above 0 and at most 1
     * \param ticksPerSecond resolution
     */
    void Configure(const std::vector<const Transmitter*>& transmitters,
                   Tick period,
                   double part,
                   double ticksPerSecond);

    /** \return ticks to send what waits. \param port the port \param now present tick */
    double GetBacklog(uint32_t port, Tick now) const;

    /** Bytes were given to a port. \param port the port \param bytes how many \param now when */
    void Add(uint32_t port, uint32_t bytes, Tick now);

    /** \return bytes in the register. \param port the port \param now present tick */
    double GetRegister(uint32_t port, Tick now);

    /** \return the register as a part of what a full link gives, about 0 to 1. \param port the port
     *  \param now present tick */
    double GetUtilization(uint32_t port, Tick now);

    /** \return ticks to send what waits and what the register holds. \param port the port
     *  \param now present tick */
    double GetLoad(uint32_t port, Tick now);

    /** \return number of ports */
    uint32_t GetNumPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

  private:
    struct PortState
    {
        const Transmitter* tx;
        double ticksPerByte; //!< of the link
        double bytes;        //!< the register
        Tick period;         //!< number of the period in which it was brought up to date
    };

    void Discount(PortState& port, Tick now) const;

    std::vector<PortState> m_ports;
    Tick m_period{1};
    double m_keep{0}; //!< 1 - A
    double m_full{1}; //!< T / A in ticks
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PORT_LOAD_H
