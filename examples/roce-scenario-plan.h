/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_PLAN_H
#define ROCE_SCENARIO_PLAN_H

#include "ns3/nstime.h"
#include "ns3/roce-clos-helper.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** Messages of one queue pair, one after the other, without end. */
struct ScenarioFlow
{
    uint32_t source{0};      //!< host
    uint32_t destination{0}; //!< host
    uint64_t bytes{0};       //!< of each message
    std::string group;       //!< what results call it and those like it
    int64_t after{-1};   //!< flow whose arrivals call for the next message; -1: own completions do
    uint32_t ahead{1};   //!< messages posted and not ended
    bool reported{true}; //!< whether its times count in those of the scenario
};

/**
 * A fabric and its traffic.
 *
 * Models: open-ended traffic, of which a window after a warm-up is measured. Links, buffers and
 * sizes as in the exploration that doc/headline.rst compares with.
 *
 * Invariants: sources and destinations are hosts of the fabric, and differ.
 *
 * Leaves out: who controls congestion.
 */
struct ScenarioPlan
{
    std::string name;          //!< in results
    ClosHelper clos;           //!< the fabric
    uint32_t switchPorts100{}; //!< ports of the largest switch, in units of 100 Gb/s
    Time warmup;               //!< before anything is counted
    Time measure;              //!< while it is
    std::vector<ScenarioFlow> flows{};
    bool pinned{true};              //!< random static paths, which are known; else flowlets
    Time gap{MicroSeconds(1)};      //!< silence after which a flowlet may move
    std::string profile{"default"}; //!< of HCC
    double admitBdp{2};             //!< "admission": limit of a receiver, in bandwidth x delay
    uint64_t chunkBytes{8192};      //!< "admission": longest chunk, 2 packets
    uint64_t bufferBytes{500000};   //!< of a switch, for each 100 Gb/s of its ports
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_PLAN_H
