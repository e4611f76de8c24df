/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-dcqcn.h"

#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Dcqcn);

namespace
{

/** Up to so many quiet alpha updates are multiplied out; see the class comment. */
constexpr uint64_t EXACT_ALPHA_STEPS = 4096;

} // namespace

TypeId
Dcqcn::GetTypeId()
{
    static TypeId tid = AddRates(
        AddTimers(TypeId("ns3::roce::Dcqcn")
                      .SetParent<CongestionControl>()
                      .SetGroupName("Roce")
                      .AddConstructor<Dcqcn>()
                      .AddAttribute("Preset",
                                    "Parameter set: paper, connectx or hpcc-artifact. All "
                                    "other attributes override it unless negative",
                                    StringValue("paper"),
                                    MakeStringAccessor(&Dcqcn::SetPreset, &Dcqcn::GetPreset),
                                    MakeStringChecker())));
    return tid;
}

TypeId
Dcqcn::AddTimers(TypeId tid)
{
    return tid
        .AddAttribute("AlphaInterval",
                      "Time between updates of alpha; negative = preset",
                      TimeValue(Seconds(-1)),
                      MakeTimeAccessor(&Dcqcn::m_setAlphaInterval),
                      MakeTimeChecker())
        .AddAttribute("DecreaseInterval",
                      "Time between checks for a rate decrease; 0 only if the preset's law cuts at "
                      "each CNP; negative = preset",
                      TimeValue(Seconds(-1)),
                      MakeTimeAccessor(&Dcqcn::m_setDecreaseInterval),
                      MakeTimeChecker())
        .AddAttribute("IncreaseInterval",
                      "Rate increase timer; 0 = off; negative = preset",
                      TimeValue(Seconds(-1)),
                      MakeTimeAccessor(&Dcqcn::m_setIncreaseInterval),
                      MakeTimeChecker())
        .AddAttribute("ByteCounterBytes",
                      "Bytes sent between two rate increases; 0 = off; -1 = preset",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setByteCounter),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("FastRecoverySteps",
                      "F, increases that halve the distance to the target; -1 = preset",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setSteps),
                      MakeIntegerChecker<int64_t>(-1, 0xffffffff));
}

TypeId
Dcqcn::AddRates(TypeId tid)
{
    return tid
        .AddAttribute("Gain",
                      "g, weight of a new sample in alpha, in (0, 1]; negative = preset",
                      DoubleValue(-1),
                      MakeDoubleAccessor(&Dcqcn::m_setGain),
                      MakeDoubleChecker<double>(-1, 1))
        .AddAttribute("RateAiBps",
                      "R_AI, step of additive increase, bit/s; -1 = preset",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setRateAi),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("RateHaiBps",
                      "R_HAI, step of hyper increase, bit/s; -1 = preset",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setRateHai),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("MinRateBps",
                      "Floor of the rate, bit/s, at least 1; -1 = preset",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setMinRate),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("RateReferenceBps",
                      "Link rate for which R_AI and R_HAI hold, bit/s: both are multiplied by line "
                      "rate / reference; 0 = not scaled; -1 = preset (all presets: 0)",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setReference),
                      MakeIntegerChecker<int64_t>(-1))
        .AddAttribute("ClampTarget",
                      "1 = each cut sets the target to the rate before it; 0 = only the first cut "
                      "after an increase; -1 = preset",
                      IntegerValue(-1),
                      MakeIntegerAccessor(&Dcqcn::m_setClampTarget),
                      MakeIntegerChecker<int64_t>(-1, 1));
}

Dcqcn::Dcqcn() = default;
Dcqcn::~Dcqcn() = default;

void
Dcqcn::SetPreset(std::string name)
{
    m_base = DcqcnParameters::FromName(name);
}

std::string
Dcqcn::GetPreset() const
{
    return m_base.name;
}

void
Dcqcn::SetParameters(const DcqcnParameters& parameters)
{
    m_base = parameters;
}

