/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Any collective on a fabric, with the columns of nccl-tests.
//
// Without --topology the ranks are on one switch, 100G and 1 us each, so that times can be checked
// by hand. With it they are GPUs of a preset or a file; --gpus-per-server says how many hosts in a
// row make a server, whose GPUs talk over NVLink.
//
// build/bin/roce-collective --op=all-reduce --algorithm=ring --ranks=8 --size=1MB,64MB
// build/bin/roce-collective --topology=homelab --gpus-per-server=8 --algorithm=hierarchical

#include "roce-collective-options.h"
#include "roce-example-list.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Name the flags. */
void
AddFlags(ExperimentHelper& experiment, CollectiveOptions& o)
{
    experiment.AddFlag("op",
                       "all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, "
                       "send-recv or barrier",
                       o.op);
    experiment.AddFlag("algorithm", "of the operation; empty: its first", o.algorithm);
    experiment.AddFlag("ranks", "GPUs; 0: all of the topology, 8 without one", o.ranks);
    experiment.AddFlag("size", "bytes as nccl-tests counts them; a list makes a run each", o.size);
    experiment.AddFlag("channels", "parts with connections of their own", o.channels);
    experiment.AddFlag("chunks", "pieces of a channel that follow each other", o.chunks);
    experiment.AddFlag("root", "rank of broadcast and reduce", o.root);
    experiment.AddFlag("levels", "hierarchical: sizes of groups from the inside, 8,4,4", o.levels);
    experiment.AddFlag("mapping", "hierarchical: rail or leader", o.mapping);
    experiment.AddFlag("topology", "a preset or a file; empty: one switch", o.topology);
    experiment.AddFlag("placement", "packed, fragmented or random", o.placement);
    experiment.AddFlag("gpus-per-server", "hosts in a row that share NVLink", o.perServer);
    experiment.AddFlag("qps", "queue pairs of a connection", o.queuePairs);
    experiment.AddFlag("policy", "of several queue pairs: Split or RoundRobin", o.policy);
    experiment.AddFlag("pxn", "messages to other servers take the receiver's rail", o.pxn);
    experiment.AddFlag("admission", "receivers admit chunks by clear-to-sends", o.admission);
}

/** \return elements as nccl-tests counts them: of the part of a rank where each has another */
uint64_t
CountElements(const CollectiveOptions& o, const CollectiveRow& row)
{
    const bool parts = o.op == "all-gather" || o.op == "reduce-scatter" || o.op == "all-to-all";
    return parts ? row.bytes / row.ranks : row.bytes;
}

/** The columns of nccl-tests, a line a run. Nothing can be wrong, as no data is carried: N/A. */
void
PrintTable(const CollectiveOptions& o, const std::vector<CollectiveRow>& rows)
{
    const bool rooted = o.op == "broadcast" || o.op == "reduce";
    const bool reduces = o.op == "all-reduce" || o.op == "reduce" || o.op == "reduce-scatter";
    std::cout
        << "\nrun                     size (B)         count   type  redop  root    time (us)  "
           "algbw (GB/s)  busbw (GB/s)  #wrong  sent by all (B)\n";
    for (const CollectiveRow& row : rows)
    {
        std::cout << std::left << std::setw(16) << row.label << std::right << std::setw(16)
                  << row.bytes << std::setw(14) << CountElements(o, row) << "  uint8"
                  << std::setw(7) << (reduces ? "sum" : "none") << std::setw(6)
                  << (rooted ? static_cast<int>(o.root) : -1);
        if (row.finished)
        {
            std::cout << std::fixed << std::setprecision(2) << std::setw(13) << row.us
                      << std::setprecision(3) << std::setw(14) << row.algorithm << std::setw(14)
                      << row.bus << "     N/A" << std::setw(17) << row.sent << "\n";
        }
        else
        {
            std::cout << "  not finished\n";
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        CollectiveOptions o;
        ExperimentHelper experiment("roce-collective", "A collective, as nccl-tests shows it");
        experiment.SetDefaults("none");
        AddFlags(experiment, o);
        experiment.Parse(argc, argv);
        std::vector<CollectiveRow> rows;
        for (const std::string& cc : experiment.GetCcs())
        {
            for (const std::string& size : SplitList(o.size))
            {
                rows.push_back(RunCollective(experiment, o, cc, ParseBytes(size)));
            }
        }
        if (!experiment.IsQuiet())
        {
            PrintTable(o, rows);
        }
        return experiment.Finish();
    });
}
