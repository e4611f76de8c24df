/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-replay-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/node.h"
#include "ns3/roce-fct-writer.h"
#include "ns3/roce-pfc-writer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** The artifact numbers the flows of a pair of hosts from here on. */
constexpr uint16_t FIRST_SOURCE_PORT = 10000;

/** CNP interval when a config names none: ConnectX MIN_TIME_BETWEEN_CNPS. */
const Time CONFIG_CNP_INTERVAL = MicroSeconds(4);

/** The originals start at 2 s; LINK_DOWN counts from there. */
const Time ARTIFACT_START = Seconds(2);

} // namespace

ReplayHelper::ReplayHelper(const FabricGraph& graph,
                           FlowList flows,
                           std::optional<HpccConfig> config,
                           const ReplayOptions& options)
    : m_graph(graph),
      m_list(std::move(flows)),
      m_config(std::move(config)),
      m_options(options),
      m_baseline(m_graph, m_config ? m_config->packetPayloadBytes : HpccConfig().packetPayloadBytes)
{
}

const FabricGraph&
ReplayHelper::GetGraph() const
{
    return m_graph;
}

void
ReplayHelper::ConfigureFrames(RoceHelper& helper) const
{
    const HpccConfig config = m_config.value_or(HpccConfig());
    helper.SetNicAttribute("PathMtu", UintegerValue(config.packetPayloadBytes));
    if (m_config && config.l2AckIntervalPackets > 1)
    {
        helper.SetNicAttribute("AckInterval", UintegerValue(config.l2AckIntervalPackets));
    }
    if (m_options.peerHeaders)
    {
        helper.SetFrameSizes(FrameSizes::HpccArtifact());
        helper.SetPortAttribute("Overhead", UintegerValue(0));
    }
    helper.SetPortAttribute("TruncateTicks", BooleanValue(m_options.truncateTicks));
    helper.SetPortAttribute("EagerEvents", BooleanValue(m_options.truncateTicks));
    if (m_options.hpccHash)
    {
        helper.SetLoadBalancer("hpcc");
        helper.SetMemberOrder(m_options.order);
    }
    if (m_options.ackInDataClass)
    {
        helper.SetNicAttribute("ControlPriority", UintegerValue(255));
        helper.SetNicAttribute("ControlQueue", UintegerValue(NUM_PRIORITIES - 1));
    }
}

void
ReplayHelper::ConfigureSwitches(RoceHelper& helper) const
{
    uint32_t groups = 0;
    for (const FlowSpec& flow : m_list.flows)
    {
        groups |= 1u << flow.pg;
    }
    helper.SetSwitchAttribute("LosslessMask", UintegerValue(groups));
    if (m_config)
    {
        helper.SetSwitchAttribute("BufferSize", UintegerValue(m_config->bufferSizeMiB << 20));
        helper.SetSwitchAttribute("PfcEnabled", BooleanValue(m_config->enablePfc));
        helper.SetSwitchAttribute("EcnEnabled", BooleanValue(m_config->enableQcn));
        for (const auto& item : m_config->kminKb)
        {
            helper.SetEcnThresholds(item.first,
                                    item.second * 1000,
                                    m_config->kmaxKb.at(item.first) * 1000,
                                    m_config->pmax.at(item.first));
        }
    }
    if (!m_options.peerSwitch)
    {
        return;
    }
    helper.SetSwitchAttribute("LossyPoolFraction", DoubleValue(0));
    helper.SetSwitchAttribute("LossyReserveBytes", UintegerValue(0));
    helper.SetPortAttribute("PauseExpires", BooleanValue(false));
    helper.SetPfcAttribute("Refresh", BooleanValue(false));
    helper.SetCnpAttribute("EchoInAck", BooleanValue(true));
    // three times what is on the cable, and a threshold that doubles with each doubling of the
    // rate over that of the first host's NIC
    const double ticks = double(TicksPerSecond());
    const auto headroom = [ticks](uint64_t rate, Tick delay) {
        return static_cast<uint32_t>(double(rate) * double(delay) / ticks * 3 / 8);
    };
    const uint32_t host = m_graph.Hosts().front();
    const uint64_t nicRate = m_graph.Link(m_graph.Neighbours(host).front().link).rateBps;
    const auto alpha = [nicRate](uint64_t rate) {
        unsigned shift = 3;
        for (; rate > nicRate && shift > 0; rate /= 2)
        {
            --shift;
        }
        return 1.0 / (1u << shift);
    };
    helper.SetPortRules(headroom, alpha);
}

