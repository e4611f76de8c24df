/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PLAN_CHECK_H
#define ROCE_PLAN_CHECK_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief What every builder of fabrics refuses: zero counts, too many nodes, ports beyond a radix.
 *
 * Models: the checks that come before a graph is made, by arithmetic on the counts of a plan, so a
 * plan of ten billion links is refused without building it.
 *
 * Source: largest number of nodes: what AddressPlan can address, 2^24 rounded up.
 *
 * Invariants: each message begins with the name of the builder and names the field or node, the
 * number, the limit and a way out; all are std::invalid_argument.
 *
 * Leaves out: connectivity; see FabricCheck.
 */
class PlanCheck
{
  public:
    /// Most nodes that a plan may have.
    static constexpr uint64_t MAX_NODES = 1U << 24;

    /// Most links that a plan may have: 2^26, some 10 GB as a graph.
    static constexpr uint64_t MAX_LINKS = 1U << 26;

    /** \param builder its name in messages */
    explicit PlanCheck(const std::string& builder);

    /** Refuse a count of zero. \param field name \param value its value */
    void Positive(const char* field, uint64_t value) const;

    /** Refuse a rate of zero. \param field name \param rateBps its value */
    void Rate(const char* field, uint64_t rateBps) const;

    /** Refuse a length that is none. \param field name \param metres 0 to 1e9 */
    void Metres(const char* field, double metres) const;

    /** Refuse too many nodes. \param nodes the number in all */
    void Nodes(uint64_t nodes) const;

    /** Refuse too many links. \param switches of a tier \param uplinks of each */
    void Links(uint64_t switches, uint64_t uplinks) const;

    /**
     * Refuse more ports on a node than it has.
     * \param node its name
     * \param ports how many the plan needs
     * \param radix how many it has; 0: no limit but that of 32 bits
     * \param made where the number comes from
     */
    void Ports(const std::string& node,
               uint64_t ports,
               uint32_t radix,
               const std::string& made) const;

    /**
     * Find the parallel links to each switch above that give an oversubscription.
     * \param node the switch below, in messages
     * \param downBps rate of all its links down
     * \param upBps rate of one link up
     * \param ratio rate down over rate up, above 0; below 1 is undersubscribed
     * \param peers switches above
     * \return links to each; refused if that is no whole number of at least 1
     */
    uint32_t LinksPerPeer(const std::string& node,
                          double downBps,
                          uint64_t upBps,
                          double ratio,
                          uint32_t peers) const;

  private:
    /** Throw. \param message what is wrong */
    [[noreturn]] void Fail(const std::string& message) const;

    std::string m_builder; //!< name
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_PLAN_CHECK_H */
