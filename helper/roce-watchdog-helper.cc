/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-watchdog-helper.h"

#include "ns3/string.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Values of a product. */
struct Preset
{
    const char* name;
    int64_t pollMs;
    int64_t detectionMs;
    int64_t restorationMs;
    const char* action;
};

constexpr Preset PRESETS[] = {
    {"sonic", 200, 200, 200, "drop"},
    {"junos", 100, 200, 200, "drop"},
};

} // namespace

WatchdogHelper::WatchdogHelper()
{
    m_watchdog.SetTypeId(PfcWatchdog::GetTypeId());
    m_spike.SetTypeId(PfcSpikeDetector::GetTypeId());
}

void
WatchdogHelper::SetPreset(const std::string& name)
{
    std::string known;
    for (const Preset& preset : PRESETS)
    {
        if (name == preset.name)
        {
            SetAttribute("PollInterval", TimeValue(MilliSeconds(preset.pollMs)));
            SetAttribute("DetectionTime", TimeValue(MilliSeconds(preset.detectionMs)));
            SetAttribute("RestorationTime", TimeValue(MilliSeconds(preset.restorationMs)));
            SetAttribute("Action", StringValue(preset.action));
            return;
        }
        known += std::string(" ") + preset.name;
    }
    throw std::invalid_argument("PFC watchdog preset \"" + name + "\" is not known; choose" +
                                known);
}

void
WatchdogHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_watchdog.Set(name, value);
}

std::vector<Ptr<PfcWatchdog>>
WatchdogHelper::Install(Ptr<Fabric> fabric) const
{
    std::vector<Ptr<PfcWatchdog>> watchdogs;
    for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
    {
        watchdogs.push_back(m_watchdog.Create<PfcWatchdog>());
        fabric->GetSwitches().Get(i)->GetObject<Switch>()->AddStage(watchdogs.back());
    }
    return watchdogs;
}

void
WatchdogHelper::SetSpikeAttribute(const std::string& name, const AttributeValue& value)
{
    m_spike.Set(name, value);
}

Ptr<PfcSpikeDetector>
WatchdogHelper::InstallSpikeDetector(Ptr<Fabric> fabric) const
{
    Ptr<PfcSpikeDetector> detector = m_spike.Create<PfcSpikeDetector>();
    detector->Install(fabric->GetHosts(), fabric->GetSwitches(), fabric->GetGraph().Hosts());
    return detector;
}

Ptr<PauseTreeMonitor>
WatchdogHelper::InstallPauseTree(Ptr<Fabric> fabric)
{
    return Create<PauseTreeMonitor>(fabric->GetHosts(),
                                    fabric->GetSwitches(),
                                    fabric->GetGraph().Hosts());
}

} // namespace roce
} // namespace ns3
