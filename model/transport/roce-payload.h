/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAYLOAD_H
#define ROCE_PAYLOAD_H

#include <cstdint>

namespace ns3
{
namespace roce
{

struct Frame;
class ProtectionDomain;

// Bytes between memory and frames. A frame without a packet stands for zeros.

/**
 * \param frame gets a packet of Frame::payload bytes
 * \param bytes that many bytes
 */
void AttachPayload(Frame& frame, const uint8_t* bytes);

/**
 * \param frame gets Frame::payload bytes of memory; none if the region has no storage
 * \param domain where the memory is
 * \param key of the region
 * \param address of the first byte; checked before
 */
void AttachPayload(Frame& frame, const ProtectionDomain& domain, uint32_t key, uint64_t address);

/**
 * \param frame whose payload goes to memory
 * \param domain where the memory is
 * \param key of the region
 * \param address of the first byte; checked before
 */
void StorePayload(const Frame& frame, ProtectionDomain& domain, uint32_t key, uint64_t address);

/**
 * \param number goes to memory, little-endian
 * \param domain where the memory is
 * \param key of the region
 * \param address of the first byte; checked before
 */
void StoreNumber(uint64_t number, ProtectionDomain& domain, uint32_t key, uint64_t address);

} // namespace roce
} // namespace ns3

#endif // ROCE_PAYLOAD_H