void
ReplayHelper::ConfigureControl(RoceHelper& helper) const
{
    if (m_config->ccMode == 12)
    {
        helper.SetCongestionControl("none");
        return;
    }
    if (m_config->ccMode != 1)
    {
        throw std::invalid_argument(
            "CC_MODE " + std::to_string(m_config->ccMode) +
            " is not available in this version; it knows 1 (DCQCN) and 12 (none), or choose with "
            "--cc");
    }
    helper.SetCongestionControl("dcqcn");
    const auto set = [&helper](const std::string& name, const AttributeValue& value) {
        helper.SetCongestionControlAttribute(name, value);
    };
    const auto us = [](double value) { return TimeValue(NanoSeconds(std::llround(value * 1000))); };
    set("Preset", StringValue("hpcc-artifact"));
    set("AlphaInterval", us(m_config->alphaResumeIntervalUs));
    set("DecreaseInterval", us(m_config->rateDecreaseIntervalUs));
    set("IncreaseInterval", us(m_config->rpTimerUs));
    set("FastRecoverySteps", IntegerValue(m_config->fastRecoveryTimes));
    set("Gain", DoubleValue(m_config->ewmaGain));
    set("RateAiBps", IntegerValue(static_cast<int64_t>(m_config->rateAiBps)));
    set("RateHaiBps", IntegerValue(static_cast<int64_t>(m_config->rateHaiBps)));
    set("MinRateBps", IntegerValue(static_cast<int64_t>(m_config->minRateBps)));
    set("ClampTarget", IntegerValue(m_config->clampTargetRate ? 1 : 0));
    helper.SetCnpAttribute("Interval", TimeValue(CONFIG_CNP_INTERVAL));
}

void
ReplayHelper::RefuseMissing() const
{
    const std::pair<bool, const char*> missing[] = {
        {m_config->errorRatePerLink > 0,
         "ERROR_RATE_PER_LINK above 0; give each link its rate in the topology file"},
        {m_config->l2BackToZero, "L2_BACK_TO_ZERO 1; this version knows go-back-N (0)"},
        {!m_config->useDynamicPfcThreshold,
         "USE_DYNAMIC_PFC_THRESHOLD 0; this version knows dynamic thresholds (1)"}};
    for (const auto& item : missing)
    {
        if (item.first)
        {
            throw std::invalid_argument(std::string("config: ") + item.second);
        }
    }
}

void
ReplayHelper::Configure(RoceHelper& helper, bool controlFromConfig) const
{
    if (m_config)
    {
        RefuseMissing();
    }
    ConfigureFrames(helper);
    ConfigureSwitches(helper);
    if (m_config && controlFromConfig)
    {
        ConfigureControl(helper);
    }
}

Time
ReplayHelper::StartOf(const FlowSpec& spec) const
{
    if (m_options.truncateTicks)
    {
        const double seconds = static_cast<double>(spec.startPs) / 1e12;
        return FromTick(TruncateToTicks(seconds, TicksPerSecond()));
    }
    return NanoSeconds(spec.startPs / 1000) + PicoSeconds(spec.startPs % 1000);
}

uint64_t
ReplayHelper::WindowOf(Ptr<Fabric> fabric, const FlowSpec& spec) const
{
    if (!m_config || !m_config->hasWin)
    {
        return CongestionControl::UNLIMITED;
    }
    // one bandwidth-delay product of the pair, two packets at least
    const ArtifactPath path = ArtifactBaseline(m_baseline).Path(spec.src, spec.dst);
    const double seconds = fabric->GetBaseRtt(spec.src, spec.dst).GetSeconds();
    const auto product = static_cast<uint64_t>(seconds * double(path.bottleneckBps) / 8);
    const uint64_t ackPackets = uint64_t(m_config->l2AckIntervalPackets) + 1;
    return std::max(product, std::max<uint64_t>(2, ackPackets) * m_config->packetPayloadBytes);
}

