/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PIECE_SCHEDULE_H
#define ROCE_PIECE_SCHEDULE_H

#include "roce-collective-schedule.h"

#include <string>

namespace ns3
{
namespace roce
{

/** Which half of an all-reduce a schedule runs, or both. */
enum class ReducePhases
{
    ALL_REDUCE,     //!< both
    REDUCE_SCATTER, //!< the first: rank i ends with the sum of part i
    ALL_GATHER,     //!< the second: rank i begins with part i
};

/**
 * A schedule in which each piece of the buffer does the same.
 *
 * Models: the buffer, or the part of each rank, is cut into channels with connections of their own
 * and each of these into chunks. A chunk of a channel is a piece. Each goes through the same steps
 * by itself, so that pieces are pipelined. A subclass says what a rank does with one piece; this
 * class puts the pieces into one list of steps, computed when asked for, so that it needs no
 * memory.
 *
 * Source: channels and chunks as in NCCL's documentation; see the subclasses for algorithms.
 *
 * Invariants: pieces are disjoint and make up the whole; a piece of 0 bytes makes no message; no
 * steps with 1 rank or 0 bytes. With Order::STEP_FIRST the first step of all pieces comes before
 * the second of any; with Order::PIECE_FIRST all steps of a chunk come before those of the next, so
 * that a chunk never waits for a later one on a connection.
 *
 * Leaves out: element sizes: a piece may end inside a number.
 */
class PieceSchedule : public CollectiveSchedule
{
  public:
    /** \return parts with connections of their own, as asked for */
    uint32_t GetChannels() const;

    /** \return pieces of a channel, as asked for */
    uint32_t GetChunks() const;

  protected:
    /** How steps of pieces are put into one list. */
    enum class Order
    {
        STEP_FIRST,
        PIECE_FIRST,
    };

    /** One chunk of one channel. */
    struct Piece
    {
        uint32_t channel{0}; //!< which channel
        uint32_t chunk{0};   //!< which chunk of it
    };

    /** How many of what. */
    struct Counts
    {
        uint32_t ranks;    //!< number of ranks
        uint64_t bytes;    //!< bytes of the buffer of a rank
        uint32_t channels; //!< parts with connections of their own
        uint32_t chunks;   //!< pieces of a channel
    };

    /**
     * Throws std::invalid_argument if a count is 0.
     * \param name what it is, for messages
     * \param counts how many of what
     * \param longest bytes of the longest range that is cut into channels and chunks
     * \param order order of steps
     */
    PieceSchedule(const std::string& name, const Counts& counts, uint64_t longest, Order order);

    /** \return bytes of the longest part if each rank has one; 0 without ranks
     *  \param ranks how many \param bytes of all parts */
    static uint64_t LongestPart(uint32_t ranks, uint64_t bytes);

    /** Refuse 2^32 - 1 steps or more. \param steps of a rank for one piece, the most */
    void CheckLimit(uint64_t steps) const;

    /** \return the piece of a range. \param range what is cut \param piece which piece */
    ByteRange GetPiece(const ByteRange& range, const Piece& piece) const;

    /** \return the whole buffer */
    ByteRange GetBuffer() const;

    /** \return the part of a rank. \param rank which */
    ByteRange GetPart(uint32_t rank) const;

    /** \return number of pieces that are not empty */
    uint32_t GetPieces() const;

    /** \return the pieces that are not empty in the longest range, in the order of their bytes */
    std::vector<Piece> ListPieces() const;

    /** \return number of a piece, 0..GetPieces()-1. \param piece a legal one */
    uint32_t GetPieceIndex(const Piece& piece) const;

    /** Take a step of the list apart. \param rank a legal one \param index a legal one
     *  \param [out] piece its piece \return which step of the piece */
    uint32_t Locate(uint32_t rank, uint32_t index, Piece& piece) const;

    /** Add a send to a step unless it has no bytes. \param step the step \param to rank
     *  \param range bytes sent \param remoteOffset where they go to */
    static void SetSend(CollectiveStep& step,
                        uint32_t to,
                        const ByteRange& range,
                        uint64_t remoteOffset);

    /** Add a receive to a step unless it has no bytes. \param step the step \param from rank
     *  \param range where the bytes go to \param reduce whether they are added */
    static void SetReceive(CollectiveStep& step,
                           uint32_t from,
                           const ByteRange& range,
                           bool reduce);

    /** \return rank some places further around. \param rank a rank \param distance 0..ranks */
    uint32_t After(uint32_t rank, uint32_t distance) const;

    /** \return rank some places back around. \param rank a rank \param distance 0..ranks */
    uint32_t Before(uint32_t rank, uint32_t distance) const;

  private:
    uint32_t DoGetSteps(uint32_t rank) const final;
    CollectiveStep DoGetStep(uint32_t rank, uint32_t index) const final;

    /** \return index in the list. \param rank a rank \param piece a piece
     *  \param step which step of it */
    uint32_t GetIndex(uint32_t rank, const Piece& piece, uint32_t step) const;

    /** \return steps of a rank for one piece. \param rank a legal one */
    virtual uint32_t GetPieceSteps(uint32_t rank) const = 0;

    /** \return the step; its `after` counts steps of this piece, its channel is not looked
     *  at. \param rank a legal one \param piece a legal one
     *  \param step 0..GetPieceSteps(rank)-1 */
    virtual CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t step) const = 0;

    /** \return number of the connection. \param channel of the piece \param rank a legal one
     *  \param step which step of the piece */
    virtual uint32_t GetConnection(uint32_t channel, uint32_t rank, uint32_t step) const;

    std::string m_name;
    uint32_t m_channels;
    uint32_t m_chunks;
    uint32_t m_usedChannels; //!< those that are not empty
    uint32_t m_usedChunks;   //!< those that are not empty in the first channel
    Order m_order;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PIECE_SCHEDULE_H
