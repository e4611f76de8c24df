/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DOUBLE_BINARY_TREE_H
#define ROCE_DOUBLE_BINARY_TREE_H

#include <array>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Two binary trees over the same ranks, the inner nodes of one being leaves of the other.
 *
 * Models: tree 0 is the binary tree in which an in-order walk meets the places 1, 2, .. n-1 in
 * their order, cut off at n, hung below place 0, its root. Odd places are leaves. Tree 1 is the
 * same tree over other places: rank r has place n-1-r if n is even, r-1 mod n if n is odd, so that
 * a rank with an odd place in one tree has an even one in the other; with odd n, rank 0 has an even
 * one in both.
 *
 * Source: Sanders, Speck, Traeff: Two-tree algorithms for full bandwidth broadcast, reduction and
 * scan, Parallel Computing 35, 2009; the second tree mirrored or shifted as there.
 *
 * Invariants: each tree has each rank once; a root has one child, others two at most; the height is
 * at most ceil(log2 n); over both trees a rank has at most four neighbors that it sends to.
 *
 * Leaves out: the coloring that gives each rank one send a round; here sends of both trees share
 * the port of a rank as they come.
 */
class DoubleBinaryTree
{
  public:
    static constexpr uint32_t NONE = 0xffffffff; //!< no rank

    /** \param ranks number of ranks, at least 1 */
    explicit DoubleBinaryTree(uint32_t ranks);

    /** \return rank above, NONE at the root. \param tree 0 or 1 \param rank 0..ranks-1 */
    uint32_t GetParent(uint32_t tree, uint32_t rank) const;

    /** \return ranks below, NONE where there is none. \param tree 0 or 1 \param rank 0..ranks-1 */
    std::array<uint32_t, 2> GetChildren(uint32_t tree, uint32_t rank) const;

  private:
    uint32_t ToPlace(uint32_t tree, uint32_t rank) const;
    uint32_t ToRank(uint32_t tree, uint32_t place) const;

    uint32_t m_ranks;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DOUBLE_BINARY_TREE_H
