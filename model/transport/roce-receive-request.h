/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECEIVE_REQUEST_H
#define ROCE_RECEIVE_REQUEST_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Room for one incoming message (IBTA 10.7.3.2): a SEND lands there, a WRITE with immediate only
 * uses it up.
 */
struct ReceiveRequest
{
    uint64_t id{0};           //!< the application's own; comes back in the completion
    uint64_t bytes{0};        //!< room in bytes; a longer message is an error
    uint64_t localAddress{0}; //!< where the message lands
    uint32_t localKey{0};     //!< L_Key of the local memory region
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RECEIVE_REQUEST_H
