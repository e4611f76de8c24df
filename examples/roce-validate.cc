/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Reference results of others, run again: fixed point, convergence and stability of DCQCN, TIMELY
// and its patch, the innocent flow, HPCC and PowerTCP over one bottleneck. doc/validation.rst tells
// where each expected value comes from.
//
// build/bin/roce-validate --case=all --check --csv=out/validate --json=out/validate.json

#include "roce-validate-cases.h"

#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A case. */
struct Case
{
    std::string name;
    void (*run)(ValidateBench&, bool);
};

/** \return all cases, in order */
const std::vector<Case>&
GetCases()
{
    static const std::vector<Case> cases = {{"d1", ValidateDcqcnFixedPoint},
                                            {"d2", ValidateDcqcnConvergence},
                                            {"d3", ValidateDcqcnStability},
                                            {"d4", ValidateTimely},
                                            {"d9", ValidateInnocentFlow},
                                            {"d10", ValidateHpcc},
                                            {"d11", ValidatePowerTcp},
                                            {"a33", ValidateSlowLink},
                                            {"a34", ValidateTwoLinks}};
    return cases;
}

/** \return the cases that were asked for. \param name of one, or all */
std::vector<Case>
Choose(const std::string& name)
{
    std::vector<Case> chosen;
    std::string known;
    for (const Case& item : GetCases())
    {
        known += item.name + ", ";
        if (name == "all" || name == item.name)
        {
            chosen.push_back(item);
        }
    }
    if (chosen.empty())
    {
        throw std::invalid_argument("--case=" + name + " is not known; choose " + known + "or all");
    }
    return chosen;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string name = "all";
        std::string csv;
        bool check = false;
        bool quick = false;
        ExperimentHelper experiment("roce-validate", "Reference results of others, run again");
        experiment.AddFlag("case", "d1, d2, d3, d4, d9, d10, d11, a33, a34 or all", name);
        experiment.AddFlag("csv", "Write a time series a run, names begin with this", csv);
        experiment.AddFlag("check", "exit code 1 if a value is out of its bound", check);
        experiment.AddFlag("quick", "fewer and shorter runs, for a test", quick);
        experiment.Parse(argc, argv);
        if (experiment.IsGiven("cc"))
        {
            throw std::invalid_argument("--cc: each case has its own congestion control");
        }
        if (!csv.empty())
        {
            ResultWriter::CheckPath(csv + "-run.csv");
        }
        ValidateReport report;
        ValidateBench bench(experiment, report, csv);
        for (const Case& item : Choose(name))
        {
            report.Begin(item.name);
            item.run(bench, quick);
        }
        if (!experiment.IsQuiet())
        {
            report.Print();
        }
        experiment.AddKey("checks", report.ToJson());
        const int code = experiment.Finish();
        return code == 0 && check && !report.IsOk() ? 1 : code;
    });
}
