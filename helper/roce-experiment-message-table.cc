/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-message-table.h"

#include "ns3/roce-quantity.h"

#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

/** \return name of an operation. \param operation it */
const char*
NameOf(Operation operation)
{
    switch (operation)
    {
    case Operation::WRITE:
        return "write";
    case Operation::WRITE_IMMEDIATE:
        return "write-immediate";
    case Operation::SEND:
        return "send";
    case Operation::SEND_IMMEDIATE:
        return "send-immediate";
    case Operation::SEND_INVALIDATE:
        return "send-invalidate";
    case Operation::READ:
        return "read";
    case Operation::FETCH_ADD:
        return "fetch-add";
    case Operation::COMPARE_SWAP:
        return "compare-swap";
    }
    return "";
}

} // namespace

std::vector<ExperimentMessageTable::Row>
ExperimentMessageTable::Rows(const ExperimentRun& run, Ptr<Fabric> fabric)
{
    const std::vector<uint32_t> hosts = fabric->GetGraph().Hosts();
    const auto ns = [](Tick tick) { return FromTick(tick).GetNanoSeconds(); };
    std::vector<Row> rows;
    for (const MessageRecord& record : run.GetMonitor()->GetMessages())
    {
        Row row{NameOf(record.operation),
                hosts.at(record.host),
                record.peer < hosts.size() ? int64_t(hosts[record.peer]) : -1,
                record.bytes,
                ns(record.posted),
                ns(record.arrived),
                ns(record.completed),
                0};
        if (row.to >= 0)
        {
            row.idealNs = fabric->GetIdealCompletionNs(static_cast<uint32_t>(row.from),
                                                       static_cast<uint32_t>(row.to),
                                                       row.bytes,
                                                       record.operation,
                                                       record.service);
        }
        rows.push_back(row);
    }
    return rows;
}

ResultWriter::Json
ExperimentMessageTable::Columns(const ExperimentRun& run, Ptr<Fabric> fabric)
{
    ResultWriter::Json columns;
    for (const char* name : {"operation",
                             "from",
                             "to",
                             "bytes",
                             "posted_ns",
                             "arrived_ns",
                             "completed_ns",
                             "ideal_ns"})
    {
        columns[name] = ResultWriter::Json::array();
    }
    for (const Row& row : Rows(run, fabric))
    {
        columns["operation"].push_back(row.operation);
        columns["from"].push_back(row.from);
        columns["to"].push_back(row.to);
        columns["bytes"].push_back(row.bytes);
        columns["posted_ns"].push_back(row.postedNs);
        columns["arrived_ns"].push_back(row.arrivedNs);
        columns["completed_ns"].push_back(row.completedNs);
        columns["ideal_ns"].push_back(row.idealNs);
    }
    return columns;
}

void
ExperimentMessageTable::WriteHead(std::ostream& out)
{
    out << "run,operation,from,to,bytes,posted_ns,arrived_ns,completed_ns,fct_ns,ideal_ns\n";
}

void
ExperimentMessageTable::WriteRows(std::ostream& out, const ExperimentRun& run, Ptr<Fabric> fabric)
{
    std::string label = "\"";
    for (const char c : run.GetLabel())
    {
        label += c == '"' ? "\"\"" : std::string(1, c);
    }
    label += "\"";
    for (const Row& row : Rows(run, fabric))
    {
        out << label << "," << row.operation << "," << row.from << "," << row.to << "," << row.bytes
            << "," << row.postedNs << "," << row.arrivedNs << "," << row.completedNs << ","
            << row.completedNs - row.postedNs << "," << ResultWriter::Json(row.idealNs).dump()
            << "\n";
    }
}

} // namespace roce
} // namespace ns3
