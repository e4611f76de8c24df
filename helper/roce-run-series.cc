/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-run-series.h"

#include <cmath>
#include <limits>

namespace ns3
{
namespace roce
{

namespace
{

using Json = RunSeries::Json;

double
SecondsOf(Tick tick)
{
    return double(tick) / double(TicksPerSecond());
}

Json
OrNull(uint32_t value, uint32_t none)
{
    return value == none ? Json(nullptr) : Json(value);
}

/** Add the columns that all tracks have. */
void
AddColumns(Json& json, const RateTrack& track)
{
    json["s"] = Json::array();
    json["rate_bps"] = Json::array();
    for (const RateSample& sample : track.samples)
    {
        json["s"].push_back(SecondsOf(sample.at));
        json["rate_bps"].push_back(sample.rateBps);
    }
}

} // namespace

double
RunSeries::GoodputBps(const std::vector<RateSample>& samples, std::size_t index)
{
    if (index == 0)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const RateSample& before = samples[index - 1];
    const RateSample& sample = samples[index];
    return 8.0 * double(sample.bytes - before.bytes) / SecondsOf(sample.at - before.at);
}

RunSeries::Json
RunSeries::Rates(const RateMonitor& monitor)
{
    Json pairs = Json::array();
    const HostDirectory& hosts = monitor.GetHosts();
    for (const RateTrack& track : monitor.GetTracks())
    {
        if (!track.IsOwn())
        {
            const bool plain = track.domain == RateTrack::PLAIN;
            Json point = {{"domain", plain ? Json(nullptr) : Json(track.domain)},
                          {"point", OrNull(track.point, RateTrack::ANY)}};
            AddColumns(point, track);
            pairs.back()["points"].push_back(point);
            continue;
        }
        Json pair = {{"host", hosts.GetId(track.host)},
                     {"peer", OrNull(hosts.GetId(track.peer), HostDirectory::NOBODY)},
                     {"qpn", track.qpn}};
        AddColumns(pair, track);
        pair["goodput_bps"] = Json::array();
        for (std::size_t i = 0; i < track.samples.size(); ++i)
        {
            pair["goodput_bps"].push_back(GoodputBps(track.samples, i)); // null for no number
        }
        pair["points"] = Json::array();
        pairs.push_back(pair);
    }
    return {{"interval_ns", monitor.GetInterval().ToDouble(Time::NS)},
            {"ignored", monitor.GetIgnored()},
            {"queue_pairs", pairs}};
}

Tick
RunSeries::EndOf(const PauseEpisode& episode, Tick now)
{
    if (episode.end != NEVER)
    {
        return episode.end;
    }
    return episode.until > now ? NEVER : episode.until;
}

RunSeries::Json
RunSeries::Pauses(const PauseTree& tree, Tick now)
{
    Json json = tree.GetJson();
    Json& list = json["episodes"];
    const auto& episodes = tree.GetEpisodes();
    if (list.size() > MAX_PAUSES)
    {
        list.erase(list.begin() + MAX_PAUSES, list.end());
    }
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        if (EndOf(episodes[i], now) == NEVER)
        {
            list[i]["end_s"] = nullptr;
        }
        list[i]["by_host"] = episodes[i].byHost;
        list[i]["host"] = episodes[i].stopsHost;
    }
    return {{"end_s", SecondsOf(now)},
            {"count", episodes.size()},
            {"roots", json["roots"]},
            {"episodes", list}};
}

RunSeries::Json
RunSeries::Links(const FabricGraph& graph, const std::vector<LinkUse>& uses)
{
    Json list = Json::array();
    for (uint32_t i = 0; i < uses.size(); ++i)
    {
        const FabricLink& link = graph.Link(i);
        list.push_back({{"a", link.a},
                        {"b", link.b},
                        {"bytes_to_a", uses[i].bytesToA},
                        {"bytes_to_b", uses[i].bytesToB},
                        {"utilization_to_a", uses[i].shareToA},
                        {"utilization_to_b", uses[i].shareToB}});
    }
    return list;
}

} // namespace roce
} // namespace ns3
