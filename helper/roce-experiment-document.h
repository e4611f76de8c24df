/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_DOCUMENT_H
#define ROCE_EXPERIMENT_DOCUMENT_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * An experiment as text: schema "roce-experiment/1".
 *
 * Models: the JSON form of an experiment, checked against the tables of ExperimentShapes, with its
 * defaults.
 *
 * Source: doc/experiments.rst has the schema; JSON is RFC 8259.
 *
 * Invariants: keys that are not known or come twice, missing ones, and values of another type, unit
 * or range are refused with std::invalid_argument "NAME: /traffic/0/bytes: ...".
 *
 * Leaves out: whether what it names exists, which ExperimentRunner says before it builds anything.
 */
class ExperimentDocument
{
  public:
    using Json = nlohmann::json; //!< a value

    /** \return the experiment in a file; std::runtime_error with the reason if it cannot be read.
     *  \param path the file; its folder is where the experiment looks for files */
    static ExperimentDocument Load(const std::string& path);

    /**
     * \param name what messages call the text
     * \param text the bytes
     * \param folder where the experiment looks for files; empty: where the program runs
     * \return the experiment
     */
    static ExperimentDocument Parse(const std::string& name,
                                    const std::string& text,
                                    const std::string& folder = "");

    /** \return the same with another value of a key of the document. \param key its name
     *  \param value null: without it */
    ExperimentDocument With(const std::string& key, const Json& value) const;

    /** \return what messages call it */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** \return the document as it was given */
    const Json& GetGiven() const
    {
        return m_given;
    }

    /** \return the document with all defaults */
    const Json& GetJson() const
    {
        return m_json;
    }

    /** \return path of a file that the document names. \param file absolute, or from its folder */
    std::string Resolve(const std::string& file) const;

  private:
    ExperimentDocument(const std::string& name, const Json& given, const std::string& folder);

    std::string m_name;
    std::string m_folder;
    Json m_given;
    Json m_json;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_DOCUMENT_H
