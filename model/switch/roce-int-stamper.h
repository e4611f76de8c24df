/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_STAMPER_H
#define ROCE_INT_STAMPER_H

#include "roce-switch-stage.h"

#include "ns3/roce-event-core.h"
#include "ns3/roce-int-record.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

class Transmitter;

/**
 * Writes telemetry into data frames that leave a switch.
 *
 * Models: in-band telemetry. Each request packet with payload gets what its egress port knows when
 * it begins to leave: bytes that wait, bytes sent before it, time, rate. The first switch makes the
 * record, in its Layout; others add to it. The responder sends it back with the ACK that answers
 * the packet. HPCC and HPCC_EXTENDED: queue of all priorities of the port. INT_MD: node, ports,
 * queue of the packet's priority in bytes, egress time in ns, and two domain-specific words, Mb/s
 * of the port and bytes sent before (low 32 bits).
 *
 * Clause: HpccInt (HPCC, SIGCOMM 2019, section 4), IntMd (INT v2.1, P4.org).
 *
 * Invariants: bytes sent are those of all frames of the port but MAC control, from destination
 * address to FCS; a frame grows by what is counted, and never above 65535 bytes; frames of another
 * layout, and all but request packets with payload, are left as they are.
 *
 * Leaves out: bytes in captures; INT-MX and INT-XD; READ responses; telemetry of ACKs on their way
 * back.
 */
class IntStamper : public SwitchStage
{
  public:
    /** Domain of the two words of INT_MD. */
    static constexpr uint16_t DOMAIN_ID = IntRecord::MD_DOMAIN_ID;
    /** Words of that domain. */
    static constexpr uint8_t DOMAIN_WORDS = IntRecord::MD_DOMAIN_WORDS;

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    uint8_t GetHears() const override;
    void Assemble(Switch& device) override;
    uint32_t GetGrowth() const override;
    void OnDeparture(Frame* frame, uint32_t out, Tick now) override;

    /** \return frames that were written into */
    uint64_t GetStamps() const;

    /** \return frames left alone: of another layout, or without room for one more hop */
    uint64_t GetSkipped() const;

  private:
    /** What it knows of a port. */
    struct Egress
    {
        const Transmitter* transmitter;
        uint64_t sent;     //!< bytes
        uint32_t rateMbps; //!< Mb/s
    };

    void DoDispose() override;
    void Stamp(Frame* frame, uint32_t out, Tick now);
    void Begin(Frame* frame);
    void Grow(Frame* frame, std::size_t bytes) const;
    bool PushMd(Frame* frame, uint32_t out, uint64_t nanoseconds);

    Ptr<EventCore> m_core;
    std::vector<Egress> m_ports;
    uint32_t m_node{0};
    int64_t m_ticksPerSecond{0};
    uint64_t m_stamps{0};
    uint64_t m_skipped{0};

    IntRecord::Layout m_layout;
    bool m_countBytes;
    uint32_t m_multi;
    uint8_t m_maxHops;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_STAMPER_H
