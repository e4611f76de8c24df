/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRANSPORT_SERVICE_H
#define ROCE_TRANSPORT_SERVICE_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/** Transport service of a queue pair (IBTA 9.1). */
enum class TransportService : uint8_t
{
    RC, //!< reliable connection
    UC, //!< unreliable connection
    UD, //!< unreliable datagram
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRANSPORT_SERVICE_H
