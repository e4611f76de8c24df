/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-svg.h"

#include "roce-cable-length.h"
#include "roce-fabric-graph-storage.h"
#include "roce-quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double ROW = 170;       //!< between two rows, at least
constexpr double SLOPE = 0.09;    //!< between two rows, as part of the width of the hosts' row
constexpr double LEFT = 130;      //!< room for the names of rows
constexpr double TOP = 70;        //!< room for the title
constexpr double BOX = 22;        //!< height of a switch
constexpr double CHARACTER = 6.4; //!< width of a character of 11 px
constexpr double HOST = 18;       //!< between two hosts

/// Colors of kinds of cables, from the palette of Okabe and Ito, which color-blind people can use.
const std::array<const char*, 7> COLORS =
    {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

/** \return a text that XML takes. \param text any */
std::string
Escaped(const std::string& text)
{
    std::string safe;
    for (char c : text)
    {
        safe += c == '&'   ? "&amp;"
                : c == '<' ? "&lt;"
                : c == '>' ? "&gt;"
                : c == '"' ? "&quot;"
                           : std::string(1, static_cast<unsigned char>(c) < ' ' ? '?' : c);
    }
    return safe;
}

/** \return width of a line. \param rateBps rate of the cable */
double
LineWidth(uint64_t rateBps)
{
    // 0.8 px at 25G, 0.4 px more with each doubling
    return std::clamp(0.8 + 0.4 * std::log2(static_cast<double>(rateBps) / 25e9), 0.5, 3.2);
}

} // namespace

constexpr uint32_t TopologySvg::MAX_NODES;
constexpr uint32_t TopologySvg::MAX_LINKS;

TopologySvg::TopologySvg(const FabricDocument& fabric)
    : m_fabric(fabric),
      m_tiers(fabric),
      m_places(fabric.graph.NodeCount())
{
}

std::string
TopologySvg::Format(const FabricDocument& fabric)
{
    const uint32_t nodes = fabric.graph.NodeCount();
    const uint32_t links = fabric.graph.LinkCount();
    if (nodes > MAX_NODES || links > MAX_LINKS)
    {
        throw std::invalid_argument("a picture of " +
                                    (fabric.name.empty() ? "the fabric" : fabric.name) + " with " +
                                    std::to_string(nodes) + " nodes and " + std::to_string(links) +
                                    " links cannot be read; at most " + std::to_string(MAX_NODES) +
                                    " nodes and " + std::to_string(MAX_LINKS) +
                                    " links are drawn. Draw a smaller one of the same shape, "
                                    "or write it for Graphviz");
    }
    TopologySvg svg(fabric);
    svg.PlaceRows();
    svg.DrawLinks();
    svg.DrawNodes();
    svg.DrawRowNames();
    svg.DrawLegend();
    std::ostringstream head;
    head << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << svg.m_width << "\" height=\""
         << svg.m_height << "\" viewBox=\"0 0 " << svg.m_width << " " << svg.m_height
         << "\" font-family=\"sans-serif\" font-size=\"11\">\n"
         << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
         << "<text x=\"16\" y=\"32\" font-size=\"20\">"
         << Escaped(fabric.name.empty() ? "fabric" : fabric.name) << ": "
         << fabric.graph.HostCount() << " hosts, " << fabric.graph.SwitchCount() << " switches, "
         << links << " links</text>\n";
    return head.str() + svg.m_out.str() + "</svg>\n";
}

std::string
TopologySvg::Label(uint32_t vertex) const
{
    const FabricNode& node = m_fabric.graph.GetStorage()[vertex];
    return node.name.empty() ? std::to_string(node.id) : node.name;
}

double
TopologySvg::Spread(uint32_t vertex) const
{
    const bool host = m_fabric.graph.GetStorage()[vertex].kind == NodeKind::Host;
    return host ? HOST : CHARACTER * static_cast<double>(Label(vertex).size()) + 24;
}

