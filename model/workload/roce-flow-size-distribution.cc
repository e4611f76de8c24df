/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-flow-size-distribution.h"

#include "roce-flow-size-tables.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return a number for messages. \param value it */
std::string
Text(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}

} // namespace

void
FlowSizeDistribution::CheckStep(const FlowSizePoint& before, const FlowSizePoint& point)
{
    if (point.bytes > MAX_BYTES)
    {
        throw std::invalid_argument("size " + std::to_string(point.bytes) +
                                    ", expected at most 2^50");
    }
    if (point.bytes < before.bytes)
    {
        throw std::invalid_argument("size " + std::to_string(point.bytes) + " after " +
                                    std::to_string(before.bytes) + ", expected ascending ones");
    }
    if (!(point.percent >= before.percent && point.percent <= 100))
    {
        throw std::invalid_argument(Text(point.percent) + " per cent after " +
                                    Text(before.percent) + ", expected ascending up to 100");
    }
    if (point.bytes == 0 && point.percent > 0)
    {
        throw std::invalid_argument(Text(point.percent) +
                                    " per cent of the flows have 0 bytes, expected none");
    }
}

FlowSizeDistribution::FlowSizeDistribution(const std::string& name,
                                           const std::vector<FlowSizePoint>& points)
    : m_name(name),
      m_points(points)
{
    if (points.size() < 2 || points.front().percent != 0 || points.back().percent != 100)
    {
        throw std::invalid_argument(name + ": expected points from 0 to 100 per cent, found " +
                                    std::to_string(points.size()) + " points" +
                                    (points.empty() ? ""
                                                    : " from " + Text(points.front().percent) +
                                                          " to " + Text(points.back().percent)));
    }
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const FlowSizePoint& before = points[i == 0 ? 0 : i - 1];
        try
        {
            CheckStep(before, points[i]);
        }
        catch (const std::invalid_argument& e)
        {
            throw std::invalid_argument(name + ": point " + std::to_string(i + 1) + ": " +
                                        e.what());
        }
        const double share = (points[i].percent - before.percent) / 100;
        const double sum = double(before.bytes) + double(points[i].bytes);
        m_mean += share * (before.bytes == points[i].bytes ? sum / 2 : (sum + 1) / 2);
    }
}

FlowSizeDistribution
FlowSizeDistribution::Read(const TextSource& source)
{
    std::vector<FlowSizePoint> points;
    for (std::size_t i = 0; i < source.Count(); ++i)
    {
        const TextLine line = source.At(i);
        if (line.words.size() != 2)
        {
            source.Fail(line.number,
                        "expected 'size cumulative_percent', found " +
                            std::to_string(line.words.size()) + " words");
        }
        const FlowSizePoint before = points.empty() ? FlowSizePoint{} : points.back();
        points.push_back(source.Read(line.number, "point", [&line, &before]() {
            FlowSizePoint point;
            point.bytes = Quantity::Unsigned(line.words[0], MAX_BYTES);
            point.percent = Quantity::Real(line.words[1], 0, 100);
            CheckStep(before, point);
            return point;
        }));
        if (i == 0 && points[0].percent != 0)
        {
            source.Fail(line.number,
                        "expected 0 per cent at the first point, found " +
                            Quantity::Shown(line.words[1]));
        }
    }
    if (points.size() < 2 || points.back().percent != 100)
    {
        source.Fail(source.LastLine(),
                    "expected 100 per cent at the last point, found " +
                        (points.empty() ? "no point" : Text(points.back().percent)));
    }
    return FlowSizeDistribution(source.Name(), points);
}

FlowSizeDistribution
FlowSizeDistribution::Named(const std::string& name)
{
    std::string known;
    for (const FlowSizeTable& table : FlowSizeTables::All())
    {
        if (name == table.name)
        {
            std::string lines = table.text;
            std::replace(lines.begin(), lines.end(), ',', '\n');
            return Read(TextSource::FromString(name, lines));
        }
        known += std::string(known.empty() ? "" : ", ") + table.name;
    }
    throw std::invalid_argument("no flow sizes of the name " + Quantity::Shown(name) +
                                "; there are " + known);
}

FlowSizeDistribution
FlowSizeDistribution::Load(const std::string& name)
{
    const std::vector<std::string> names = Names();
    if (std::find(names.begin(), names.end(), name) != names.end())
    {
        return Named(name);
    }
    try
    {
        return Read(TextSource::FromFile(name));
    }
    catch (const std::runtime_error& e)
    {
        std::string known;
        for (const std::string& one : names)
        {
            known += " " + one;
        }
        throw std::runtime_error(std::string(e.what()) + ", or one of" + known);
    }
}

FlowSizeDistribution
FlowSizeDistribution::Fixed(uint64_t bytes)
{
    return FlowSizeDistribution(std::to_string(bytes) + "B", {{bytes, 0}, {bytes, 100}});
}

std::vector<std::string>
FlowSizeDistribution::Names()
{
    std::vector<std::string> names;
    for (const FlowSizeTable& table : FlowSizeTables::All())
    {
        names.emplace_back(table.name);
    }
    return names;
}

uint64_t
FlowSizeDistribution::Sample(double u) const
{
    const double percent = std::min(std::max(u, 0.0) * 100, std::nextafter(100.0, 0.0));
    const auto end = std::upper_bound(
        m_points.begin(),
        m_points.end(),
        percent,
        [](double value, const FlowSizePoint& point) { return value < point.percent; });
    const FlowSizePoint& b = *end;       // the last point has 100
    const FlowSizePoint& a = *(end - 1); // the first one has 0
    if (a.bytes == b.bytes)
    {
        return a.bytes;
    }
    const double share = (percent - a.percent) / (b.percent - a.percent);
    const auto step = static_cast<uint64_t>(share * double(b.bytes - a.bytes));
    return std::min(a.bytes + 1 + step, b.bytes);
}

} // namespace roce
} // namespace ns3
