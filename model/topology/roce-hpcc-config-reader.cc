/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-hpcc-config-reader.h"

#include "roce-quantity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

namespace ns3
{
namespace roce
{

namespace
{

using Words = std::vector<std::string>;

/// How a key is read.
struct Rule
{
    /// Takes the values; throws std::invalid_argument.
    std::function<void(HpccConfig&, const Words&)> apply;
    const char* ignoredWhy{nullptr}; //!< if set, the key has no effect, and why
};

/** \return the only value. \param values of a key */
const std::string&
Single(const Words& values)
{
    if (values.size() != 1)
    {
        throw std::invalid_argument("expected one value, found " + std::to_string(values.size()));
    }
    return values[0];
}

/** \return a rule for 0 or 1. \param field where it goes */
Rule
Flag(bool HpccConfig::*field)
{
    return {
        [field](HpccConfig& c, const Words& v) { c.*field = Quantity::Unsigned(Single(v), 1); }};
}

/** \return a rule for a whole number. \param field where it goes \param min smallest
 *  \param max largest */
template <typename T>
Rule
Whole(T HpccConfig::*field, uint64_t min, uint64_t max)
{
    return {[field, min, max](HpccConfig& c, const Words& v) {
        const uint64_t value = Quantity::Unsigned(Single(v), max);
        if (value < min)
        {
            throw std::invalid_argument("expected a whole number from " + std::to_string(min) +
                                        " to " + std::to_string(max) + ", found " +
                                        Quantity::Shown(v[0]));
        }
        c.*field = static_cast<T>(value);
    }};
}

/** \return a rule for a number. \param field where it goes \param min smallest \param max largest
 */
Rule
Real(double HpccConfig::*field, double min, double max)
{
    return {[field, min, max](HpccConfig& c, const Words& v) {
        c.*field = Quantity::Real(Single(v), min, max);
    }};
}

/** \return a rule for an interval in us, at least 1 ns. \param field where it goes */
Rule
Interval(double HpccConfig::*field)
{
    return Real(field, 0.001, 1e12);
}

/** \return a rule for a rate above zero. \param field where it goes */
Rule
Rate(uint64_t HpccConfig::*field)
{
    return {[field](HpccConfig& c, const Words& v) {
        c.*field = Quantity::RateBps(Single(v));
        if (c.*field == 0)
        {
            throw std::invalid_argument("expected a rate above zero, found " +
                                        Quantity::Shown(v[0]));
        }
    }};
}

/** \return a rule for a file name. \param field where it goes */
Rule
Text(std::string HpccConfig::*field)
{
    return {[field](HpccConfig& c, const Words& v) { c.*field = Single(v); }};
}

/** \return a rule that accepts one value alone. \param value it \param part what is missing here */
Rule
Only(const std::string& value, const std::string& part)
{
    return {[value, part](HpccConfig&, const Words& v) {
        if (Single(v) != value)
        {
            throw std::invalid_argument("expected " + value + ", found " + Quantity::Shown(v[0]) +
                                        "; " + part + " is not part of this module");
        }
    }};
}

/** \return a rule for a key without effect. \param why why */
Rule
Ignored(const char* why)
{
    return {[](HpccConfig&, const Words& v) { Single(v); }, why};
}

/** \return the number of pairs in a map. \param v values of the key */
uint64_t
MapSize(const Words& v)
{
    const uint64_t pairs = v.empty() ? 0 : Quantity::Unsigned(v[0], 1000);
    if (v.empty() || v.size() != 1 + 2 * pairs)
    {
        throw std::invalid_argument(
            "expected a count and that many pairs of rate and value, found " +
            (v.empty() ? std::string("nothing")
                       : "count " + std::to_string(pairs) + " and " + std::to_string(v.size() - 1) +
                             " values"));
    }
    return pairs;
}

/** \return a rule for "n rate value ...". \param field where it goes \param read reads a value */
template <typename T>
Rule
Map(std::map<uint64_t, T> HpccConfig::*field, std::function<T(const std::string&)> read)
{
    return {[field, read](HpccConfig& c, const Words& v) {
        const uint64_t pairs = MapSize(v);
        for (uint64_t i = 0; i < pairs; i++)
        {
            const uint64_t rate = Quantity::Unsigned(v[1 + 2 * i]);
            if (rate == 0 || !(c.*field).emplace(rate, read(v[2 + 2 * i])).second)
            {
                throw std::invalid_argument("expected each rate once and above zero, found " +
                                            std::to_string(rate) + (rate == 0 ? "" : " twice"));
            }
        }
    }};
}

/** Read CC_MODE. \param config where it goes \param values of the key */
void
ApplyCcMode(HpccConfig& config, const Words& values)
{
    static const std::string known =
        "1 (DCQCN), 3 (HPCC), 7 (TIMELY), 8 (DCTCP) or 12 (none, as astra-network-ns3 uses it)";
    const uint64_t mode = Quantity::Unsigned(Single(values), UINT32_MAX);
    if (mode != 1 && mode != 3 && mode != 7 && mode != 8 && mode != 12)
    {
        throw std::invalid_argument(
            "expected " + known + ", found " + std::to_string(mode) +
            (mode == 10 ? " (PINT), which is not part of this module" : ""));
    }
    config.ccMode = static_cast<uint32_t>(mode);
}

/** Read LINK_DOWN. \param config where it goes \param values of the key */
void
ApplyLinkDown(HpccConfig& config, const Words& values)
{
    if (values.size() != 3)
    {
        throw std::invalid_argument("expected 'time-in-us node node', found " +
                                    std::to_string(values.size()) + " values");
    }
    config.linkDown.timeUs = Quantity::Unsigned(values[0], UINT64_C(1000000000000));
    config.linkDown.a = static_cast<uint32_t>(Quantity::Unsigned(values[1], UINT32_MAX));
    config.linkDown.b = static_cast<uint32_t>(Quantity::Unsigned(values[2], UINT32_MAX));
    if (config.linkDown.timeUs != 0 && config.linkDown.a == config.linkDown.b)
    {
        throw std::invalid_argument("expected two different nodes, found " +
                                    std::to_string(config.linkDown.a) + " twice");
    }
}

using Rules = std::map<std::string, Rule>;

/** Add keys of files and of the run. \param r the rules */
void
AddRunRules(Rules& r)
{
    using C = HpccConfig;
    r["TOPOLOGY_FILE"] = Text(&C::topologyFile);
    r["FLOW_FILE"] = Text(&C::flowFile);
    r["FCT_OUTPUT_FILE"] = Text(&C::fctOutputFile);
    r["PFC_OUTPUT_FILE"] = Text(&C::pfcOutputFile);
    r["QLEN_MON_FILE"] = Text(&C::qlenMonFile);
    r["QLEN_MON_START"] = Whole(&C::qlenMonStartNs, 0, UINT64_MAX);
    r["QLEN_MON_END"] = Whole(&C::qlenMonEndNs, 0, UINT64_MAX);
    r["SIMULATOR_STOP_TIME"] = Real(&C::simulatorStopTimeS, 0, HUGE_VAL);
    r["RANDOM_SEED"] = Whole(&C::randomSeed, 0, UINT32_MAX);
    r["PACKET_PAYLOAD_SIZE"] = Whole(&C::packetPayloadBytes, 1, 65000);
    r["ERROR_RATE_PER_LINK"] = Real(&C::errorRatePerLink, 0, 1);
    r["LINK_DOWN"] = {ApplyLinkDown};
    r["ENABLE_QCN"] = Flag(&C::enableQcn);
    r["ENABLE_PFC"] = Flag(&C::enablePfc);
    r["USE_DYNAMIC_PFC_THRESHOLD"] = Flag(&C::useDynamicPfcThreshold);
    r["BUFFER_SIZE"] = Whole(&C::bufferSizeMiB, 1, 1048576);
    const std::function<uint64_t(const std::string&)> kb = [](const std::string& s) {
        return Quantity::Unsigned(s, UINT64_C(1000000000));
    };
    r["KMIN_MAP"] = Map(&C::kminKb, kb);
    r["KMAX_MAP"] = Map(&C::kmaxKb, kb);
    r["PMAX_MAP"] =
        Map<double>(&C::pmax, [](const std::string& s) { return Quantity::Real(s, 0, 1); });
}

/** Add keys of transport and congestion control. \param r the rules */
void
AddTransportRules(Rules& r)
{
    using C = HpccConfig;
    r["L2_CHUNK_SIZE"] = Whole(&C::l2ChunkBytes, 0, UINT64_C(1) << 62);
    r["L2_ACK_INTERVAL"] = Whole(&C::l2AckIntervalPackets, 0, UINT32_MAX);
    r["L2_BACK_TO_ZERO"] = Flag(&C::l2BackToZero);
    r["HAS_WIN"] = Flag(&C::hasWin);
    r["GLOBAL_T"] = Flag(&C::globalT);
    r["VAR_WIN"] = Flag(&C::varWin);
    r["ACK_HIGH_PRIO"] = Flag(&C::ackHighPrio);
    r["CC_MODE"] = {ApplyCcMode};
    r["ALPHA_RESUME_INTERVAL"] = Interval(&C::alphaResumeIntervalUs);
    r["RATE_DECREASE_INTERVAL"] = Interval(&C::rateDecreaseIntervalUs);
    r["CLAMP_TARGET_RATE"] = Flag(&C::clampTargetRate);
    r["RP_TIMER"] = Interval(&C::rpTimerUs);
    r["EWMA_GAIN"] = Real(&C::ewmaGain, 0, 1);
    r["FAST_RECOVERY_TIMES"] = Whole(&C::fastRecoveryTimes, 0, UINT32_MAX);
    r["RATE_AI"] = Rate(&C::rateAiBps);
    r["RATE_HAI"] = Rate(&C::rateHaiBps);
    r["MIN_RATE"] = Rate(&C::minRateBps);
    r["DCTCP_RATE_AI"] = Rate(&C::dctcpRateAiBps);
    r["FAST_REACT"] = Flag(&C::fastReact);
    r["U_TARGET"] = Real(&C::uTarget, 0.01, 1);
    r["MI_THRESH"] = Whole(&C::miThresh, 0, UINT32_MAX);
    r["INT_MULTI"] = Whole(&C::intMulti, 1, UINT32_MAX);
    r["MULTI_RATE"] = Flag(&C::multiRate);
    r["RATE_BOUND"] = Flag(&C::rateBound);
}

/** Add keys of parts that are not here, and of outputs of others. \param r the rules */
void
AddForeignRules(Rules& r)
{
    r["LB_MODE"] = Only("0", "a load balancer other than flow ECMP by LB_MODE");
    r["ENABLE_IRN"] = Only("0", "IRN by ENABLE_IRN");
    r["SAMPLE_FEEDBACK"] = Only("0", "sampled feedback");
    r["NIC_TOTAL_PAUSE_TIME"] = Only("0", "a pausing receiver by NIC_TOTAL_PAUSE_TIME");
    const std::map<const char*, std::vector<const char*>> ignored = {
        {"binary packet traces are not written; use --pcap",
         {"ENABLE_TRACE", "TRACE_FILE", "TRACE_OUTPUT_FILE"}},
        {"only CC_MODE 10 (PINT) reads it", {"PINT_LOG_BASE", "PINT_PROB"}},
        {"rate and delay are those of the topology file", {"DATA_RATE", "LINK_DELAY"}},
        {"pause frames carry the quanta of the PFC controller", {"PAUSE_TIME"}},
        {"monitor of another simulator; results are in the JSON file",
         {"BW_MON_FILE",
          "BW_MON_INTERVAL",
          "CNP_MON_FILE",
          "CNP_OUTPUT_FILE",
          "CONN_MON_FILE",
          "EST_ERROR_MON_FILE",
          "MON_END",
          "MON_START",
          "QLEN_MON_INTERVAL",
          "QP_MON_INTERVAL",
          "RATE_MON_FILE",
          "SW_MONITORING_INTERVAL",
          "UPLINK_MON_FILE",
          "VOQ_MON_DETAIL_FILE",
          "VOQ_MON_FILE"}},
        {"flows and their times are those of the flow file",
         {"FLOWGEN_START_TIME", "FLOWGEN_STOP_TIME", "FLOW_INPUT_FILE", "LOAD"}},
        {"only LB_MODE 9 (ConWeave) reads it",
         {"CONWEAVE_DEFAULT_VOQ_WAITING_TIME",
          "CONWEAVE_EXTRA_VOQ_FLUSH_TIME",
          "CONWEAVE_PATH_PAUSE_TIME",
          "CONWEAVE_REPLY_TIMEOUT_EXTRA",
          "CONWEAVE_TX_EXPIRY_TIME"}}};
    for (const auto& [why, keys] : ignored)
    {
        for (const char* key : keys)
        {
            r[key] = Ignored(why);
        }
    }
    // read and kept, but nothing here acts on them
    r["SIMULATOR_STOP_TIME"].ignoredWhy = "a run ends when its flows are done";
    r["RANDOM_SEED"].ignoredWhy = "use --RngSeed and --RngRun";
    r["L2_CHUNK_SIZE"].ignoredWhy = "an ACK is due each L2_ACK_INTERVAL packets and at the end";
    r["GLOBAL_T"].ignoredWhy = "each pair of hosts has its own round trip time";
    r["ACK_HIGH_PRIO"].ignoredWhy = "NICs always send ACKs first; --compat=ack is for switches";
    for (const char* file : {"QLEN_MON_FILE", "QLEN_MON_START", "QLEN_MON_END"})
    {
        r[file].ignoredWhy = "queues are sampled by QueueMonitor";
    }
}

/** \return how to read each key. */
const Rules&
AllRules()
{
    static const Rules rules = []() {
        Rules r;
        AddRunRules(r);
        AddTransportRules(r);
        AddForeignRules(r);
        return r;
    }();
    return rules;
}

/** \return insertions, deletions and changes from a to b. \param a text \param b text */
size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++)
    {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.size(); i++)
    {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++)
        {
            const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row[b.size()];
}

/**
 * Refuse settings that contradict each other.
 * \param c the settings
 * \param source the text
 * \param lines line of each key
 */
void
CheckTogether(const HpccConfig& c,
              const TextSource& source,
              const std::map<std::string, uint32_t>& lines)
{
    const auto line = [&lines](const char* key) {
        const auto it = lines.find(key);
        return it == lines.end() ? 1U : it->second;
    };
    const auto missing = [&source, &line](const char* there, const char* where, uint64_t rate) {
        source.Fail(line(there),
                    std::string(there) + " has " + std::to_string(rate) + " bit/s, but " + where +
                        " has not; expected the same rates in KMIN_MAP, KMAX_MAP and PMAX_MAP");
    };
    for (const auto& [rate, kmin] : c.kminKb)
    {
        if (c.kmaxKb.count(rate) == 0 || c.pmax.count(rate) == 0)
        {
            missing("KMIN_MAP", c.kmaxKb.count(rate) == 0 ? "KMAX_MAP" : "PMAX_MAP", rate);
        }
        if (kmin > c.kmaxKb.at(rate))
        {
            source.Fail(line("KMIN_MAP"),
                        "expected Kmin up to Kmax at " + std::to_string(rate) +
                            " bit/s, found Kmin " + std::to_string(kmin) + " and Kmax " +
                            std::to_string(c.kmaxKb.at(rate)));
        }
    }
    for (const auto& [rate, kmax] : c.kmaxKb)
    {
        if (c.kminKb.count(rate) == 0)
        {
            missing("KMAX_MAP", "KMIN_MAP", rate);
        }
    }
    for (const auto& [rate, pmax] : c.pmax)
    {
        if (c.kminKb.count(rate) == 0)
        {
            missing("PMAX_MAP", "KMIN_MAP", rate);
        }
    }
    if (lines.count("QLEN_MON_START") != 0 && c.qlenMonStartNs > c.qlenMonEndNs)
    {
        source.Fail(line("QLEN_MON_START"),
                    "expected QLEN_MON_START up to QLEN_MON_END " + std::to_string(c.qlenMonEndNs) +
                        ", found " + std::to_string(c.qlenMonStartNs));
    }
}

} // namespace

HpccConfig
HpccConfigReader::Read(const TextSource& source)
{
    HpccConfig config;
    std::map<std::string, uint32_t> lines;
    for (size_t i = 0; i < source.Count(); i++)
    {
        const TextLine line = source.At(i);
        const std::string& key = line.words[0];
        const auto rule = AllRules().find(key);
        if (rule == AllRules().end())
        {
            const std::string near = Suggest(key);
            source.Fail(line.number,
                        "unknown key " + Quantity::Shown(key) +
                            (near.empty() ? "; expected a key of HPCC's config.txt"
                                          : "; did you mean " + near + "?"));
        }
        const auto first = lines.emplace(key, line.number);
        if (!first.second)
        {
            source.Fail(line.number,
                        key + " is given twice, first in line " +
                            std::to_string(first.first->second) + "; expected it once");
        }
        const Words values(line.words.begin() + 1, line.words.end());
        source.Read(line.number, key, [&rule, &config, &values]() {
            rule->second.apply(config, values);
            return true;
        });
        if (rule->second.ignoredWhy != nullptr)
        {
            config.ignored.push_back({key, values[0], line.number, rule->second.ignoredWhy});
        }
    }
    CheckTogether(config, source, lines);
    return config;
}

std::vector<std::string>
HpccConfigReader::KnownKeys()
{
    std::vector<std::string> keys;
    for (const auto& rule : AllRules())
    {
        keys.push_back(rule.first);
    }
    return keys;
}

std::string
HpccConfigReader::Suggest(const std::string& key)
{
    std::string upper = key.substr(0, 60);
    for (char& c : upper)
    {
        c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    std::string best;
    size_t least = std::max<size_t>(2, upper.size() / 3) + 1;
    for (const auto& rule : AllRules())
    {
        const size_t distance = EditDistance(upper, rule.first);
        if (distance < least)
        {
            least = distance;
            best = rule.first;
        }
    }
    return best;
}

} // namespace roce
} // namespace ns3
