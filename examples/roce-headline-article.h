/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HEADLINE_ARTICLE_H
#define ROCE_HEADLINE_ARTICLE_H

#include "roce-scenario-report.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The figures of the article beside those of the runs.
 *
 * Source: "RoCE v2 and the Art of Not Crashing the Datacenter": utilization about 95 % with and
 * about 60 % without hierarchical control, CNPs about none in the steady state, no loss, standard
 * deviation of the time to data below 1 % of its mean.
 *
 * Invariants: a claim whose run is not there is left out.
 *
 * Leaves out: TCP.
 */
class HeadlineArticle
{
  public:
    /** \param report figures of runs \param prefix of their labels */
    HeadlineArticle(const ScenarioReport& report, const std::string& prefix);

    /** \return list of objects: claim, run, figure, article (text), mean, std, holds */
    ResultWriter::Json GetJson() const;

    /** Print them. \param title of the scenario */
    void Print(const std::string& title) const;

  private:
    /** A claim and what came of it. */
    struct Row
    {
        std::string claim;
        std::string run;
        std::string figure;
        std::string article;
        double mean;
        double std;
        bool holds;
    };

    void Add(const ScenarioReport& report,
             const std::string& prefix,
             const Row& row,
             double low,
             double high);

    std::vector<Row> m_rows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HEADLINE_ARTICLE_H
