/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-loss-recovery-setup.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t PORT_BYTES = 240000;  //!< buffer of an ingress port
constexpr uint32_t PAUSE_BYTES = 220000; //!< bytes at which its sender is paused
constexpr uint32_t POOL_BYTES = 8000;    //!< a port: what the pause threshold is computed from
/** What arrives after a pause: twice 2 us at 5 bytes a ns, a frame each way, and a little. */
constexpr uint32_t HEADROOM_BYTES = 24000;
constexpr uint32_t DATA_PRIORITY = 3;
/** With PFC nothing is lost, and a timer could only expire by mistake. */
constexpr int64_t NO_LOSS_TIMER_MS = 100;

} // namespace

void
LossRecoverySetup::Configure(RoceHelper& roce, const LossRecoveryWay& way, uint32_t ports)
{
    roce.SetNicAttribute("PathMtu", UintegerValue(1000));
    roce.SetNicAttribute("RetryLimit", UintegerValue(1000)); // a message never fails
    roce.SetNicAttribute("AckTimeout",
                         TimeValue(way.pfc ? MilliSeconds(NO_LOSS_TIMER_MS) : MicroSeconds(320)));
    roce.SetLossRecovery(way.recovery);
    if (way.recovery == "irn")
    {
        roce.SetLossRecoveryAttribute("Window", UintegerValue(120000)); // of the longest path
        if (way.pfc)
        {
            const TimeValue never(MilliSeconds(NO_LOSS_TIMER_MS));
            roce.SetLossRecoveryAttribute("RtoLow", never);
            roce.SetLossRecoveryAttribute("RtoHigh", never);
        }
    }
    // Reserves are the bytes of a port. Those of priorities that carry nothing are never used.
    roce.SetSwitchAttribute("PfcEnabled", BooleanValue(way.pfc));
    roce.SetSwitchAttribute("LosslessMask", UintegerValue(way.pfc ? 1 << DATA_PRIORITY : 0));
    roce.SetSwitchAttribute("LossyPoolFraction", DoubleValue(0));
    roce.SetSwitchAttribute("LossyReserveBytes", UintegerValue(PORT_BYTES));
    uint64_t bytes = uint64_t(PORT_BYTES) * ports * (NUM_PRIORITIES - (way.pfc ? 1 : 0));
    if (way.pfc)
    {
        // A port is paused above its reserve and a share of the pool: alpha = 1 / (2 ports) of
        // ports * POOL_BYTES, which all ports together cannot use up.
        const uint32_t reserve = PAUSE_BYTES - POOL_BYTES / 2;
        roce.SetSwitchAttribute("ReserveBytes", UintegerValue(reserve));
        roce.SetSwitchAttribute("Alpha", DoubleValue(0.5 / ports));
        roce.SetSwitchAttribute("HeadroomBytes", UintegerValue(HEADROOM_BYTES));
        bytes += uint64_t(reserve + POOL_BYTES + HEADROOM_BYTES) * ports;
    }
    roce.SetSwitchAttribute("BufferSize", UintegerValue(bytes));
}

} // namespace roce
} // namespace ns3
