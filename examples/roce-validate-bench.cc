/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-bench.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/roce-int-stamper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t MESSAGE_BYTES = 20000000; //!< each message of an endless flow
constexpr std::size_t CSV_ROWS = 1500;
constexpr uint32_t INT_BYTES = 42; //!< of HPCC's layout

/** Post all messages of a flow. */
void
PostAll(const Connection& connection, uint64_t messages)
{
    WorkRequest request;
    request.bytes = MESSAGE_BYTES;
    for (; request.id < messages; ++request.id)
    {
        connection.nic->Post(connection.qp, request);
    }
}

} // namespace

ValidateBench::ValidateBench(ExperimentHelper& experiment,
                             ValidateReport& report,
                             const std::string& csv)
    : m_experiment(experiment),
      m_report(report),
      m_csv(csv)
{
}

void
ValidateBench::Measure(const ValidatePlan& plan, Ptr<Fabric> fabric)
{
    m_frameBytes = FrameSizes().DataBytes(plan.mtu, false);
    for (const Ptr<SwitchStage>& stage : fabric->GetSwitch(plan.node)->GetStages())
    {
        BooleanValue counts;
        if (DynamicCast<IntStamper>(stage))
        {
            stage->GetAttribute("CountBytes", counts);
            m_frameBytes += counts.Get() ? INT_BYTES : 0;
        }
    }
}

FabricGraph
ValidateBench::Star(uint32_t n, uint64_t rate, Time delay)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddLink(i, n, rate, delay.GetPicoSeconds());
    }
    return graph;
}

void
ValidateBench::Connect(const ValidatePlan& plan, Ptr<Fabric> fabric)
{
    for (const ValidateFlow& flow : plan.flows)
    {
        if (flow.startRateBps > 0)
        {
            ObjectFactory law(plan.law);
            law.Set("StartRateBps", UintegerValue(flow.startRateBps));
            fabric->GetNic(flow.source)->SetCongestionControl(law);
        }
        const Connection connection = fabric->Connect(flow.source, flow.destination);
        m_probe->AddFlow(connection,
                         flow.start,
                         m_frameBytes + ETHERNET_PREAMBLE_BYTES + ETHERNET_GAP_BYTES);
        const double rate = double(fabric->GetPort(flow.source, 0)->GetRate());
        const double bytes = rate / 8 * (plan.end - flow.start).GetSeconds();
        const uint64_t messages = static_cast<uint64_t>(bytes / MESSAGE_BYTES) + 1;
        Simulator::ScheduleWithContext(fabric->GetNode(flow.source)->GetId(),
                                       flow.start,
                                       [connection, messages]() { PostAll(connection, messages); });
    }
}

const ValidateProbe&
ValidateBench::Run(const ValidatePlan& plan)
{
    RoceHelper roce;
    m_experiment.Configure(roce, plan.law);
    roce.SetNicAttribute("PathMtu", UintegerValue(plan.mtu));
    if (plan.setUp)
    {
        plan.setUp(roce);
    }
    Ptr<Fabric> fabric = roce.Install(plan.graph);
    ExperimentRun& run = m_experiment.Begin(plan.label, fabric);
    RoceHelper().AssignStreams(fabric, plan.stream);
    m_probe =
        std::make_unique<ValidateProbe>(fabric, plan.node, plan.port, plan.interval, plan.end);
    Measure(plan, fabric);
    Connect(plan, fabric);
    if (plan.also)
    {
        plan.also(fabric);
    }
    m_probe->Start();
    run.Run(plan.end);
    m_result = run.GetResult();
    if (!m_csv.empty())
    {
        m_probe->WriteCsv(m_csv + "-" + plan.label + ".csv", CSV_ROWS);
    }
    m_probe->Detach();
    m_experiment.End();
    return *m_probe;
}

} // namespace roce
} // namespace ns3
