/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_SCHEDULE_H
#define ROCE_COLLECTIVE_SCHEDULE_H

#include "ns3/simple-ref-count.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/** Some bytes of a buffer. */
struct ByteRange
{
    uint64_t offset{0}; //!< where they begin
    uint64_t bytes{0};  //!< how many

    /** \return one of the parts it is cut into. \param parts how many, at least 1
     *  \param index which, 0..parts-1; parts differ by a byte at most, the longer ones first */
    ByteRange Part(uint64_t parts, uint64_t index) const
    {
        return Parts(parts, index, index + 1);
    }

    /** \return several of the parts it is cut into. \param parts how many it is cut into
     *  \param first the first of them \param last the one after the last, at most parts */
    ByteRange Parts(uint64_t parts, uint64_t first, uint64_t last) const;
};

/**
 * What one rank does in one step of a collective: at most one send and at most one receive.
 *
 * The send may leave when the steps in `after` are in. A step with a receive is in when the message
 * has arrived (and is reduced); one without is in when the steps in its own `after` are in, so that
 * a step with neither joins any number of others.
 */
struct CollectiveStep
{
    static constexpr uint32_t NONE = 0xffffffff; //!< no rank, no step

    uint32_t sendTo{NONE};                       //!< rank to send to
    uint32_t receiveFrom{NONE};                  //!< rank to receive from
    uint64_t sendOffset{0};                      //!< where the bytes sent are in the buffer
    uint64_t sendBytes{0};                       //!< bytes to send
    uint64_t remoteOffset{0};                    //!< where they go to in the buffer of the peer
    uint64_t receiveOffset{0};                   //!< where the bytes received go to in the buffer
    uint64_t receiveBytes{0};                    //!< bytes to receive
    std::array<uint32_t, 2> after{{NONE, NONE}}; //!< earlier steps of this rank the send waits for
    uint32_t channel{0};                         //!< connection to the peer; one queue pair each
    bool reduce{false}; //!< what is received is added to what is there, else replaces it
};

/**
 * What each rank of a collective sends and receives, in which order.
 *
 * Models: a collective as data, separate from the engine that runs it. A schedule gives each rank
 * an ordered list of steps. It may compute a step when asked, so a large one needs no memory.
 * Messages of one sender, receiver and channel are matched in the order of their steps.
 *
 * Source: the message passing form in which collective algorithms are published (Thakur,
 * Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH, 2005).
 *
 * Invariants: the k-th send from a to b on a channel has the bytes of the k-th receive of b from a
 * there; a step depends on earlier steps of its rank only; run in any order that respects the
 * dependencies, each step ends; both sides of a message agree on where its bytes go; no step leaves
 * the GetExtent() bytes of the memory of a rank. Validate() checks all of them. In the schedules of
 * this module no bytes are overwritten before they are sent, however late a send reads them.
 *
 * Leaves out: time; the data and their type (all counts are bytes); the place of ranks in a fabric.
 */
class CollectiveSchedule : public SimpleRefCount<CollectiveSchedule>
{
  public:
    virtual ~CollectiveSchedule() = default;

    /** \return number of ranks, at least 1 */
    uint32_t GetRanks() const;

    /** \return bytes of the buffer of a rank, as nccl-tests counts the size of a collective */
    uint64_t GetBytes() const;

    /** \return steps of a rank. \param rank 0..GetRanks()-1; std::out_of_range if not */
    uint32_t GetSteps(uint32_t rank) const;

    /**
     * \param rank 0..GetRanks()-1
     * \param index 0..GetSteps(rank)-1; std::out_of_range if not
     * \return the step
     */
    CollectiveStep GetStep(uint32_t rank, uint32_t index) const;

    /** \return bytes a rank sends in all its steps. \param rank 0..GetRanks()-1 */
    uint64_t GetBytesSent(uint32_t rank) const;

    /** \return bytes a rank receives in all its steps. \param rank 0..GetRanks()-1 */
    uint64_t GetBytesReceived(uint32_t rank) const;

    /** \return bytes of memory of a rank that the offsets of steps count in; GetBytes(), or more if
     *  the result is not where the input was */
    uint64_t GetExtent() const;

    /**
     * \param rank 0..GetRanks()-1
     * \param index 0..GetSteps(rank)-1; std::out_of_range if not
     * \return what the send of the step puts together in this order, sendBytes in all. One range,
     * which begins at sendOffset, unless the schedule says that it gathers
     */
    std::vector<ByteRange> GetSegments(uint32_t rank, uint32_t index) const;

    /**
     * Check the invariants. Throws std::invalid_argument naming rank and step of the first that is
     * broken. Costs time and memory in the number of all steps.
     */
    void Validate() const;

    /**
     * Cut a length into parts that differ by one byte at most, the longer ones first.
     * \param bytes the length
     * \param parts how many, at least 1
     * \param index which, 0..parts-1
     * \return bytes of that part
     */
    static uint64_t PartBytes(uint64_t bytes, uint64_t parts, uint64_t index);

    /** \return where that part begins. \param bytes the length \param parts how many
     *  \param index which, 0..parts */
    static uint64_t PartOffset(uint64_t bytes, uint64_t parts, uint64_t index);

  protected:
    /**
     * \param ranks number of ranks; std::invalid_argument if 0
     * \param bytes bytes of the buffer of a rank
     */
    CollectiveSchedule(uint32_t ranks, uint64_t bytes);

  private:
    /** \return steps of a rank. \param rank a legal one */
    virtual uint32_t DoGetSteps(uint32_t rank) const = 0;

    /** \return the step. \param rank a legal one \param index a legal one */
    virtual CollectiveStep DoGetStep(uint32_t rank, uint32_t index) const = 0;

    /** \return bytes of memory of a rank */
    virtual uint64_t DoGetExtent() const;

    /** \return what the send puts together. \param rank a legal one \param index a legal one */
    virtual std::vector<ByteRange> DoGetSegments(uint32_t rank, uint32_t index) const;

    void CheckRank(uint32_t rank) const;
    void CheckIndex(uint32_t rank, uint32_t index) const;
    void CheckStep(uint32_t rank, uint32_t index, const CollectiveStep& step) const;
    void CheckSteps() const;
    void CheckMatches() const;
    void CheckProgress() const;

    uint32_t m_ranks;
    uint64_t m_bytes;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_SCHEDULE_H
