/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ecmp-load-balancer.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-transmitter.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(EcmpLoadBalancer);

TypeId
EcmpLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::EcmpLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Roce")
            .AddConstructor<EcmpLoadBalancer>()
            .AddAttribute("Seed",
                          "Changes the choices of all switches; each also has its "
                          "own seed, from its number",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EcmpLoadBalancer::m_seed),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("OwnSeed",
                          "Whether each switch has a seed of its own; if not, all hash alike and "
                          "tiers polarize",
                          BooleanValue(true),
                          MakeBooleanAccessor(&EcmpLoadBalancer::m_ownSeed),
                          MakeBooleanChecker())
            .AddAttribute(
                "Fields",
                "What is hashed: names joined by +, of five-tuple, destination-qp, "
                "ingress-port",
                StringValue("five-tuple"),
                MakeStringAccessor(&EcmpLoadBalancer::SetFields, &EcmpLoadBalancer::GetFields),
                MakeStringChecker())
            .AddAttribute("Hash",
                          "The hash function",
                          EnumValue(HASH_MURMUR3),
                          CompatMakeEnumAccessor<HashFunction>(&EcmpLoadBalancer::m_function),
                          MakeEnumChecker(HASH_MURMUR3,
                                          "murmur3",
                                          HASH_CRC32,
                                          "crc32",
                                          HASH_CRC16_CCITT,
                                          "crc16-ccitt",
                                          HASH_XOR,
                                          "xor"))
            .AddAttribute("Weights",
                          "What the share of a member depends on",
                          EnumValue(WEIGHTS_NONE),
                          CompatMakeEnumAccessor<Weights>(&EcmpLoadBalancer::m_weighted),
                          MakeEnumChecker(WEIGHTS_NONE, "none", WEIGHTS_RATE, "rate"));
    return tid;
}

EcmpLoadBalancer::EcmpLoadBalancer() = default;

void
EcmpLoadBalancer::SetFields(std::string fields)
{
    m_fields = SwitchHash::ParseFields(fields);
}

std::string
EcmpLoadBalancer::GetFields() const
{
    return SwitchHash::FieldNames(m_fields);
}

void
EcmpLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    const uint64_t own = m_ownSeed ? id : 0;
    // + 1 because Mix(0) is 0
    const auto mixed = static_cast<uint32_t>(FlowKey::Mix(((uint64_t(m_seed) << 32) | own) + 1));
    m_hash.Configure(m_function, m_fields, mixed);
    m_transmitters = transmitters;
    DoRatesChanged();
}

void
EcmpLoadBalancer::DoRatesChanged()
{
    m_weights.clear();
    if (m_weighted == WEIGHTS_NONE || m_transmitters.empty())
    {
        return;
    }
    std::vector<uint64_t> rates;
    uint64_t unit = 0;
    for (const Transmitter* transmitter : m_transmitters)
    {
        const LinkTiming* timing = transmitter->GetTiming();
        rates.push_back(timing ? timing->GetRate() : 0);
        unit = std::gcd(unit, rates.back());
    }
    // sums of up to MAX_GROUP weights stay below 2^32
    const uint64_t largest = *std::max_element(rates.begin(), rates.end());
    unit = std::max<uint64_t>({unit, largest >> 19, 1});
    for (uint64_t rate : rates)
    {
        m_weights.push_back(static_cast<uint32_t>(rate / unit));
    }
}

uint32_t
EcmpLoadBalancer::PickWeighted(uint32_t hash, const uint16_t* members, uint32_t count) const
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        total += m_weights[members[i]];
    }
    uint32_t left = total ? m_hash.Reduce(hash, total) : 0;
    for (uint32_t i = 0; i + 1 < count; ++i)
    {
        const uint32_t weight = m_weights[members[i]];
        if (left < weight)
        {
            return members[i];
        }
        left -= weight;
    }
    return members[count - 1];
}

uint32_t
EcmpLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick)
{
    const uint32_t hash = m_hash.Of(frame);
    if (__builtin_expect(!m_weights.empty(), 0))
    {
        return PickWeighted(hash, members, count);
    }
    return members[m_hash.Reduce(hash, count)];
}

} // namespace roce
} // namespace ns3
