/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_CHECKER_H
#define ROCE_EXPERIMENT_CHECKER_H

#include "roce-experiment-key.h"

#include "ns3/roce-json-source.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Checks a JSON value against the tables of ExperimentShapes.
 *
 * Models: a walk over value and tables side by side.
 *
 * Source: JSON is RFC 8259; paths in messages are JSON pointers, RFC 6901.
 *
 * Invariants: what Check returns has each key that has a default, and texts of rates, times and
 * sizes that Quantity and ByteSize read. All else is std::invalid_argument "NAME: PATH: ..." with
 * what was expected and found; unknown keys are refused with the known ones and the nearest.
 *
 * Leaves out: whether ids, files, attributes and names of classes exist.
 */
class ExperimentChecker : private JsonSource
{
  public:
    using Json = JsonSource::Json; //!< a value

    /** \param name what messages call the document */
    explicit ExperimentChecker(const std::string& name);

    /** \return the document with its defaults. \param root the document */
    Json Check(const Json& root) const;

    /** \return a value with its defaults. \param value what stands there \param path of it
     *  \param key what may stand there */
    Json CheckValue(const Json& value, const std::string& path, const ExperimentKey& key) const;

  private:
    Json CheckObject(const Json& value,
                     const std::string& path,
                     const ExperimentShape& shape) const;
    void CheckKeys(const Json& value, const std::string& path, const ExperimentShape& shape) const;
    void CheckChoices(const Json& value,
                      const std::string& path,
                      const ExperimentShape& shape) const;
    void CheckText(const Json& value, const std::string& path, const ExperimentKey& key) const;
    void CheckQuantity(const Json& value, const std::string& path, const ExperimentKey& key) const;
    void CheckNumber(const Json& value, const std::string& path, const ExperimentKey& key) const;
    void CheckEnds(const Json& value, const std::string& path) const;
    void CheckValues(const Json& value, const std::string& path) const;
    void CheckList(const Json& value, const std::string& path, const char* of) const;
    Json CheckListed(const Json& value, const std::string& path, const ExperimentKey& key) const;
    Json CheckVariant(const Json& value, const std::string& path, const ExperimentKey& key) const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_CHECKER_H