void
ReplayHelper::Schedule(Ptr<Fabric> fabric)
{
    std::map<std::pair<uint32_t, uint32_t>, uint16_t> numbers;
    std::map<uint32_t, bool> traced;
    m_flows.reserve(m_list.flows.size());
    for (const FlowSpec& spec : m_list.flows)
    {
        const uint16_t number = numbers[{spec.src, spec.dst}]++;
        Flow flow{spec, static_cast<uint16_t>(FIRST_SOURCE_PORT + number), Connection()};
        ConnectionOptions options;
        options.priority = static_cast<int>(spec.pg);
        options.windowBytes = WindowOf(fabric, spec);
        options.windowFollowsRate = m_config && m_config->varWin;
        if (m_options.hpccHash)
        {
            options.sourcePort = flow.sourcePort;
            options.destinationPort = static_cast<uint16_t>(spec.dport);
            options.mirrorPorts = true;
        }
        flow.connection = fabric->Connect(spec.src, spec.dst, options);
        if (!traced[spec.src])
        {
            traced[spec.src] = true;
            flow.connection.nic->TraceConnectWithoutContext(
                "Completed",
                MakeCallback(&ReplayHelper::OnCompleted, this));
        }
        const auto index = static_cast<uint32_t>(m_flows.size());
        m_flows.push_back(flow);
        Simulator::ScheduleWithContext(fabric->GetNode(spec.src)->GetId(),
                                       StartOf(spec),
                                       [this, index]() { Post(index); });
    }
    if (m_config && m_config->linkDown.timeUs > 0)
    {
        const HpccLinkDown down = m_config->linkDown;
        for (const FabricNeighbour& neighbour : m_graph.Neighbours(down.a))
        {
            if (neighbour.peer == down.b)
            {
                const uint32_t link = neighbour.link;
                Simulator::Schedule(ARTIFACT_START + MicroSeconds(down.timeUs),
                                    [fabric, link]() { fabric->SetLinkUp(link, false); });
            }
        }
    }
}

void
ReplayHelper::Post(uint32_t index)
{
    const Flow& flow = m_flows[index];
    WorkRequest request;
    request.id = index;
    request.bytes = flow.spec.sizeBytes;
    flow.connection.nic->Post(flow.connection.qp, request);
}

void
ReplayHelper::WriteFct(std::ostream& out)
{
    m_fct = &out;
}

void
ReplayHelper::OnCompleted(const Completion& completion)
{
    if (completion.status != CompletionStatus::SUCCESS)
    {
        ++m_failed;
        return;
    }
    ++m_completed;
    if (!m_fct)
    {
        return;
    }
    const Flow& flow = m_flows[completion.id];
    const QueuePairConfig& config = flow.connection.qp->GetConfig();
    FctRecord record;
    record.sourceAddress = config.localAddress;
    record.destinationAddress = config.remoteAddress;
    record.sourcePort = flow.sourcePort;
    record.destinationPort = static_cast<uint16_t>(flow.spec.dport);
    record.sizeBytes = flow.spec.sizeBytes;
    record.startNs = static_cast<uint64_t>(FromTick(completion.posted).GetNanoSeconds());
    record.fctNs =
        static_cast<uint64_t>(FromTick(completion.completed - completion.posted).GetNanoSeconds());
    record.standaloneNs =
        m_baseline.StandaloneNs(flow.spec.src, flow.spec.dst, flow.spec.sizeBytes);
    FctWriter(*m_fct).Write(record);
}

void
ReplayHelper::WritePfc(std::ostream& out, Ptr<Fabric> fabric)
{
    m_pfc = &out;
    for (uint32_t i = 0; i < m_graph.NodeCount(); ++i)
    {
        const uint32_t id = m_graph.IdOf(i);
        const bool isSwitch = !m_graph.IsHost(id);
        for (uint32_t port = 0; port < m_graph.PortCount(id); ++port)
        {
            Callback<void, uint32_t, bool, uint32_t, const Frame&> sink =
                MakeCallback(&ReplayHelper::OnPause, this);
            fabric->GetPort(id, port)->TraceConnectWithoutContext("PauseReceived",
                                                                  sink.Bind(id, isSwitch, port));
        }
    }
}

void
ReplayHelper::OnPause(uint32_t node, bool isSwitch, uint32_t port, const Frame& frame)
{
    PfcRecord record;
    record.timeNs = static_cast<uint64_t>(FromTick(EventCore::Get()->Now()).GetNanoSeconds());
    record.node = node;
    record.isSwitch = isSwitch;
    record.port = port;
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        if ((frame.pauseEnable >> p) & 1)
        {
            record.pause = frame.pauseQuanta[p] > 0;
            PfcWriter(*m_pfc).Write(record);
        }
    }
}

uint64_t
ReplayHelper::GetCompleted() const
{
    return m_completed;
}

uint64_t
ReplayHelper::GetFailed() const
{
    return m_failed;
}

} // namespace roce
} // namespace ns3
