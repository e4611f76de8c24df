/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ecn-marker.h"

#include "ns3/double.h"
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
                          MakeUintegerChecker<uint8_t>());
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
    const auto entry = m_table.find(rate);
    if (entry != m_table.end())
    {
        return entry->second;
    }
    CheckThresholds(m_kmin, m_kmax, m_pmax, rate);
    const uint64_t reference = m_reference.GetBitRate();
    if (reference == 0)
    {
        return EcnThresholds{m_kmin, m_kmax, m_pmax};
    }
    const auto scale = [rate, reference](uint64_t bytes) {
        return static_cast<uint64_t>(static_cast<__uint128_t>(bytes) * rate / reference);
    };
    return EcnThresholds{scale(m_kmin), scale(m_kmax), m_pmax};
}

bool
EcnMarker::DoMark(Frame* frame, const EcnThresholds& thresholds, uint64_t bytes)
{
    if (bytes <= thresholds.kmax)
    {
        // here kmin < bytes <= kmax, so the division is by more than 0
        const double p = thresholds.pmax * static_cast<double>(bytes - thresholds.kmin) /
                         static_cast<double>(thresholds.kmax - thresholds.kmin);
        if (m_random->GetValue() >= p)
        {
            return false;
        }
    }
    frame->ecn = ECN_CE;
    return true;
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
