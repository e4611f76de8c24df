/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-trial.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-path-pin-helper.h"

#include <algorithm>
#include <stdexcept>

// who writes to whom in IntOracleTrial

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t PAIR_WINDOW = 512 * 1024; //!< bytes of all queue pairs of two hosts
constexpr uint64_t LEAST_WINDOW = 16 * 1024; //!< bytes of one queue pair
constexpr uint64_t MOST_WINDOW = 128 * 1024; //!< bytes of one queue pair

/** \return a UDP source port of 49152 to 65535. \param engine draws it */
uint16_t
DrawPort(std::mt19937& engine)
{
    return static_cast<uint16_t>(49152 + engine() % 16384);
}

} // namespace

void
IntOracleSettings::Check() const
{
    if (scenario != "permutation" && scenario != "hot-spine")
    {
        throw std::invalid_argument("--scenario=" + scenario + ": choose permutation or hot-spine");
    }
    if (pattern != "leaf" && pattern != "random")
    {
        throw std::invalid_argument("--pattern=" + pattern + ": choose leaf or random");
    }
    if (leaves < 2 || spines < 2 || qps == 0 || messages == 0 || ParseBytes(message) == 0)
    {
        throw std::invalid_argument(
            "--leaves=" + std::to_string(leaves) + " --spines=" + std::to_string(spines) +
            " --qps=" + std::to_string(qps) + " --messages=" + std::to_string(messages) +
            " --message=" + message + ": at least 2, 2, 1, 1 and 1 are needed");
    }
}

std::vector<uint32_t>
IntOracleTrial::DrawPairs(const IntOracleSettings& settings, std::mt19937& engine)
{
    const uint32_t hosts = settings.GetHosts();
    const uint32_t shift = 1 + engine() % (settings.leaves - 1);
    std::vector<uint32_t> to(settings.leaves * hosts);
    // host i of a leaf to host i of another, then destinations change places
    for (uint32_t i = 0; i < to.size(); ++i)
    {
        to[i] = (i / hosts + shift) % settings.leaves * hosts + i % hosts;
    }
    const bool leaf = settings.pattern == "leaf";
    for (uint32_t i = 0; i < to.size(); ++i)
    {
        const auto j =
            static_cast<uint32_t>(leaf ? i - i % hosts + engine() % hosts : engine() % to.size());
        if (to[i] / hosts != j / hosts && to[j] / hosts != i / hosts)
        {
            std::swap(to[i], to[j]);
        }
    }
    return to;
}

uint32_t
IntOracleTrial::HostId(uint32_t number) const
{
    return number + (m_settings.IsHot() ? number / m_settings.GetHosts() : 0);
}

void
IntOracleTrial::Connect(uint32_t source, uint32_t destination)
{
    ConnectionOptions options;
    options.sourcePort = DrawPort(m_engine);
    if (m_windowed)
    {
        options.windowBytes = std::clamp(PAIR_WINDOW / m_settings.qps, LEAST_WINDOW, MOST_WINDOW);
    }
    m_writers.emplace_back();
    Writer& writer = m_writers.back();
    writer.pair = m_fabric->Connect(HostId(source), HostId(destination), options);
    writer.request.bytes = ParseBytes(m_settings.message);
    auto ended = CreateObject<CompletionQueue>();
    ended->SetHandler(m_fabric->GetNode(HostId(source))->GetId(),
                      MakeCallback(&Writer::Done, &writer));
    writer.pair.qp->SetSendQueue(ended);
}

void
IntOracleTrial::AddBackground()
{
    // one flow a leaf, of the host behind the others, all over the first spine
    const uint32_t hosts = m_settings.GetHosts() + 1;
    const uint32_t leaf = m_settings.leaves * hosts;
    for (uint32_t i = 0; i < m_settings.leaves; ++i)
    {
        const uint32_t next = (i + 1) % m_settings.leaves;
        ConnectionOptions options;
        options.windowBytes = MOST_WINDOW;
        const uint32_t flow =
            m_background->Add(i * hosts + hosts - 1, next * hosts + hosts - 1, Time(0), options);
        PathPinHelper(m_fabric).PinPath(m_background->Get(flow),
                                        {leaf + i, leaf + m_settings.leaves, leaf + next});
    }
}

void
IntOracleTrial::Pin(uint32_t source, uint32_t destination, uint32_t qp)
{
    // host i of each leaf has spine i for itself; in front of a hot spine the next one
    const uint32_t hosts = m_settings.GetHosts();
    const uint32_t leaf = m_settings.leaves * (hosts + (m_settings.IsHot() ? 1 : 0));
    const uint32_t free = m_settings.spines - (m_settings.IsHot() ? 1 : 0);
    const uint32_t spine = m_settings.spines - free + (source % hosts + qp * hosts) % free;
    PathPinHelper(m_fabric).PinPath(
        m_writers.back().pair,
        {leaf + source / hosts, leaf + m_settings.leaves + spine, leaf + destination / hosts});
}

} // namespace roce
} // namespace ns3