DcqcnParameters
Dcqcn::GetParameters() const
{
    DcqcnParameters p = m_base;
    const auto number = [](auto& to, int64_t set) {
        if (set >= 0)
        {
            to = static_cast<std::decay_t<decltype(to)>>(set);
        }
    };
    const auto time = [](Time& to, const Time& set) {
        if (!set.IsStrictlyNegative())
        {
            to = set;
        }
    };
    if (m_setGain >= 0)
    {
        p.gain = m_setGain;
    }
    time(p.alphaInterval, m_setAlphaInterval);
    time(p.decreaseInterval, m_setDecreaseInterval);
    time(p.increaseInterval, m_setIncreaseInterval);
    number(p.byteCounterBytes, m_setByteCounter);
    number(p.fastRecoverySteps, m_setSteps);
    number(p.rateAiBps, m_setRateAi);
    number(p.rateHaiBps, m_setRateHai);
    number(p.minRateBps, m_setMinRate);
    number(p.rateReferenceBps, m_setReference);
    number(p.clampTarget, m_setClampTarget);
    return p;
}

void
Dcqcn::Configure()
{
    const DcqcnParameters p = GetParameters();
    p.Validate(GetFlow().lineRate);
    m_line = static_cast<double>(GetFlow().lineRate);
    const double scale = p.rateReferenceBps == 0 ? 1 : m_line / p.rateReferenceBps;
    m_law = p.law;
    m_gain = p.gain;
    m_initialAlpha = p.initialAlpha;
    m_alphaTicks = ToTick(p.alphaInterval);
    m_decreaseTicks = ToTick(p.decreaseInterval);
    m_increaseTicks = ToTick(p.increaseInterval);
    m_byteCounter = p.byteCounterBytes;
    m_steps = p.fastRecoverySteps;
    m_integer = p.integerRates;
    m_rateAi = p.rateAiBps * scale;
    m_rateHai = p.rateHaiBps * scale;
    if (m_integer)
    {
        m_rateAi = std::floor(m_rateAi);
        m_rateHai = std::floor(m_rateHai);
    }
    m_min = static_cast<double>(p.minRateBps);
    m_minFactor = p.minDecreaseFactor;
    m_clampTarget = p.clampTarget;
    m_clampAfterTime = p.clampTargetAfterTimeIncrease;
    m_limitTarget = p.limitTarget;
    m_hyperByTimer = p.hyperByTimerAlone;
}

void
Dcqcn::DoStart(Tick)
{
    Configure();
    m_rc = m_line;
    m_rt = m_line;
    m_alpha = m_initialAlpha;
    m_alphaAt = NEVER;
    m_increaseAt = NEVER;
    m_decreaseAt = NEVER;
    m_decreaseGrid = 0;
    m_bytes = 0;
    m_timerStage = 0;
    m_byteStage = 0;
    m_active = false;
    m_alphaCnp = false;
    m_retarget = false;
    m_cuts = 0;
    m_increases = 0;
    m_hearsSent = false;
    Publish();
}

void
Dcqcn::DoAdvance(Tick now)
{
    RunTimers(now);
    Publish();
}

void
Dcqcn::DoSent(uint32_t bytes, Tick)
{
    m_bytes += bytes;
    if (m_bytes < m_byteCounter)
    {
        return;
    }
    // Called only while the byte counter runs; Increase may stop it.
    while (m_hearsSent && m_bytes >= m_byteCounter)
    {
        m_bytes -= m_byteCounter;
        Increase(false);
    }
    Publish();
}

void
Dcqcn::DoCnp(const CnpInfo&, Tick now)
{
    RunTimers(now);
    if (m_law == DcqcnLaw::CUT_ON_CNP)
    {
        CnpCuts(now);
    }
    else
    {
        CnpWaits(now);
    }
    m_active = true;
    Publish();
}

void
Dcqcn::CnpCuts(Tick now)
{
    SettleAlpha(now);
    Cut(now);
    m_alpha = std::min(1.0, (1 - m_gain) * m_alpha + m_gain);
    m_alphaAt = now + m_alphaTicks;
}

void
Dcqcn::CnpWaits(Tick now)
{
    if (!m_active)
    {
        // The first check comes one nanosecond late, so that it sees the alpha update of its time.
        // The CNP that starts the timers does not count as a sample of alpha.
        const Tick late = std::max<Tick>(1, ToTick(NanoSeconds(1)));
        m_alphaAt = now + m_alphaTicks;
        m_decreaseGrid = now + m_decreaseTicks + late;
        m_decreaseAt = m_decreaseGrid;
        return;
    }
    SettleAlpha(now - 1); // an update at this very tick counts this CNP
    m_alphaCnp = true;
    if (m_decreaseAt == NEVER)
    {
        // A check at this very tick has passed: the next one is strictly later.
        const Tick checks = (now - m_decreaseGrid) / m_decreaseTicks + 1;
        m_decreaseAt = m_decreaseGrid + checks * m_decreaseTicks;
    }
}

