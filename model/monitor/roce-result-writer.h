/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESULT_WRITER_H
#define ROCE_RESULT_WRITER_H

#include "roce-run-result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{
namespace roce
{

/** Facts of a result file that hold for all its runs. */
struct ResultHeader
{
    std::string program; //!< name of the program
    std::string version; //!< version of this module
    std::string ns3;     //!< version of ns-3
    uint64_t seed{1};    //!< RngSeedManager::GetSeed
    uint64_t run{1};     //!< RngSeedManager::GetRun
};

/**
 * Makes result files of schema roce-result/1.
 *
 * Models: one JSON object: facts of the program, each attribute that was set, and one object a
 * run. Percentiles are by nearest rank (Distribution). A statistic of an empty set is null. Keys
 * of ours beyond the schema: messages.failed, pfc.frames (pause frames received),
 * pfc.xoff_per_s, fct_cdf ([[ns, share], ...]) and drop_reasons.
 *
 * Invariants: keys come in a fixed order; numbers are written so that reading gives them back;
 * two runs of one program with the same seed differ at most in wall_s; added keys never
 * replace a key of the schema (std::invalid_argument).
 *
 * Leaves out: reading; compression.
 */
class ResultWriter
{
  public:
    using Json = nlohmann::ordered_json; //!< keeps keys in the order in which they were added

    /** \param header facts that hold for all runs */
    explicit ResultWriter(const ResultHeader& header);

    /**
     * Note an attribute that was set; a later value replaces an earlier one.
     * \param name its name
     * \param value its value
     */
    void SetConfig(const std::string& name, const Json& value);

    /**
     * Add a key of the program at the top level.
     * \param key its name; std::invalid_argument if it is one of the schema
     * \param value its value
     */
    void AddKey(const std::string& key, const Json& value);

    /**
     * \param result what a run came to
     * \param extra object of keys of the program; std::invalid_argument if one is of the schema
     */
    void AddRun(const RunResult& result, const Json& extra = Json::object());

    /** \return the whole object */
    Json GetJson() const;

    /**
     * Write the file. Makes missing folders. Throws std::runtime_error naming the file and the
     * reason.
     * \param path where
     */
    void Write(const std::string& path) const;

    /**
     * Refuse a path that Write could not write, before a long run. Makes missing folders; an
     * existing file is left as it is. Throws std::runtime_error naming the file and the reason.
     * \param path where
     */
    static void CheckPath(const std::string& path);

    /** \return the object of one run. \param result what it came to */
    static Json ToJson(const RunResult& result);

  private:
    ResultHeader m_header;
    Json m_config;
    Json m_runs;
    Json m_extra;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RESULT_WRITER_H
