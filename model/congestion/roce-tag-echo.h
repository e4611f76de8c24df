/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TAG_ECHO_H
#define ROCE_TAG_ECHO_H

#include "roce-cnp-tag-table.h"

#include "ns3/ptr.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace ns3
{
namespace roce
{

/**
 * What a receiver makes of the tags of marked packets.
 *
 * Models: receiver-made notification of hierarchical congestion control. For each flow and tag it
 * keeps which of the last Window packets came marked with that tag; a CNP says that share, and the
 * place that the tag stands for. Packets without that tag are counted by the gap in the PSNs, so
 * only marked packets cost time; a packet that comes late sets its own bit. At the port that leads
 * to the receiver itself N is known: the flows that had the tag in the last Span. For other places
 * N is how often the rate of the flow, over the last Window packets or more, goes into that of the
 * port: in a long queue all have their share. Until there is such a rate it says 0, not known.
 *
 * Source: HCC, receiver-made CNP: P_c = C_ECN / C_Total over the last W packets, here of one flow.
 *
 * Invariants: at most one CNP a flow and tag in an interval; without a marked packet none; P is a
 * multiple of 1 / Window, at least that.
 *
 * Leaves out: all-clear and leave, of which a receiver knows nothing; hops; making the frame.
 */
class TagEcho
{
  public:
    static constexpr unsigned MAX_WINDOW = 64; //!< packets

    /** Numbers, in packets and ticks. */
    struct Settings
    {
        unsigned window{16};                //!< W, 1 to MAX_WINDOW
        Tick interval{0};                   //!< between CNPs of a flow and tag, in stages 1 and 2
        Tick interval3{0};                  //!< the same between pods
        Tick span{1};                       //!< for which a flow counts, and its past
        int64_t ticksPerSecond{1000000000}; //!< resolution
    };

    /** \param tags table of the fabric \param settings numbers */
    TagEcho(Ptr<const CnpTagTable> tags, const Settings& settings);

    /**
     * A marked packet with a tag has arrived.
     * \param flow name of the flow at this NIC
     * \param psn its PSN, 24 bit
     * \param tag its tag
     * \param bytes of it
     * \param now present tick
     * \param body what to say
     * \return whether to send a CNP now
     */
    bool OnMarked(uint64_t flow,
                  uint32_t psn,
                  uint8_t tag,
                  uint32_t bytes,
                  Tick now,
                  CnpBody& body);

    /** \return tagged packets whose tag is not in the table */
    uint64_t GetUnknown() const
    {
        return m_unknown;
    }

  private:
    /** A flow under one tag. */
    struct Flow
    {
        uint64_t bits{0};  //!< bit i: the packet i before the newest came with the tag
        uint32_t psn{0};   //!< of the newest
        Tick marked{-1};   //!< when the last marked one came
        Tick notified{-1}; //!< last CNP; -1: none
        uint32_t first{0}; //!< PSN from which its rate is measured
        Tick began{0};     //!< when that came
        uint16_t share{0}; //!< rate of the port by that of the flow; 0: not known
    };

    /** A tag. */
    struct Tag
    {
        std::unordered_map<uint64_t, Flow> flows;
        Tick counted{0}; //!< when old flows were last looked for
    };

    void Shift(Flow& flow, uint32_t psn) const;
    void Measure(Flow& flow, uint32_t psn, uint32_t bytes, uint64_t portBps, Tick now) const;
    void Expire(Tag& tag, Tick now) const;

    Ptr<const CnpTagTable> m_table;
    Settings m_settings;
    std::unique_ptr<Tag> m_tags[CnpTagTable::MAX_TAGS + 1];
    uint64_t m_unknown{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TAG_ECHO_H
