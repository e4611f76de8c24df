/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HTSIM_CONNECTION_READER_H
#define ROCE_HTSIM_CONNECTION_READER_H

#include "ns3/ptr.h"
#include "ns3/roce-task-graph.h"
#include "ns3/roce-text-source.h"

namespace ns3
{
namespace roce
{

/**
 * Reads the `.cm` files of htsim (csg-htsim, uet-htsim): connections and triggers.
 *
 * Models: a header "Nodes N", "Connections n", "Triggers t", "Failures f" (the last two may be
 * missing), then rows "src->dst [id k] start PS | trigger T size BYTES [send_done_trigger T]
 * [recv_done_trigger T]" and "trigger id T oneshot | multishot | barrier count C"; lines that begin
 * with # are comments. A connection becomes a SEND of rank src and a RECEIVE of rank dst, with a
 * tag of its own. The SEND waits for all that fire its trigger: the SEND of a connection with that
 * send_done_trigger, the RECEIVE of one with that recv_done_trigger; if several fire it and it
 * starts several, over a COMPUTE of no time in between.
 *
 * Source: the loader of connection matrices of csg-htsim; start is in picoseconds there, here
 * rounded to the nearest nanosecond, half up.
 *
 * Invariants: as many rows as the header says; the graph has passed TaskGraph::Validate; tasks come
 * in the order of the rows unless a row has to wait for a later one; each error is
 * "FILE:LINE: ...".
 *
 * Leaves out, refused with the reason: prio, msg, addon; failures (LinkSchedule takes links down);
 * size 0, which never ends there; a trigger that several things fire and that is no barrier (a
 * oneshot would fire at the first of them, a multishot start its connections again); a barrier that
 * as many things do not fire as it counts.
 */
class HtsimConnectionReader
{
  public:
    /** \return the workload; std::invalid_argument names line and fault. \param source the text */
    static Ptr<TaskGraph> Read(const TextSource& source);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HTSIM_CONNECTION_READER_H
