/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-member-shares.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** \return largest over mean, 0 if all are 0. \param group the group \param value of a member */
template <typename F>
double
MaxOverMean(const MemberShares::Group& group, F value)
{
    uint64_t largest = 0;
    uint64_t sum = 0;
    for (const MemberShares::Member& member : group)
    {
        const uint64_t one = value(member);
        largest = std::max(largest, one);
        sum += one;
    }
    return sum ? double(largest) * double(group.size()) / double(sum) : 0;
}

} // namespace

MemberShares::Group&
MemberShares::Find(const uint16_t* members, uint32_t count)
{
    for (std::size_t i = 0; i < m_members.size(); ++i)
    {
        if (m_members[i].size() == count &&
            std::equal(members, members + count, m_members[i].begin()))
        {
            return m_groups[i];
        }
    }
    m_members.emplace_back(members, members + count);
    Group group;
    for (uint32_t i = 0; i < count; ++i)
    {
        // weights are repeated members
        const bool known = std::any_of(group.begin(), group.end(), [&](const Member& member) {
            return member.port == members[i];
        });
        if (!known)
        {
            group.emplace_back();
            group.back().port = members[i];
        }
    }
    m_groups.push_back(std::move(group));
    return m_groups.back();
}

void
MemberShares::Count(const Frame* frame, const uint16_t* members, uint32_t count, uint32_t chosen)
{
    for (Member& member : Find(members, count))
    {
        if (member.port == chosen)
        {
            member.bytes += frame->size;
            const uint64_t qp = frame->kind == FrameKind::PACKET ? 0 : frame->destinationQp;
            member.flows.insert((qp << 32) | frame->hash);
            return;
        }
    }
}

const std::vector<MemberShares::Group>&
MemberShares::GetGroups() const
{
    return m_groups;
}

double
MemberShares::GetByteImbalance(std::size_t group) const
{
    return MaxOverMean(m_groups.at(group), [](const Member& member) { return member.bytes; });
}

double
MemberShares::GetFlowImbalance(std::size_t group) const
{
    return MaxOverMean(m_groups.at(group),
                       [](const Member& member) { return uint64_t(member.flows.size()); });
}

} // namespace roce
} // namespace ns3
