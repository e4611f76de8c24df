/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-plan-check.h"

#include "roce-cable-length.h"
#include "roce-quantity.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

constexpr uint64_t PlanCheck::MAX_NODES;
constexpr uint64_t PlanCheck::MAX_LINKS;

PlanCheck::PlanCheck(const std::string& builder)
    : m_builder(builder)
{
}

void
PlanCheck::Fail(const std::string& message) const
{
    throw std::invalid_argument(m_builder + ": " + message);
}

void
PlanCheck::Positive(const char* field, uint64_t value) const
{
    if (value == 0)
    {
        Fail(std::string(field) + " is 0; expected at least 1");
    }
}

void
PlanCheck::Rate(const char* field, uint64_t rateBps) const
{
    if (rateBps == 0)
    {
        Fail(std::string(field) + " is rate 0; expected at least 1 Mbit/s");
    }
}

void
PlanCheck::Metres(const char* field, double metres) const
{
    if (!(metres >= 0 && metres <= CableLength::MAX_METRES))
    {
        std::ostringstream text;
        text << field << " is " << metres << " m; expected 0 to " << CableLength::MAX_METRES;
        Fail(text.str());
    }
}

void
PlanCheck::Nodes(uint64_t nodes) const
{
    if (nodes > MAX_NODES)
    {
        Fail("the plan has " + std::to_string(nodes) + " nodes; expected at most " +
             std::to_string(MAX_NODES) + ", which is what can be addressed");
    }
}

void
PlanCheck::Links(uint64_t switches, uint64_t uplinks) const
{
    // both are below 2^33, so the product may not fit
    if (uplinks != 0 && switches > MAX_LINKS / uplinks)
    {
        Fail(std::to_string(switches) + " nodes with " + std::to_string(uplinks) +
             " links up each; expected at most " + std::to_string(MAX_LINKS) + " links in all");
    }
}

void
PlanCheck::Ports(const std::string& node,
                 uint64_t ports,
                 uint32_t radix,
                 const std::string& made) const
{
    const uint32_t limit = radix == 0 ? UINT32_MAX : radix;
    if (ports > limit)
    {
        Fail(node + " needs " + std::to_string(ports) + " ports (" + made + "), its limit is " +
             std::to_string(limit) + "; plan fewer links or switches of more ports");
    }
}

uint32_t
PlanCheck::LinksPerPeer(const std::string& node,
                        double downBps,
                        uint64_t upBps,
                        double ratio,
                        uint32_t peers) const
{
    Positive("switches above", peers);
    Rate("rate of uplinks", upBps);
    std::ostringstream text;
    if (!(ratio > 0) || !std::isfinite(ratio))
    {
        text << "oversubscription of " << node << " is " << ratio << "; expected more than 0";
        Fail(text.str());
    }
    const double exact = downBps / (ratio * static_cast<double>(upBps));
    const double each = exact / peers;
    // the ratio is a decimal number: 1.125 is exact, 1.2 is not
    if (!(each >= 0.5 && each <= UINT32_MAX) || std::abs(each - std::round(each)) > 1e-6 * each)
    {
        text << node << ": " << downBps / 1e9 << "Gbps down at " << ratio << ":1 are " << exact
             << " uplinks of " << Quantity::RateText(upBps) << ", which is " << each
             << " to each of " << peers
             << " switches above; expected a whole number, so change ratio, rates or switches";
        Fail(text.str());
    }
    return static_cast<uint32_t>(std::llround(each));
}

} // namespace roce
} // namespace ns3
