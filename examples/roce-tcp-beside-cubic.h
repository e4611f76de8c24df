/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TCP_BESIDE_CUBIC_H
#define ROCE_TCP_BESIDE_CUBIC_H

#include "ns3/tcp-cubic.h"

namespace ns3
{
namespace roce
{

/**
 * CUBIC with the region in which it is as fast as Reno, which ns-3 3.37 leaves out.
 *
 * Models: beside CUBIC's window grows that of an AIMD flow with the same decrease and so the same
 * mean window as Reno: 3 (1 - beta) / (1 + beta) segments a round trip. The larger one counts. With
 * round trips of microseconds it is always this one: CUBIC itself counts in seconds.
 *
 * Source: RFC 8312 section 4.2.
 *
 * Invariants: never below ns-3's TcpCubic; grows by at most half a segment an acknowledged one, as
 * that does.
 *
 * Leaves out: nothing of its own; with an ns-3 whose TcpCubic has TcpFriendliness it changes
 * little.
 */
class FriendlyCubic : public TcpCubic
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    double m_estimate{0}; //!< segments of the AIMD flow; 0: none yet
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TCP_BESIDE_CUBIC_H
