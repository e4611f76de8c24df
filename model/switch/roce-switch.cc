/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch.h"

#include "roce-ecmp-load-balancer.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/roce-event-core.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

Switch::Switch()
    : m_refresh(this),
      m_loadBalancer(CreateObject<EcmpLoadBalancer>()),
      m_pfcController(CreateObject<PfcController>()),
      m_ecnMarker(CreateObject<EcnMarker>()),
      m_bufferOptions(CreateObject<BufferOptions>())
{
}

Switch::~Switch() = default;

void
Switch::DoInitialize()
{
    Freeze();
    Object::DoInitialize();
}

void
Switch::DoDispose()
{
    if (m_refresh.pending)
    {
        m_core->Forget(&m_refresh);
        m_refresh.pending = 0;
    }
    m_pool = nullptr;
    m_devices.clear();
    m_loadBalancer = nullptr;
    m_pfcController = nullptr;
    m_ecnMarker = nullptr;
    m_bufferOptions = nullptr;
    for (const auto& stage : m_stages)
    {
        stage->Dispose();
    }
    m_stages.clear();
    m_hears = 0;
    Object::DoDispose();
}

void
Switch::CheckThawed(const char* what) const
{
    NS_ABORT_MSG_IF(m_pool, what << " must come before the switch is frozen (Freeze, Initialize)");
}

uint32_t
Switch::AddPort(Ptr<Port> port)
{
    CheckThawed("AddPort");
    NS_ABORT_MSG_IF(m_devices.size() > std::numeric_limits<uint16_t>::max(),
                    "a switch has at most 65536 ports");
    const auto index = static_cast<uint32_t>(m_devices.size());
    port->Assemble(this, index, Transmitter::SWITCH);
    m_devices.push_back(port);
    m_ports.emplace_back();
    m_ports.back().tx = &port->GetTransmitter();
    return index;
}

Ptr<Port>
Switch::GetPort(uint32_t index) const
{
    NS_ABORT_MSG_IF(index >= m_devices.size(),
                    "the switch has no port " << index << ", only " << m_devices.size());
    return m_devices[index];
}

uint32_t
Switch::GetNumPorts() const
{
    return static_cast<uint32_t>(m_devices.size());
}

void
Switch::SetPortBuffer(uint32_t index, uint32_t headroomBytes, double alpha)
{
    CheckThawed("SetPortBuffer");
    NS_ABORT_MSG_IF(index >= m_ports.size(),
                    "the switch has no port " << index << ", only " << m_ports.size());
    m_ports[index].headroom = headroomBytes;
    m_ports[index].alpha = alpha;
}

uint32_t
Switch::HeadroomOf(uint32_t index) const
{
    if (m_ports[index].headroom)
    {
        return m_ports[index].headroom;
    }
    if (m_headroomBytes)
    {
        return m_headroomBytes;
    }
    const Ptr<Port> port = m_devices[index];
    UintegerValue pauseBytes;
    port->GetAttribute("PauseFrameBytes", pauseBytes);
    TimeValue response;
    if (port->GetPeer())
    {
        port->GetPeer()->GetAttribute("PauseResponse", response);
    }
    const double quanta = response.Get().GetSeconds() * port->GetRate() / PAUSE_QUANTUM_BITS;
    uint64_t bytes = SwitchMmuConfig::HeadroomBytes(port->GetRate(),
                                                    port->GetDelay(),
                                                    TicksPerSecond(),
                                                    m_maxFrameBytes,
                                                    pauseBytes.Get(),
                                                    static_cast<uint32_t>(std::ceil(quanta)),
                                                    port->GetGap());
    SwitchMmuConfig options;
    m_bufferOptions->Apply(options);
    bytes = SwitchMmuConfig::HeadroomInCells(bytes,
                                             options.cellBytes,
                                             m_bufferOptions->GetSmallestFrame(),
                                             m_maxFrameBytes,
                                             port->GetGap());
    if (bytes > std::numeric_limits<uint32_t>::max())
    {
        std::ostringstream message;
        message << "switch " << m_id << " port " << index << " needs " << bytes
                << " bytes of headroom, at most 4294967295; shorten its cable or set HeadroomBytes";
        throw std::invalid_argument(message.str());
    }
    return static_cast<uint32_t>(bytes);
}

SwitchMmuConfig
Switch::MakeMmuConfig() const
{
    SwitchMmuConfig config;
    m_bufferOptions->Apply(config);
    config.numPorts = GetNumPorts();
    config.bufferBytes = m_bufferBytes;
    config.alpha = m_alpha;
    config.alphaLossy = m_alphaLossy;
    config.reserveBytes = m_reserveBytes;
    config.lossyReserveBytes = m_lossyReserveBytes;
    config.resumeOffsetBytes = m_resumeOffsetBytes;
    config.lossyPoolFraction = m_lossyPoolFraction;
    config.losslessMask = m_pfcEnabled ? m_losslessMask : 0;
    for (uint32_t i = 0; i < config.numPorts; ++i)
    {
        config.headroomBytes.push_back(config.losslessMask ? HeadroomOf(i) : 0);
        config.portAlpha.push_back(m_ports[i].alpha > 0 ? m_ports[i].alpha : m_alpha);
    }
    return config;
}

