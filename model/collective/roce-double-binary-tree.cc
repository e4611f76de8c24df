/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-double-binary-tree.h"

namespace ns3
{
namespace roce
{

namespace
{

/** Largest power of two that divides a number other than 0. */
uint32_t
LowestBit(uint32_t value)
{
    return value & (~value + 1);
}

} // namespace

DoubleBinaryTree::DoubleBinaryTree(uint32_t ranks)
    : m_ranks(ranks)
{
}

uint32_t
DoubleBinaryTree::ToPlace(uint32_t tree, uint32_t rank) const
{
    if (tree == 0)
    {
        return rank;
    }
    if (m_ranks % 2 == 0)
    {
        return m_ranks - 1 - rank;
    }
    return rank == 0 ? m_ranks - 1 : rank - 1;
}

uint32_t
DoubleBinaryTree::ToRank(uint32_t tree, uint32_t place) const
{
    if (tree == 0 || place == NONE)
    {
        return place;
    }
    if (m_ranks % 2 == 0)
    {
        return m_ranks - 1 - place;
    }
    return place == m_ranks - 1 ? 0 : place + 1;
}

uint32_t
DoubleBinaryTree::GetParent(uint32_t tree, uint32_t rank) const
{
    const uint32_t place = ToPlace(tree, rank);
    if (place == 0)
    {
        return NONE;
    }
    // a node at distance `low` from its parent is on the left of it, unless that is cut off
    const uint32_t low = LowestBit(place);
    const uint64_t above = (place - low) | (uint64_t(low) * 2);
    return ToRank(tree, above < m_ranks ? static_cast<uint32_t>(above) : place - low);
}

std::array<uint32_t, 2>
DoubleBinaryTree::GetChildren(uint32_t tree, uint32_t rank) const
{
    const uint32_t place = ToPlace(tree, rank);
    std::array<uint32_t, 2> children{{NONE, NONE}};
    if (place == 0)
    {
        // the middle of the tree: the largest power of two that is a place
        uint64_t middle = 1;
        while (middle * 2 < m_ranks)
        {
            middle *= 2;
        }
        children[0] = m_ranks > 1 ? ToRank(tree, static_cast<uint32_t>(middle)) : NONE;
        return children;
    }
    const uint32_t low = LowestBit(place);
    if (low > 1)
    {
        children[0] = ToRank(tree, place - low / 2);
    }
    // the root of the right subtree, or the highest node of its left spine that is not cut off
    for (uint32_t step = low / 2; step > 0; step /= 2)
    {
        if (uint64_t(place) + step < m_ranks)
        {
            children[1] = ToRank(tree, place + step);
            break;
        }
    }
    return children;
}

} // namespace roce
} // namespace ns3