double
TopologySvg::Wanted(uint32_t vertex) const
{
    double sum = 0;
    uint32_t count = 0;
    for (const FabricNeighbour& n :
         m_fabric.graph.Neighbours(m_fabric.graph.GetStorage()[vertex].id))
    {
        const uint32_t peer = m_fabric.graph.IndexOf(n.peer);
        if (m_tiers.LevelOf(peer) < m_tiers.LevelOf(vertex))
        {
            sum += m_places[peer].x;
            count++;
        }
    }
    return count == 0 ? 0 : sum / count;
}

void
TopologySvg::PlaceRow(std::vector<uint32_t>& row)
{
    double wanted = 0;
    double got = 0;
    double x = -1e9;
    double reach = 0;
    for (uint32_t vertex : row)
    {
        const double want = Wanted(vertex);
        const double half = Spread(vertex) / 2;
        x = std::max(want, x + reach + half);
        reach = half;
        m_places[vertex].x = x;
        wanted += want;
        got += x;
    }
    // the row is pushed to the right only; bring it back to the middle of what is below, and where
    // it huddles above a wide row, let it out
    const auto count = static_cast<double>(row.size());
    const double span = m_places[row.back()].x - m_places[row.front()].x;
    const double scale = span > 0 && span < 0.5 * m_width ? 0.7 * m_width / span : 1;
    for (uint32_t vertex : row)
    {
        m_places[vertex].x = wanted / count + scale * (m_places[vertex].x - got / count);
    }
    m_width = std::max(m_width, span); // of the widest row so far
}

void
TopologySvg::PlaceRows()
{
    std::map<uint32_t, std::vector<uint32_t>> rows; // by height
    for (uint32_t i = 0; i < m_places.size(); i++)
    {
        rows[m_tiers.LevelOf(i)].push_back(i);
    }
    for (auto& [level, row] : rows)
    {
        std::stable_sort(row.begin(), row.end(), [this](uint32_t a, uint32_t b) {
            return Wanted(a) < Wanted(b);
        });
        PlaceRow(row);
    }
    const double step = std::max(ROW, SLOPE * m_width);
    double y = TOP + step * static_cast<double>(rows.size() - 1);
    for (const auto& [level, row] : rows)
    {
        for (uint32_t vertex : row)
        {
            m_places[vertex].y = y;
        }
        y -= step;
    }
    double left = 1e9;
    double right = -1e9;
    for (uint32_t i = 0; i < m_places.size(); i++)
    {
        left = std::min(left, m_places[i].x - Spread(i) / 2);
        right = std::max(right, m_places[i].x + Spread(i) / 2);
    }
    for (Place& place : m_places)
    {
        place.x += LEFT - left;
    }
    m_width = std::max(right - left + LEFT + 30, 640.0);
    m_height = TOP + step * static_cast<double>(rows.size() - 1) + 80;
}

size_t
TopologySvg::KindOf(const FabricLink& link) const
{
    const std::string a = m_tiers.Tiers()[m_tiers.TierOf(m_fabric.graph.IndexOf(link.a))].name;
    const std::string b = m_tiers.Tiers()[m_tiers.TierOf(m_fabric.graph.IndexOf(link.b))].name;
    const auto& kinds = m_tiers.Cables();
    for (size_t i = 0; i < kinds.size(); i++)
    {
        if (kinds[i].rateBps == link.rateBps && kinds[i].delayPs == link.delayPs &&
            ((kinds[i].from == a && kinds[i].to == b) || (kinds[i].from == b && kinds[i].to == a)))
        {
            return i;
        }
    }
    return 0;
}

void
TopologySvg::DrawLinks()
{
    const FabricGraph& graph = m_fabric.graph;
    std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> bundles; // all, drawn
    // many lines are thin ones, so that some ground is left between them
    const double thin = std::clamp(std::sqrt(300.0 / graph.LinkCount()), 0.3, 1.0);
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        bundles[std::minmax(graph.Link(i).a, graph.Link(i).b)].first++;
    }
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        m_down = m_down || !link.up;
        auto& [all, drawn] = bundles[std::minmax(link.a, link.b)];
        const double aside = 3.5 * thin * (drawn++ - (all - 1) / 2.0);
        const Place& a = m_places[graph.IndexOf(link.a)];
        const Place& b = m_places[graph.IndexOf(link.b)];
        m_out << (a.y == b.y ? "<path fill=\"none\" d=\"M" : "<path d=\"M") << a.x + aside << " "
              << a.y;
        if (a.y == b.y) // neighbours of one row: an arc above it
        {
            m_out << " Q" << (a.x + b.x) / 2 << " " << a.y - 60 - 2 * aside << " ";
        }
        else
        {
            m_out << " L";
        }
        m_out << b.x + aside << " " << b.y << "\" stroke=\"" << COLORS[KindOf(link) % COLORS.size()]
              << "\" stroke-opacity=\"0.6\" stroke-width=\"" << LineWidth(link.rateBps)
              << (link.up ? "\"/>\n" : "\" stroke-dasharray=\"4 4\"/>\n");
    }
}

