/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-result-writer.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = ResultWriter::Json;

/** Distribution as min, mean, p50, p99, max; null where there is none. */
Json
Summary(const Distribution& set)
{
    const bool empty = set.IsEmpty();
    Json json;
    json["min"] = empty ? Json() : Json(set.GetMin());
    json["mean"] = empty ? Json() : Json(set.GetMean());
    json["p50"] = empty ? Json() : Json(set.GetPercentile(50));
    json["p99"] = empty ? Json() : Json(set.GetPercentile(99));
    json["max"] = empty ? Json() : Json(set.GetMax());
    return json;
}

/** Distribution as mean, std, cov; null where there is none. */
Json
Spread(const Distribution& set)
{
    const bool empty = set.IsEmpty();
    Json json;
    json["mean"] = empty ? Json() : Json(set.GetMean());
    json["std"] = empty ? Json() : Json(set.GetStd());
    json["cov"] = empty ? Json() : Json(set.GetCov());
    return json;
}

/** Points as [[t, rate], ...]. */
Json
Points(const std::vector<std::pair<double, double>>& points)
{
    Json json = Json::array();
    for (const auto& point : points)
    {
        json.push_back(Json::array({point.first, point.second}));
    }
    return json;
}

/** What has not finished. */
Json
Stalled(const StallReport& report)
{
    Json json = Json::array();
    for (const StalledQueuePair& pair : report.pairs)
    {
        Json entry;
        entry["host"] = pair.host;
        entry["qpn"] = pair.qpn;
        entry["peer"] = pair.peer;
        entry["peer_qpn"] = pair.peerQpn;
        entry["open_requests"] = pair.openRequests;
        entry["bytes_left"] = pair.bytesLeft;
        entry["waits_for"] = StallCauseName(pair.cause);
        entry["port"] = pair.port;
        entry["priority"] = pair.priority;
        entry["text"] = pair.GetText();
        json.push_back(entry);
    }
    return json;
}

/** Refuse a key that the schema has. */
void
RequireNew(const Json& json, const std::string& key)
{
    if (json.contains(key))
    {
        throw std::invalid_argument("result key \"" + key +
                                    "\" belongs to roce-result/1; choose another name");
    }
}

/** Make the folder of a file. */
void
MakeFolder(const std::string& path)
{
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    {
        std::filesystem::create_directories(folder, error);
        if (error)
        {
            throw std::runtime_error("folder " + folder.string() +
                                     " cannot be made: " + error.message());
        }
    }
}

[[noreturn]] void
RefuseFile(const std::string& path)
{
    throw std::runtime_error("file " + path + " cannot be written: " + std::strerror(errno));
}

} // namespace

ResultWriter::ResultWriter(const ResultHeader& header)
    : m_header(header),
      m_config(Json::object()),
      m_runs(Json::array()),
      m_extra(Json::object())
{
}

void
ResultWriter::SetConfig(const std::string& name, const Json& value)
{
    m_config[name] = value;
}

void
ResultWriter::AddKey(const std::string& key, const Json& value)
{
    RequireNew(ResultWriter(m_header).GetJson(), key);
    m_extra[key] = value;
}

void
ResultWriter::AddRun(const RunResult& result, const Json& extra)
{
    Json run = ToJson(result);
    for (const auto& item : extra.items())
    {
        RequireNew(run, item.key());
        run[item.key()] = item.value();
    }
    m_runs.push_back(run);
}

Json
ResultWriter::ToJson(const RunResult& result)
{
    Json run;
    run["label"] = result.label;
    run["sim_time_s"] = result.simTimeS;
    run["wall_s"] = result.wallS;
    run["events"] = result.events;
    run["frame_hops"] = result.frameHops;
    run["messages"] = {{"posted", result.posted},
                       {"completed", result.completed},
                       {"failed", result.failed},
                       {"bytes", result.bytesCompleted},
                       {"lost", result.lost}};
    run["fct_ns"] = Summary(result.fctNs);
    run["slowdown"] = Summary(result.slowdown);
    run["ttd_ns"] = Spread(result.ttdNs);
    run["goodput_bps"] = result.goodputBps;
    run["utilization"] = {{"mean", result.utilizationMean},
                          {"bottleneck", result.utilizationBottleneck}};
    run["drops"] = {{"lossless", result.GetDrops(DropReason::LOSSLESS_BUFFER)},
                    {"lossy", result.GetDrops(DropReason::LOSSY_BUFFER)},
                    {"watchdog", result.GetDrops(DropReason::WATCHDOG)},
                    {"error", result.GetErrorDrops()}};
    run["pfc"] = {{"xoff", result.xoff},
                  {"xon", result.xon},
                  {"paused_s", result.pausedS},
                  {"storms", result.storms},
                  {"frames", result.pauseFrames},
                  {"xoff_per_s", Points(result.xoffPerS)}};
    run["cnp"] = {{"sent", result.cnpSent},
                  {"received", result.cnpReceived},
                  {"per_s", Points(result.cnpPerS)}};
    run["cc"] = {{"active", result.IsControlActive()},
                 {"rate_changes", result.rateChanges},
                 {"window_changes", result.windowChanges},
                 {"cnps", result.cnpReceived},
                 {"int_acks", result.intAcks}};
    run["ecn_marked"] = result.ecnMarked;
    run["retransmitted"] = result.retransmitted;
    run["read_responses"] = result.readResponses;
    run["naks"] = result.naks;
    run["rnr_naks"] = result.rnrNaks;
    run["timeouts"] = result.timeouts;
    run["stalled"] = Stalled(result.stalled);
    run["fct_cdf"] = Points(result.fctNs.GetCdf(200));
    Json reasons = Json::object();
    for (unsigned i = 0; i < NUM_DROP_REASONS; ++i)
    {
        reasons[DropReasonName(static_cast<DropReason>(i))] = result.drops[i];
    }
    run["drop_reasons"] = reasons;
    return run;
}

Json
ResultWriter::GetJson() const
{
    Json json;
    json["schema"] = "roce-result/1";
    json["program"] = m_header.program;
    json["version"] = m_header.version;
    json["ns3"] = m_header.ns3;
    json["seed"] = m_header.seed;
    json["run"] = m_header.run;
    json["config"] = m_config;
    for (const auto& item : m_extra.items())
    {
        json[item.key()] = item.value();
    }
    json["runs"] = m_runs;
    return json;
}

void
ResultWriter::Write(const std::string& path) const
{
    MakeFolder(path);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (file)
    {
        file << GetJson().dump(1) << '\n';
        file.close();
    }
    if (!file)
    {
        RefuseFile(path);
    }
}

void
ResultWriter::CheckPath(const std::string& path)
{
    MakeFolder(path);
    std::error_code error;
    const bool existed = std::filesystem::exists(path, error);
    {
        std::ofstream file(path, std::ios::binary | std::ios::app);
        if (!file)
        {
            RefuseFile(path);
        }
    }
    if (!existed)
    {
        std::filesystem::remove(path, error);
    }
}

} // namespace roce
} // namespace ns3
