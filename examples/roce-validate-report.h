/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_REPORT_H
#define ROCE_VALIDATE_REPORT_H

#include "ns3/roce-result-writer.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What was expected and what was seen.
 *
 * Models: a table of quantities with a bound each.
 *
 * Invariants: a value that is not a number is out of each bound; what has no bound is never out.
 *
 * Leaves out: where the expected values come from; each case says that.
 */
class ValidateReport
{
  public:
    /** \param name of the case all rows belong to from now on */
    void Begin(const std::string& name);

    /** Seen is to be near. \param quantity name with unit \param expected value \param seen value
     *  \param tolerance largest difference, as a part of what is expected */
    void Near(const std::string& quantity, double expected, double seen, double tolerance);

    /** Seen is not to exceed. \param quantity name with unit \param bound value \param seen value
     */
    void AtMost(const std::string& quantity, double bound, double seen);

    /** Seen is to reach. \param quantity name with unit \param bound value \param seen value */
    void AtLeast(const std::string& quantity, double bound, double seen);

    /** As Near or AtMost, but known to be out, for a reason that doc/validation.rst tells: it does
     * not count. \param quantity name with unit \param expected value \param seen value \param
     *  tolerance as Near has it; 0: at most what is expected */
    void Known(const std::string& quantity, double expected, double seen, double tolerance);

    /** A value without a bound. \param quantity name with unit \param expected value, or 0: none
     *  \param seen value */
    void Tell(const std::string& quantity, double expected, double seen);

    /** Print the table. */
    void Print() const;

    /** \return whether each value that counts is within its bound */
    bool IsOk() const;

    /** \return the rows, for a result file */
    ResultWriter::Json ToJson() const;

  private:
    /** A quantity. */
    struct Row
    {
        std::string name;
        std::string quantity;
        double expected;
        double seen;
        std::string bound; //!< empty: none
        bool ok;
        bool counts;
    };

    void Add(const std::string& quantity,
             double expected,
             double seen,
             const std::string& bound,
             bool ok,
             bool counts = true);

    std::string m_name;
    std::vector<Row> m_rows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_REPORT_H
