/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NVLINK_CHANNEL_H
#define ROCE_NVLINK_CHANNEL_H

#include "roce-message-channel.h"
#include "roce-nvlink-domain.h"

namespace ns3
{
namespace roce
{

/**
 * Messages between two GPUs of a server.
 *
 * Models: writes over the links of an NvlinkDomain. A message counts as acknowledged when its last
 * byte has left.
 *
 * Source: see NvlinkDomain.
 *
 * Invariants: messages of a channel follow each other.
 *
 * Leaves out: what NvlinkDomain does.
 */
class NvlinkChannel : public MessageChannel
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** \param domain links of the server \param from GPU there that sends \param to GPU there that
     *  receives */
    void Connect(Ptr<NvlinkDomain> domain, uint32_t from, uint32_t to);

  private:
    void DoDispose() override;
    void DoSend(uint64_t number, uint64_t bytes, uint64_t remoteAddress) override;

    Ptr<NvlinkDomain> m_domain;
    uint32_t m_from{0};
    uint32_t m_to{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NVLINK_CHANNEL_H
