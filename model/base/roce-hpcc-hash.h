/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_HPCC_HASH_H
#define ROCE_HPCC_HASH_H

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * \brief The path hash of the HPCC artifact: MurmurHash3, x86, 32 bit.
 *
 * Models the choice of a next hop in simulators of the HPCC family, for comparison with them:
 * index = Words(source, destination, source port + 65536 * destination port, node id) modulo the
 * number of next hops.
 *
 * MurmurHash3 of Austin Appleby (public domain); published check: "test" with seed 0 is ba6bd213.
 *
 * Invariants: Words(a, b, c, s) equals Bytes() of the 12 bytes, each word little endian.
 *
 * Left out: use as a general hash; FlowKey::Hash is ours.
 */
class HpccHash
{
  public:
    /** \return the hash of three words. \param w0 first \param w1 second \param w2 third
     *  \param seed the seed: id of the switch */
    static constexpr uint32_t Words(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t seed)
    {
        return Finish(Block(Block(Block(seed, w0), w1), w2) ^ 12U);
    }

    /** \return the hash of bytes. \param data bytes \param size how many \param seed the seed */
    static uint32_t Bytes(const uint8_t* data, size_t size, uint32_t seed)
    {
        uint32_t h = seed;
        size_t i = 0;
        for (; i + 4 <= size; i += 4)
        {
            h = Block(h, Tail(data + i, 4));
        }
        return Finish((h ^ Mix(Tail(data + i, size - i))) ^ static_cast<uint32_t>(size));
    }

    /** \return the index of the next hop. \param source IPv4, host order \param destination IPv4,
     *  host order \param sourcePort port \param destinationPort port \param node id of the switch
     *  \param count number of next hops, above zero */
    static constexpr uint32_t Choose(uint32_t source,
                                     uint32_t destination,
                                     uint16_t sourcePort,
                                     uint16_t destinationPort,
                                     uint32_t node,
                                     uint32_t count)
    {
        return Words(source,
                     destination,
                     sourcePort | (static_cast<uint32_t>(destinationPort) << 16),
                     node) %
               count;
    }

  private:
    /** \return x rotated left. \param x word \param r bits, 1 to 31 */
    static constexpr uint32_t Rotate(uint32_t x, int r)
    {
        return (x << r) | (x >> (32 - r));
    }

    /** \return a mixed input word. \param k the word */
    static constexpr uint32_t Mix(uint32_t k)
    {
        return Rotate(k * 0xcc9e2d51U, 15) * 0x1b873593U;
    }

    /** \return the state after a word. \param h state \param k word */
    static constexpr uint32_t Block(uint32_t h, uint32_t k)
    {
        return Rotate(h ^ Mix(k), 13) * 5U + 0xe6546b64U;
    }

    /** \return up to four bytes as a little endian word. \param data bytes \param size how many */
    static uint32_t Tail(const uint8_t* data, size_t size)
    {
        uint32_t k = 0;
        for (size_t i = 0; i < size; i++)
        {
            k |= static_cast<uint32_t>(data[i]) << (8 * i);
        }
        return k;
    }

    /** \return the state after the last mix. \param h state */
    static constexpr uint32_t Finish(uint32_t h)
    {
        h = (h ^ (h >> 16)) * 0x85ebca6bU;
        h = (h ^ (h >> 13)) * 0xc2b2ae35U;
        return h ^ (h >> 16);
    }
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_HPCC_HASH_H */