void
Switch::Freeze()
{
    if (m_pool)
    {
        return;
    }
    if (!m_hasId)
    {
        const Ptr<Node> node = GetObject<Node>();
        m_id = node ? node->GetId() : 0;
    }
    try
    {
        m_mmu.Configure(MakeMmuConfig());
        if (Ptr<SwitchStage> policy = m_bufferOptions->MakePolicy(m_mmu))
        {
            m_stages.push_back(policy);
        }
        m_hears |= m_mmu.LimitsEgress() ? LIMITS_EGRESS : 0;
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument("switch " + std::to_string(m_id) + ": " + error.what());
    }
    std::vector<uint64_t> rates;
    std::vector<const Transmitter*> transmitters;
    for (uint32_t i = 0; i < GetNumPorts(); ++i)
    {
        rates.push_back(m_devices[i]->GetRate());
        transmitters.push_back(m_ports[i].tx);
        m_ports[i].ecn = m_ecnEnabled ? m_ecnMarker->GetThresholds(rates[i]) : EcnThresholds();
        if (m_ecnEnabled && m_ecnMarker->GetMoment() == EcnMarker::ENQUEUE)
        {
            m_hears |= MARKS_ARRIVALS;
            m_arrivalEcn.push_back(m_ports[i].ecn);
            m_ports[i].ecn = EcnThresholds(); // never when it leaves
        }
    }
    m_pfcController->Configure(rates, TicksPerSecond());
    m_loadBalancer->Assemble(m_id, transmitters);
    m_balance = PeekPointer(m_loadBalancer);
    m_pfc = PeekPointer(m_pfcController);
    m_marker = PeekPointer(m_ecnMarker);
    m_core = EventCore::Get();
    m_pool = &m_core->GetPool();
    for (const auto& stage : m_stages)
    {
        stage->Assemble(*this);
        m_hears |= stage->GetHears();
    }
}

void
Switch::AddStage(Ptr<SwitchStage> stage)
{
    m_stages.push_back(stage);
    if (m_pool)
    {
        stage->Assemble(*this);
        m_hears |= stage->GetHears();
    }
}

const std::vector<Ptr<SwitchStage>>&
Switch::GetStages() const
{
    return m_stages;
}

void
Switch::SetId(uint32_t id)
{
    CheckThawed("SetId");
    m_id = id;
    m_hasId = true;
}

uint32_t
Switch::GetId() const
{
    return m_id;
}

void
Switch::SetEcnMarker(Ptr<EcnMarker> marker)
{
    CheckThawed("SetEcnMarker");
    m_ecnMarker = marker;
}

Ptr<EcnMarker>
Switch::GetEcnMarker() const
{
    return m_ecnMarker;
}

void
Switch::SetLoadBalancer(Ptr<LoadBalancer> balancer)
{
    CheckThawed("SetLoadBalancer");
    m_loadBalancer = balancer;
}

Ptr<LoadBalancer>
Switch::GetLoadBalancer() const
{
    return m_loadBalancer;
}

Ptr<PfcController>
Switch::GetPfcController() const
{
    return m_pfcController;
}

ForwardingTable&
Switch::GetForwarding()
{
    return m_forwarding;
}

const SwitchMmu&
Switch::GetMmu() const
{
    return m_mmu;
}

Ptr<BufferOptions>
Switch::GetBufferOptions() const
{
    return m_bufferOptions;
}

uint64_t
Switch::GetDrops(DropReason reason) const
{
    return m_drops[static_cast<unsigned>(reason)];
}

uint64_t
Switch::GetEcnMarks() const
{
    return m_marks;
}

uint64_t
Switch::GetFramesIn() const
{
    return m_framesIn;
}

uint64_t
Switch::GetFramesOut() const
{
    return m_framesOut;
}

int64_t
Switch::AssignStreams(int64_t stream)
{
    const int64_t used = m_ecnMarker->AssignStreams(stream);
    return used + m_loadBalancer->AssignStreams(stream + used);
}

std::string
Switch::CheckInvariants() const
{
    std::ostringstream wrong;
    wrong << m_mmu.CheckInvariants();
    uint64_t queued = 0;
    for (const auto& port : m_ports)
    {
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            queued += port.tx->GetQueueBytes(p);
        }
    }
    const bool cells = m_mmu.GetCharge(1) > 1; // then a frame takes more than its bytes
    if (cells ? queued > m_mmu.GetTotal().used : queued != m_mmu.GetTotal().used)
    {
        wrong << "queues hold " << queued << " bytes, the buffer " << m_mmu.GetTotal().used << "; ";
    }
    uint64_t gone = m_framesOut;
    for (uint64_t drops : m_drops)
    {
        gone += drops;
    }
    // each queued frame has at least one byte and less than 2^16
    const uint64_t inside = m_framesIn - gone;
    if (gone > m_framesIn || inside > queued || queued > inside * 65535)
    {
        wrong << m_framesIn << " frames in, " << gone << " out or dropped, but " << queued
              << " bytes queued; ";
    }
    return wrong.str();
}

} // namespace roce
} // namespace ns3