void
TopologySvg::DrawNodes()
{
    for (uint32_t i = 0; i < m_places.size(); i++)
    {
        const FabricNode& node = m_fabric.graph.GetStorage()[i];
        const Place& place = m_places[i];
        const std::string label = Escaped(Label(i));
        if (node.kind == NodeKind::Host)
        {
            m_out << "<circle cx=\"" << place.x << "\" cy=\"" << place.y
                  << "\" r=\"5\" fill=\"#444444\"/>\n<text transform=\"translate(" << place.x + 4
                  << " " << place.y + 12 << ") rotate(90)\">" << label << "</text>\n";
            continue;
        }
        const double width = Spread(i) - 10;
        m_out << "<rect x=\"" << place.x - width / 2 << "\" y=\"" << place.y - BOX / 2
              << "\" width=\"" << width << "\" height=\"" << BOX << "\" rx=\"3\" fill=\""
              << (node.kind == NodeKind::NvSwitch ? "#dcefdc" : "#e8eef7")
              << "\" stroke=\"#333333\"/>\n<text text-anchor=\"middle\" x=\"" << place.x
              << "\" y=\"" << place.y + 4 << "\">" << label << "</text>\n";
    }
}

void
TopologySvg::DrawRowNames()
{
    std::map<double, std::vector<size_t>> names; // tiers of a row
    for (uint32_t i = 0; i < m_places.size(); i++)
    {
        std::vector<size_t>& row = names[m_places[i].y];
        if (std::find(row.begin(), row.end(), m_tiers.TierOf(i)) == row.end())
        {
            row.push_back(m_tiers.TierOf(i));
        }
    }
    for (const auto& [y, row] : names)
    {
        double line = y - 7.0 * static_cast<double>(row.size() - 1);
        for (size_t tier : row)
        {
            m_out << "<text x=\"16\" y=\"" << line + 4 << "\" font-weight=\"bold\">"
                  << m_tiers.Tiers()[tier].nodes << " " << Escaped(m_tiers.Tiers()[tier].name)
                  << "</text>\n";
            line += 14;
        }
    }
}

void
TopologySvg::DrawLegend()
{
    for (size_t i = 0; i < m_tiers.Cables().size(); i++)
    {
        const FabricCables& kind = m_tiers.Cables()[i];
        m_out << "<line x1=\"16\" x2=\"56\" y1=\"" << m_height << "\" y2=\"" << m_height
              << "\" stroke=\"" << COLORS[i % COLORS.size()] << "\" stroke-width=\""
              << LineWidth(kind.rateBps) << "\"/>\n<text x=\"66\" y=\"" << m_height + 4 << "\">"
              << kind.count << " x " << Escaped(kind.from) << " to " << Escaped(kind.to) << ", "
              << Quantity::RateText(kind.rateBps) << ", " << CableLength::Metres(kind.delayPs)
              << " m (" << Quantity::DelayText(kind.delayPs) << ")</text>\n";
        m_height += 18;
    }
    if (m_down)
    {
        m_out << "<line x1=\"16\" x2=\"56\" y1=\"" << m_height << "\" y2=\"" << m_height
              << "\" stroke=\"#333333\" stroke-dasharray=\"4 4\"/>\n<text x=\"66\" y=\""
              << m_height + 4 << "\">down</text>\n";
        m_height += 18;
    }
    m_height += 10;
}

} // namespace roce
} // namespace ns3
