/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PATH_CHOOSER_H
#define ROCE_PATH_CHOOSER_H

#include "ns3/object.h"
#include "ns3/roce-tick.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

struct IntRecord;

/** A path from a NIC, as far as the NIC chooses it. */
struct PathKey
{
    uint32_t destination{0}; //!< IPv4, host order
    uint16_t sourcePort{0};  //!< UDP: what hashes of switches tell paths apart by
    uint32_t qpn{0};         //!< queue pair that asks or hears
};

/**
 * The seam between a NIC and what picks paths: the UDP source port of the next message.
 *
 * Models: a sender that changes the entropy of a connection while nothing of it is on the way, so
 * that no packet overtakes another. One object a NIC. Sans-IO: time is an argument.
 *
 * Invariants: what Choose returns is in 0xc000..0xffff (IBTA Annex A17).
 *
 * Leaves out: changes inside a message or while requests are open.
 */
class PathChooser : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * An acknowledgement came.
     * \param path by which the packets went
     * \param bytes on the link of what is newly acknowledged
     * \param record telemetry of the path; nullptr if none came back
     * \param now present tick
     */
    void Observe(const PathKey& path, uint64_t bytes, const IntRecord* record, Tick now)
    {
        DoObserve(path, bytes, record, now);
    }

    /**
     * A message is about to begin.
     * \param path as it is
     * \param now present tick
     * \return UDP source port to use from now on; the present one to stay. Aborts if a child
     *         returns one out of range
     */
    uint16_t Choose(const PathKey& path, Tick now);

    /** \return changes of port so far */
    uint64_t GetMoves() const
    {
        return m_moves;
    }

    /** TracedCallback signature. \param [in] qpn queue pair \param [in] from UDP source port before
     *  \param [in] to and after */
    typedef void (*MovedTracedCallback)(uint32_t qpn, uint16_t from, uint16_t to);

    /** \return random streams used. \param stream first one to use */
    virtual int64_t AssignStreams(int64_t stream);

  private:
    virtual void DoObserve(const PathKey& path,
                           uint64_t bytes,
                           const IntRecord* record,
                           Tick now) = 0;
    virtual uint16_t DoChoose(const PathKey& path, Tick now) = 0;

    uint64_t m_moves{0};
    TracedCallback<uint32_t, uint16_t, uint16_t> m_moved;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PATH_CHOOSER_H
