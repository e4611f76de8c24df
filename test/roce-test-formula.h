/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TEST_FORMULA_H
#define ROCE_TEST_FORMULA_H

#include "ns3/roce-frame-sizes.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/**
 * \file
 * The arithmetic that tests expect of a lone message: store and forward, nothing else.
 */

namespace ns3
{
namespace roce
{

/** One link of a path. */
struct TestHop
{
    uint64_t rate{100000000000ULL}; //!< bit/s
    double delayNs{1000};           //!< one way
    uint32_t overhead{20};          //!< preamble and gap, bytes
};

/** \return ns that bytes last. \param bytes how many \param rate bit/s */
inline double
TestBytesNs(double bytes, uint64_t rate)
{
    return bytes * 8e9 / static_cast<double>(rate);
}

/** \return packets of a message. \param bytes its length \param mtu payload of a full packet */
inline uint64_t
TestPackets(uint64_t bytes, uint32_t mtu)
{
    return bytes == 0 ? 1 : (bytes + mtu - 1) / mtu;
}

/**
 * Payloads of a message: full packets and what is left.
 * \param bytes length of the message \param mtu payload of a full packet \return by packet
 */
inline std::vector<uint32_t>
TestPayloads(uint64_t bytes, uint32_t mtu)
{
    std::vector<uint32_t> list(TestPackets(bytes, mtu), mtu);
    list.back() = static_cast<uint32_t>(bytes - (list.size() - 1) * uint64_t(mtu));
    return list;
}

/**
 * Packet by packet: frame j leaves link i at
 * D(j, i) = max(D(j - 1, i), D(j, i - 1) + delay of link i - 1) + its length on link i.
 * \param path links from sender to receiver
 * \param frames bytes of each frame without overhead
 * \return ns from the first bit until the last byte is at the receiver
 */
inline double
TestArrivalNs(const std::vector<TestHop>& path, const std::vector<uint32_t>& frames)
{
    std::vector<double> free(path.size(), 0);
    double at = 0;
    for (uint32_t size : frames)
    {
        at = 0;
        for (std::size_t i = 0; i < path.size(); ++i)
        {
            at = std::max(at, free[i]) + TestBytesNs(size + path[i].overhead, path[i].rate);
            free[i] = at;
            at += path[i].delayNs;
        }
    }
    return at;
}

/** \return ns an ACK needs to come back. \param path links of the message \param sizes sizes */
inline double
TestAckNs(const std::vector<TestHop>& path, const FrameSizes& sizes)
{
    double sum = 0;
    for (const TestHop& hop : path)
    {
        sum += TestBytesNs(sizes.ackBytes + hop.overhead, hop.rate) + hop.delayNs;
    }
    return sum;
}

/** \return frame bytes of a message's packets. \param bytes length \param mtu payload of a full
 *  packet \param sizes sizes */
inline std::vector<uint32_t>
TestFrames(uint64_t bytes, uint32_t mtu, const FrameSizes& sizes)
{
    std::vector<uint32_t> frames;
    for (uint32_t payload : TestPayloads(bytes, mtu))
    {
        frames.push_back(sizes.DataBytes(payload, frames.empty()));
    }
    return frames;
}

/** \return ns from the first bit to the arrival of the last ACK, packet by packet. \param path
 *  links \param bytes length \param mtu payload of a full packet \param sizes sizes */
inline double
TestCompletionNs(const std::vector<TestHop>& path,
                 uint64_t bytes,
                 uint32_t mtu,
                 const FrameSizes& sizes = FrameSizes())
{
    return TestArrivalNs(path, TestFrames(bytes, mtu, sizes)) + TestAckNs(path, sizes);
}

/**
 * The closed formula for n equal links. The first packet carries the RETH, so it is the longest:
 * s1. The message moves as one train that is held up by one longest packet at each further link:
 * arrival = sum of all lengths + (n - 1) * s1 + n * d; N == 1 gives n * s' + n * d.
 * Written out with real sizes: 82 bytes around each payload, pad to 4, 16 for the RETH.
 * \param links n \param rate of all \param delayNs of each \param bytes length \param mtu payload
 * \return ns from the first bit until the last byte is at the receiver
 */
inline double
TestEqualArrivalNs(uint32_t links, uint64_t rate, double delayNs, uint64_t bytes, uint32_t mtu)
{
    const uint64_t packets = TestPackets(bytes, mtu);
    const uint64_t rest = bytes - (packets - 1) * mtu;
    const auto padded = [](uint64_t payload) { return double((payload + 3) / 4 * 4); };
    const double longest = 82 + 16 + padded(packets == 1 ? rest : mtu);
    double all = longest;
    if (packets > 1)
    {
        all += double(packets - 2) * (82 + padded(mtu)) + 82 + padded(rest);
    }
    return TestBytesNs(all + (links - 1) * longest, rate) + links * delayNs;
}

/** \return TestEqualArrivalNs and the way back of an ACK of 66 + 20 bytes. \param links n \param
 *  rate of all \param delayNs of each \param bytes length \param mtu payload */
inline double
TestEqualCompletionNs(uint32_t links, uint64_t rate, double delayNs, uint64_t bytes, uint32_t mtu)
{
    return TestEqualArrivalNs(links, rate, delayNs, bytes, mtu) +
           links * (TestBytesNs(86, rate) + delayNs);
}

} // namespace roce
} // namespace ns3

#endif // ROCE_TEST_FORMULA_H
