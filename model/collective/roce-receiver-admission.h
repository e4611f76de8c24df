/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECEIVER_ADMISSION_H
#define ROCE_RECEIVER_ADMISSION_H

#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

namespace ns3
{
namespace roce
{

/**
 * What one receiver allows its senders to have under way.
 *
 * Models: the accounting of a receiver that admits data chunk by chunk. Each message that is
 * expected on a channel is cut into chunks; a chunk is granted when it is the turn of its channel,
 * the channel has a free slot and the bytes fit under the limit of the receiver. Channels take
 * turns. A chunk is never longer than the limit, so that each can be granted. Sans-IO: the
 * functions of the channels carry grants to the senders.
 *
 * Source: A. Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM
 * 2024: with NCCL's two-stage copy bytes in flight <= channels x buffer of a channel, each buffer
 * in slots. The limit over all channels is ours.
 *
 * Invariants: granted - done = in flight <= limit, at any time; each byte expected is granted once,
 * in order within its channel; a channel has at most `slots` chunks in flight; of two channels that
 * could both be granted all the time, neither gets two chunks more than the other. A turn waits
 * until its chunk fits, so a short chunk does not overtake a long one.
 *
 * Leaves out: weights of channels; time.
 */
class ReceiverAdmission : public SimpleRefCount<ReceiverAdmission>
{
  public:
    /** Carries a grant to the sender of a channel. It may call Expect, but not Done. */
    using GrantFunction = std::function<void(uint64_t bytes)>;

    /** \param limitBytes of payload in flight over all channels; 0: no limit but slots */
    explicit ReceiverAdmission(uint64_t limitBytes = 0);

    /**
     * Raise the limit; what waits for it is granted at once. Throws std::invalid_argument if it is
     * below the present one, as more could be in flight then.
     * \param limitBytes new limit; 0: none
     */
    void RaiseLimit(uint64_t limitBytes);

    /**
     * Add a channel. Throws std::invalid_argument naming the value if it is impossible.
     * \param chunkBytes longest chunk, at least 1
     * \param slots chunks in flight at most, at least 1
     * \param grant called with the bytes of each chunk granted
     * \return its number, from 0 on
     */
    uint32_t AddChannel(uint64_t chunkBytes, uint32_t slots, GrantFunction grant);

    /**
     * A message is expected: its buffer is ready. Ignored if the channel is closed.
     * \param channel a channel; std::invalid_argument if it is not known
     * \param bytes length; a message of 0 bytes is one chunk of 0 bytes
     */
    void Expect(uint32_t channel, uint64_t bytes);

    /**
     * The oldest chunk in flight of a channel is in.
     * \param channel a channel; std::invalid_argument if nothing is in flight on it
     * \return bytes of the chunk
     */
    uint64_t Done(uint32_t channel);

    /**
     * A channel does not work any more: what it expected is forgotten, and what it had in flight
     * counts as done. Others are granted what that sets free with the next call of another method.
     * \param channel a channel; std::invalid_argument if it is not known
     */
    void Close(uint32_t channel);

    /** Grant all that may be granted now; needed after Close only. */
    void GrantWaiting();

    /** \return bytes that may be in flight; 0: no limit */
    uint64_t GetLimit() const
    {
        return m_limit;
    }

    /** \return number of channels, closed ones included */
    std::size_t GetChannels() const
    {
        return m_channels.size();
    }

    /** \return bytes granted so far */
    uint64_t GetGranted() const
    {
        return m_granted;
    }

    /** \return bytes granted and not done */
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /** \return the most that was in flight at a time */
    uint64_t GetPeak() const
    {
        return m_peak;
    }

    /** \return bytes granted on a channel so far. \param channel a channel */
    uint64_t GetGranted(uint32_t channel) const;

    /** \return bytes expected on a channel and not granted yet. \param channel a channel */
    uint64_t GetWaiting(uint32_t channel) const;

    /** \return chunks in flight on a channel. \param channel a channel */
    uint32_t GetChunksInFlight(uint32_t channel) const;

  private:
    static constexpr uint32_t NONE = 0xffffffff;

    /** What is known of a channel. */
    struct Channel
    {
        GrantFunction grant;
        uint64_t chunkBytes{0};
        uint32_t slots{0};
        uint32_t next{NONE}; //!< behind it in the line of those that could be granted
        bool queued{false};  //!< in that line
        bool closed{false};
        std::deque<uint64_t> messages; //!< bytes of each that are not granted yet
        std::deque<uint64_t> flying;   //!< bytes of each chunk in flight
        uint64_t granted{0};
        uint64_t waiting{0};
    };

    Channel& At(uint32_t channel);
    const Channel& At(uint32_t channel) const;
    uint64_t NextBytes(const Channel& channel) const;
    void Queue(uint32_t channel);
    void Unqueue(uint32_t channel);

    uint64_t m_limit;
    uint64_t m_granted{0};
    uint64_t m_inFlight{0};
    uint64_t m_peak{0};
    uint32_t m_head{NONE}; //!< whose turn it is
    uint32_t m_tail{NONE};
    bool m_serving{false};
    std::deque<Channel> m_channels; //!< a deque: grants may add channels
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RECEIVER_ADMISSION_H
