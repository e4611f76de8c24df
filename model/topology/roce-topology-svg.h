/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_SVG_H
#define ROCE_TOPOLOGY_SVG_H

#include "roce-fabric-document.h"
#include "roce-fabric-tiers.h"

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * \brief Draws a fabric as an SVG picture: tiers as rows, hosts at the bottom.
 *
 * Models: a plain layered drawing. Hosts stand side by side, each switch above the middle of what
 * it serves, moved aside where that is taken. A line a cable, parallel ones beside each other; its
 * color says which kind (tiers, rate, length), its width grows with the rate; cables that are down
 * are dashed. A legend lists kinds with their number.
 *
 * Source: SVG 1.1.
 *
 * Invariants: the same fabric gives the same bytes; no two nodes of a row overlap; a circle a host,
 * a box a switch, a line a cable.
 *
 * Leaves out: fabrics of more than MAX_NODES nodes or MAX_LINKS links, which no picture shows: they
 * are refused by name and number. Crossings are not minimized.
 */
class TopologySvg
{
  public:
    /// Most nodes that are drawn.
    static constexpr uint32_t MAX_NODES = 500;
    /// Most links that are drawn.
    static constexpr uint32_t MAX_LINKS = 5000;

    /** \return the picture; std::invalid_argument if it is too large. \param fabric the fabric */
    static std::string Format(const FabricDocument& fabric);

  private:
    /// Where a node stands.
    struct Place
    {
        double x{0}; //!< middle
        double y{0}; //!< middle
    };

    /** \param fabric the fabric */
    explicit TopologySvg(const FabricDocument& fabric);

    void PlaceRows();                          //!< find places, from the bottom
    void PlaceRow(std::vector<uint32_t>& row); //!< \param row vertices of a height, sorted
    double Wanted(uint32_t vertex) const;      //!< \return middle of what is below \param vertex it
    double Spread(uint32_t vertex) const;      //!< \return room it needs \param vertex it
    std::string Label(uint32_t vertex) const;  //!< \return its text \param vertex it
    void DrawLinks();                          //!< lines
    void DrawNodes();                          //!< circles and boxes
    void DrawRowNames();                       //!< tiers, at the left
    void DrawLegend();                         //!< kinds of cables
    size_t KindOf(const FabricLink& link) const; //!< \return row of Cables() \param link a link

    const FabricDocument& m_fabric; //!< the fabric
    FabricTiers m_tiers;            //!< its tiers
    std::vector<Place> m_places;    //!< by vertex
    double m_width{0};              //!< of the picture
    double m_height{0};             //!< of the picture
    bool m_down{false};             //!< whether a cable is down
    std::ostringstream m_out;       //!< the text
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_SVG_H */
