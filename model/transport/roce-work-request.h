/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORK_REQUEST_H
#define ROCE_WORK_REQUEST_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What an application asks a queue pair to do (IBTA 10.7.3.1): write bytes to the other side.
 */
struct WorkRequest
{
    uint64_t id{0};            //!< the application's own; comes back in the completion
    uint64_t bytes{0};         //!< length; 0 is legal, more than 4 GiB too
    uint64_t remoteAddress{0}; //!< where to write
    uint32_t remoteKey{0};     //!< R_Key of the remote memory region
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORK_REQUEST_H
