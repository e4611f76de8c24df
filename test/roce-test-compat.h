/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TEST_COMPAT_H
#define ROCE_TEST_COMPAT_H

#include "ns3/test.h"

#include <type_traits>

namespace ns3
{
namespace roce
{

/**
 * The names of the test durations: TestCase::QUICK until ns-3.41, TestCase::Duration::QUICK since
 * ns-3.42. Write AddTestCase(p, D::QUICK). (TestSuite::Type::UNIT compiles with every version.)
 */
template <typename T, typename = void>
struct Durations
{
    static constexpr auto QUICK = T::QUICK;                 //!< part of every run
    static constexpr auto EXTENSIVE = T::EXTENSIVE;         //!< seconds
    static constexpr auto TAKES_FOREVER = T::TAKES_FOREVER; //!< minutes
};

/** The same for ns-3.42 and later. */
template <typename T>
struct Durations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;                 //!< part of every run
    static constexpr auto EXTENSIVE = T::Duration::EXTENSIVE;         //!< seconds
    static constexpr auto TAKES_FOREVER = T::Duration::TAKES_FOREVER; //!< minutes
};

using D = Durations<TestCase>; //!< short, as it stands in each AddTestCase

} // namespace roce
} // namespace ns3

#endif /* ROCE_TEST_COMPAT_H */
