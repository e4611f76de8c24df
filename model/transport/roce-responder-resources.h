/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_RESOURCES_H
#define ROCE_RESPONDER_RESOURCES_H

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3
{
namespace roce
{

/** A READ or atomic that a responder can repeat. */
struct ResponderResource
{
    uint64_t first{0};    //!< number of the request
    uint64_t end{0};      //!< behind the last number of its answer
    uint64_t address{0};  //!< READ: first byte
    uint64_t bytes{0};    //!< READ: length
    uint32_t key{0};      //!< READ: R_Key
    bool atomic{false};   //!< atomic, else READ
    uint64_t original{0}; //!< atomic: what was there before
};

/**
 * The last READs and atomics of a responder.
 *
 * Models: the responder resources of IBTA 9.7.7.1: a duplicate READ is executed again, a duplicate
 * atomic gets the answer of the first time, and only as many are remembered as were agreed on.
 *
 * Invariants: entries are in the order of their numbers and do not overlap.
 *
 * Leaves out: nothing.
 */
class ResponderResources
{
  public:
    /** \param depth how many are remembered; 0: neither READ nor atomics are taken */
    void SetDepth(uint32_t depth)
    {
        m_depth = depth;
    }

    /** \return how many are remembered */
    uint32_t GetDepth() const
    {
        return m_depth;
    }

    /** \param resource the newest one; the oldest is forgotten if there are too many */
    void Add(const ResponderResource& resource);

    /** \return what answers a number, or nullptr. \param number of a packet */
    const ResponderResource* Find(uint64_t number) const;

    /**
     * \param number of a packet
     * \return number of the first READ or atomic behind it; ~0 if there is none
     */
    uint64_t FirstBehind(uint64_t number) const;

    /** \return the newest; there must be one */
    const ResponderResource& Newest() const
    {
        return m_items.back();
    }

    /** Forget all. */
    void Clear()
    {
        m_items.clear();
    }

  private:
    boost::circular_buffer<ResponderResource> m_items; //!< grows up to the depth
    uint32_t m_depth{16};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RESPONDER_RESOURCES_H
