/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRANSPORT_OPTIONS_H
#define ROCE_TRANSPORT_OPTIONS_H

#include "roce-queue-pair-config.h"

#include "ns3/object.h"

namespace ns3
{
namespace roce
{

/**
 * What queue pairs of a NIC do where the standard leaves a choice, beside timers and MTU.
 *
 * Models: the queue pair attributes of IBTA 11.2.5.2 (Modify Queue Pair) that have a default in
 * practice.
 *
 * Invariants: Fill changes nothing but the fields its attributes are about.
 *
 * Leaves out: what differs from connection to connection.
 */
class TransportOptions : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    TransportOptions();

    /** \param config gets the values of the attributes */
    void Fill(QueuePairConfig& config) const;

  private:
    uint32_t m_rnrRetryLimit;
    uint8_t m_rnrTimerCode;
    uint8_t m_timeToLive;
    uint32_t m_maxReads;
    uint32_t m_responderReads;
    bool m_ackDuplicates;
    bool m_credits;
    uint32_t m_maxInlineBytes;
    Pacing::Mode m_pacing;
    Ptr<PathChooser> m_paths;
    int8_t m_ackTimeoutExponent; //!< -1: the NIC's AckTimeout counts
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRANSPORT_OPTIONS_H
