/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_OPTIONS_H
#define ROCE_COLLECTIVE_OPTIONS_H

#include "ns3/roce-experiment-helper.h"

#include <string>
#include <vector>

/**
 * \file
 * Parts of roce-collective.
 */

/** What the flags of roce-collective say. */
struct CollectiveOptions
{
    std::string op{"all-reduce"};
    std::string algorithm;
    uint32_t ranks{0};
    std::string size{"64MB"};
    uint32_t channels{1};
    uint32_t chunks{1};
    uint32_t root{0};
    std::string levels;
    std::string mapping{"rail"};
    std::string topology;
    std::string placement{"packed"};
    uint32_t perServer{1};
    uint32_t queuePairs{1};
    std::string policy{"Split"};
    bool pxn{false};
    bool admission{false};
};

/** A line of the table: what nccl-tests prints. */
struct CollectiveRow
{
    std::string label;    //!< of the run
    uint64_t bytes{0};    //!< size
    uint32_t ranks{1};    //!< that take part
    uint64_t sent{0};     //!< bytes sent by all ranks
    bool finished{false}; //!< whether the rest counts
    double us{0};         //!< time
    double algorithm{0};  //!< algbw, GB/s
    double bus{0};        //!< busbw, GB/s
};

/**
 * Run a collective once.
 * \param experiment of the program \param o what the flags say
 * \param cc congestion control \param bytes size \return its line
 */
CollectiveRow RunCollective(ns3::roce::ExperimentHelper& experiment,
                            const CollectiveOptions& o,
                            const std::string& cc,
                            uint64_t bytes);

#endif // ROCE_COLLECTIVE_OPTIONS_H
