/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TOPOLOGY_PARTS_H
#define ROCE_TOPOLOGY_PARTS_H

#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-topology-plan.h"

#include <string>
#include <utility>
#include <vector>

/**
 * Parts of the program roce-topology.
 *
 * Models: tables of a plan, paths of a flow, and a fabric built to see what it takes.
 * Invariants: tables and result file show the same figures.
 * Leaves out: traffic.
 */

/** What was measured of a fabric that was built. */
struct BuildCost
{
    double seconds{0};           //!< wall clock of RoceHelper::Install
    double mib{0};               //!< peak memory of the process, MiB
    std::vector<int64_t> rttsNs; //!< a WRITE between the farthest hosts of each stage; -1: failed
};

/** Print the tables. \param fabric the fabric \param plan its figures */
void PrintPlan(const ns3::roce::FabricDocument& fabric, const ns3::roce::TopologyPlan& plan);

/** \return the plan for the result file. \param fabric the fabric \param plan its figures */
ns3::roce::ResultWriter::Json PlanToJson(const ns3::roce::FabricDocument& fabric,
                                         const ns3::roce::TopologyPlan& plan);

/**
 * List the shortest paths between two hosts.
 * \param fabric the fabric
 * \param pair "A,B": their ids; std::invalid_argument if it is not that
 * \param print whether to print them
 * \return the paths for the result file: lists of ids
 */
ns3::roce::ResultWriter::Json ListPaths(const ns3::roce::FabricDocument& fabric,
                                        const std::string& pair,
                                        bool print);

/** Refuse flags that name the same file. \param files flag and path, "" for none */
void RequireOwnFiles(const std::vector<std::pair<std::string, std::string>>& files);

/**
 * Write a fabric to a file, in a folder that is made if need be.
 * \param path of the file; "" for none
 * \param fabric the fabric
 * \param format makes the text; what it refuses leaves no file behind
 */
void WriteText(const std::string& path,
               const ns3::roce::FabricDocument& fabric,
               std::string (*format)(const ns3::roce::FabricDocument&));

/**
 * Build a fabric and send a WRITE between the two farthest hosts of each stage.
 * \param fabric the fabric
 * \param plan its figures
 * \param roce makes its parts
 * \return what it cost; round trips are not above those of the plan, unless the MTU is not 4096
 */
BuildCost BuildFabric(const ns3::roce::FabricDocument& fabric,
                      const ns3::roce::TopologyPlan& plan,
                      const ns3::roce::RoceHelper& roce);

/** Print it. \param cost what was measured \param plan what was planned */
void PrintCost(const BuildCost& cost, const ns3::roce::TopologyPlan& plan);

#endif // ROCE_TOPOLOGY_PARTS_H