void
Dcqcn::RunTimers(Tick now)
{
    for (Tick t = std::min(m_increaseAt, m_decreaseAt); t <= now;
         t = std::min(m_increaseAt, m_decreaseAt))
    {
        if (t == NEVER)
        {
            return;
        }
        if (m_increaseAt == t)
        {
            m_increaseAt = t + m_increaseTicks;
            Increase(true);
        }
        if (m_decreaseAt == t)
        {
            m_decreaseAt = NEVER;
            m_decreaseGrid = t;
            SettleAlpha(t - 1); // alpha moves after arrivals, which come after this check
            Cut(t);
        }
    }
}

void
Dcqcn::Increase(bool byTimer)
{
    const double oldRc = m_rc;
    const uint32_t least = m_hyperByTimer ? m_timerStage : std::min(m_timerStage, m_byteStage);
    if (least > m_steps)
    {
        m_rt += m_rateHai;
    }
    else if (std::max(m_timerStage, m_byteStage) >= m_steps)
    {
        m_rt += m_rateAi;
    }
    if (m_limitTarget)
    {
        m_rt = std::min(m_rt, m_line);
    }
    if (m_integer)
    {
        m_rc = std::floor(m_rc / 2) + std::floor(m_rt / 2);
    }
    else
    {
        m_rc = (m_rt + m_rc) / 2;
    }
    m_rc = std::min(std::max(m_rc, m_min), m_line);

    uint32_t& stage = byTimer ? m_timerStage : m_byteStage;
    stage += stage < std::numeric_limits<uint32_t>::max();
    m_retarget |= !byTimer || m_clampAfterTime;
    ++m_increases;
    StopIfSettled(oldRc);
}

void
Dcqcn::StopIfSettled(double oldRc)
{
    // No later increase can move Rc: halving changed nothing and Rt is at its end.
    const bool rateSettled = m_rc == oldRc && m_rt >= m_line && (m_limitTarget || m_rc == m_line);
    // No later increase can change what the next cut makes of Rt.
    const bool targetSettled = m_clampTarget || m_retarget || m_rc == m_rt;
    if (rateSettled && targetSettled)
    {
        m_increaseAt = NEVER;
        m_hearsSent = false;
    }
}

void
Dcqcn::Cut(Tick t)
{
    if (m_clampTarget || m_retarget)
    {
        m_rt = m_rc;
    }
    m_rc *= std::max(1 - m_alpha / 2, m_minFactor);
    if (m_integer)
    {
        m_rc = std::floor(m_rc);
    }
    m_rc = std::max(m_rc, m_min);
    m_retarget = false;
    m_timerStage = 0;
    m_byteStage = 0;
    m_bytes = 0;
    m_increaseAt = m_increaseTicks > 0 ? t + m_increaseTicks : NEVER;
    m_hearsSent = m_byteCounter > 0;
    ++m_cuts;
}

uint64_t
Dcqcn::AlphaSteps(Tick upTo) const
{
    return upTo < m_alphaAt ? 0 : static_cast<uint64_t>((upTo - m_alphaAt) / m_alphaTicks) + 1;
}

double
Dcqcn::AlphaAfter(uint64_t n) const
{
    if (n == 0)
    {
        return m_alpha;
    }
    const double keep = 1 - m_gain;
    double alpha = keep * m_alpha;
    if (m_alphaCnp)
    {
        alpha = std::min(1.0, alpha + m_gain);
    }
    const uint64_t quiet = n - 1;
    if (quiet > EXACT_ALPHA_STEPS)
    {
        return alpha * std::pow(keep, static_cast<double>(quiet));
    }
    for (uint64_t i = 0; i < quiet; ++i)
    {
        alpha *= keep;
    }
    return alpha;
}

void
Dcqcn::SettleAlpha(Tick upTo)
{
    const uint64_t n = AlphaSteps(upTo);
    if (n > 0)
    {
        m_alpha = AlphaAfter(n);
        m_alphaCnp = false;
        m_alphaAt += static_cast<Tick>(n) * m_alphaTicks;
    }
}

double
Dcqcn::GetAlpha(Tick now) const
{
    return AlphaAfter(AlphaSteps(now));
}

void
Dcqcn::Publish()
{
    m_rate = std::max<uint64_t>(1, static_cast<uint64_t>(m_rc));
    m_deadline = std::min(m_increaseAt, m_decreaseAt);
}

} // namespace roce
} // namespace ns3
