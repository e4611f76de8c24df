/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MEMBER_SHARES_H
#define ROCE_MEMBER_SHARES_H

#include "ns3/roce-frame.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * How evenly a load balancer uses the members of its groups.
 *
 * Models: a polarization counter: for each group of output ports the bytes and the flows that went
 * to each member. A flow is a 5-tuple with a destination QP; one that moves counts at each member
 * it used.
 *
 * Our own measure: the largest share over the mean share, 1 when all members are used alike, the
 * number of members when one gets all.
 *
 * Invariants: the bytes of all members of all groups are the bytes of all frames counted; the
 * imbalance is between 1 and the number of members, or 0 when nothing was counted.
 *
 * Leaves out: weights; a bound on its memory (16 bytes or so a flow and member).
 */
class MemberShares
{
  public:
    /** One member. */
    struct Member
    {
        uint16_t port{0};                   //!< output port
        uint64_t bytes{0};                  //!< bytes of frames sent there
        std::unordered_set<uint64_t> flows; //!< flows sent there
    };

    /** One group: its members in order, a port once. */
    using Group = std::vector<Member>;

    /**
     * \param frame a frame
     * \param members the group it had to choose from
     * \param count number of members
     * \param chosen the port it goes to
     */
    void Count(const Frame* frame, const uint16_t* members, uint32_t count, uint32_t chosen);

    /** \return all groups seen, in order of first use */
    const std::vector<Group>& GetGroups() const;

    /** \return largest bytes of a member over the mean. \param group index of the group */
    double GetByteImbalance(std::size_t group) const;

    /** \return largest number of flows of a member over the mean. \param group index of the group
     */
    double GetFlowImbalance(std::size_t group) const;

  private:
    Group& Find(const uint16_t* members, uint32_t count);

    std::vector<std::vector<uint16_t>> m_members; //!< by group, as the table lists them
    std::vector<Group> m_groups;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MEMBER_SHARES_H
