/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_RESULT_H
#define PY_RESULT_H

#include "ns3/roce-experiment-run.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{
namespace python
{

/** A message as a row of a NumPy array; times in ns. */
struct MessageRow
{
    uint64_t id;        //!< of the request
    uint64_t bytes;     //!< length
    int64_t posted;     //!< when it was posted
    int64_t arrived;    //!< when it was whole at its destination
    int64_t completed;  //!< when it ended at the sender
    uint32_t host;      //!< id of the host that posted it
    uint32_t peer;      //!< id of the other one
    uint32_t qpn;       //!< queue pair at the first one
    uint16_t operation; //!< as Operation
    uint16_t service;   //!< as TransportService
};

/**
 * What a run came to, for Python.
 *
 * Models: a RunResult, the keys a program adds, and what arrays look at.
 *
 * Invariants: nothing of it changes once it is made, so arrays may look into it.
 *
 * Leaves out: the fabric.
 */
struct PyResult
{
    /** \param run a run that is over */
    explicit PyResult(const ExperimentRun& run);

    RunResult result;                              //!< what it came to
    ResultWriter::Json extra;                      //!< keys beside the schema
    std::vector<MessageRow> messages;              //!< in the order of completion
    std::vector<std::pair<double, double>> queues; //!< begin in s, longest queue in bytes
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_RESULT_H
