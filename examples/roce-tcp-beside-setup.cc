/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-setup.h"

#include "roce-tcp-beside-cubic.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-quantity.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t MAX_MSS = 9216 - 52; //!< Port's largest MTU less IPv4, TCP and its options

/** Congestion control of TCP by label. */
const std::map<std::string, std::string>&
GetLaws()
{
    static const std::map<std::string, std::string> laws = {
        {"tcp-dctcp", "ns3::TcpDctcp"},
        {"tcp-cubic", "ns3::roce::FriendlyCubic"},
        {"tcp-cubic-ns3", "ns3::TcpCubic"},
        {"tcp-reno", "ns3::TcpLinuxReno"},
        {"mixed", "ns3::roce::FriendlyCubic"},
        {"mixed-dwrr", "ns3::roce::FriendlyCubic"},
    };
    return laws;
}

} // namespace

BesideSetup::BesideSetup(const BesideSettings& settings)
    : m_settings(settings),
      m_bytes(ParseBytes(settings.size)),
      m_buffer(ParseBytes(settings.buffer)),
      m_mark(ParseBytes(settings.mark)),
      m_minRto(PicoSeconds(Quantity::DelayPs(settings.minRto)))
{
    CheckNumbers();
    std::istringstream in(settings.runs);
    for (std::string label; std::getline(in, label, ',');)
    {
        CheckLabel(label);
        m_labels.push_back(label);
    }
    if (m_labels.empty())
    {
        throw std::invalid_argument("--runs is empty; give hcc,tcp-cubic or others");
    }
    FriendlyCubic::GetTypeId(); // the linker keeps it
}

void
BesideSetup::CheckNumbers() const
{
    if (m_settings.senders == 0 || m_settings.senders > MAX_SENDERS)
    {
        throw std::invalid_argument("--senders=" + std::to_string(m_settings.senders) + ": 1 to " +
                                    std::to_string(MAX_SENDERS) + " are possible");
    }
    if (m_settings.messages == 0 || m_settings.seeds == 0 || m_settings.ackEvery == 0 ||
        m_bytes == 0)
    {
        throw std::invalid_argument("--messages=" + std::to_string(m_settings.messages) +
                                    " --seeds=" + std::to_string(m_settings.seeds) +
                                    " --ack-every=" + std::to_string(m_settings.ackEvery) +
                                    " --size=" + m_settings.size + ": all must be above 0");
    }
    if (m_settings.mss < 64 || m_settings.mss > MAX_MSS)
    {
        throw std::invalid_argument("--mss=" + std::to_string(m_settings.mss) + ": 64 to " +
                                    std::to_string(MAX_MSS) + " bytes are possible");
    }
    if (!m_minRto.IsStrictlyPositive() || m_settings.lossyPool < 0 || m_settings.lossyPool >= 1)
    {
        throw std::invalid_argument("--min-rto=" + m_settings.minRto + " must be above 0, " +
                                    "--lossy-pool=" + std::to_string(m_settings.lossyPool) +
                                    " from 0 to below 1");
    }
}

void
BesideSetup::CheckLabel(const std::string& label)
{
    if (!HasRoce(label) && !HasTcp(label))
    {
        throw std::invalid_argument(
            "--runs: \"" + label + "\" is not known; choose hcc dcqcn " +
            "pfc pfc-cap tcp-dctcp tcp-cubic tcp-cubic-ns3 tcp-reno mixed " + "mixed-dwrr");
    }
}

bool
BesideSetup::HasRoce(const std::string& label)
{
    return label == "hcc" || label == "dcqcn" || label == "pfc" || label == "pfc-cap" ||
           label.rfind("mixed", 0) == 0;
}

bool
BesideSetup::HasTcp(const std::string& label)
{
    return GetLaws().count(label) > 0;
}

const std::vector<std::string>&
BesideSetup::GetLabels() const
{
    return m_labels;
}

uint64_t
BesideSetup::GetBytes() const
{
    return m_bytes;
}

TcpOptions
BesideSetup::GetTcp(const std::string& label) const
{
    TcpOptions options;
    options.law = GetLaws().at(label);
    options.segmentBytes = m_settings.mss;
    options.ackEvery = m_settings.ackEvery;
    options.minRto = m_minRto;
    options.ecn = label == "tcp-dctcp";
    return options;
}

} // namespace roce
} // namespace ns3
