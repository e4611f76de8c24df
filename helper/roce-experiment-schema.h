/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_SCHEMA_H
#define ROCE_EXPERIMENT_SCHEMA_H

#include "roce-experiment-key.h"

#include <nlohmann/json.hpp>

namespace ns3
{
namespace roce
{

/**
 * The JSON Schema of experiments.
 *
 * Models: the tables of ExperimentShapes as a schema for editors and validators, and a list of keys
 * for people.
 *
 * Source: JSON Schema, draft 2020-12.
 *
 * Invariants: it lists exactly the keys the reader knows, for both come from the same tables;
 * additionalProperties is false but for attributes and objects of other schemas. The texts of
 * rates, times and sizes have patterns, which let some texts pass that the reader refuses.
 *
 * Leaves out: names of attributes, classes and files.
 */
class ExperimentSchema
{
  public:
    using Json = nlohmann::ordered_json; //!< keys stay in order

    /** \return the schema */
    static Json Make();

  private:
    static Json OfShape(const ExperimentShape& shape);
    static Json OfKey(const ExperimentKey& key);
    static Json OfList(const ExperimentKey& key);
    static Json OfNumber(const ExperimentKey& key);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_SCHEMA_H
