/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_NETWORK_H
#define ROCE_TRAINING_NETWORK_H

#include "ns3/roce-experiment-run.h"
#include "ns3/roce-gpu-network.h"

#include <map>
#include <string>

/**
 * \file
 * What a run of roce-training sent over each stage of its network.
 */

namespace ns3
{
namespace roce
{

/**
 * Sum up what crossed NVLink and the links between tiers.
 * \param run that is over \param network of its GPUs
 * \return by stage: "nvlink", payload that left GPUs; sets of links as LinkSet names them ("host",
 *         "leaf-spine"), bytes of frames in both directions
 */
std::map<std::string, uint64_t> BytesByLinks(const ExperimentRun& run, const GpuNetwork& network);

/** Print them in a line. \param label of the run \param bytes by stage */
void PrintLinks(const std::string& label, const std::map<std::string, uint64_t>& bytes);

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_NETWORK_H
