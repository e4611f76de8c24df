/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ecn-marker.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/roce-compat.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{
/**
 * Throw std::invalid_argument if thresholds contradict each other.
 * \param kmin bytes
 * \param kmax bytes
 * \param pmax probability
 * \param rate bit/s they belong to
 */
void
CheckThresholds(uint64_t kmin, uint64_t kmax, double pmax, uint64_t rate)
{
    if (kmin <= kmax && pmax >= 0 && pmax <= 1)
    {
        return;
    }
    std::ostringstream message;
    message << "ECN thresholds for " << rate << " bit/s: Kmin " << kmin << " bytes, Kmax " << kmax
            << " bytes, Pmax " << pmax << "; Kmin must not exceed Kmax, Pmax must be from 0 to 1";
    throw std::invalid_argument(message.str());
}
} // namespace

NS_OBJECT_ENSURE_REGISTERED(EcnMarker);

TypeId
EcnMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::EcnMarker")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<EcnMarker>()
            .AddAttribute("KminBytes",
                          "Queue up to which nothing is marked, at ReferenceRate",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&EcnMarker::m_kmin),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("KmaxBytes",
                          "Queue above which all is marked, at ReferenceRate; equal to KminBytes "
                          "it makes a step",
                          UintegerValue(1600000),
                          MakeUintegerAccessor(&EcnMarker::m_kmax),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Pmax",
                          "Marking probability at KmaxBytes",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&EcnMarker::m_pmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReferenceRate",
                          "Rate of a port to which the thresholds belong; they scale with the "
                          "rate. 0: do not scale",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&EcnMarker::m_reference),
                          MakeDataRateChecker())
            .AddAttribute("MarkPriorities",
                          "Bit p: frames of priority p may be marked",
                          UintegerValue(0xff),
                          MakeUintegerAccessor(&EcnMarker::m_priorities),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("Mode",
                          "red: by a probability between KminBytes and KmaxBytes. step: always "
                          "above KminBytes (DCTCP)",
                          CompatEnumValue<Mode>(RED),
                          CompatMakeEnumAccessor<Mode>(&EcnMarker::m_mode),
                          MakeEnumChecker(RED, "red", STEP, "step"))
            .AddAttribute("MarkAt",
                          "dequeue: by the bytes that a leaving frame leaves behind. enqueue: by "
                          "those that an arriving one finds. Holds from Switch::Freeze on",
                          CompatEnumValue<Moment>(DEQUEUE),
                          CompatMakeEnumAccessor<Moment>(&EcnMarker::m_moment),
                          MakeEnumChecker(DEQUEUE, "dequeue", ENQUEUE, "enqueue"));
    return tid;
}

EcnMarker::EcnMarker()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
EcnMarker::SetThresholds(uint64_t rate, uint64_t kmin, uint64_t kmax, double pmax)
{
    CheckThresholds(kmin, kmax, pmax, rate);
    m_table[rate] = EcnThresholds{kmin, kmax, pmax};
}

bool
EcnMarker::HasThresholds(uint64_t rate) const
{
    return m_table.count(rate) != 0;
}

EcnThresholds
EcnMarker::GetThresholds(uint64_t rate) const
{
    EcnThresholds thresholds{m_kmin, m_kmax, m_pmax};
    const auto entry = m_table.find(rate);
    const uint64_t reference = m_reference.GetBitRate();
    if (entry != m_table.end())
    {
        thresholds = entry->second;
    }
    else if (reference != 0)
    {
        const auto scale = [rate, reference](uint64_t bytes) {
            return static_cast<uint64_t>(static_cast<__uint128_t>(bytes) * rate / reference);
        };
        thresholds.kmin = scale(m_kmin);
        thresholds.kmax = scale(m_kmax);
    }
    if (m_mode == STEP)
    {
        thresholds.kmax = thresholds.kmin;
    }
    else if (entry == m_table.end())
    {
        CheckThresholds(m_kmin, m_kmax, m_pmax, rate);
    }
    return thresholds;
}

bool
EcnMarker::Decide(const EcnThresholds& thresholds, uint64_t bytes)
{
    if (bytes <= thresholds.kmin || bytes > thresholds.kmax)
    {
        return bytes > thresholds.kmin;
    }
    // here kmin < bytes <= kmax, so the division is by more than 0
    const double p = thresholds.pmax * static_cast<double>(bytes - thresholds.kmin) /
                     static_cast<double>(thresholds.kmax - thresholds.kmin);
    return m_random->GetValue() < p;
}

int64_t
EcnMarker::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
EcnMarker::DoDispose()
{
    m_random = nullptr;
    Object::DoDispose();
}

} // namespace roce
} // namespace ns3
