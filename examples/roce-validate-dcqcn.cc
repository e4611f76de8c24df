/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-dcqcn.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t MTU = 920;         //!< 1002 bytes on the link, "1000 B packets"
constexpr int64_t BUFFER = 512 << 20; //!< the model has no PFC: room for each start

} // namespace

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
    DcqcnStepModel model(Input(n, kind.rateAiBps), link);
    model.Run(from.GetSeconds(), to.GetSeconds());
    return model;
}

} // namespace roce
} // namespace ns3
