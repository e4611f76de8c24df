/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BUFFER_OPTIONS_H
#define ROCE_BUFFER_OPTIONS_H

#include "roce-switch-mmu-config.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

namespace ns3
{
namespace roce
{

class SwitchMmu;
class SwitchStage;

/**
 * What the buffer of a switch does beyond dynamic thresholds by the byte.
 *
 * Models: choices that chips leave open: the rule of the thresholds, memory in cells, limits of
 * output queues. The sizes themselves are attributes of Switch.
 *
 * Invariants: with the defaults nothing changes and nothing is paid for a frame.
 *
 * Leaves out: limits of lossless output queues, which would lose frames.
 */
class BufferOptions : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** Write the settings. \param config gets cells and egress limits */
    void Apply(SwitchMmuConfig& config) const;

    /**
     * Throws std::invalid_argument, naming the known ones, for a policy that is not known.
     * \param mmu the buffer whose thresholds it moves
     * \return the rule of the thresholds as a stage of the switch; nullptr for plain dt
     */
    Ptr<SwitchStage> MakePolicy(SwitchMmu& mmu) const;

    /** \return smallest frame for which headroom is sized if there are cells, bytes */
    uint32_t GetSmallestFrame() const;

  private:
    std::string m_policy;
    Time m_interval;
    double m_congested;
    uint32_t m_cellBytes;
    uint32_t m_smallestFrame;
    double m_egressAlpha;
    uint64_t m_egressBytes;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BUFFER_OPTIONS_H
