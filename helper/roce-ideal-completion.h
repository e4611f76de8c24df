/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_IDEAL_COMPLETION_H
#define ROCE_IDEAL_COMPLETION_H

#include "ns3/roce-frame-sizes.h"
#include "ns3/roce-transport-service.h"
#include "ns3/roce-work-request.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/** One link of a path as IdealCompletion sees it. */
struct IdealLink
{
    double bytesPerNs{0}; //!< rate
    double delayNs{0};    //!< propagation
    uint32_t overhead{0}; //!< bytes the link adds to each frame
    bool truncate{false}; //!< lengths are cut to whole nanoseconds
};

/**
 * When a lone request is complete at its requester.
 *
 * Models: store and forward over links of any rates. Frame j leaves link i at
 * D(j, i) = max(D(j-1, i), D(j, i-1) + delay) + length(j, i). All frames but the first (RETH) and
 * the last (what is left) are alike, so D(N, n) is the largest sum over the monotone paths from
 * (first frame, first link) to (last frame, last link): the first frame goes to link a, the middle
 * ones move from a to b while all but one of the rest pass the slowest link between, the last goes
 * on from b. The ACK comes back over the same links. A SEND has no RETH. A READ is its request on
 * the way there, and its responses on the way back as above, with an AETH in the first and last; an
 * atomic is one packet each way. Processing takes no time. Over UC and UD a message is complete
 * when it arrives.
 *
 * Invariants: for equal links and no RETH it is (N-1) s + (n-1) s + s' + n d, and the ACK's way.
 *
 * Leaves out: an ACK that waits for the one before it (a short last packet, and a way back that is
 * slower than data arrives); queueing, congestion control, messages above 2^31 bytes (their extra
 * headers are not counted); the 4 bytes of immediate data or of an invalidated key; DETH.
 */
class IdealCompletion
{
  public:
    /**
     * \param path links from sender to receiver
     * \param sizes bytes frames occupy
     * \param mtu payload bytes of a full packet
     */
    IdealCompletion(std::vector<IdealLink> path, const FrameSizes& sizes, uint32_t mtu);

    /**
     * \param bytes length
     * \param operation WRITE or SEND
     * \return ns from the first bit to the arrival of the last byte
     */
    double ArrivalNs(uint64_t bytes, Operation operation = Operation::WRITE) const;

    /**
     * \param bytes length
     * \param operation what is asked for
     * \param service over which
     * \return ns from the first bit to the completion
     */
    double CompletionNs(uint64_t bytes,
                        Operation operation = Operation::WRITE,
                        TransportService service = TransportService::RC) const;

  private:
    double Length(const IdealLink& link, uint32_t size) const;
    double Sum(uint32_t size, std::size_t from, std::size_t to) const;
    double OneWay(uint32_t size) const;
    double Stream(uint64_t bytes, uint32_t firstHeader, uint32_t lastHeader) const;

    std::vector<IdealLink> m_path;
    FrameSizes m_sizes;
    uint32_t m_mtu;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_IDEAL_COMPLETION_H
