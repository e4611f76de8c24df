/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DWRR_SCHEDULER_H
#define ROCE_DWRR_SCHEDULER_H

#include "roce-port-scheduler.h"

#include "ns3/roce-constants.h"

#include <array>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Deficit weighted round robin beneath strict priorities.
 *
 * Models: deficit round robin (Shreedhar and Varghese, SIGCOMM 1995) over the priorities that
 * have a weight; priorities of weight 0 are strict, the highest first, and go before all others
 * (as enhanced transmission selection in IEEE 802.1Q 8.6.8.3 has it).
 *
 * Invariants: among classes that are always backlogged the bytes served are as their weights, to
 * within one quantum and one frame a class; a class that empties or is paused loses its deficit.
 *
 * Leaves out: preamble and gap, which are not charged.
 */
class DwrrScheduler : public PortScheduler
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    DwrrScheduler();

    /**
     * \param weights eight numbers from priority 0 to 7, comma separated, each 0..255; 0 makes
     *                the priority strict. Otherwise std::invalid_argument with the text and what
     *                was expected; the weights stay as they were.
     */
    void SetWeights(std::string weights);

    /** \return the weights as given to SetWeights */
    std::string GetWeights() const;

  private:
    unsigned DoPick(uint8_t eligible, const TransmitQueue* queues) override;

    std::array<uint32_t, NUM_PRIORITIES> m_weight{};
    std::array<int64_t, NUM_PRIORITIES> m_deficit{};
    uint32_t m_quantum;    //!< bytes a unit of weight
    uint8_t m_weighted{0}; //!< bit p: priority p has a weight
    unsigned m_turn{0};    //!< class whose turn it is
    bool m_granted{false}; //!< it got its quantum for this turn
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DWRR_SCHEDULER_H
