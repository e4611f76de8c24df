/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERBS_TEST_FORMULA_H
#define ROCE_VERBS_TEST_FORMULA_H

#include "roce-test-formula.h"

#include "ns3/roce-work-request.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

/**
 * \file
 * The arithmetic that tests expect of a lone request of any operation in a star of 100G and 1 us.
 */

namespace ns3
{
namespace roce
{

inline constexpr uint64_t VERBS_RATE =
    100000000000ULL; //!< of each link of StarGraph in these suites

/** The operations of RC. */
inline constexpr std::array<Operation, 8> ALL_OPERATIONS = {Operation::WRITE,
                                                            Operation::WRITE_IMMEDIATE,
                                                            Operation::SEND,
                                                            Operation::SEND_IMMEDIATE,
                                                            Operation::SEND_INVALIDATE,
                                                            Operation::READ,
                                                            Operation::FETCH_ADD,
                                                            Operation::COMPARE_SWAP};

/** \return whether an operation fills a receive request. \param operation an operation */
inline bool
TestIsSend(Operation operation)
{
    return operation == Operation::SEND || operation == Operation::SEND_IMMEDIATE ||
           operation == Operation::SEND_INVALIDATE;
}

/** \return bytes of the extension headers of a request's first and last packet (IBTA 9.3): RETH 16,
 *  AtomicETH 28, ImmDt 4, IETH 4. \param operation an operation \param first or else last */
inline uint32_t
TestExtension(Operation operation, bool first, bool last)
{
    uint32_t bytes = 0;
    const bool write = operation == Operation::WRITE || operation == Operation::WRITE_IMMEDIATE;
    if (first && (write || operation == Operation::READ))
    {
        bytes += 16;
    }
    if (IsAtomic(operation))
    {
        bytes += 28;
    }
    if (last && (operation == Operation::WRITE_IMMEDIATE ||
                 operation == Operation::SEND_IMMEDIATE || operation == Operation::SEND_INVALIDATE))
    {
        bytes += 4;
    }
    return bytes;
}

/** \return frame bytes of the packets that carry a payload: 62 around it, pad to 4, at least 64.
 *  \param payloads by packet \param first extension of the first \param last of the last */
inline std::vector<uint32_t>
TestVerbsFrames(const std::vector<uint32_t>& payloads, uint32_t first, uint32_t last)
{
    std::vector<uint32_t> frames;
    for (std::size_t i = 0; i < payloads.size(); ++i)
    {
        uint32_t size = 62 + (payloads[i] + 3) / 4 * 4;
        size += i == 0 ? first : 0;
        size += i + 1 == payloads.size() ? last : 0;
        frames.push_back(std::max(64u, size));
    }
    return frames;
}

/** The two links of a star of 100G and 1 us. */
inline std::vector<TestHop>
TestStarPath()
{
    return {TestHop(), TestHop()};
}

/** \return frames of the request packets of an operation. \param operation an operation \param
 *  bytes length \param mtu payload of a full packet */
inline std::vector<uint32_t>
TestRequestFrames(Operation operation, uint64_t bytes, uint32_t mtu)
{
    const bool one = IsReadOrAtomic(operation);
    const std::vector<uint32_t> payloads =
        one ? std::vector<uint32_t>{0} : TestPayloads(bytes, mtu);
    // an only packet has both
    return TestVerbsFrames(payloads,
                           TestExtension(operation, true, false),
                           IsAtomic(operation) ? 0 : TestExtension(operation, false, true));
}

/** \return frames of the answer: an ACK of 66 bytes, an ATOMIC acknowledge of 74, or READ
 *  responses with an AETH of 4 in the first and the last. \param operation an operation \param
 *  bytes length \param mtu payload of a full packet */
inline std::vector<uint32_t>
TestAnswerFrames(Operation operation, uint64_t bytes, uint32_t mtu)
{
    if (operation != Operation::READ)
    {
        return {IsAtomic(operation) ? 74u : 66u};
    }
    const std::vector<uint32_t> payloads = TestPayloads(bytes, mtu);
    return TestVerbsFrames(payloads, 4, payloads.size() == 1 ? 0 : 4);
}

/** \return ns from the first bit of a lone request to the completion at the requester: the request
 *  packets one way, then the answer the other way. \param operation an operation \param bytes
 *  length \param mtu payload of a full packet */
inline double
TestVerbsNs(Operation operation, uint64_t bytes, uint32_t mtu)
{
    return TestArrivalNs(TestStarPath(), TestRequestFrames(operation, bytes, mtu)) +
           TestArrivalNs(TestStarPath(), TestAnswerFrames(operation, bytes, mtu));
}

} // namespace roce
} // namespace ns3

#endif // ROCE_VERBS_TEST_FORMULA_H
