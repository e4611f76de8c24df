/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_REPORT_H
#define ROCE_SCENARIO_REPORT_H

#include "roce-scenario-window.h"

#include "ns3/roce-distribution.h"
#include "ns3/roce-result-writer.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Figures of many runs, by label: mean and standard deviation over seeds.
 *
 * Models: one row a label, in the order in which labels came.
 *
 * Invariants: each seed counts the same; the standard deviation is that of the seeds as a whole
 * (divisor n).
 *
 * Leaves out: single runs, which the result file has.
 */
class ScenarioReport
{
  public:
    /** Add a run. \param label of its row \param figures what it came to */
    void Add(const std::string& label, const ScenarioFigures& figures);

    /** \return labels, in order */
    const std::vector<std::string>& GetLabels() const;

    /** \return whether there is such a row. \param label of the row */
    bool Has(const std::string& label) const;

    /** \return values over seeds. \param label of the row \param figure its name */
    const Distribution& Get(const std::string& label, const std::string& figure) const;

    /** \return all rows: label, figure, "mean" and "std" */
    ResultWriter::Json GetJson() const;

    /** Print the rows. \param title above them */
    void Print(const std::string& title) const;

    /** Print how fair they are: shares of the groups, Jain's index, unrest. \param title above */
    void PrintShares(const std::string& title) const;

  private:
    /** A column of a table. */
    struct Column
    {
        std::string figure;
        std::string head;
        double unit;
        int digits;
    };

    void PrintTable(const std::string& title, const std::vector<Column>& columns) const;

    std::vector<std::string> m_labels;
    std::vector<std::string> m_names; //!< of figures
    std::map<std::string, std::map<std::string, Distribution>> m_rows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_REPORT_H
