/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_COMPAT_H
#define ROCE_COMPAT_H

#include "ns3/enum.h"
#include "ns3/trace-helper.h"

#include <type_traits>
#include <utility>

#if __has_include("ns3/iana-link-type-numbers.h") // after ns-3.48
#include "ns3/iana-link-type-numbers.h"
#endif

/**
 * \file
 * The differences between ns-3.37 and the newest that this module meets, in one place; no other
 * file asks for the version. Decided by which names exist, as no ns-3 header carries the version.
 */

namespace ns3
{
namespace roce
{

/** EnumValue is a class until ns-3.40 and a class template since ns-3.41. */
template <typename E>
using CompatEnumValue = decltype(EnumValue(std::declval<E>()));

/// \cond
namespace detail
{
template <typename E, typename... A>
auto
EnumAccessor(int, A... a) -> decltype(MakeEnumAccessor<E>(a...))
{
    return MakeEnumAccessor<E>(a...);
}

template <typename E, typename... A>
auto
EnumAccessor(long, A... a) -> decltype(MakeEnumAccessor(a...))
{
    return MakeEnumAccessor(a...);
}
} // namespace detail

/// \endcond

/**
 * MakeEnumAccessor(&C::m) until ns-3.40, MakeEnumAccessor<E>(&C::m) since ns-3.41.
 *
 * \tparam E the enumeration
 * \param a pointer to the data member
 * \return the accessor for TypeId::AddAttribute
 */
template <typename E, typename... A>
Ptr<const AttributeAccessor>
CompatMakeEnumAccessor(A... a)
{
    return detail::EnumAccessor<E>(0, a...);
}

/** The pcap link type of Ethernet: in PcapHelper until ns-3.48, in iana::linktype after it. */
#if __has_include("ns3/iana-link-type-numbers.h")
inline constexpr auto COMPAT_DLT_ETHERNET = iana::linktype::ETHERNET;
#else
inline constexpr auto COMPAT_DLT_ETHERNET = PcapHelper::DLT_EN10MB;
#endif

} // namespace roce
} // namespace ns3

#endif /* ROCE_COMPAT_H */
