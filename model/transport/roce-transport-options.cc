/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transport-options.h"

#include "roce-ack-timeout.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/roce-compat.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(TransportOptions);

TypeId
TransportOptions::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::TransportOptions")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<TransportOptions>()
            .AddAttribute("RnrRetryLimit",
                          "RNR NAKs in a row after which a queue pair fails; 7: never (IBTA "
                          "9.7.5.2.8)",
                          UintegerValue(7),
                          MakeUintegerAccessor(&TransportOptions::m_rnrRetryLimit),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("RnrTimer",
                          "Timer code of the RNR NAKs a queue pair sends (IBTA table 45); 12 is "
                          "0.64 ms, the usual choice of Linux applications",
                          UintegerValue(12),
                          MakeUintegerAccessor(&TransportOptions::m_rnrTimerCode),
                          MakeUintegerChecker<uint8_t>(0, 31))
            .AddAttribute("MaxReads",
                          "READs and atomics a queue pair may have outstanding (max_rd_atomic)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&TransportOptions::m_maxReads),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ResponderReads",
                          "READs and atomics of the other side a queue pair remembers "
                          "(max_dest_rd_atomic); at least MaxReads of the other side",
                          UintegerValue(16),
                          MakeUintegerAccessor(&TransportOptions::m_responderReads),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AckDuplicates",
                          "Acknowledge each duplicate SEND or WRITE packet, as Linux soft-RoCE "
                          "does, not just those with AckReq",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransportOptions::m_ackDuplicates),
                          MakeBooleanChecker())
            .AddAttribute("Credits",
                          "Acknowledgements tell how many receive requests there are, unless the "
                          "queue is shared (IBTA 9.7.7.2)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransportOptions::m_credits),
                          MakeBooleanChecker())
            .AddAttribute("TimeToLive",
                          "IPv4 time to live of what is sent; 64 is the usual default of hosts",
                          UintegerValue(64),
                          MakeUintegerAccessor(&TransportOptions::m_timeToLive),
                          MakeUintegerChecker<uint8_t>(1))
            .AddAttribute("MaxInlineBytes",
                          "Longest inline data of a work request",
                          UintegerValue(220),
                          MakeUintegerAccessor(&TransportOptions::m_maxInlineBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Pacing",
                          "Phase of a flow's slots: plain (none), interval (one of a whole slot at "
                          "its start), fixed (one below 50 ns at its start), literal (one below 50 "
                          "ns in each slot)",
                          CompatEnumValue<Pacing::Mode>(Pacing::PLAIN),
                          CompatMakeEnumAccessor<Pacing::Mode>(&TransportOptions::m_pacing),
                          MakeEnumChecker(Pacing::PLAIN,
                                          "plain",
                                          Pacing::INTERVAL,
                                          "interval",
                                          Pacing::FIXED,
                                          "fixed",
                                          Pacing::LITERAL,
                                          "literal"))
            .AddAttribute("PathChooser",
                          "What picks the UDP source port of the next message of a queue pair that "
                          "has nothing open; none: the port of its begin stays",
                          PointerValue(),
                          MakePointerAccessor(&TransportOptions::m_paths),
                          MakePointerChecker<PathChooser>())
            .AddAttribute("AckTimeoutExponent",
                          "Local ACK timeout of IBTA 9.7.6.1.3: 4.096 us times 2 to this, 0: none; "
                          "-1: AckTimeout of the NIC counts",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&TransportOptions::m_ackTimeoutExponent),
                          MakeIntegerChecker<int8_t>(-1, AckTimeout::MAX_EXPONENT));
    return tid;
}

TransportOptions::TransportOptions() = default;

void
TransportOptions::Fill(QueuePairConfig& config) const
{
    config.rnrRetryLimit = m_rnrRetryLimit;
    config.rnrTimerCode = m_rnrTimerCode;
    config.timeToLive = m_timeToLive;
    config.maxReads = m_maxReads;
    config.responderReads = m_responderReads;
    config.ackDuplicates = m_ackDuplicates;
    config.credits = m_credits;
    config.maxInlineBytes = m_maxInlineBytes;
    config.pacing = m_pacing;
    config.paths = m_paths;
    if (m_ackTimeoutExponent >= 0)
    {
        const auto exponent = static_cast<uint8_t>(m_ackTimeoutExponent);
        config.ackTimeout = ToTick(NanoSeconds(AckTimeout::NanoSeconds(exponent)));
    }
}

} // namespace roce
} // namespace ns3
