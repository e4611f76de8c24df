/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TCP_BESIDE_TABLE_H
#define ROCE_TCP_BESIDE_TABLE_H

#include "roce-tcp-beside-load.h"

#include "ns3/roce-result-writer.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * RoCE and TCP in one table.
 *
 * Models: a row for each label; messages of all seeds together for mean, standard deviation and
 * percentiles; counts and rates are means over seeds.
 *
 * Invariants: each seed counts the same in means over seeds.
 *
 * Leaves out: single runs, which the result file has.
 */
class BesideTable
{
  public:
    /** Add what came of a run. \param figures of it */
    void Add(const BesideFigures& figures);

    /** Print all rows. */
    void Print() const;

    /** \return all rows by name */
    ResultWriter::Json GetJson() const;

    /** \return the figures of one run. \param figures of it */
    static ResultWriter::Json ToJson(const BesideFigures& figures);

  private:
    /** Values over seeds and messages of all. */
    struct Row
    {
        Distribution ttdNs;
        std::map<std::string, Distribution> seeds; //!< by figure
    };

    static std::map<std::string, double> GetNumbers(const BesideFigures& figures);
    static ResultWriter::Json ToJson(const Distribution& ttd);

    std::vector<std::string> m_names;
    std::map<std::string, Row> m_rows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TCP_BESIDE_TABLE_H
