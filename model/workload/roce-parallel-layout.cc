/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-parallel-layout.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse something. */
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("parallel layout: " + what);
}

} // namespace

uint32_t
ParallelLayout::RanksOf(const ParallelDegrees& degrees)
{
    uint64_t product = 1;
    for (const auto& [name, degree] : {std::make_pair("tensor", degrees.tensor),
                                       std::make_pair("pipeline", degrees.pipeline),
                                       std::make_pair("data", degrees.data),
                                       std::make_pair("expert", degrees.expert)})
    {
        if (degree == 0)
        {
            Refuse(std::string(name) + " degree 0, expected 1 or more");
        }
        product *= name == std::string("expert") ? 1 : degree;
        if (product > (1ULL << 31))
        {
            Refuse("degrees " + std::to_string(degrees.tensor) + " x " +
                   std::to_string(degrees.pipeline) + " x " + std::to_string(degrees.data) +
                   " make more than 2^31 ranks");
        }
    }
    return static_cast<uint32_t>(product);
}

ParallelLayout::ParallelLayout(const ParallelDegrees& degrees,
                               uint32_t ranks,
                               const std::string& order)
    : m_degrees(degrees),
      m_ranks(ranks)
{
    const uint32_t product = RanksOf(degrees);
    if (product != ranks)
    {
        Refuse("tensor " + std::to_string(degrees.tensor) + " x pipeline " +
               std::to_string(degrees.pipeline) + " x data " + std::to_string(degrees.data) +
               " make " + std::to_string(product) + " ranks, the job has " + std::to_string(ranks));
    }
    if (degrees.data % degrees.expert)
    {
        Refuse("expert degree " + std::to_string(degrees.expert) + " does not divide data degree " +
               std::to_string(degrees.data));
    }
    m_sizes = {degrees.tensor, degrees.expert, degrees.data / degrees.expert, degrees.pipeline};
    ReadOrder(order);
}

void
ParallelLayout::ReadOrder(const std::string& order)
{
    const std::string wanted = "\", expected tp, dp and pp once each, with ep or without, such as "
                               "tp-dp-pp";
    const std::vector<std::string> names{"tp", "ep", "dp", "pp"};
    std::vector<Digit> digits;
    std::istringstream in(order);
    for (std::string name; std::getline(in, name, '-');)
    {
        const auto found = std::find(names.begin(), names.end(), name);
        const auto digit = static_cast<Digit>(found - names.begin());
        if (found == names.end() || std::count(digits.begin(), digits.end(), digit))
        {
            Refuse("order \"" + order + wanted);
        }
        digits.push_back(digit);
    }
    if (!std::count(digits.begin(), digits.end(), EP))
    {
        digits.insert(std::find(digits.begin(), digits.end(), DP), EP);
    }
    if (digits.size() != DIGITS || (!order.empty() && order.back() == '-'))
    {
        Refuse("order \"" + order + wanted);
    }
    uint32_t stride = 1;
    for (const Digit digit : digits)
    {
        m_strides[digit] = stride;
        stride *= m_sizes[digit];
    }
}

ParallelPlace
ParallelLayout::At(uint32_t rank) const
{
    if (rank >= m_ranks)
    {
        Refuse("rank " + std::to_string(rank) + ", expected 0.." + std::to_string(m_ranks - 1));
    }
    const auto digit = [this, rank](Digit d) { return rank / m_strides[d] % m_sizes[d]; };
    return ParallelPlace{digit(TP), digit(PP), digit(DP) * m_sizes[EP] + digit(EP)};
}

uint32_t
ParallelLayout::RankOf(const ParallelPlace& place) const
{
    if (place.tensor >= m_degrees.tensor || place.pipeline >= m_degrees.pipeline ||
        place.data >= m_degrees.data)
    {
        Refuse("no rank at tensor " + std::to_string(place.tensor) + ", pipeline " +
               std::to_string(place.pipeline) + ", data " + std::to_string(place.data) +
               " of degrees " + std::to_string(m_degrees.tensor) + ", " +
               std::to_string(m_degrees.pipeline) + ", " + std::to_string(m_degrees.data));
    }
    return place.tensor * m_strides[TP] + place.pipeline * m_strides[PP] +
           place.data % m_sizes[EP] * m_strides[EP] + place.data / m_sizes[EP] * m_strides[DP];
}

uint32_t
ParallelLayout::GetSize(ParallelDimension dimension) const
{
    switch (dimension)
    {
    case ParallelDimension::TENSOR:
        return m_degrees.tensor;
    case ParallelDimension::PIPELINE:
        return m_degrees.pipeline;
    case ParallelDimension::DATA:
        return m_degrees.data;
    case ParallelDimension::EXPERT:
        return m_degrees.expert;
    case ParallelDimension::EXPERT_DATA:
        return m_degrees.data / m_degrees.expert;
    }
    return 0;
}

std::vector<uint32_t>
ParallelLayout::GroupOf(ParallelDimension dimension, uint32_t rank) const
{
    ParallelPlace place = At(rank);
    uint32_t first = 0; // the number of the first member, and the step to the next
    uint32_t step = 1;
    uint32_t* number = &place.data;
    if (dimension == ParallelDimension::TENSOR)
    {
        number = &place.tensor;
    }
    else if (dimension == ParallelDimension::PIPELINE)
    {
        number = &place.pipeline;
    }
    else if (dimension == ParallelDimension::EXPERT)
    {
        first = place.data / m_degrees.expert * m_degrees.expert;
    }
    else if (dimension == ParallelDimension::EXPERT_DATA)
    {
        first = place.data % m_degrees.expert;
        step = m_degrees.expert;
    }
    std::vector<uint32_t> ranks;
    for (uint32_t i = 0; i < GetSize(dimension); ++i)
    {
        *number = first + i * step;
        ranks.push_back(RankOf(place));
    }
    return ranks;
}

std::vector<std::vector<uint32_t>>
ParallelLayout::GetGroups(ParallelDimension dimension) const
{
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        std::vector<uint32_t> group = GroupOf(dimension, rank);
        if (*std::min_element(group.begin(), group.end()) == rank)
        {
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

} // namespace roce
} // namespace ns3
