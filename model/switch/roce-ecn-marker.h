/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ECN_MARKER_H
#define ROCE_ECN_MARKER_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-constants.h"
#include "ns3/roce-frame.h"

#include <cstdint>
#include <limits>
#include <map>

namespace ns3
{
namespace roce
{

/** Where marking begins and where it is certain, for the queues of one port. */
struct EcnThresholds
{
    uint64_t kmin{std::numeric_limits<uint64_t>::max()}; //!< bytes; not marked up to here
    uint64_t kmax{std::numeric_limits<uint64_t>::max()}; //!< bytes; always marked above
    double pmax{0};                                      //!< probability at kmax
};

/**
 * Sets CE on frames of long queues.
 *
 * Models: marking by the bytes in the queue of the frame's class, without the frame itself: never
 * up to Kmin, always above Kmax, with a probability rising linearly from 0 to Pmax between them. No
 * averaging. Mode STEP takes Kmin for both. Thresholds belong to ReferenceRate and scale with the
 * rate of the port, unless the rate has an entry of its own. MarkAt chooses the moment.
 *
 * RFC 3168 section 5, DCQCN (Zhu et al., SIGCOMM 2015, figure 5); step at arrival: DCTCP (Alizadeh
 * et al., SIGCOMM 2010, section 3.1). Defaults: 100 and 400 KB a 25 Gb/s, Pmax 0.2, as in the HPCC
 * artifact (KB = 1000 B).
 *
 * Invariants: only ECT frames become CE: requests, READ responses and ordinary packets; ACK, CNP
 * and pause frames never do; a random number is drawn only for an ECT frame whose queue lies
 * between the thresholds, so never with STEP.
 *
 * Leaves out: averaged queues.
 */
class EcnMarker : public Object
{
  public:
    /** How it decides. */
    enum Mode : uint8_t
    {
        RED,  //!< by a probability between two thresholds
        STEP, //!< always above Kmin
    };

    /** When a switch asks it. */
    enum Moment : uint8_t
    {
        DEQUEUE, //!< a frame leaves: by what it leaves behind
        ENQUEUE, //!< a frame is stored: by what it finds before it
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    EcnMarker();

    /**
     * Give ports of one rate thresholds of their own. Throws std::invalid_argument if kmin > kmax
     * or pmax is not in [0, 1].
     * \param rate bit/s
     * \param kmin bytes
     * \param kmax bytes
     * \param pmax probability at kmax
     */
    void SetThresholds(uint64_t rate, uint64_t kmin, uint64_t kmax, double pmax);

    /** \return whether a rate has an entry of its own. \param rate bit/s */
    bool HasThresholds(uint64_t rate) const;

    /**
     * Throws std::invalid_argument if the attributes contradict each other.
     * \param rate bit/s of a port
     * \return its thresholds
     */
    EcnThresholds GetThresholds(uint64_t rate) const;

    /**
     * Mark a frame if its queue is long.
     * \param frame the frame
     * \param thresholds of the port
     * \param bytes in its queue besides it
     * \return whether it was marked now
     */
    bool Mark(Frame* frame, const EcnThresholds& thresholds, uint64_t bytes)
    {
        if (bytes <= thresholds.kmin || !IsMarkable(frame))
        {
            return false;
        }
        if (!Decide(thresholds, bytes))
        {
            return false;
        }
        frame->ecn = ECN_CE;
        return true;
    }

    /**
     * \param thresholds of the port
     * \param bytes in the queue
     * \return whether a frame that may be marked would be now; may draw a random number
     */
    bool Decide(const EcnThresholds& thresholds, uint64_t bytes);

    /** \return when a switch is to ask */
    Moment GetMoment() const
    {
        return m_moment;
    }

    /**
     * \param stream first stream to use
     * \return streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    bool IsMarkable(const Frame* frame) const
    {
        const bool ect = frame->ecn == ECN_ECT0 || frame->ecn == ECN_ECT1;
        const bool data = frame->kind == FrameKind::REQUEST || frame->kind == FrameKind::RESPONSE ||
                          frame->kind == FrameKind::PACKET;
        return ect && data && ((m_priorities >> frame->priority) & 1);
    }

    void DoDispose() override;

    uint64_t m_kmin;
    uint64_t m_kmax;
    double m_pmax;
    DataRate m_reference;
    uint8_t m_priorities;
    Mode m_mode;
    Moment m_moment;
    std::map<uint64_t, EcnThresholds> m_table; //!< by bit/s
    Ptr<UniformRandomVariable> m_random;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ECN_MARKER_H
