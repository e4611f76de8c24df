/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SELECTIVE_REPEAT_H
#define ROCE_SELECTIVE_REPEAT_H

#include "roce-loss-recovery.h"
#include "roce-packet-bitmap.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace roce
{

/**
 * Selective repeat as an improved RoCE NIC (IRN) does it.
 *
 * Models: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 3. The
 * responder keeps early packets and sends for each a NAK that names the packet it waits for and
 * the one that came; the requester keeps a SACK bitmap. From the first NAK until all that was
 * sent before it is acknowledged the requester is in recovery: it sends each lost packet once
 * again, then goes on with new ones. A packet is lost if ReorderThreshold later ones have
 * arrived. The timer is RtoLow while few packets are out, else RtoHigh; when it expires the
 * oldest packet counts as lost. At most a bandwidth-delay product is outstanding.
 *
 * Wire: the packet that came travels in the MSN field of the NAK's AETH, which nothing else needs
 * there, so that packets keep the standard's layout.
 *
 * Invariants: only the timer or a refusal makes it send a packet again more than once; without
 * reordering and lost NAKs a lost packet is the only one that is sent again.
 *
 * Leaves out: the RETH that IRN adds to each packet (the responder keeps the packet instead of
 * placing it); selective repeat of READ responses, which are asked for again from the first one
 * missing.
 */
class SelectiveRepeat : public LossRecovery
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    SelectiveRepeat();

    EarlyPolicy GetEarlyPolicy() const override;
    uint64_t GetWindow() const override;
    bool HasTimeout() const override;
    Tick GetTimeout(const SendQueue& queue) const override;
    void OnNak(SendQueue& queue, uint64_t expected, uint64_t seen) override;
    void OnReadGap(SendQueue& queue, uint64_t number) override;
    void OnTimeout(SendQueue& queue) override;
    void OnAck(SendQueue& queue) override;
    bool HearsAcks() const override;
    uint64_t GetLost() const override;
    void OnResent(SendQueue& queue, uint64_t after) override;

    /** \return whether it is in recovery */
    bool IsRecovering() const;

  private:
    void Enter(const SendQueue& queue, uint64_t from);
    void FindLost(SendQueue& queue);

    Time m_rtoLow;
    Time m_rtoHigh;
    uint32_t m_rtoLowPackets;
    bool m_bdpCap;
    uint64_t m_windowBytes;
    uint32_t m_reorderThreshold;

    PacketBitmap m_sacked;
    bool m_recovering{false};
    uint64_t m_forced{NO_NUMBER};  //!< lost by the timer, or by a NAK that names nothing else
    uint64_t m_recoveryEnd{0};     //!< recovery ends when all before it is acknowledged
    uint64_t m_scan{0};            //!< packets before it have been sent again, if they had to be
    uint64_t m_lost{0};            //!< what is sent next
    uint64_t m_readGap{NO_NUMBER}; //!< response that has to be asked for again

    static constexpr uint64_t NO_NUMBER = ~uint64_t(0);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SELECTIVE_REPEAT_H
