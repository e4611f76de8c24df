/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-dcqcn.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t MTU = 920;         //!< 1002 bytes on the link, "1000 B packets"
constexpr int64_t BUFFER = 512 << 20; //!< the model has no PFC: room for each start

} // namespace

ValidateDcqcn::Kind
ValidateDcqcn::Kind::Authors()
{
    Kind kind;
    kind.kmax = 10 * KMAX;
    kind.pmax = 10 * PMAX;
    kind.periodic = true;
    return kind;
}

ValidatePlan
ValidateDcqcn::Incast(const std::string& label, uint32_t n, const Kind& kind, Time end)
{
    ValidatePlan plan;
    plan.label = label;
    plan.law = "dcqcn";
    // data crosses two cables and the CNP two: a quarter of the loop each
    plan.graph = ValidateBench::Star(n + 1, RATE, kind.loop / 4);
    plan.node = n + 1;
    plan.port = n;
    plan.mtu = MTU;
    plan.end = end;
    for (uint32_t i = 0; i < n; ++i)
    {
        plan.flows.push_back({i, n, Time(0), 0});
    }
    plan.setUp = [kind](RoceHelper& roce) {
        roce.SetEcnAttribute("ReferenceRate", DataRateValue(DataRate(0)));
        roce.SetEcnAttribute("KminBytes", UintegerValue(KMIN));
        roce.SetEcnAttribute("KmaxBytes", UintegerValue(kind.kmax));
        roce.SetEcnAttribute("Pmax", DoubleValue(kind.pmax));
        roce.SetCongestionControlAttribute("Preset", StringValue("paper"));
        roce.SetCongestionControlAttribute("RateAiBps", IntegerValue(kind.rateAiBps));
        roce.SetCnpAttribute("Timing", StringValue(kind.periodic ? "Periodic" : "AtMark"));
        roce.SetSwitchAttribute("BufferSize", UintegerValue(BUFFER));
        roce.SetNicAttribute("AckInterval", UintegerValue(16)); // DCQCN does not hear ACKs
    };
    return plan;
}

DcqcnFixedPoint::Input
ValidateDcqcn::Input(uint32_t n, int64_t rateAiBps)
{
    DcqcnFixedPoint::Input input;
    input.flows = n;
    input.rateAiBps = double(rateAiBps);
    return input;
}

DcqcnStepModel
ValidateDcqcn::RunSteps(uint32_t n, const Kind& kind, Time from, Time to)
{
    DcqcnStepModel::Link link;
    link.kmin = KMIN;
    link.kmax = kind.kmax;
    link.pmax = kind.pmax;
    link.loopS = kind.loop.GetSeconds();
    link.periodic = kind.periodic;
    DcqcnStepModel model(Input(n, kind.rateAiBps), link);
    model.Run(from.GetSeconds(), to.GetSeconds());
    return model;
}

double
ValidateDcqcn::FirstWithin(const std::vector<double>& leads)
{
    const std::size_t next = WINDOW_US / STEP_US;
    std::size_t i = 0;
    while (i + next < leads.size() && (std::abs(leads[i]) > 0.1 || std::abs(leads[i + next]) > 0.1))
    {
        ++i;
    }
    return double(i) * STEP_US / 1e3;
}

double
ValidateDcqcn::JoinSteps(uint32_t flows, bool alike)
{
    constexpr int64_t last = 100000; // us; more than any bound of 20 flows
    std::vector<double> leads((last - WINDOW_US) / STEP_US);
    for (unsigned run = 0; run < RUNS; ++run)
    {
        DcqcnStepModel::Link link;
        link.joinS = JOIN_US * 1e-6;
        link.joinAlike = alike;
        link.seed = run + 1;
        DcqcnStepModel model(Input(flows), link);
        model.Run(0, (JOIN_US + last) * 1e-6);
        for (std::size_t i = 0; i < leads.size(); ++i)
        {
            const int64_t from = JOIN_US + int64_t(i) * STEP_US;
            leads[i] += model.GetLead(from * 1e-6, (from + WINDOW_US) * 1e-6) / RUNS;
        }
    }
    return FirstWithin(leads);
}

} // namespace roce
} // namespace ns3
