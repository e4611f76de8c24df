/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_RESULT_H
#define PY_RESULT_H

#include "ns3/roce-experiment-run.h"
#include "ns3/roce-fabric-graph.h"

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

/** A sample of the rates of a queue pair or of a congestion point, as a row of a NumPy array. */
struct RateRow
{
    int64_t time;   //!< ns
    uint32_t host;  //!< id of the sender
    int64_t peer;   //!< id of the other one; -1: not known
    uint32_t qpn;   //!< queue pair at the sender
    int32_t domain; //!< congestion domain; -1: the queue pair; -2: CNPs that name none
    int32_t point;  //!< congestion point; -1: none, or all of the domain
    double rate;    //!< what the law allows, bit/s
    double goodput; //!< acknowledged since the sample before, bit/s; NaN: not known
};

/** A pause as a row of a NumPy array; times in ns. */
struct PauseRow
{
    int64_t begin;     //!< when it was sent, or arrived if a host sent it
    int64_t end;       //!< when it ended; -1: it went on
    uint32_t by;       //!< id of the node that sent it
    bool byHost;       //!< whether that is a host
    int32_t fullPort;  //!< its egress port with the longest queue; -1: a host
    uint32_t node;     //!< id of the node that must not send
    bool isHost;       //!< whether that is a host
    uint32_t port;     //!< its egress port
    uint32_t priority; //!< priority
    int64_t cause;     //!< row of the pause that it follows from; -1: it began here
};

/** A link as a row of a NumPy array. */
struct LinkRow
{
    uint32_t a;      //!< id of one end
    uint32_t b;      //!< id of the other
    uint64_t rate;   //!< bit/s
    uint64_t toA;    //!< bytes of frames that arrived at a
    uint64_t toB;    //!< bytes of frames that arrived at b
    double shareToA; //!< utilization, 0 to 1
    double shareToB; //!< utilization, 0 to 1
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
    explicit PyResult(ExperimentRun& run);

    RunResult result;                              //!< what it came to
    ResultWriter::Json extra;                      //!< keys beside the schema
    std::vector<MessageRow> messages;              //!< in the order of completion
    std::vector<std::pair<double, double>> queues; //!< begin in s, longest queue in bytes
    std::vector<RateRow> rates;                    //!< by queue pair and point, then time
    std::vector<PauseRow> pauses;                  //!< in the order in which they began
    std::vector<LinkRow> links;                    //!< in the order of the graph
    FabricGraph graph;                             //!< the plan at the end

  private:
    void AddMessages(const FabricMonitor& monitor);
    void AddQueues();
    void AddRates(const RateMonitor& monitor);
    void AddPauses(const PauseTree& tree);
    void AddLinks(const Fabric& fabric, const FabricMonitor& monitor);
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_RESULT_H
