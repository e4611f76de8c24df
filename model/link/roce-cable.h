/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CABLE_H
#define ROCE_CABLE_H

#include "roce-port.h"

#include "ns3/channel.h"
#include "ns3/nstime.h"

namespace ns3
{
namespace roce
{

/**
 * A full-duplex cable between two ports.
 *
 * Models: a point-to-point link with a propagation delay, the same both ways. Its frames are kept
 * by the transmitters (InFlight).
 *
 * Invariants: two different ports, of equal rate, each on one cable only.
 *
 * Leaves out: bit errors, which are a matter of the receiving port.
 */
class Cable : public Channel
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Cable();

    /**
     * Join two ports. Aborts with the ports named if one is connected already or the rates differ.
     * \param a one end
     * \param b other end
     */
    void Connect(Ptr<Port> a, Ptr<Port> b);

    /**
     * Take the cable out of service or back. What is on it is lost.
     * \param up whether it works
     */
    void SetUp(bool up);

    /** \return whether it works */
    bool IsUp() const;

    /**
     * Change the rate of both ports from their next frames on, as when lanes of a link fail.
     * \param rate bit/s, above 0
     */
    void SetRate(uint64_t rate);

    /** \return one-way propagation delay */
    Time GetDelay() const;

    /** \return number of ports at its ends: 2, or 0 before Connect */
    std::size_t GetNDevices() const override;
    /** \param i end, 0 or 1 \return the port there */
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  private:
    void DoDispose() override;

    Time m_delay;
    Ptr<Port> m_ports[2];
    bool m_up{true};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CABLE_H
