/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

// TypeId of Switch: attributes and trace sources; what they do is in roce-switch.cc

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Switch);

namespace
{
/** Payload 4096 with the headers of a WRITE first or only packet. */
constexpr uint32_t MAX_FRAME_BYTES = 4096 + ROCE_OVERHEAD_BYTES + RETH_BYTES;
} // namespace

TypeId
Switch::GetTypeId()
{
    static TypeId tid = AddTraces(AddBufferAttributes(
        TypeId("ns3::roce::Switch")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<Switch>()
            .AddAttribute("LosslessMask",
                          "Bit p: priority p is lossless (paused, not dropped)",
                          UintegerValue(0x18),
                          MakeUintegerAccessor(&Switch::m_losslessMask),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("PfcEnabled",
                          "Whether lossless priorities are paused; if not they are lossy",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Switch::m_pfcEnabled),
                          MakeBooleanChecker())
            .AddAttribute("EcnEnabled",
                          "Whether frames are marked",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Switch::m_ecnEnabled),
                          MakeBooleanChecker())
            .AddAttribute("HeadroomBytes",
                          "Headroom of each port and lossless priority; 0: what its rate, cable, "
                          "frames and the response of its peer need",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Switch::m_headroomBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxFrameBytes",
                          "Largest frame for which headroom is sized, from destination address "
                          "to FCS",
                          UintegerValue(MAX_FRAME_BYTES),
                          MakeUintegerAccessor(&Switch::m_maxFrameBytes),
                          MakeUintegerChecker<uint32_t>(64, 65535))));
    return tid;
}

TypeId
Switch::AddBufferAttributes(TypeId tid)
{
    return tid
        .AddAttribute("BufferSize",
                      "Packet buffer in bytes",
                      UintegerValue(32u << 20),
                      MakeUintegerAccessor(&Switch::m_bufferBytes),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("Alpha",
                      "Dynamic threshold of lossless priorities: this times the free bytes of the "
                      "pool",
                      DoubleValue(0.125),
                      MakeDoubleAccessor(&Switch::m_alpha),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("AlphaLossy",
                      "Dynamic threshold of lossy priorities",
                      DoubleValue(1),
                      MakeDoubleAccessor(&Switch::m_alphaLossy),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("ReserveBytes",
                      "Own bytes of each port and lossless priority",
                      UintegerValue(4096),
                      MakeUintegerAccessor(&Switch::m_reserveBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("LossyReserveBytes",
                      "Own bytes of each port and lossy priority",
                      UintegerValue(1536),
                      MakeUintegerAccessor(&Switch::m_lossyReserveBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("ResumeOffset",
                      "A paused sender goes on when its bytes are this far below the threshold",
                      UintegerValue(3072),
                      MakeUintegerAccessor(&Switch::m_resumeOffsetBytes),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("LossyPoolFraction",
                      "Part of the shared bytes for lossy priorities; 0: one pool for all",
                      DoubleValue(0.2),
                      MakeDoubleAccessor(&Switch::m_lossyPoolFraction),
                      MakeDoubleChecker<double>(0, 1));
}

TypeId
Switch::AddTraces(TypeId tid)
{
    return tid
        .AddTraceSource("Drop",
                        "A frame is dropped",
                        MakeTraceSourceAccessor(&Switch::m_dropTrace),
                        "ns3::roce::Switch::DropTracedCallback")
        .AddTraceSource("EcnMark",
                        "A frame is marked CE",
                        MakeTraceSourceAccessor(&Switch::m_ecnTrace),
                        "ns3::roce::Switch::EcnTracedCallback")
        .AddTraceSource("PfcState",
                        "The sender at a port is paused or goes on; refreshes are not told",
                        MakeTraceSourceAccessor(&Switch::m_pfcTrace),
                        "ns3::roce::Switch::PfcTracedCallback");
}

} // namespace roce
} // namespace ns3
