/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_PAIR_FACTORY_H
#define ROCE_QUEUE_PAIR_FACTORY_H

#include "ns3/object-factory.h"
#include "ns3/roce-queue-pair.h"

namespace ns3
{
namespace roce
{

/** What a queue pair has from its NIC and the port it sends by. */
struct QueuePairOwner
{
    uint32_t node{0};           //!< node id, for messages
    uint64_t lineRate{0};       //!< of the port, bit/s
    uint32_t gapBytes{0};       //!< what each frame takes on the link beyond its bytes
    bool sameSourcePort{false}; //!< all queue pairs send from one UDP port
    bool answersInOrder{false}; //!< acknowledgements travel in the class of data
    Tick now{0};                //!< present tick
};

/**
 * Checks what a queue pair is asked to be and makes it with its congestion control and loss
 * recovery.
 *
 * Models: the Create Queue Pair verb (IBTA 11.2.5.1) without the number, which the NIC gives.
 *
 * Invariants: a queue pair it makes has a window that lets it wait for acknowledgements.
 *
 * Leaves out: limits of real NICs on numbers of queue pairs.
 */
class QueuePairFactory
{
  public:
    QueuePairFactory();

    /** \param sizes bytes frames occupy */
    void SetFrameSizes(const FrameSizes& sizes);

    /** \return bytes frames occupy */
    const FrameSizes& GetFrameSizes() const
    {
        return m_sizes;
    }

    /** \param factory makes congestion controls */
    void SetCongestionControl(const ObjectFactory& factory);

    /** \param factory makes loss recoveries */
    void SetLossRecovery(const ObjectFactory& factory);

    /**
     * Throws std::invalid_argument naming the value and the limit if the configuration is
     * impossible.
     * \param qpn its number
     * \param config what it needs to know
     * \param owner what it has from its NIC
     * \return the queue pair in state RESET
     */
    Ptr<QueuePair> Create(uint32_t qpn, const QueuePairConfig& config, const QueuePairOwner& owner);

    /** \return one that is started. \param qpn its queue pair \param config of it \param owner of
     * it
     */
    Ptr<CongestionControl> MakeControl(uint32_t qpn,
                                       const QueuePairConfig& config,
                                       const QueuePairOwner& owner);

    /** \return one that is started. \param config of its queue pair \param owner of it */
    Ptr<LossRecovery> MakeRecovery(const QueuePairConfig& config,
                                   const QueuePairOwner& owner) const;

    /**
     * Throws std::invalid_argument naming the fault if the request cannot be posted.
     * \param qp a queue pair
     * \param request what it is asked to do
     * \param node its node id
     */
    static void CheckRequest(const QueuePair& qp, const WorkRequest& request, uint32_t node);

  private:
    void CheckConfig(uint32_t qpn, const QueuePairConfig& config, uint32_t node) const;
    static void CheckWindow(const QueuePairConfig& config, uint64_t window);

    ObjectFactory m_control;
    ObjectFactory m_recovery;
    FrameSizes m_sizes;
    Ptr<Object> m_shared; //!< of all congestion controls it makes
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_PAIR_FACTORY_H
