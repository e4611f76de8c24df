/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_SHAPES_H
#define ROCE_EXPERIMENT_SHAPES_H

#include "roce-experiment-key.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The tables of schema roce-experiment/1.
 *
 * Models: every object that an experiment may have, with its keys.
 *
 * Source: doc/experiments.rst has the same as text.
 *
 * Invariants: the shape that a key names is there; names are unique within a shape.
 *
 * Leaves out: objects of other schemas (roce-topology/1, roce-workload/1).
 */
class ExperimentShapes
{
  public:
    static constexpr const char* SCHEMA = "roce-experiment/1"; //!< its name

    /** \return all shapes, the document first */
    static const std::vector<ExperimentShape>& All();

    /** \return a shape; std::out_of_range if there is none. \param name of it, "" the document */
    static const ExperimentShape& Get(const std::string& name);

    /** \return the T of shapes `group`.T, in order. \param group such as "traffic" */
    static std::vector<std::string> GetVariants(const std::string& group);

    /** \return keys for attributes of parts of a fabric, which a document and a run have */
    static std::vector<ExperimentKey> Attributes();

  private:
    static void AddDocument(std::vector<ExperimentShape>& shapes);
    static void AddTopology(std::vector<ExperimentShape>& shapes);
    static void AddTraffic(std::vector<ExperimentShape>& shapes);
    static void AddJobs(std::vector<ExperimentShape>& shapes);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_SHAPES_H
